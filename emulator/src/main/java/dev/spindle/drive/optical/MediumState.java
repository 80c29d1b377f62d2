package dev.spindle.drive.optical;

/** What has been done to a disc. Only a formatted one can be written in packets. */
public enum MediumState {
    FORMATTED,
    /** Erased: no track on it. */
    BLANK,
    /** Written as one track and closed. */
    FINALISED,
    /** By the cartridge's tab or in software. */
    WRITE_PROTECTED,
    /** A track, but none in fixed packets. */
    UNFORMATTED,
    /** Pressed: a CD-ROM, a DVD-ROM. */
    READ_ONLY;

    /** True where the laser may write at all. */
    public boolean isWritable() {
        return this == FORMATTED;
    }
}
