package dev.spindle.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import dev.spindle.block.BlockOperation;
import dev.spindle.drive.DataMover;
import dev.spindle.drive.disk.Disks;
import dev.spindle.drive.disk.IdeDisk;
import dev.spindle.media.MemoryStore;
import org.junit.jupiter.api.Test;

/**
 * The mail of November 2006 as an experiment in virtual time: 100 reads of 1 MiB, submitted one
 * after the other, cut into 800 requests of 128 KiB. Submission costs the processor 29 us a page,
 * as the mail's own system time says; all else follows from the pool and the disk.
 */
class BlockingSubmitTest {
    private static final int READS = 100;
    private static final long CPU_PER_MIB_NS = 256 * 28_900L;

    private record Outcome(double enqueueS, double totalS) {
        double share() {
            return enqueueS / totalS;
        }
    }

    private static Outcome run(int nrRequests) {
        MemoryStore store = new MemoryStore(1L << 30);
        var disk = new IdeDisk(Disks.laptop(), 1L << 30, DataMover.inline(store));
        var device = new VirtualDevice(QueueSettings.of(nrRequests, 128), disk);
        Submitter process = Submitter.thatNeedsNoNews();
        for (int i = 0; i < READS; i++) {
            device.pass(CPU_PER_MIB_NS);
            device.submitAndSleep(
                    device.request(BlockOperation.READ, (long) i << 20, 1 << 20), process);
        }
        double enqueueS = device.nowNs() / 1e9;
        device.drain();
        assertThat(device.completed()).isEqualTo(READS);
        return new Outcome(enqueueS, device.nowNs() / 1e9);
    }

    @Test
    void theDiskTakesFiveSecondsWhateverTheQueue() {
        for (int nrRequests : new int[] {32, 128, 512, 1024, 2048}) {
            assertThat(run(nrRequests).totalS()).isBetween(5.05, 5.58);
        }
    }

    @Test
    void submissionSleepsForMostOfThatWith128Requests() {
        assertThat(run(128).share()).isBetween(0.78, 0.95);
    }

    @Test
    void submissionCostsOnlyProcessorTimeOnceThePoolIsLargeEnough() {
        Outcome at1024 = run(1024);
        Outcome at2048 = run(2048);
        assertThat(at1024.enqueueS()).isBetween(0.7, 1.1);
        assertThat(at2048.enqueueS()).isCloseTo(at1024.enqueueS(), withinPercentage(1));
    }

    @Test
    void a512RequestPoolLiesInBetween() {
        assertThat(run(512).enqueueS())
                .isBetween(run(1024).enqueueS() + 0.3, run(128).enqueueS() - 0.3);
    }
}
