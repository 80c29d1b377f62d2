package dev.spindle.drive.optical;

/**
 * What a burner has done so far.
 *
 * @param writeRestarts times the laser had to find its place before it could write
 * @param readAccesses times it had to find a place to read
 * @param flushes FLUSH commands
 * @param bufferedBytes in the write buffer at the last command
 */
public record OpticalActivity(
        long writeRestarts, long readAccesses, long flushes, long bufferedBytes) {}
