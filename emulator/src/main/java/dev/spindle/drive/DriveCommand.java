package dev.spindle.drive;

import dev.spindle.block.BlockOperation;
import dev.spindle.block.BlockRequest;
import dev.spindle.block.BlockStatus;
import dev.spindle.block.Sectors;
import org.jspecify.annotations.Nullable;

/**
 * One command to a drive: a run of sectors made of one or more parts (the kernel's request, its
 * parts the kernel's bios). Commands are reused. Owned by the queue, and by the drive from start to
 * completion.
 */
public final class DriveCommand {
    private BlockOperation operation = BlockOperation.FLUSH;
    private boolean isFua;
    private long firstSector;
    private long sectors;
    private @Nullable RequestPart firstPart;
    private @Nullable RequestPart lastPart;
    private BlockStatus status = BlockStatus.OK;
    private boolean isDataMoved;
    private int submitterId;
    private int elevatorId;
    private long queuedNs;
    private long startedNs;
    private long completedNs;
    private long seekNs;
    private long rotationNs;
    private long transferNs;

    /** Makes it a new command with one part. */
    public DriveCommand begin(RequestPart part, long nowNs) {
        operation = part.request().operation();
        isFua = part.request().isFua();
        firstSector = part.offsetBytes() >> Sectors.SHIFT;
        sectors = part.lengthBytes() >> Sectors.SHIFT;
        firstPart = part;
        lastPart = part;
        status = BlockStatus.OK;
        isDataMoved = false;
        queuedNs = nowNs;
        phases(0, 0, 0);
        return this;
    }

    /** A part that begins where this command ends. */
    public void appendPart(RequestPart part) {
        assert lastPart != null && part.offsetBytes() >> Sectors.SHIFT == endSector();
        lastPart.next = part;
        lastPart = part;
        sectors += part.lengthBytes() >> Sectors.SHIFT;
    }

    /** A part that ends where this command begins. */
    public void prependPart(RequestPart part) {
        long partSectors = part.lengthBytes() >> Sectors.SHIFT;
        assert (part.offsetBytes() >> Sectors.SHIFT) + partSectors == firstSector;
        part.next = firstPart;
        firstPart = part;
        firstSector -= partSectors;
        sectors += partSectors;
    }

    /** Takes over the parts of a command that begins where this one ends, and leaves it empty. */
    public void absorb(DriveCommand follower) {
        assert lastPart != null && follower.firstSector == endSector();
        lastPart.next = follower.firstPart;
        lastPart = follower.lastPart;
        sectors += follower.sectors;
        follower.firstPart = null;
        follower.lastPart = null;
    }

    /** Takes the parts out, for the queue to complete and reuse. */
    public @Nullable RequestPart takeParts() {
        RequestPart parts = firstPart;
        firstPart = null;
        lastPart = null;
        return parts;
    }

    public @Nullable RequestPart firstPart() {
        return firstPart;
    }

    public BlockOperation operation() {
        return operation;
    }

    public boolean isFua() {
        return isFua;
    }

    public long firstSector() {
        return firstSector;
    }

    public long sectors() {
        return sectors;
    }

    public long endSector() {
        return firstSector + sectors;
    }

    /** Whose it is, for elevators that tell submitters apart. */
    public int submitterId() {
        return submitterId;
    }

    public DriveCommand chargedTo(int submitter) {
        submitterId = submitter;
        return this;
    }

    /** Which elevator handed it out, the queue's own mark. */
    public int elevatorId() {
        return elevatorId;
    }

    public void handedOutBy(int elevator) {
        elevatorId = elevator;
    }

    /** That of the first part that failed, else OK. */
    public BlockStatus status() {
        return status;
    }

    /** True once the store has taken or given the data, or has failed to. */
    public boolean isDataMoved() {
        return isDataMoved;
    }

    void dataMoved(BlockStatus moveStatus) {
        status = moveStatus;
        isDataMoved = true;
    }

    /** The drive will not do it: no data is moved. */
    public void refuse(BlockStatus refusal) {
        for (RequestPart part = firstPart; part != null; part = part.next) {
            part.ended(refusal, BlockRequest.UNKNOWN_OFFSET);
        }
        dataMoved(refusal);
    }

    public void started(long nowNs) {
        startedNs = nowNs;
        for (RequestPart part = firstPart; part != null; part = part.next) {
            part.request().started(nowNs);
        }
    }

    public void completed(long atNs) {
        completedNs = atNs;
    }

    public long queuedNs() {
        return queuedNs;
    }

    public long startedNs() {
        return startedNs;
    }

    public long completedNs() {
        return completedNs;
    }

    /**
     * Where a mechanical drive spent the time; what is left of the whole is overhead, waiting for
     * the cache and the bus.
     */
    public void phases(long seek, long rotation, long transfer) {
        seekNs = seek;
        rotationNs = rotation;
        transferNs = transfer;
    }

    public long seekNs() {
        return seekNs;
    }

    public long rotationNs() {
        return rotationNs;
    }

    public long transferNs() {
        return transferNs;
    }

    @Override
    public String toString() {
        return operation + " sector=" + firstSector + " sectors=" + sectors + (isFua ? " fua" : "");
    }
}
