package dev.spindle.drive;

/**
 * What can be switched on a drive while it runs, as hdparm does on a disk.
 *
 * @param readAhead goes on reading into its cache after a read (hdparm -A)
 * @param writeBack reports writes once they are in its cache (hdparm -W)
 */
public record DriveSettings(boolean readAhead, boolean writeBack) {}
