package dev.spindle.shm;

import org.agrona.concurrent.UnsafeBuffer;

/**
 * One entry of the submission ring, taken out of shared memory once: what is checked is what is
 * done, whatever the process writes there meanwhile. One object is used over and over.
 */
final class Submission {
    private long offsetBytes;
    private long lengthBytes;
    private int slot;
    private int command;
    private int flags;
    private int page;

    void take(UnsafeBuffer fields, int at) {
        offsetBytes = fields.getLong(at);
        lengthBytes = Integer.toUnsignedLong(fields.getInt(at + 8));
        slot = fields.getInt(at + 12);
        command = Short.toUnsignedInt(fields.getShort(at + 16));
        flags = Short.toUnsignedInt(fields.getShort(at + 18));
        page = fields.getInt(at + 20);
    }

    long offsetBytes() {
        return offsetBytes;
    }

    long lengthBytes() {
        return lengthBytes;
    }

    int slot() {
        return slot;
    }

    int command() {
        return command;
    }

    int flags() {
        return flags;
    }

    /** Where in the arena the data lies, in pages of {@link ChannelLayout#PAGE_BYTES}. */
    int page() {
        return page;
    }

    /** Which side of the pool its credit is of. */
    int direction() {
        return command == ChannelLayout.COMMAND_READ ? SharedPool.READS : SharedPool.WRITES;
    }
}
