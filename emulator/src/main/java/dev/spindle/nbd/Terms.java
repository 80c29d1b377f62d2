package dev.spindle.nbd;

/**
 * What a handshake has agreed on for the transmission.
 *
 * @param hasAllocation the meta context base:allocation was selected for this very export
 */
record Terms(Replies replies, boolean hasAllocation) {
    /** How replies look, and with EXTENDED requests, too. */
    enum Replies {
        SIMPLE,
        STRUCTURED,
        EXTENDED
    }

    static final Terms PLAIN = new Terms(Replies.SIMPLE, false);

    boolean sendsChunks() {
        return replies != Replies.SIMPLE;
    }

    boolean isExtended() {
        return replies == Replies.EXTENDED;
    }

    ReplyEncoder encoder() {
        return switch (replies) {
            case SIMPLE -> new SimpleReplies();
            case STRUCTURED -> new ChunkReplies(ChunkHeader.STRUCTURED);
            case EXTENDED -> new ChunkReplies(ChunkHeader.EXTENDED);
        };
    }
}
