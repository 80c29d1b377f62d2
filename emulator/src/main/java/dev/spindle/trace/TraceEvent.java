package dev.spindle.trace;

import dev.spindle.block.BlockOperation;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;

/**
 * One record as it was read: what happened when to which sectors.
 *
 * @param timeNs as the writer's clock had it
 * @param sector of 512 bytes
 * @param lengthBytes up to 4 GiB - 1, all that a record can say
 * @param word action and categories, see linux/blktrace_api.h
 * @param error an errno, 0 for none
 * @param pduNumber the first eight bytes of what follows the record, big-endian; 0 without
 */
public record TraceEvent(
        long timeNs,
        int sequence,
        long sector,
        long lengthBytes,
        int word,
        int pid,
        TraceDevice device,
        int cpu,
        int error,
        long pduNumber) {
    static final long MAX_LENGTH_BYTES = 0xffff_ffffL;

    /** Reads one record, in the buffer's byte order. */
    static TraceEvent decode(ByteBuffer buffer, int start, int pduBytes) {
        long pduNumber = 0;
        if (pduBytes >= Long.BYTES) {
            pduNumber = buffer.getLong(start + RecordLayout.BYTES);
            if (buffer.order() == ByteOrder.LITTLE_ENDIAN) {
                pduNumber = Long.reverseBytes(pduNumber);
            }
        }
        return new TraceEvent(
                buffer.getLong(start + RecordLayout.TIME),
                buffer.getInt(start + RecordLayout.SEQUENCE),
                buffer.getLong(start + RecordLayout.SECTOR),
                Integer.toUnsignedLong(buffer.getInt(start + RecordLayout.LENGTH)),
                buffer.getInt(start + RecordLayout.ACTION),
                buffer.getInt(start + RecordLayout.PID),
                TraceDevice.ofNumber(buffer.getInt(start + RecordLayout.DEVICE)),
                buffer.getInt(start + RecordLayout.CPU),
                Math.abs(buffer.getShort(start + RecordLayout.ERROR)),
                pduNumber);
    }

    /** Empty for an action of a kernel that knows more than we do. */
    public Optional<TraceAction> action() {
        return isDriverData() ? Optional.empty() : TraceAction.of(word);
    }

    /** The blkparse letter, or '?'. */
    public char letter() {
        return action().map(TraceAction::letter).orElse('?');
    }

    /** What is to be done with the sectors; a flush has none. */
    public BlockOperation operation() {
        if (has(Categories.DISCARD)) {
            return BlockOperation.DISCARD;
        }
        if (lengthBytes == 0) {
            return BlockOperation.FLUSH;
        }
        return has(Categories.WRITE) ? BlockOperation.WRITE : BlockOperation.READ;
    }

    /** A cache flush goes before it, or is all of it. */
    public boolean isFlush() {
        return has(Categories.FLUSH);
    }

    public boolean isFua() {
        return has(Categories.FUA);
    }

    public boolean isReadAhead() {
        return has(Categories.AHEAD);
    }

    /** A process's name, the time of day, a message: nothing that has happened to a request. */
    boolean isNotification() {
        return has(Categories.NOTIFY);
    }

    /** A command of SCSI's own, not blocks. */
    boolean isPassThrough() {
        return has(Categories.PC);
    }

    private boolean isDriverData() {
        return has(Categories.DRIVER_DATA);
    }

    private boolean has(int category) {
        return ((word >>> Categories.SHIFT) & category) != 0;
    }
}
