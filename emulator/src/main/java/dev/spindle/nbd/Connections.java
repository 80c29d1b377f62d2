package dev.spindle.nbd;

import io.netty.channel.Channel;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The connections there are, from accept until the last of their requests has ended. Used by all
 * loops and by control; holds nothing but the set.
 */
final class Connections {
    /** Sent down a pipeline: take your leave as soon as nothing is outstanding. */
    enum Event {
        DRAIN
    }

    private final Set<Channel> open = ConcurrentHashMap.newKeySet();
    private final CompletableFuture<Void> drained = new CompletableFuture<>();
    private volatile boolean isDraining;

    void add(Channel channel) {
        open.add(channel);
    }

    void remove(Channel channel) {
        open.remove(channel);
        completeIfDrained();
    }

    int count() {
        return open.size();
    }

    boolean isDraining() {
        return isDraining;
    }

    /**
     * Asks everyone to leave. A connection that changes its loop just now misses the event and
     * looks at {@link #isDraining} on arrival.
     */
    CompletableFuture<Void> drain() {
        isDraining = true;
        for (Channel channel : open) {
            channel.pipeline().fireUserEventTriggered(Event.DRAIN);
        }
        completeIfDrained();
        return drained;
    }

    /** Whoever is still here is closed, and nobody is waited for any longer. */
    void cutOff() {
        closeAll();
        drained.complete(null);
    }

    void closeAll() {
        for (Channel channel : open) {
            var _ = channel.close();
        }
    }

    private void completeIfDrained() {
        if (isDraining && open.isEmpty()) {
            drained.complete(null);
        }
    }
}
