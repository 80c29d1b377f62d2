package dev.spindle.queue.elevator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.time.DeviceClock;
import org.junit.jupiter.api.Test;

class AnticipatoryElevatorTest {
    private static final long MS = ElevatorBench.MS;
    private static final int READER = 1;
    private static final int OTHER = 2;
    private final ElevatorBench bench = bench(6 * MS);

    private static ElevatorBench bench(long anticNs) {
        return new ElevatorBench(
                new ElevatorSettings.Anticipatory(125 * MS, 250 * MS, 500 * MS, 125 * MS, anticNs));
    }

    @Test
    void keepsTheDriveIdleForTheNextReadOfTheSameSubmitter() {
        bench.read(100, READER, 0);
        assertThat(bench.serve(0)).isEqualTo(100);
        bench.read(90_000, OTHER, MS);
        assertThat(bench.serve(MS)).isEqualTo(-1);
        assertThat(bench.elevator().nextDeadlineNs()).isEqualTo(6 * MS);
        bench.read(108, READER, 2 * MS);
        assertThat(bench.serve(2 * MS)).isEqualTo(108);
    }

    @Test
    void givesUpWhenTheTimeIsOver() {
        bench.read(100, READER, 0);
        bench.serve(0);
        bench.read(90_000, OTHER, MS);
        assertThat(bench.serve(MS)).isEqualTo(-1);
        bench.elevator().expire(6 * MS);
        assertThat(bench.serve(6 * MS)).isEqualTo(90_000);
        assertThat(bench.elevator().nextDeadlineNs()).isEqualTo(DeviceClock.NEVER);
    }

    @Test
    void doesNotWaitForOneWhoThinksTooLong() {
        long nowNs = 0;
        for (int i = 0; i < 20; i++) {
            bench.read(100 + 8L * i, READER, nowNs);
            bench.serve(nowNs);
            nowNs += 15 * MS;
        }
        bench.serve(nowNs);
        bench.read(90_000, OTHER, nowNs - 14 * MS);
        assertThat(bench.serve(nowNs - 14 * MS)).isEqualTo(90_000);
    }

    @Test
    void anticipationCanBeSwitchedOff() {
        ElevatorBench plain = bench(0);
        plain.read(100, READER, 0);
        plain.serve(0);
        plain.read(90_000, OTHER, MS);
        assertThat(plain.serve(MS)).isEqualTo(90_000);
    }

    @Test
    void aWriteWaitsForTheAwaitedRead() {
        bench.read(100, READER, 0);
        bench.serve(0);
        bench.write(500, OTHER, MS);
        assertThat(bench.serve(MS)).isEqualTo(-1);
        bench.elevator().expire(6 * MS);
        assertThat(bench.serve(6 * MS)).isEqualTo(500);
    }

    @Test
    void bothDirectionsGetTheirBatches() {
        ElevatorBench plain = bench(0);
        for (int i = 0; i < 200; i++) {
            plain.read(100_000 + 100L * i, READER, 0);
            plain.write(100L * i, OTHER, 0);
        }
        int changes = 0;
        boolean wasRead = true;
        long nowNs = 0;
        for (int served = 0; served < 400; ) {
            nowNs += 5 * MS;
            long sector = plain.serve(nowNs);
            if (sector < 0) {
                continue;
            }
            served++;
            boolean isRead = sector >= 100_000;
            changes += isRead != wasRead ? 1 : 0;
            wasRead = isRead;
        }
        assertThat(changes).isBetween(3, 40);
    }

    @Test
    void whoIsAwaitedMayExceedThePool() {
        bench.read(100, READER, 0);
        bench.serve(0);
        bench.read(90_000, OTHER, MS);
        bench.serve(MS);
        assertThat(bench.elevator().exempts(READER, false, 128)).isTrue();
        assertThat(bench.elevator().exempts(OTHER, false, 128)).isFalse();
    }
}
