package dev.spindle.queue.elevator;

/** Which elevator, and its tunables: those of /sys/block/NAME/queue/iosched in Linux 2.6.11. */
public sealed interface ElevatorSettings {
    /** A new elevator, empty. */
    default Elevator open() {
        return switch (this) {
            case Noop() -> new NoopElevator();
            case Deadline deadline -> new DeadlineElevator(deadline);
            case Anticipatory anticipatory -> new AnticipatoryElevator(anticipatory);
            case Cfq cfq -> new CfqElevator(cfq);
        };
    }

    /** First in, first out. */
    record Noop() implements ElevatorSettings {}

    /**
     * By sector in batches, with deadlines.
     *
     * @param writesStarved how often reads may go before waiting writes
     * @param fifoBatch the longest run of neighbouring commands before deadlines are looked at
     */
    record Deadline(long readExpireNs, long writeExpireNs, int writesStarved, int fifoBatch)
            implements ElevatorSettings {}

    /**
     * As deadline, and after a read it may wait for the next read of the same submitter.
     *
     * @param readBatchNs how long reads go on while writes wait
     * @param writeBatchNs how long writes go on while reads wait
     * @param anticNs how long the drive may be kept idle
     */
    record Anticipatory(
            long readExpireNs,
            long writeExpireNs,
            long readBatchNs,
            long writeBatchNs,
            long anticNs)
            implements ElevatorSettings {}

    /**
     * Each submitter its own queue, served in turn.
     *
     * @param quantum commands handed out in one round
     * @param queued requests a submitter may always have
     * @param backMaxKb how far the head may go back
     * @param backPenalty what a step back costs, in steps forward
     */
    record Cfq(
            int quantum,
            int queued,
            long readExpireNs,
            long writeExpireNs,
            int backMaxKb,
            int backPenalty)
            implements ElevatorSettings {}
}
