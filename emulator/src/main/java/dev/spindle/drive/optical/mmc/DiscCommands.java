package dev.spindle.drive.optical.mmc;

import dev.spindle.drive.optical.DiscOperation;
import dev.spindle.drive.optical.MediumKind;
import dev.spindle.drive.optical.OpticalDrive;
import java.nio.ByteBuffer;

/**
 * What is done to the disc as a whole: FORMAT UNIT, BLANK, CLOSE TRACK/SESSION. Each ends when it
 * is done, or at once where the host asks for that; the drive then answers with how far it is.
 */
final class DiscCommands {
    private static final int HEADER_BYTES = 4;
    private static final int DESCRIPTOR_BYTES = 8;
    private static final int FORMAT_DATA = 0x10;
    private static final int FORMAT_CODE = 0x07;
    private static final int OPTIONS_VALID = 0x80;
    private static final int OPTIONS = 0x7c;
    private static final int HEADER_IMMEDIATE = 0x02;
    private static final long ALL_OF_IT = 0xffff_ffffL;

    private final OpticalDrive burner;
    private final DiscView disc;

    DiscCommands(OpticalDrive burner, DiscView disc) {
        this.burner = burner;
        this.disc = disc;
    }

    private byte[] begin(DiscOperation operation, boolean isImmediate, MmcCall call)
            throws CheckCondition {
        CheckCondition.require(!disc.isWriteProtected(), Sense.WRITE_PROTECTED);
        CheckCondition.require(
                burner.mediumRefusal(operation).isEmpty(), Sense.INCOMPATIBLE_MEDIUM);
        long endNs = burner.begin(operation, call.nowNs());
        if (!isImmediate) {
            call.endsAt(endNs);
        }
        return MmcDrive.nothing();
    }

    /**
     * The parameter list.
     *
     * <pre>
     *   0  reserved      4  number of blocks, all ones for what is possible
     *   1  options       8  format type in bits 7 to 2, its subtype
     *   2  length: 8     9  its parameter: a packet size, a block size
     * </pre>
     */
    byte[] format(MmcCall call) throws CheckCondition {
        CheckCondition.requireField(
                call.cdb().has(1, FORMAT_DATA) && (call.cdb().u8(1) & FORMAT_CODE) == 1);
        CheckCondition.require(
                call.data().length >= HEADER_BYTES + DESCRIPTOR_BYTES, Sense.PARAMETER_LIST_LENGTH);
        ByteBuffer list = ByteBuffer.wrap(call.data());
        int flags = list.get(1);
        boolean hasOptions = (flags & OPTIONS_VALID) != 0;
        CheckCondition.require(
                list.getShort(2) == DESCRIPTOR_BYTES && !(hasOptions && (flags & OPTIONS) != 0),
                Sense.INVALID_PARAMETER);
        long blocks = list.getInt(4) & 0xffff_ffffL;
        CheckCondition.require(isAll(blocks), Sense.INVALID_PARAMETER);
        int parameter = list.getInt(8) & 0xff_ffff;
        DiscOperation operation = operation((list.get(8) & 0xff) >> 2, parameter);
        return begin(operation, (flags & HEADER_IMMEDIATE) != 0, call);
    }

    /** Only whole discs are formatted; 0 stands for as much as there is where a disc may grow. */
    private boolean isAll(long blocks) {
        return blocks == ALL_OF_IT
                || blocks == disc.capacityBlocks()
                || (blocks == 0 && disc.kind() == MediumKind.DVD_MINUS_RW);
    }

    private DiscOperation operation(int type, int parameter) throws CheckCondition {
        MediumKind kind = disc.kind();
        boolean isPacket = parameter == kind.packetBlocks();
        boolean isKnown =
                switch (type) {
                    case DiscReports.FORMAT_FULL ->
                            (kind == MediumKind.DVD_MINUS_RW && isPacket)
                                    || (kind == MediumKind.DVD_RAM
                                            && parameter == MediumKind.BLOCK_BYTES);
                    case DiscReports.FORMAT_CD_RW -> kind == MediumKind.CD_RW && isPacket;
                    case DiscReports.FORMAT_DVD_MINUS_RW_QUICK ->
                            kind == MediumKind.DVD_MINUS_RW && isPacket;
                    case DiscReports.FORMAT_DVD_PLUS_RW -> kind == MediumKind.DVD_PLUS_RW;
                    default -> false;
                };
        CheckCondition.require(isKnown, Sense.INVALID_PARAMETER);
        // A DVD+RW is ready once its lead-in is; the rest is done behind the host's back.
        boolean isQuick =
                type == DiscReports.FORMAT_DVD_MINUS_RW_QUICK
                        || type == DiscReports.FORMAT_DVD_PLUS_RW;
        return isQuick ? DiscOperation.QUICK_FORMAT : DiscOperation.FORMAT;
    }

    byte[] blank(MmcCall call) throws CheckCondition {
        DiscOperation operation =
                switch (call.cdb().u8(1) & 0x07) {
                    case 0 -> DiscOperation.BLANK;
                    case 1 -> DiscOperation.QUICK_BLANK;
                    default -> throw new CheckCondition(Sense.INVALID_FIELD);
                };
        return begin(operation, call.cdb().has(1, 0x10), call);
    }

    /**
     * A track in packets is closed as soon as what is in the buffer is written; so is the session
     * of a disc that is written anywhere at any time, but for a lead-out where there can be one.
     */
    byte[] close(MmcCall call) throws CheckCondition {
        boolean isImmediate = call.cdb().has(1, 0x01);
        int function = call.cdb().u8(2) & 0x07;
        boolean isOfTrack = function <= 1;
        CheckCondition.requireField(function != 4 && function != 7);
        CheckCondition.require(disc.isWritable(), Sense.ILLEGAL_MODE_FOR_TRACK);
        if (!isOfTrack && disc.kind() != MediumKind.DVD_RAM) {
            return begin(DiscOperation.FINALISE, isImmediate, call);
        }
        if (!isImmediate) {
            call.endsAt(burner.finishWriting(call.nowNs()));
        }
        return MmcDrive.nothing();
    }
}
