package dev.spindle.shm;

import dev.spindle.block.BlockOperation;
import dev.spindle.block.BlockRequest;
import java.nio.ByteBuffer;

/** One slot's request: made when the slot is first used, then used over and over. */
final class ShmRequest {
    private final int slot;
    private final BlockRequest block;
    private int direction;
    private boolean isBusy;

    ShmRequest(int slot, ShmSession session) {
        this.slot = slot;
        block = new BlockRequest((_, _) -> session.completed(this));
    }

    void prepare(Submission entry, ByteBuffer arena) {
        isBusy = true;
        direction = entry.direction();
        block.prepare(operation(entry.command()), entry.offsetBytes(), entry.lengthBytes(), slot)
                .withFua((entry.flags() & ChannelLayout.FLAG_FUA) != 0)
                .withWaiter((entry.flags() & ChannelLayout.FLAG_AWAITED) != 0)
                .withDeallocation(true);
        if (entry.command() == ChannelLayout.COMMAND_READ
                || entry.command() == ChannelLayout.COMMAND_WRITE) {
            long at =
                    ChannelLayout.ARENA_OFFSET
                            + Integer.toUnsignedLong(entry.page()) * ChannelLayout.PAGE_BYTES;
            block.withData(arena, Math.toIntExact(at));
        }
    }

    private static BlockOperation operation(int command) {
        return switch (command) {
            case ChannelLayout.COMMAND_READ -> BlockOperation.READ;
            case ChannelLayout.COMMAND_WRITE -> BlockOperation.WRITE;
            case ChannelLayout.COMMAND_FLUSH -> BlockOperation.FLUSH;
            case ChannelLayout.COMMAND_DISCARD -> BlockOperation.DISCARD;
            case ChannelLayout.COMMAND_WRITE_ZEROES -> BlockOperation.WRITE_ZEROES;
            default -> throw new IllegalArgumentException("command " + command);
        };
    }

    void ended() {
        isBusy = false;
        block.releaseData();
    }

    boolean isBusy() {
        return isBusy;
    }

    BlockRequest block() {
        return block;
    }

    int slot() {
        return slot;
    }

    int direction() {
        return direction;
    }
}
