package dev.spindle.packet;

import java.util.Optional;

/**
 * What the drive says of the disc, in the words of MMC, and whether the driver would have opened
 * that for writing.
 *
 * @param profile GET CONFIGURATION
 * @param discType READ DISC INFORMATION: 0 CD-ROM, 0x20 XA, 0xff unknown
 * @param isErasable the same
 * @param isSessionReserved the same: the border of the last session is not closed
 * @param isWriteProtected the mode page that the CD-ROM layer looks at first
 * @param track READ TRACK INFORMATION of track 1
 */
public record DiscInfo(
        int profile,
        int discType,
        boolean isErasable,
        boolean isSessionReserved,
        boolean isWriteProtected,
        Track track) {
    static final int CD_RW = 0x0a;
    static final int DVD_RAM = 0x12;
    static final int DVD_MINUS_RW = 0x13;
    static final int DVD_PLUS_RW = 0x1a;

    private static final int XA = 0x20;
    private static final int UNKNOWN_TYPE = 0xff;

    /**
     * A track.
     *
     * @param isPacket written in packets
     * @param isFixed packets of one size
     * @param isReserved RT
     * @param isBlank nothing written yet
     * @param packetFrames the fixed packet size
     * @param dataMode 1 or 2
     * @param startBlock where it begins
     */
    public record Track(
            boolean isPacket,
            boolean isFixed,
            boolean isReserved,
            boolean isBlank,
            int packetFrames,
            int dataMode,
            long startBlock) {
        /** As formatting leaves one. */
        public static Track formatted(int packetFrames) {
            return new Track(true, true, false, false, packetFrames, 1, 0);
        }
    }

    /** A formatted disc. */
    public static DiscInfo formatted(int profile, int packetFrames) {
        return new DiscInfo(profile, 0, true, false, false, Track.formatted(packetFrames));
    }

    /**
     * Frames in a packet as the driver took it; Linux up to 2.6.12 assumed 128 sectors where the
     * drive said zero.
     */
    public int packetFrames(boolean assumesSize) {
        return track.packetFrames == 0 && assumesSize ? 32 : track.packetFrames;
    }

    /** In the order in which the driver looked; empty where it opened. */
    public Optional<OpenRefusal> refusal(boolean assumesSize) {
        return firstOf(
                isWriteProtected ? Optional.of(OpenRefusal.WRITE_PROTECTED) : Optional.empty(),
                ofDisc(),
                ofTrack(),
                ofPacket(packetFrames(assumesSize)));
    }

    @SafeVarargs
    private static Optional<OpenRefusal> firstOf(Optional<OpenRefusal>... refusals) {
        for (Optional<OpenRefusal> refusal : refusals) {
            if (refusal.isPresent()) {
                return refusal;
            }
        }
        return Optional.empty();
    }

    private Optional<OpenRefusal> ofDisc() {
        return switch (profile) {
            case DVD_PLUS_RW, DVD_MINUS_RW, DVD_RAM -> Optional.empty();
            case CD_RW -> ofCd();
            default -> Optional.of(OpenRefusal.PROFILE);
        };
    }

    private Optional<OpenRefusal> ofCd() {
        if (discType == UNKNOWN_TYPE) {
            return Optional.of(OpenRefusal.NO_TRACK);
        }
        if (discType != 0 && discType != XA) {
            return Optional.of(OpenRefusal.DISC_TYPE);
        }
        if (!isErasable) {
            return Optional.of(OpenRefusal.NOT_ERASABLE);
        }
        return isSessionReserved ? Optional.of(OpenRefusal.RESERVED) : Optional.empty();
    }

    private Optional<OpenRefusal> ofTrack() {
        if (profile == DVD_PLUS_RW || profile == DVD_RAM) {
            return Optional.empty();
        }
        if (!track.isPacket || !track.isFixed) {
            return Optional.of(OpenRefusal.NO_PACKETS);
        }
        return track.isReserved && track.isBlank
                ? Optional.of(OpenRefusal.TRACK_STATE)
                : Optional.empty();
    }

    private Optional<OpenRefusal> ofPacket(int frames) {
        if (frames == 0) {
            return Optional.of(OpenRefusal.PACKET_ZERO);
        }
        if (frames > PacketGeometry.MAX_PACKET_FRAMES) {
            return Optional.of(OpenRefusal.PACKET_LARGE);
        }
        return track.dataMode == 1 || track.dataMode == 2
                ? Optional.empty()
                : Optional.of(OpenRefusal.DATA_MODE);
    }
}
