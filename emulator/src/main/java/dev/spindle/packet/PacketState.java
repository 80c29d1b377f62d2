package dev.spindle.packet;

/** What a packet is about, with the abbreviation the driver's proc file had for it. */
public enum PacketState {
    IDLE("i"),
    /** Takes whatever comes for its zone, until it is complete or has waited long enough. */
    WAITING("ow"),
    /** The frames nobody has written are being read. */
    READ_WAIT("rw"),
    WRITE_WAIT("ww"),
    /** Reading or writing failed. */
    RECOVERY("rec"),
    FINISHED("fin");

    private final String abbreviation;

    PacketState(String abbreviation) {
        this.abbreviation = abbreviation;
    }

    public String abbreviation() {
        return abbreviation;
    }
}
