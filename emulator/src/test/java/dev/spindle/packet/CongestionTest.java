package dev.spindle.packet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.block.BlockOperation;
import dev.spindle.drive.optical.Burners;
import dev.spindle.metrics.Counter;
import dev.spindle.queue.Submitter;
import org.junit.jupiter.api.Test;

/** The three policies, each frame a packet's worth apart so that every write is one piece. */
class CongestionTest {
    private static final WriteMarks MARKS = new WriteMarks(40, 30);
    private final Submitter dirtier = new Submitter("dirtier", () -> {});

    private static VirtualBurner make(CongestionPolicy policy) {
        PacketSettings settings =
                new PacketSettings(policy, MARKS, PacketScheduler.AT_SEEK, 5_000_000);
        return new VirtualBurner(Burners.dvdPlusRw(), new SinkStore(256 << 20), settings);
    }

    /** So many packets at once; eight go into work, the rest into the queue. */
    private void fill(VirtualBurner burner, Submitter submitter, int pieces) {
        for (int i = 0; i < pieces; i++) {
            burner.submit(burner.request(BlockOperation.WRITE, i * 16L, 16), submitter);
        }
    }

    @Test
    void noneLetsTheQueueGrow() {
        VirtualBurner burner = make(CongestionPolicy.NONE);
        fill(burner, dirtier, 108);
        assertThat(burner.writer.queueSize()).isEqualTo(100);
        assertThat(burner.writer.isCongested(true)).isFalse();
        assertThat(dirtier.isWaiting()).isFalse();
    }

    @Test
    void flagSaysSoAndCountsWhoDoesNotCare() {
        VirtualBurner burner = make(CongestionPolicy.FLAG);
        Submitter pdflush = new Submitter("pdflush", () -> {});
        fill(burner, pdflush, 48);
        assertThat(burner.writer.isCongested(true)).as("the check is before the 41st").isFalse();
        fill(burner, pdflush, 1);
        assertThat(burner.writer.isCongested(true)).isTrue();
        assertThat(burner.writer.report().offenders()).isEmpty();
        fill(burner, dirtier, 12);
        assertThat(burner.writer.report().offenders()).containsOnlyKeys("dirtier");
        assertThat(dirtier.isWaiting()).isFalse();
        while (burner.writer.queueSize() >= 30) {
            assertThat(burner.writer.isCongested(true)).isTrue();
            burner.step();
        }
        assertThat(burner.writer.isCongested(true)).isFalse();
        assertThat(burner.writer.counters().get(Counter.WRITE_CONGESTED)).isEqualTo(1);
    }

    @Test
    void blockPutsWritersToSleepUntilTheOffMark() {
        VirtualBurner burner = make(CongestionPolicy.BLOCK);
        fill(burner, dirtier, 49);
        assertThat(dirtier.isWaiting()).isTrue();
        assertThat(burner.writer.queueSize()).isEqualTo(40);
        assertThat(burner.writer.isCongested(true)).isTrue();
        while (dirtier.isWaiting()) {
            assertThat(burner.writer.queueSize()).isGreaterThan(30);
            burner.step();
        }
        assertThat(burner.writer.queueSize()).isLessThanOrEqualTo(31);
        assertThat(burner.writer.isCongested(true)).isFalse();
        assertThat(burner.writer.counters().get(Counter.SLEEPS)).isEqualTo(1);
        assertThat(burner.writer.counters().get(Counter.SLEEP_NS)).isPositive();
    }

    @Test
    void aLongRequestSleepsHalfWayThrough() {
        VirtualBurner burner = make(CongestionPolicy.BLOCK);
        burner.submit(burner.request(BlockOperation.WRITE_ZEROES, 0, 16 * 200), dirtier);
        assertThat(dirtier.isWaiting()).isTrue();
        assertThat(burner.writer.queueSize()).isLessThanOrEqualTo(40);
        burner.drain();
        assertThat(burner.ended).hasSize(1);
        assertThat(burner.writer.longestQueue()).isEqualTo(40);
        assertThat(burner.count(PacketCounter.PACKETS_FINISHED)).isEqualTo(200);
    }

    @Test
    void sleepersWakeInTheOrderTheyFellAsleep() {
        VirtualBurner burner = make(CongestionPolicy.BLOCK);
        StringBuilder order = new StringBuilder();
        fill(burner, dirtier, 48);
        for (String name : new String[] {"a", "b", "c"}) {
            fill(burner, new Submitter(name, () -> order.append(name)), 1);
        }
        assertThat(burner.writer.report().sleeping()).isEqualTo(3);
        burner.drain();
        assertThat(order).hasToString("abc");
    }

    @Test
    void aPieceForAPacketInWorkNeedsNoRoom() {
        VirtualBurner burner = make(CongestionPolicy.BLOCK);
        burner.write(10_000, 1);
        fill(burner, dirtier, 47);
        assertThat(burner.writer.queueSize()).isEqualTo(40);
        burner.submit(burner.request(BlockOperation.WRITE, 10_001, 1), dirtier);
        assertThat(dirtier.isWaiting()).isFalse();
    }

    @Test
    void changingThePolicyWakesAllAtOnce() {
        VirtualBurner burner = make(CongestionPolicy.BLOCK);
        fill(burner, dirtier, 60);
        assertThat(dirtier.isWaiting()).isTrue();
        burner.writer.apply(
                new PacketSettings(
                        CongestionPolicy.NONE, MARKS, PacketScheduler.AT_SEEK, 5_000_000),
                burner.nowNs());
        assertThat(dirtier.isWaiting()).isFalse();
        assertThat(burner.writer.queueSize()).isEqualTo(52);
        assertThat(burner.writer.isCongested(true)).isFalse();
    }

    @Test
    void switchingTheMarksOffWakesAllToo() {
        VirtualBurner burner = make(CongestionPolicy.BLOCK);
        fill(burner, dirtier, 60);
        burner.writer.apply(
                new PacketSettings(
                        CongestionPolicy.BLOCK,
                        WriteMarks.NEVER,
                        PacketScheduler.AT_SEEK,
                        5_000_000),
                burner.nowNs());
        assertThat(dirtier.isWaiting()).isFalse();
    }
}
