package dev.spindle.time;

/** A clock that stands still until it is moved; owned by the thread that moves it. */
public final class VirtualClock implements DeviceClock {
    private long nowNs;

    @Override
    public long nowNs() {
        return nowNs;
    }

    /** Moves forward to {@code timeNs}; never back. */
    public void advanceTo(long timeNs) {
        if (timeNs < nowNs) {
            throw new IllegalArgumentException(
                    "clock at " + nowNs + " ns cannot go back to " + timeNs + " ns");
        }
        nowNs = timeNs;
    }
}
