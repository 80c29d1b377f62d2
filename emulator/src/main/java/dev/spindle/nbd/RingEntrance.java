package dev.spindle.nbd;

import dev.spindle.queue.BlockDevice;
import dev.spindle.queue.Submitter;
import java.util.ArrayDeque;

/**
 * How the requests of one session get into the ring of its device: at once, or, where the ring has
 * no place or the request is the next slice of a long one, in the next turn. Owned by the session.
 */
final class RingEntrance {
    private final BlockDevice device;
    private final Submitter submitter;
    private final Runnable onRoom;
    private final Runnable roomMayBe = this::roomMayBe;
    private final ArrayDeque<NbdRequest> waiting = new ArrayDeque<>();
    private int publishedSinceRun;
    private boolean isFull;
    private boolean isRoomAwaited;

    /** {@code onRoom} runs on the owning loop when a full ring has been emptied. */
    RingEntrance(BlockDevice device, Submitter submitter, Runnable onRoom) {
        this.device = device;
        this.submitter = submitter;
        this.onRoom = onRoom;
    }

    /** While one waits no other may be published before it. */
    boolean hasWaiting() {
        return !waiting.isEmpty();
    }

    void publish(NbdRequest request) {
        if (device.publish(request.block(), submitter)) {
            publishedSinceRun++;
        } else {
            isFull = true;
            waiting.addFirst(request);
        }
    }

    void publishNextTurn(NbdRequest request) {
        waiting.addLast(request);
    }

    void publishWaiting() {
        isFull = false;
        while (!isFull && !waiting.isEmpty()) {
            publish(waiting.removeFirst());
        }
    }

    /**
     * Has the device take what was published, and offers it what found no place; true if there was
     * any, which the device may have done by now.
     */
    boolean run() {
        boolean hasAny = publishedSinceRun > 0 || isFull;
        if (hasAny) {
            publishedSinceRun = 0;
            device.run();
        }
        if (isFull) {
            publishWaiting();
        }
        return hasAny;
    }

    boolean hasPublished() {
        return publishedSinceRun > 0;
    }

    /** At the end of a turn. */
    void awaitRoomIfFull() {
        if (isFull && !isRoomAwaited) {
            isRoomAwaited = true;
            device.awaitRoom(roomMayBe);
        }
    }

    private void roomMayBe() {
        isRoomAwaited = false;
        onRoom.run();
    }
}
