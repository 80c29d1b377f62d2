package dev.spindle.shm;

import dev.spindle.block.BlockStatus;
import dev.spindle.queue.BlockDevice;
import org.jspecify.annotations.Nullable;

/**
 * What an entry of the submission ring must be. What no shim would ever write is a breach, and the
 * process is cut off; what the device does not do is refused, and the process is told.
 */
final class ShmRules {
    private static final long MAX_RANGE_BYTES = 1L << 30;
    private final long capacityBytes;
    private final int blockMask;
    private final boolean isReadOnly;

    ShmRules(BlockDevice device) {
        capacityBytes = device.capacityBytes();
        blockMask = device.limits().logicalBlockBytes() - 1;
        isReadOnly = device.isReadOnly();
    }

    /** What is wrong with it as an entry, or null. */
    static @Nullable String breach(Submission entry, long arenaBytes) {
        if (entry.slot() < 0 || entry.slot() >= ChannelLayout.SLOTS) {
            return "slot " + Integer.toUnsignedString(entry.slot());
        }
        if ((entry.flags() & ~(ChannelLayout.FLAG_FUA | ChannelLayout.FLAG_AWAITED)) != 0) {
            return "flags " + entry.flags();
        }
        return switch (entry.command()) {
            case ChannelLayout.COMMAND_READ, ChannelLayout.COMMAND_WRITE ->
                    transferBreach(entry, arenaBytes);
            case ChannelLayout.COMMAND_FLUSH,
                    ChannelLayout.COMMAND_DISCARD,
                    ChannelLayout.COMMAND_WRITE_ZEROES ->
                    null;
            default -> "command " + entry.command();
        };
    }

    private static @Nullable String transferBreach(Submission entry, long arenaBytes) {
        long lengthBytes = entry.lengthBytes();
        if (lengthBytes <= 0 || lengthBytes > ChannelLayout.MAX_TRANSFER_BYTES) {
            return "length " + lengthBytes;
        }
        long from = Integer.toUnsignedLong(entry.page()) * ChannelLayout.PAGE_BYTES;
        if (from + lengthBytes > arenaBytes) {
            return "page " + Integer.toUnsignedString(entry.page()) + " outside the arena";
        }
        return null;
    }

    /** Why the device does not do it, or OK. */
    BlockStatus refusal(Submission entry) {
        long offsetBytes = entry.offsetBytes();
        long lengthBytes = entry.lengthBytes();
        if (entry.command() == ChannelLayout.COMMAND_FLUSH) {
            return (offsetBytes | lengthBytes) == 0 ? BlockStatus.OK : BlockStatus.INVALID;
        }
        if (isReadOnly && entry.command() != ChannelLayout.COMMAND_READ) {
            return BlockStatus.READ_ONLY;
        }
        if (lengthBytes <= 0 || lengthBytes > MAX_RANGE_BYTES) {
            return BlockStatus.INVALID;
        }
        if (offsetBytes < 0
                || offsetBytes > capacityBytes
                || lengthBytes > capacityBytes - offsetBytes) {
            return entry.command() == ChannelLayout.COMMAND_WRITE
                    ? BlockStatus.NO_SPACE
                    : BlockStatus.INVALID;
        }
        return ((offsetBytes | lengthBytes) & blockMask) == 0
                ? BlockStatus.OK
                : BlockStatus.INVALID;
    }

    /** The error numbers the shim knows; INVALID never meets one that keeps to the rules. */
    static int errno(BlockStatus status) {
        return switch (status) {
            case OK -> 0;
            case READ_ONLY -> 1;
            case IO_ERROR, WOULD_BLOCK, INVALID, SHUTDOWN -> 5;
            case NO_SPACE -> 28;
            case NOT_SUPPORTED -> 95;
        };
    }
}
