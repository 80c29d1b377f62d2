package dev.spindle.testbench.simulate;

import dev.spindle.block.BlockOperation;
import dev.spindle.config.WorkloadConfig;
import dev.spindle.config.WorkloadPattern;
import dev.spindle.testbench.host.DirectJob;
import java.util.SplittableRandom;

/** The requests of one job, one after the other. */
final class AccessPattern implements DirectJob.Source {
    /**
     * Where a job's requests go.
     *
     * @param areaBytes anywhere in this, at random
     * @param firstByte from here on, in sequence
     * @param endByte and from the first again
     */
    record Region(long areaBytes, long firstByte, long endByte) {}

    private final WorkloadConfig workload;
    private final Region region;
    private final int sectorBytes;
    private final SplittableRandom random;
    private long leftBytes;
    private long movedBytes;
    private long nextByte;
    private int requests;

    AccessPattern(
            WorkloadConfig workload,
            Region region,
            long totalBytes,
            int sectorBytes,
            SplittableRandom random) {
        this.workload = workload;
        this.region = region;
        this.sectorBytes = sectorBytes;
        this.random = random;
        leftBytes = totalBytes / sectorBytes * sectorBytes;
        nextByte = region.firstByte;
    }

    @Override
    public boolean hasNext() {
        return leftBytes > 0;
    }

    @Override
    public DirectJob.Access next() {
        var sizes = workload.blockBytes();
        long drawn = sizes.get(sizes.size() == 1 ? 0 : random.nextInt(sizes.size()));
        long length = Math.min(drawn, leftBytes);
        long from =
                switch (workload.pattern()) {
                    case SEQUENTIAL, TREE -> onward(length);
                    case RANDOM -> anywhere(length);
                    case MIXED -> isHit(workload.jumpPercent()) ? anywhere(length) : onward(length);
                };
        nextByte = from + length;
        leftBytes -= length;
        movedBytes += length;
        requests++;
        boolean reads = isHit(workload.readPercent());
        return new DirectJob.Access(
                reads ? BlockOperation.READ : BlockOperation.WRITE, from, length);
    }

    private boolean isHit(int percent) {
        return percent == 100 || (percent > 0 && random.nextInt(100) < percent);
    }

    private long onward(long length) {
        boolean roams = workload.pattern() == WorkloadPattern.MIXED;
        long end = roams ? region.areaBytes : region.endByte;
        return nextByte + length <= end ? nextByte : region.firstByte;
    }

    /** At a multiple of its own length. */
    private long anywhere(long length) {
        long step = Math.ceilDiv(length, sectorBytes) * sectorBytes;
        return random.nextLong((region.areaBytes - length) / step + 1) * step;
    }

    long movedBytes() {
        return movedBytes;
    }

    int requests() {
        return requests;
    }
}
