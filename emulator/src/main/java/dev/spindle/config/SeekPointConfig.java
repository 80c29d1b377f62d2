package dev.spindle.config;

/** A seek over that many cylinders takes that long. */
public record SeekPointConfig(int cylinders, long timeNs) {
    public SeekPointConfig {
        Checks.requireRange("cylinders", cylinders, 1, Integer.MAX_VALUE);
    }

    boolean isBeyond(SeekPointConfig before) {
        return cylinders > before.cylinders;
    }
}
