package dev.spindle.packet;

/** Why a disc was not opened for writing, with the error the driver's open gave. */
public enum OpenRefusal {
    PROFILE("EROFS", "the disc is of a kind that is not written in packets"),
    NO_TRACK("EROFS", "the disc's type is unknown; there may be no track on it"),
    DISC_TYPE("EROFS", "the disc is not of type CD-ROM or XA"),
    NOT_ERASABLE("EROFS", "the disc is not erasable"),
    RESERVED("EROFS", "the last track is reserved"),
    NO_PACKETS("EROFS", "the track is not in fixed packets"),
    TRACK_STATE("EROFS", "the track is in no state to be written"),
    PACKET_ZERO("ENXIO", "the track's packet size is zero"),
    PACKET_LARGE("EROFS", "the track's packets are larger than 128 frames"),
    DATA_MODE("EROFS", "the track is in an unknown data mode"),
    WRITE_PROTECTED("EROFS", "the disc is write-protected");

    private final String errno;
    private final String sentence;

    OpenRefusal(String errno, String sentence) {
        this.errno = errno;
        this.sentence = sentence;
    }

    public String errno() {
        return errno;
    }

    public String sentence() {
        return sentence;
    }
}
