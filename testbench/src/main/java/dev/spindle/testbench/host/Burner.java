package dev.spindle.testbench.host;

import dev.spindle.packet.CongestionPolicy;
import dev.spindle.packet.PacketSettings;
import dev.spindle.packet.PacketWriter;
import dev.spindle.packet.WriteMarks;

/**
 * A burner behind a packet writer.
 *
 * @param device to write to
 * @param writer to look into
 */
public record Burner(SimulatedDevice device, PacketWriter writer) {
    /** Of a device that has a packet writer. */
    public static Burner of(SimulatedDevice device) {
        if (device.machine() instanceof PacketWriter writer) {
            return new Burner(device, writer);
        }
        throw new IllegalArgumentException(device.name() + " has no packet writer");
    }

    /**
     * With other marks. They are taken as they are: the driver of 2004 had no least gap between the
     * two.
     */
    public Burner with(CongestionPolicy policy, WriteMarks marks) {
        PacketSettings before = writer.settings();
        writer.apply(new PacketSettings(policy, marks, before.scheduler(), before.waitNs()), 0);
        return this;
    }
}
