package dev.spindle.shm;

import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The processes attached, until the last request of each has ended. Used by all loops and by
 * control; holds nothing but the set.
 */
final class Attached {
    private final Set<ShmSocket> open = ConcurrentHashMap.newKeySet();
    private final CompletableFuture<Void> drained = new CompletableFuture<>();
    private volatile boolean isDraining;

    /** One that comes while all are asked to leave is asked as well. */
    void add(ShmSocket socket) {
        open.add(socket);
        if (isDraining) {
            socket.drain();
        }
    }

    void remove(ShmSocket socket) {
        open.remove(socket);
        completeIfDrained();
    }

    int count() {
        return open.size();
    }

    CompletableFuture<Void> drain() {
        isDraining = true;
        open.forEach(ShmSocket::drain);
        completeIfDrained();
        return drained;
    }

    private void completeIfDrained() {
        if (isDraining && open.isEmpty()) {
            drained.complete(null);
        }
    }
}
