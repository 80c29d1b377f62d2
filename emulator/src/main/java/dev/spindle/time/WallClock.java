package dev.spindle.time;

/** The machine's monotonic clock. */
final class WallClock implements DeviceClock {
    static final WallClock INSTANCE = new WallClock(System.nanoTime());

    private final long originNs;

    private WallClock(long originNs) {
        this.originNs = originNs;
    }

    @Override
    public long nowNs() {
        return System.nanoTime() - originNs;
    }
}
