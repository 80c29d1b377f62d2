package dev.spindle.block;

/** What a drive does for a command in its own language, at the moment it begins it. */
@FunctionalInterface
public interface DeviceCommand {
    /**
     * Carried out by the drive, on its loop.
     *
     * @return when it ends, in ns; not before {@code nowNs}
     */
    long carryOut(long nowNs);
}
