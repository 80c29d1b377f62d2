package dev.spindle.block;

import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One request as a front end makes it: any length, cut into the drive's commands only inside the
 * queue (the kernel's bio).
 *
 * <p>Owned by the front end until it is published, by the queue until it is completed, then by the
 * front end again, which may prepare it anew: requests are made once and reused. The data buffer is
 * borrowed for the same span. For a READ it is the destination, or null where the device has {@link
 * DirectMemory} and the front end will look there on completion.
 */
public final class BlockRequest {
    /** Where a failure was is not known. */
    public static final long UNKNOWN_OFFSET = -1;

    private final CompletionListener listener;
    private BlockOperation operation = BlockOperation.FLUSH;
    private long offsetBytes;
    private long lengthBytes;
    private boolean isFua;
    private boolean mayDeallocate;
    private boolean isReadAhead;
    private boolean isAwaited;
    private boolean isPassThrough;
    private @Nullable DeviceCommand command;
    private @Nullable ByteBuffer data;
    private int dataIndex;
    private long cookie;

    private BlockStatus status = BlockStatus.OK;
    private long failedOffsetBytes = UNKNOWN_OFFSET;
    private long admittedBytes;
    private boolean isCutShort;
    private int unfinishedParts;
    private long submittedNs;
    private long admittedNs;
    private long startedNs;
    private long completedNs;

    public BlockRequest(CompletionListener listener) {
        this.listener = Objects.requireNonNull(listener);
    }

    /**
     * Makes it a new request, without data, FUA or leave to deallocate. The cookie is the front
     * end's own and comes back unread.
     */
    public BlockRequest prepare(
            BlockOperation operation, long offsetBytes, long lengthBytes, long cookie) {
        this.operation = operation;
        this.offsetBytes = offsetBytes;
        this.lengthBytes = lengthBytes;
        this.cookie = cookie;
        isFua = false;
        mayDeallocate = false;
        isReadAhead = false;
        isAwaited = false;
        isPassThrough = false;
        command = null;
        data = null;
        dataIndex = 0;
        status = BlockStatus.OK;
        failedOffsetBytes = UNKNOWN_OFFSET;
        admittedBytes = 0;
        isCutShort = false;
        unfinishedParts = 0;
        startedNs = 0;
        return this;
    }

    /**
     * The data: {@code lengthBytes} from {@code index} on; position and limit are neither read nor
     * moved.
     */
    public BlockRequest withData(ByteBuffer buffer, int index) {
        data = buffer;
        dataIndex = index;
        return this;
    }

    /** Force unit access: completed only when on stable storage. */
    public BlockRequest withFua(boolean fua) {
        isFua = fua;
        return this;
    }

    /**
     * For WRITE_ZEROES: the store may give the space back instead of keeping it allocated (NBD: no
     * NO_HOLE flag).
     */
    public BlockRequest withDeallocation(boolean allowed) {
        mayDeallocate = allowed;
        return this;
    }

    /** For a READ nobody waits for yet: it is given up rather than made to wait for the pool. */
    public BlockRequest withReadAhead(boolean readAhead) {
        isReadAhead = readAhead;
        return this;
    }

    /** Whoever submits it sleeps until it has ended: no plug is to hold it back. */
    public BlockRequest withWaiter(boolean awaited) {
        isAwaited = awaited;
        return this;
    }

    /**
     * A command that a program gives to the drive itself (the kernel's REQ_BLOCK_PC): it is neither
     * cut nor joined to others, and goes before all that waits.
     */
    public BlockRequest passingThrough() {
        isPassThrough = true;
        return this;
    }

    /** What a COMMAND does; such a one passes through. */
    public BlockRequest withCommand(DeviceCommand newCommand) {
        command = newCommand;
        return passingThrough();
    }

    /** Lets go of the data buffer. */
    public void releaseData() {
        data = null;
    }

    public BlockOperation operation() {
        return operation;
    }

    public long offsetBytes() {
        return offsetBytes;
    }

    public long lengthBytes() {
        return lengthBytes;
    }

    public boolean isFua() {
        return isFua;
    }

    public boolean mayDeallocate() {
        return mayDeallocate;
    }

    public boolean isAwaited() {
        return isAwaited;
    }

    public boolean isReadAhead() {
        return isReadAhead;
    }

    public boolean isPassThrough() {
        return isPassThrough;
    }

    /** Of a COMMAND only. */
    public DeviceCommand command() {
        return Objects.requireNonNull(command);
    }

    public @Nullable ByteBuffer data() {
        return data;
    }

    public int dataIndex() {
        return dataIndex;
    }

    public long cookie() {
        return cookie;
    }

    public BlockStatus status() {
        return status;
    }

    /**
     * The first byte of the device that could not be read or written, so that all of the request
     * before it went well; {@link #UNKNOWN_OFFSET} where the failure has no place.
     */
    public long failedOffsetBytes() {
        return failedOffsetBytes;
    }

    /**
     * When the queue first saw it, when its last part was admitted to the pool, when the drive
     * began it, when it ended.
     */
    public long submittedNs() {
        return submittedNs;
    }

    public long admittedNs() {
        return admittedNs;
    }

    public long startedNs() {
        return startedNs;
    }

    public long completedNs() {
        return completedNs;
    }

    // The queue's side: called by the owner of the device alone.

    public void submitted(long nowNs) {
        submittedNs = nowNs;
    }

    public long admittedBytes() {
        return admittedBytes;
    }

    public boolean isAdmitted() {
        return admittedBytes == lengthBytes || isCutShort;
    }

    /**
     * What has not been admitted never will be; true when nothing has been, so that it has ended.
     */
    public boolean cutShort(BlockStatus why) {
        status = why;
        failedOffsetBytes = UNKNOWN_OFFSET;
        isCutShort = true;
        return unfinishedParts == 0;
    }

    /** One more part of {@code partBytes} has been let into the pool. */
    public void admitPart(long partBytes, long nowNs) {
        admittedBytes += partBytes;
        unfinishedParts++;
        admittedNs = nowNs;
        assert admittedBytes <= lengthBytes;
    }

    public void started(long nowNs) {
        if (startedNs == 0) {
            startedNs = nowNs;
        }
    }

    /**
     * One part has ended. Of several failures the request's is one without a place, if there is
     * one, else the one with the least offset. True when it was the last part.
     */
    public boolean finishPart(BlockStatus partStatus, long partFailedOffsetBytes) {
        if (partStatus != BlockStatus.OK && isWorse(partFailedOffsetBytes)) {
            status = partStatus;
            failedOffsetBytes = partFailedOffsetBytes;
        }
        unfinishedParts--;
        assert unfinishedParts >= 0;
        return unfinishedParts == 0 && isAdmitted();
    }

    private boolean isWorse(long offsetBytes) {
        return status == BlockStatus.OK || offsetBytes < failedOffsetBytes;
    }

    /** Ends it with no drive involved. */
    public void refuse(BlockStatus refusal, long nowNs) {
        status = refusal;
        complete(nowNs);
    }

    public void complete(long nowNs) {
        completedNs = nowNs;
        listener.completed(this, nowNs);
    }

    @Override
    public String toString() {
        return operation
                + " offset="
                + offsetBytes
                + " length="
                + lengthBytes
                + (isFua ? " fua" : "");
    }
}
