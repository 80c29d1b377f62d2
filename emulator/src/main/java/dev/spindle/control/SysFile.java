package dev.spindle.control;

/**
 * A file of /sys and what its mode is: 0444, 0644, or 0200 where it can only be written.
 *
 * @param path below /sys
 */
public record SysFile(String path, boolean isReadable, boolean isWritable) {}
