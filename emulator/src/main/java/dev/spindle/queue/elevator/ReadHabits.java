package dev.spindle.queue.elevator;

/**
 * How a submitter reads: how long it thinks between the end of one read and the next, and how far
 * the next lies away (as_io_context of Linux 2.6). Means that forget by an eighth with each sample.
 */
final class ReadHabits {
    private static final long MAX_THINK_NS = 20_000_000;

    private int queued;
    private int dispatched;
    private boolean hasRead;
    private long lastEndNs;
    private long lastEndSector;
    private final DecayingMean thinkNs = new DecayingMean();
    private final DecayingMean seekSectors = new DecayingMean();

    /** A read of it has come. */
    void queued(long sector, long endSector, long nowNs) {
        if (hasRead) {
            boolean isIdle = queued + dispatched == 0;
            thinkNs.add(isIdle ? (double) Math.min(nowNs - lastEndNs, MAX_THINK_NS) : 0);
            seekSectors.add((double) Math.abs(sector - lastEndSector));
        }
        hasRead = true;
        lastEndSector = endSector;
        queued++;
    }

    void dispatched() {
        queued = Math.max(0, queued - 1);
        dispatched++;
    }

    void completed(long nowNs) {
        dispatched = Math.max(0, dispatched - 1);
        lastEndNs = nowNs;
    }

    /** One of its waiting reads has become part of another. */
    void absorbed() {
        queued = Math.max(0, queued - 1);
    }

    boolean isBusy() {
        return queued + dispatched > 0;
    }

    /** True where it usually thinks longer than that. */
    boolean thinksLongerThan(long ns) {
        return thinkNs.hasSamples() && thinkNs.value() > ns;
    }

    /** True where its next read is usually further away than that. */
    boolean usuallySeeksBeyond(long sectors) {
        return seekSectors.hasSamples() && seekSectors.value() > sectors;
    }

    /** A mean in which a sample weighs an eighth. */
    private static final class DecayingMean {
        private double samples;
        private double total;

        void add(double sample) {
            samples = (7 * samples + 1) / 8;
            total = (7 * total + sample) / 8;
        }

        boolean hasSamples() {
            return samples > 0;
        }

        double value() {
            return total / samples;
        }
    }
}
