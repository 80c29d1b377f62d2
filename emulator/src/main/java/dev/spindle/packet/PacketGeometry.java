package dev.spindle.packet;

import dev.spindle.block.Sectors;

/**
 * How a track is divided into packets. A frame is 2048 bytes, a zone the place of one packet on the
 * disc; all else is in sectors of 512 bytes. A zone is named by its first sector; the first may lie
 * before the device and the last reach beyond it, and then they are short.
 *
 * @param packetFrames 16 on a DVD, 32 on a CD-RW; a power of two
 * @param trackStartBlock where the track begins on the disc, which shifts the zones
 * @param capacitySectors of the device
 */
public record PacketGeometry(int packetFrames, long trackStartBlock, long capacitySectors) {
    public static final int FRAME_BYTES = 2048;
    public static final int FRAME_SECTORS = FRAME_BYTES / Sectors.BYTES;
    public static final int MAX_PACKET_FRAMES = 128;

    public PacketGeometry {
        if (packetFrames < 1
                || packetFrames > MAX_PACKET_FRAMES
                || Integer.bitCount(packetFrames) != 1) {
            throw new IllegalArgumentException(
                    "packet="
                            + packetFrames
                            + " frames is no power of two up to "
                            + MAX_PACKET_FRAMES);
        }
        if (trackStartBlock < 0 || capacitySectors < 1 || capacitySectors % FRAME_SECTORS != 0) {
            throw new IllegalArgumentException(
                    "track start="
                            + trackStartBlock
                            + " capacity="
                            + capacitySectors
                            + " sectors: no whole frames");
        }
    }

    public int packetSectors() {
        return packetFrames * FRAME_SECTORS;
    }

    public int packetBytes() {
        return packetFrames * FRAME_BYTES;
    }

    /** What a sector's address is moved by before it is rounded down to a packet. */
    public long offsetSectors() {
        return trackStartBlock * FRAME_SECTORS & packetSectors() - 1;
    }

    /** The zone that a sector lies in. */
    public long zoneOf(long sector) {
        return (sector + offsetSectors() & -packetSectors()) - offsetSectors();
    }

    /** The first sector of it that the device has. */
    public long firstSector(long zone) {
        return Math.max(0, zone);
    }

    /** The end of what the device has of it. */
    public long endSector(long zone) {
        return Math.min(capacitySectors, zone + packetSectors());
    }

    public int frames(long zone) {
        return (int) ((endSector(zone) - firstSector(zone)) / FRAME_SECTORS);
    }
}
