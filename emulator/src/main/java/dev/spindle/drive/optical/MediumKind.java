package dev.spindle.drive.optical;

/**
 * The rewritable discs, with what their standards say of them.
 *
 * <p>A CD-RW in fixed packets spends 39 blocks of track on 32 blocks of data: a packet is linked to
 * the one before it by a link block, four run-in and two run-out blocks. A DVD is written in error
 * correction blocks of 16 sectors that join without a gap.
 */
public enum MediumKind {
    CD_RW("CD-RW", 0x0a, 32, 295_264, 153_600, 176, 39),
    DVD_PLUS_RW("DVD+RW", 0x1a, 16, 2_295_104, 1_385_000, 1385, 16),
    DVD_MINUS_RW("DVD-RW restricted overwrite", 0x13, 16, 2_297_888, 1_385_000, 1385, 16),
    DVD_RAM("DVD-RAM", 0x12, 16, 2_295_072, 1_385_000, 1385, 16);

    /**
     * Blocks of track before and after the data. On a CD a minute, and a minute and a half behind
     * the first session (Orange Book part III). On a DVD the rings between the radii 22.6 and 24.0
     * mm, and half a millimetre from 58.0 mm on (ECMA-337), at 0.74 um a turn and 5.16 mm a sector.
     */
    private record Leads(int inBlocks, int outBlocks) {
        static final Leads CD = new Leads(4500, 6750);
        static final Leads DVD = new Leads(53_700, 48_000);
    }

    /** A block of user data, whatever the medium. */
    public static final int BLOCK_BYTES = 2048;

    private final String label;
    private final int profile;
    private final int packetBlocks;
    private final int capacityBlocks;
    private final int bytesPerSecondAtOne;
    private final int kbPerSecondAtOne;
    private final int trackBlocksPerPacket;

    MediumKind(
            String label,
            int profile,
            int packetBlocks,
            int capacityBlocks,
            int bytesPerSecondAtOne,
            int kbPerSecondAtOne,
            int trackBlocksPerPacket) {
        this.label = label;
        this.profile = profile;
        this.packetBlocks = packetBlocks;
        this.capacityBlocks = capacityBlocks;
        this.bytesPerSecondAtOne = bytesPerSecondAtOne;
        this.kbPerSecondAtOne = kbPerSecondAtOne;
        this.trackBlocksPerPacket = trackBlocksPerPacket;
    }

    public String label() {
        return label;
    }

    /** The MMC profile that GET CONFIGURATION names. */
    public int profile() {
        return profile;
    }

    /** What is written as one: a fixed packet, an error correction block. */
    public int packetBlocks() {
        return packetBlocks;
    }

    public int packetSectors() {
        return 4 * packetBlocks;
    }

    /** Of a disc of common size: 80 minutes, 4.7 GB. */
    public long capacityBytes() {
        return (long) capacityBlocks * BLOCK_BYTES;
    }

    /**
     * What SET SPEED and the capabilities page count for 1x; a CD's counts raw 2352-byte sectors.
     */
    public int kbPerSecondAtOne() {
        return kbPerSecondAtOne;
    }

    /** User data that passes under the laser at {@code speed}, linking taken off. */
    double bytesPerSecond(double speed) {
        return speed * bytesPerSecondAtOne * packetBlocks / trackBlocksPerPacket;
    }

    /** Blocks of track that so many blocks of data take, with what links the packets. */
    public long trackBlocks(long dataBlocks) {
        return Math.ceilDiv(dataBlocks * trackBlocksPerPacket, packetBlocks);
    }

    private Leads leads() {
        return switch (this) {
            case CD_RW -> Leads.CD;
            case DVD_PLUS_RW, DVD_MINUS_RW, DVD_RAM -> Leads.DVD;
        };
    }

    /** To write the lead-in, in ns. */
    double leadInNs(double speed) {
        return trackNs(leads().inBlocks(), speed);
    }

    /** To write the lead-out, in ns. */
    double leadOutNs(double speed) {
        return trackNs(leads().outBlocks(), speed);
    }

    private double trackNs(int blocks, double speed) {
        return blocks * BLOCK_BYTES * 1e9 / (speed * bytesPerSecondAtOne);
    }

    /**
     * True where the drive itself reads, changes and writes back a packet of which it is given a
     * part; the others want whole packets.
     */
    public boolean takesPartsOfPackets() {
        return switch (this) {
            case DVD_PLUS_RW, DVD_RAM -> true;
            case CD_RW, DVD_MINUS_RW -> false;
        };
    }
}
