package dev.spindle.nbd;

import dev.spindle.block.BlockRequest;

/**
 * Says on the wire how each request went, in the words the handshake agreed on, and counts. Owned
 * by its session.
 */
final class Replier {
    private final ReplyEncoder encoder;
    private final RequestRules rules;
    private final ReplyBatch batch;
    private final NbdCounters counters;
    private final boolean hasText;

    Replier(Terms terms, RequestRules rules, ReplyBatch batch, NbdCounters counters) {
        encoder = terms.encoder();
        hasText = terms.sendsChunks();
        this.rules = rules;
        this.batch = batch;
        this.counters = counters;
    }

    /** Answers a request that is not for the device; there may be nothing wrong with it. */
    void answer(RequestHeader header, Refusal refusal) {
        long cookie = header.cookie();
        long offsetBytes = header.offsetBytes();
        if (refusal == Refusal.NONE) {
            encoder.done(batch, header.command(), cookie, offsetBytes);
            return;
        }
        String text = hasText ? rules.explain(refusal, header) : "";
        encoder.failed(
                batch, cookie, offsetBytes, refusal.error(), BlockRequest.UNKNOWN_OFFSET, text);
    }

    /** Answers a request that has come back from the device. */
    void answer(NbdRequest request) {
        NbdError error = NbdError.of(request.status());
        if (error != NbdError.NONE) {
            counters.errorReplies.increment();
            failed(request, error);
            return;
        }
        switch (request.command()) {
            case READ -> {
                encoder.data(batch, request);
                counters.readBytes.add(request.lengthBytes());
            }
            case WRITE -> {
                done(request);
                counters.writtenBytes.add(request.lengthBytes());
            }
            case BLOCK_STATUS -> encoder.extents(batch, request);
            case DISC, FLUSH, TRIM, CACHE, WRITE_ZEROES -> done(request);
        }
    }

    private void done(NbdRequest request) {
        encoder.done(batch, request.command(), request.cookie(), request.offsetBytes());
    }

    /** What a READ brought before the bad place is good, and goes out first. */
    private void failed(NbdRequest request, NbdError error) {
        long failedAt = request.failedOffsetBytes();
        boolean hasPlace = failedAt != BlockRequest.UNKNOWN_OFFSET;
        if (request.command() == NbdCommand.READ && failedAt > request.offsetBytes()) {
            encoder.dataBefore(batch, request, failedAt);
        }
        String text = "";
        if (hasText) {
            text = request + ": " + error.text() + (hasPlace ? " at offset " + failedAt : "");
        }
        encoder.failed(batch, request.cookie(), request.offsetBytes(), error, failedAt, text);
    }

    void flush() {
        batch.flush();
    }

    /** Keeps no memory for replies where none are under way. */
    void shrink() {
        batch.shrink();
    }

    void release() {
        batch.release();
    }
}
