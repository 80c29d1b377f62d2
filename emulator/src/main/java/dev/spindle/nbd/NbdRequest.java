package dev.spindle.nbd;

import dev.spindle.block.BlockRequest;
import dev.spindle.block.CompletionListener;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One request of the wire on its way through the device, with the buffer it holds on to. Made once
 * and used again by its session, which owns it whenever the device does not.
 */
final class NbdRequest implements CompletionListener {
    private final NbdSession session;
    private final BlockRequest block = new BlockRequest(this);
    private NbdCommand command = NbdCommand.FLUSH;
    private @Nullable ByteBuf buffer;

    NbdRequest(NbdSession session) {
        this.session = session;
    }

    void prepare(NbdCommand newCommand, RequestHeader header) {
        command = newCommand;
        var operation = Objects.requireNonNull(newCommand.operation());
        block.prepare(operation, header.offsetBytes(), header.lengthBytes(), header.cookie());
        if (newCommand.changesData()) {
            block.withFua(header.isFua());
            block.withDeallocation((header.flags() & NbdCommand.FLAG_NO_HOLE) == 0);
        }
    }

    /**
     * The data lies at {@code index} of {@code view}, the memory of {@code holder}, let go later.
     */
    void hold(ByteBuf holder, ByteBuffer view, int index) {
        buffer = holder;
        block.withData(view, index);
    }

    /** Whoever calls this owns the buffer from here on. */
    @Nullable ByteBuf takeBuffer() {
        ByteBuf taken = buffer;
        buffer = null;
        block.releaseData();
        return taken;
    }

    BlockRequest block() {
        return block;
    }

    NbdCommand command() {
        return command;
    }

    long cookie() {
        return block.cookie();
    }

    long offsetBytes() {
        return block.offsetBytes();
    }

    int lengthBytes() {
        return (int) block.lengthBytes();
    }

    @Override
    public void completed(BlockRequest request, long nowNs) {
        session.completed(this);
    }
}
