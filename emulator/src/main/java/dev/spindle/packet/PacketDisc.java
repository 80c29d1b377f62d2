package dev.spindle.packet;

import java.util.Optional;

/**
 * The disc as it was opened.
 *
 * @param geometry its packets
 * @param isCd for what the driver's proc file says
 * @param dataMode of the track, 1 or 2
 * @param writeKbPerSecond the speed it is written at, in the drive's own unit
 * @param refusal why it takes no writes; they end with an I/O error then
 */
public record PacketDisc(
        PacketGeometry geometry,
        boolean isCd,
        int dataMode,
        int writeKbPerSecond,
        Optional<OpenRefusal> refusal) {
    PacketDisc withRefusal(Optional<OpenRefusal> newRefusal) {
        return new PacketDisc(geometry, isCd, dataMode, writeKbPerSecond, newRefusal);
    }

    PacketDisc withWriteSpeed(int kbPerSecond) {
        return new PacketDisc(geometry, isCd, dataMode, kbPerSecond, refusal);
    }

    /** One that can be written. */
    public static PacketDisc writable(PacketGeometry geometry, boolean isCd, int writeKbPerSecond) {
        return new PacketDisc(geometry, isCd, 1, writeKbPerSecond, Optional.empty());
    }
}
