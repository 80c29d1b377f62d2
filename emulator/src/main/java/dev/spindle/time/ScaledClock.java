package dev.spindle.time;

/**
 * A device's own time, which passes faster or slower than the wall's. It begins at zero, never goes
 * back, and does not jump when its scale is changed: from then on it only passes at another rate.
 *
 * <p>Owned by the loop that owns the device.
 */
public final class ScaledClock implements DeviceClock {
    private final DeviceClock wall;
    private TimeScale scale;
    private long sinceWallNs;
    private long sinceDeviceNs;

    public ScaledClock(DeviceClock wall, TimeScale scale) {
        this.wall = wall;
        this.scale = scale;
        sinceWallNs = wall.nowNs();
    }

    @Override
    public long nowNs() {
        return deviceNs(wall.nowNs());
    }

    private long deviceNs(long wallNs) {
        return sinceDeviceNs + scale.toDeviceNs(wallNs - sinceWallNs);
    }

    @Override
    public TimeScale scale() {
        return scale;
    }

    /** From now on. A deadline asked for before is reached at another moment of the wall's time. */
    public void scale(TimeScale newScale) {
        long wallNs = wall.nowNs();
        sinceDeviceNs = deviceNs(wallNs);
        sinceWallNs = wallNs;
        scale = newScale;
    }
}
