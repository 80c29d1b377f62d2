package dev.spindle.config;

import java.util.Optional;

/**
 * The disc in an optical device, and how it is written.
 *
 * @param state what has been done to it
 * @param packetBytes the packet size it says it was formatted with; 0 and large ones are refused
 *     when it is opened for writing
 * @param writer empty where programs face the bare drive
 */
public record DiscConfig(DiscState state, int packetBytes, Optional<PacketConfig> writer) {
    private static final int MAX_PACKET_BYTES = 256 << 10;

    /** True for a size in which a packet writer can write. */
    public boolean isPacketSizeSupported() {
        return packetBytes > 0 && packetBytes <= MAX_PACKET_BYTES;
    }

    /** What is wrong with a max_sectors_kb, next to this disc. */
    public Optional<String> maxSectorsFault(int maxSectorsKb) {
        return OpticalReader.maxSectorsFault(maxSectorsKb, this);
    }
}
