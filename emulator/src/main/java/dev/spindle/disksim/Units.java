package dev.spindle.disksim;

/** DiskSim writes times in milliseconds. */
final class Units {
    /** Longer than anything a disk does. */
    static final double MAX_MS = 1e6;

    private Units() {}

    static long ns(double ms) {
        return Math.round(ms * 1e6);
    }

    /** A time in milliseconds, zero where it is not given. */
    static long ns(ParamBlock block, String key) throws DiskSimException {
        return ns(block.number(key, 0, 0, MAX_MS));
    }

    /** The same of a difference between two times, which may be negative. */
    static long signedNs(ParamBlock block, String key) throws DiskSimException {
        return ns(block.number(key, 0, -MAX_MS, MAX_MS));
    }

    static long requiredNs(ParamBlock block, String key) throws DiskSimException {
        return ns(block.number(key, 0, MAX_MS));
    }
}
