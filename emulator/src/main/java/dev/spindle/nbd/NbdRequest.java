package dev.spindle.nbd;

import dev.spindle.block.BlockOperation;
import dev.spindle.block.BlockRequest;
import dev.spindle.block.BlockStatus;
import dev.spindle.block.CompletionListener;
import dev.spindle.block.ExtentList;
import dev.spindle.block.ExtentsListener;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One request of the wire on its way through the device, with the buffer it holds on to. Made once
 * and used again by its session, which owns it whenever the device does not.
 *
 * <p>The device gets a long one in slices, one after the other, so that it never has to work for
 * long without looking at what else there is.
 */
final class NbdRequest implements CompletionListener, ExtentsListener {
    /** The most that is given to the device at once; READ and WRITE are always shorter. */
    static final long SLICE_BYTES = 1 << 30;

    /** A drive's cache holds no more, so that is how far a CACHE goes. */
    static final long CACHE_BYTES = 32 << 20;

    /** Extents in one reply to BLOCK_STATUS. */
    static final int MAX_EXTENTS = 4096;

    private final NbdSession session;
    private final BlockRequest block = new BlockRequest(this);
    private NbdCommand command = NbdCommand.FLUSH;
    private int flags;
    private long cookie;
    private long offsetBytes;
    private long lengthBytes;
    private @Nullable ByteBuf buffer;
    private @Nullable ExtentList extents;
    private BlockStatus extentsStatus = BlockStatus.OK;

    NbdRequest(NbdSession session) {
        this.session = session;
    }

    void prepare(NbdCommand newCommand, RequestHeader header) {
        command = newCommand;
        flags = header.flags();
        cookie = header.cookie();
        offsetBytes = header.offsetBytes();
        lengthBytes = header.lengthBytes();
        if (command == NbdCommand.BLOCK_STATUS) {
            extents = new ExtentList(isForOneExtent() ? 1 : MAX_EXTENTS);
        } else {
            long most = command == NbdCommand.CACHE ? CACHE_BYTES : SLICE_BYTES;
            prepareBlock(offsetBytes, Math.min(lengthBytes, most));
        }
    }

    private void prepareBlock(long fromBytes, long sliceBytes) {
        BlockOperation operation = Objects.requireNonNull(command.operation());
        block.prepare(operation, fromBytes, sliceBytes, cookie);
        if (command.changesData()) {
            block.withFua((flags & NbdCommand.FLAG_FUA) != 0);
            block.withDeallocation((flags & NbdCommand.FLAG_NO_HOLE) == 0);
        }
    }

    /** After a slice: prepares the next one, if there is more and all went well so far. */
    boolean goesOn() {
        if (!command.changesData() || block.status() != BlockStatus.OK) {
            return false;
        }
        long doneBytes = block.offsetBytes() + block.lengthBytes() - offsetBytes;
        if (doneBytes == lengthBytes) {
            return false;
        }
        prepareBlock(offsetBytes + doneBytes, Math.min(lengthBytes - doneBytes, SLICE_BYTES));
        return true;
    }

    /**
     * The data lies at {@code index} of {@code view}, the memory of {@code holder}, let go later.
     */
    void hold(ByteBuf holder, ByteBuffer view, int index) {
        buffer = holder;
        block.withData(view, index);
    }

    /** Where a READ's data is, if it is not the device's memory. */
    @Nullable ByteBuf buffer() {
        return buffer;
    }

    /** Whoever calls this owns the buffer from here on. */
    @Nullable ByteBuf takeBuffer() {
        ByteBuf taken = buffer;
        buffer = null;
        extents = null;
        block.releaseData();
        return taken;
    }

    BlockRequest block() {
        return block;
    }

    /** Of a BLOCK_STATUS. */
    ExtentList extents() {
        return Objects.requireNonNull(extents);
    }

    NbdCommand command() {
        return command;
    }

    long cookie() {
        return cookie;
    }

    long offsetBytes() {
        return offsetBytes;
    }

    long lengthBytes() {
        return lengthBytes;
    }

    /** Of a READ or WRITE. */
    int dataBytes() {
        return (int) lengthBytes;
    }

    /** What the session keeps for its reply. */
    int replyBytes() {
        return replyBytes(command, lengthBytes);
    }

    static int replyBytes(NbdCommand command, long lengthBytes) {
        return switch (command) {
            case READ -> (int) lengthBytes;
            case BLOCK_STATUS -> MAX_EXTENTS * Long.BYTES;
            case WRITE, DISC, FLUSH, TRIM, CACHE, WRITE_ZEROES -> 0;
        };
    }

    boolean isUnfragmented() {
        return (flags & NbdCommand.FLAG_DF) != 0;
    }

    boolean isForOneExtent() {
        return (flags & NbdCommand.FLAG_REQ_ONE) != 0;
    }

    BlockStatus status() {
        return command == NbdCommand.BLOCK_STATUS ? extentsStatus : block.status();
    }

    /** Where it failed, or {@link BlockRequest#UNKNOWN_OFFSET}. */
    long failedOffsetBytes() {
        return command == NbdCommand.BLOCK_STATUS
                ? BlockRequest.UNKNOWN_OFFSET
                : block.failedOffsetBytes();
    }

    @Override
    public void completed(BlockRequest request, long nowNs) {
        session.completed(this);
    }

    @Override
    public void found(ExtentList list, BlockStatus status) {
        extentsStatus = status;
        session.completed(this);
    }

    @Override
    public String toString() {
        return command + " offset=" + offsetBytes + " length=" + lengthBytes;
    }
}
