package dev.spindle.drive.optical.mmc;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The commands a burner knows: opcode, name in MMC-5 or SPC-3, what it needs. */
enum MmcCommand {
    TEST_UNIT_READY(0x00, Needs.MEDIUM),
    REQUEST_SENSE(0x03, Needs.NOTHING),
    FORMAT_UNIT(0x04, Needs.MEDIUM),
    INQUIRY(0x12, Needs.NOTHING),
    START_STOP_UNIT(0x1b, Needs.DRIVE),
    PREVENT_ALLOW_MEDIUM_REMOVAL(0x1e, Needs.DRIVE),
    READ_FORMAT_CAPACITIES(0x23, Needs.DRIVE),
    READ_CAPACITY(0x25, Needs.MEDIUM),
    READ_10(0x28, Needs.MEDIUM),
    WRITE_10(0x2a, Needs.MEDIUM),
    SEEK_10(0x2b, Needs.MEDIUM),
    WRITE_AND_VERIFY_10(0x2e, Needs.MEDIUM),
    SYNCHRONIZE_CACHE(0x35, Needs.MEDIUM),
    READ_TOC(0x43, Needs.MEDIUM),
    GET_CONFIGURATION(0x46, Needs.NOTHING),
    GET_EVENT_STATUS_NOTIFICATION(0x4a, Needs.NOTHING),
    READ_DISC_INFORMATION(0x51, Needs.MEDIUM),
    READ_TRACK_INFORMATION(0x52, Needs.MEDIUM),
    SEND_OPC_INFORMATION(0x54, Needs.MEDIUM),
    MODE_SELECT_10(0x55, Needs.DRIVE),
    MODE_SENSE_10(0x5a, Needs.DRIVE),
    CLOSE_TRACK_SESSION(0x5b, Needs.MEDIUM),
    READ_BUFFER_CAPACITY(0x5c, Needs.DRIVE),
    BLANK(0xa1, Needs.MEDIUM),
    READ_12(0xa8, Needs.MEDIUM),
    WRITE_12(0xaa, Needs.MEDIUM),
    GET_PERFORMANCE(0xac, Needs.MEDIUM),
    READ_DISC_STRUCTURE(0xad, Needs.MEDIUM),
    SET_STREAMING(0xb6, Needs.MEDIUM),
    SET_CD_SPEED(0xbb, Needs.MEDIUM),
    MECHANISM_STATUS(0xbd, Needs.DRIVE),
    READ_CD(0xbe, Needs.MEDIUM);

    /** When a command can be carried out. */
    enum Needs {
        /** Whatever goes on, and a pending unit attention stays pending. */
        NOTHING,
        /** Even without a disc, or while the drive is at work on it. */
        DRIVE,
        /** A disc, and no operation on the whole of it. */
        MEDIUM
    }

    private static final Map<Integer, MmcCommand> BY_OPCODE = new HashMap<>();

    static {
        for (MmcCommand command : values()) {
            BY_OPCODE.put(command.opcode, command);
        }
    }

    private final int opcode;
    private final Needs needs;

    MmcCommand(int opcode, Needs needs) {
        this.opcode = opcode;
        this.needs = needs;
    }

    static Optional<MmcCommand> of(int opcode) {
        return Optional.ofNullable(BY_OPCODE.get(opcode));
    }

    int opcode() {
        return opcode;
    }

    Needs needs() {
        return needs;
    }

    /** The most bytes of an answer that the host takes, by the command's allocation length. */
    int allocationBytes(Cdb cdb) {
        return switch (this) {
            case INQUIRY -> cdb.u16(3);
            case REQUEST_SENSE -> cdb.u8(4);
            case READ_FORMAT_CAPACITIES,
                    READ_TOC,
                    GET_CONFIGURATION,
                    GET_EVENT_STATUS_NOTIFICATION,
                    READ_DISC_INFORMATION,
                    READ_TRACK_INFORMATION,
                    MODE_SENSE_10,
                    READ_BUFFER_CAPACITY ->
                    cdb.u16(7);
            case MECHANISM_STATUS, READ_DISC_STRUCTURE -> cdb.u16(8);
            // READ CAPACITY has none; GET PERFORMANCE counts descriptors itself.
            default -> Integer.MAX_VALUE;
        };
    }
}
