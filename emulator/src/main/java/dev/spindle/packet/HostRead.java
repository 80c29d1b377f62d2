package dev.spindle.packet;

import dev.spindle.block.BlockOperation;
import dev.spindle.block.BlockRequest;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A READ or FLUSH of the host on its way to the drive as a request of the packet writer's own.
 * Reused.
 */
final class HostRead {
    private final BlockRequest forDrive;
    private @Nullable BlockRequest host;

    HostRead(Returned onReturned) {
        forDrive = new BlockRequest((_, nowNs) -> onReturned.returned(this, nowNs));
    }

    BlockRequest prepare(BlockRequest newHost) {
        host = newHost;
        forDrive.prepare(newHost.operation(), newHost.offsetBytes(), newHost.lengthBytes(), 0);
        ByteBuffer data = newHost.data();
        if (newHost.operation() == BlockOperation.READ && data != null) {
            forDrive.withData(data, newHost.dataIndex());
        }
        return forDrive;
    }

    boolean isFlush() {
        return forDrive.operation() == BlockOperation.FLUSH;
    }

    /** Gives the host's request back, with the outcome noted. */
    BlockRequest end() {
        BlockRequest ended = host;
        assert ended != null;
        host = null;
        ended.started(forDrive.startedNs());
        ended.finishPart(forDrive.status(), forDrive.failedOffsetBytes());
        forDrive.releaseData();
        return ended;
    }

    /** Told when the drive has done with it. */
    @FunctionalInterface
    interface Returned {
        void returned(HostRead read, long nowNs);
    }
}
