package dev.spindle.drive.disk;

/** In which order the heads of a cylinder follow one another. */
public enum HeadOrder {
    /** Every cylinder begins with the first head. */
    ASCENDING,
    /**
     * Every second cylinder of a zone goes back through the heads, so that a step inwards switches
     * none.
     */
    SERPENTINE_IN_ZONE,
    /** The same, counted over the whole disk: odd cylinders go back. */
    SERPENTINE_ON_DISK
}
