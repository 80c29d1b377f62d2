package dev.spindle.control;

import dev.spindle.config.PacketConfig;
import dev.spindle.packet.CongestionPolicy;
import dev.spindle.packet.PacketScheduler;
import dev.spindle.packet.PacketSettings;
import dev.spindle.packet.WriteMarks;

/** From what people write about a packet writer to what it works with. */
public final class PacketMapping {
    private PacketMapping() {}

    public static PacketSettings settings(PacketConfig config) {
        return new PacketSettings(
                policy(config), marks(config), scheduler(config), config.waitNs());
    }

    /** With the marks as the driver would have corrected them. */
    static PacketConfig corrected(PacketConfig config) {
        WriteMarks marks = marks(config);
        return config.withMarks(marks.on(), marks.off());
    }

    private static WriteMarks marks(PacketConfig config) {
        return WriteMarks.clamped(config.congestionOn(), config.congestionOff());
    }

    private static CongestionPolicy policy(PacketConfig config) {
        return switch (config.policy()) {
            case NONE -> CongestionPolicy.NONE;
            case FLAG -> CongestionPolicy.FLAG;
            case BLOCK -> CongestionPolicy.BLOCK;
        };
    }

    private static PacketScheduler scheduler(PacketConfig config) {
        return switch (config.scheduler()) {
            case WHEN_STUCK -> PacketScheduler.WHEN_STUCK;
            case AT_SEEK -> PacketScheduler.AT_SEEK;
        };
    }
}
