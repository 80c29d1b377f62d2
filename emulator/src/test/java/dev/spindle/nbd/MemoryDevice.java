package dev.spindle.nbd;

import dev.spindle.block.BlockOperation;
import dev.spindle.block.BlockRequest;
import dev.spindle.block.BlockStatus;
import dev.spindle.block.DirectMemory;
import dev.spindle.block.QueueLimits;
import dev.spindle.queue.BlockDevice;
import dev.spindle.queue.Submitter;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A perfect disk for tests. Completes in {@link #run}, or, when held, as and when the test says.
 * Owned by one loop; tests on other threads reach it through that loop.
 */
final class MemoryDevice implements BlockDevice, DirectMemory {
    static final int REGION_BYTES = 96 << 10;

    final byte[] contents;
    final List<BlockRequest> held = new ArrayList<>();
    final List<String> seen = new ArrayList<>();
    boolean isHolding;

    /** Publishing throws, as what breaks an invariant does. */
    boolean isBroken;

    boolean isReadOnly;
    boolean isRotational;
    boolean isDirect;
    int ringSlots = 4096;
    int most;
    int runs;
    BlockStatus status = BlockStatus.OK;
    QueueLimits limits = new QueueLimits(512, 4096, 32768, 128);
    private final ArrayDeque<BlockRequest> ring = new ArrayDeque<>();
    private final List<ByteBuffer> regions = new ArrayList<>();

    MemoryDevice(int bytes) {
        contents = new byte[bytes];
        for (int at = 0; at < bytes; at += REGION_BYTES) {
            regions.add(ByteBuffer.wrap(contents, at, Math.min(REGION_BYTES, bytes - at)).slice());
        }
    }

    @Override
    public String name() {
        return "memory";
    }

    @Override
    public String description() {
        return "memory for tests";
    }

    @Override
    public long capacityBytes() {
        return contents.length;
    }

    @Override
    public QueueLimits limits() {
        return limits;
    }

    @Override
    public boolean isReadOnly() {
        return isReadOnly;
    }

    @Override
    public boolean isRotational() {
        return isRotational;
    }

    @Override
    public @Nullable DirectMemory directMemory() {
        return isDirect ? this : null;
    }

    @Override
    public ByteBuffer regionAt(long offsetBytes) {
        return regions.get((int) (offsetBytes / REGION_BYTES));
    }

    @Override
    public int indexInRegion(long offsetBytes) {
        return (int) (offsetBytes % REGION_BYTES);
    }

    @Override
    public int contiguousBytes(long offsetBytes, int lengthBytes) {
        return Math.min(lengthBytes, REGION_BYTES - indexInRegion(offsetBytes));
    }

    @Override
    public boolean publish(BlockRequest request, Submitter submitter) {
        if (isBroken) {
            throw new IllegalStateException("a broken device, as the test wants it");
        }
        if (ring.size() == ringSlots) {
            return false;
        }
        ring.addLast(request);
        return true;
    }

    @Override
    public void run() {
        runs++;
        while (!ring.isEmpty()) {
            BlockRequest request = ring.removeFirst();
            seen.add(request.toString());
            if (isHolding) {
                held.add(request);
                most = Math.max(most, held.size());
            } else {
                serve(request);
            }
        }
    }

    /** Completes what is held, in order. */
    void release() {
        List<BlockRequest> all = List.copyOf(held);
        held.clear();
        all.forEach(this::serve);
    }

    private void serve(BlockRequest request) {
        int offset = (int) request.offsetBytes();
        int length = (int) request.lengthBytes();
        if (status != BlockStatus.OK) {
            request.refuse(status, 0);
            return;
        }
        ByteBuffer data = request.data();
        switch (request.operation()) {
            case READ -> {
                if (data != null) {
                    data.put(request.dataIndex(), contents, offset, length);
                }
            }
            case WRITE ->
                    Objects.requireNonNull(data).get(request.dataIndex(), contents, offset, length);
            case DISCARD, WRITE_ZEROES ->
                    java.util.Arrays.fill(contents, offset, offset + length, (byte) 0);
            case FLUSH -> {}
        }
        assert request.operation() != BlockOperation.READ || data != null || isDirect;
        request.complete(0);
    }
}
