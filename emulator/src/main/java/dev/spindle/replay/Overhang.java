package dev.spindle.replay;

/** What to do with requests beyond the device's end. */
public enum Overhang {
    /** The trace is not replayed. */
    REFUSE,
    /** Each goes as far from the device's beginning as it lay beyond a multiple of its size. */
    WRAP,
    /** All offsets are multiplied, so that the farthest request ends with the device. */
    SCALE
}
