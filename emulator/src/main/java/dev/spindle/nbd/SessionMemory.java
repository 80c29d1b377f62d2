package dev.spindle.nbd;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;

/**
 * The memory one session keeps alive, within its own bound and its share of what all sessions may
 * have: what its decoder holds, the replies its requests will bring, and what its client has not
 * read yet. Owned by its session.
 */
final class SessionMemory {
    private final NbdLimits limits;
    private final boolean readsInPlace;
    private final ChannelHandlerContext ctx;
    private final RequestDecoder decoder;
    private final MemoryClaim claim;
    private final Runnable giveTurn;
    private long replyBytesInFlight;
    private boolean isSentAsked;

    /**
     * Of replies sent from the store's own memory ({@code readsInPlace}) only the short ones take
     * any. {@code giveTurn} asks the session for a turn, on its loop, when there may be more room.
     */
    SessionMemory(
            ServerScope scope,
            boolean readsInPlace,
            ChannelHandlerContext ctx,
            RequestDecoder decoder,
            Export export,
            Runnable giveTurn) {
        limits = scope.limits();
        this.readsInPlace = readsInPlace;
        this.ctx = ctx;
        this.decoder = decoder;
        this.giveTurn = giveTurn;
        claim = new MemoryClaim(scope.memory(), () -> export.loop().execute(this::mayHaveMore));
    }

    /** The device has such a request from here on. */
    void begins(NbdRequest request) {
        replyBytesInFlight += request.replyBytes();
    }

    void ends(NbdRequest request) {
        replyBytesInFlight -= request.replyBytes();
    }

    /** Would the session's own bound still hold? */
    boolean isWithinBound(long moreBytes) {
        return decoder.heldBytes() + replyBytesInFlight + moreBytes <= limits.maxInFlightBytes();
    }

    /** Is there that much more for it in the memory of all? If not, a turn follows some day. */
    boolean isGranted(long moreBytes) {
        return claim.reaches(bytes() + moreBytes);
    }

    private long bytes() {
        long unsentBytes = unsentBytes();
        return decoder.heldBytes()
                + (readsInPlace
                        ? Math.min(unsentBytes, limits.writeHighWaterBytes())
                        : replyBytesInFlight + unsentBytes);
    }

    private long unsentBytes() {
        var outbound = ctx.channel().unsafe().outboundBuffer();
        return outbound == null ? 0 : outbound.totalPendingWriteBytes();
    }

    private void mayHaveMore() {
        claim.woken();
        giveTurn.run();
    }

    /** After a turn: what waits for the client to read it is given back when it has. */
    void settle() {
        claim.shrinkTo(bytes());
        if (!claim.isEmpty() && unsentBytes() > 0 && !isSentAsked) {
            isSentAsked = true;
            var _ =
                    ctx.writeAndFlush(Unpooled.EMPTY_BUFFER)
                            .addListener(sent -> {
                                isSentAsked = false;
                                giveTurn.run();
                            });
        }
    }

    void end() {
        claim.end();
    }
}
