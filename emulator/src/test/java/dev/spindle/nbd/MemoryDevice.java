package dev.spindle.nbd;

import dev.spindle.block.BlockOperation;
import dev.spindle.block.BlockRequest;
import dev.spindle.block.BlockStatus;
import dev.spindle.block.DirectMemory;
import dev.spindle.block.ExtentList;
import dev.spindle.block.ExtentsListener;
import dev.spindle.block.QueueLimits;
import dev.spindle.queue.BlockDevice;
import dev.spindle.queue.Submitter;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A perfect disk for tests. Completes in {@link #run}, or, when held, as and when the test says.
 * Owned by one loop; tests on other threads reach it through that loop.
 */
final class MemoryDevice implements BlockDevice, DirectMemory {
    static final int REGION_BYTES = 96 << 10;
    static final int PAGE_BYTES = 4096;

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
    boolean zeroesFast;

    /** A size that is more than there is, for what carries no data. */
    long pretendedBytes;

    /** Pages of 4 KiB that hold data; all of them, until a test says otherwise. */
    final BitSet pages = new BitSet();

    /** The bad place, where READ and WRITE fail; -1 for none. */
    long badOffset = -1;

    /** Answers to {@link #findExtents} that wait for {@link #release}. */
    private final List<Runnable> heldAnswers = new ArrayList<>();

    private final ArrayDeque<Runnable> waitForRoom = new ArrayDeque<>();
    QueueLimits limits = new QueueLimits(512, 4096, 32768, 128);
    private final ArrayDeque<BlockRequest> ring = new ArrayDeque<>();
    private final List<ByteBuffer> regions = new ArrayList<>();

    MemoryDevice(int bytes) {
        contents = new byte[bytes];
        pages.set(0, (bytes + PAGE_BYTES - 1) / PAGE_BYTES);
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
        return Math.max(contents.length, pretendedBytes);
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
    public int holeBytes(long offsetBytes, int lengthBytes) {
        long data = pages.nextSetBit((int) (offsetBytes / PAGE_BYTES)) * (long) PAGE_BYTES;
        long end = data < 0 ? offsetBytes + lengthBytes : Math.max(offsetBytes, data);
        return (int) Math.min(lengthBytes, end - offsetBytes);
    }

    @Override
    public int dataBytes(long offsetBytes, int lengthBytes) {
        long hole = pages.nextClearBit((int) (offsetBytes / PAGE_BYTES)) * (long) PAGE_BYTES;
        return (int) Math.min(lengthBytes, Math.max(offsetBytes, hole) - offsetBytes);
    }

    /** A hole reads as zeroes. */
    void punch(int offsetBytes, int lengthBytes) {
        java.util.Arrays.fill(contents, offsetBytes, offsetBytes + lengthBytes, (byte) 0);
        pages.clear(offsetBytes / PAGE_BYTES, (offsetBytes + lengthBytes) / PAGE_BYTES);
    }

    @Override
    public boolean zeroesFast() {
        return zeroesFast;
    }

    @Override
    public void findExtents(
            long offsetBytes, long lengthBytes, ExtentList into, ExtentsListener listener) {
        seen.add("EXTENTS offset=" + offsetBytes + " length=" + lengthBytes);
        Runnable answer =
                () -> {
                    long at = offsetBytes;
                    boolean hasRoom = true;
                    while (status == BlockStatus.OK && hasRoom && at < offsetBytes + lengthBytes) {
                        int left = (int) (contents.length - at);
                        int hole = holeBytes(at, left);
                        int length = hole > 0 ? hole : dataBytes(at, left);
                        hasRoom = into.add(hole > 0, length);
                        at += length;
                    }
                    listener.found(into, status);
                };
        if (isHolding) {
            heldAnswers.add(answer);
        } else {
            answer.run();
        }
    }

    @Override
    public void awaitRoom(Runnable told) {
        waitForRoom.addLast(told);
    }

    @Override
    public boolean publish(BlockRequest request, Submitter submitter) {
        if (isBroken) {
            throw new IllegalStateException("a broken device, as the test wants it");
        }
        if (ring.size() >= ringSlots) {
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
        for (int left = waitForRoom.size(); left > 0; left--) {
            waitForRoom.removeFirst().run();
        }
    }

    /** Completes what is held, in order. */
    void release() {
        List<BlockRequest> all = List.copyOf(held);
        held.clear();
        all.forEach(this::serve);
        List<Runnable> answers = List.copyOf(heldAnswers);
        heldAnswers.clear();
        answers.forEach(Runnable::run);
    }

    private void fill(int offset, int length) {
        pages.set(offset / PAGE_BYTES, (offset + length + PAGE_BYTES - 1) / PAGE_BYTES);
    }

    private void serve(BlockRequest request) {
        if (status != BlockStatus.OK) {
            request.refuse(status, 0);
            return;
        }
        if (request.offsetBytes() + request.lengthBytes() > contents.length) {
            assert request.data() == null : request;
            request.complete(0);
            return;
        }
        int offset = (int) request.offsetBytes();
        int length = (int) request.lengthBytes();
        ByteBuffer data = request.data();
        if (badOffset >= offset && badOffset < offset + length) {
            request.submitted(0);
            request.admitPart(length, 0);
            if (data != null && request.operation() == BlockOperation.READ) {
                data.put(request.dataIndex(), contents, offset, (int) badOffset - offset);
            }
            request.finishPart(BlockStatus.IO_ERROR, badOffset);
            request.complete(0);
            return;
        }
        switch (request.operation()) {
            case READ -> {
                if (data != null) {
                    data.put(request.dataIndex(), contents, offset, length);
                }
            }
            case WRITE -> {
                Objects.requireNonNull(data).get(request.dataIndex(), contents, offset, length);
                fill(offset, length);
            }
            case WRITE_ZEROES -> {
                java.util.Arrays.fill(contents, offset, offset + length, (byte) 0);
                fill(offset, length);
            }
            case DISCARD -> java.util.Arrays.fill(contents, offset, offset + length, (byte) 0);
            case FLUSH, COMMAND -> {}
        }
        request.complete(0);
    }
}
