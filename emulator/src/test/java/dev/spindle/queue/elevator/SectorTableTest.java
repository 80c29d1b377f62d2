package dev.spindle.queue.elevator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.block.BlockOperation;
import dev.spindle.drive.DriveCommand;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class SectorTableTest {
    @Test
    void behavesAsAMap() {
        SplittableRandom random = new SplittableRandom(1);
        SectorTable table = new SectorTable();
        Map<Long, Waiting> model = new HashMap<>();
        for (int i = 0; i < 100_000; i++) {
            long key = random.nextInt(300) * (random.nextBoolean() ? 1L : 1L << 33);
            if (random.nextInt(5) < 3) {
                Waiting waiting = waiting(key & 0xffff);
                table.put(key, waiting);
                model.put(key, waiting);
            } else if (model.containsKey(key)) {
                table.remove(key, model.remove(key));
            }
            assertThat(table.get(key)).isSameAs(model.get(key));
        }
        model.forEach((key, waiting) -> assertThat(table.get(key)).isSameAs(waiting));
    }

    @Test
    void leavesAnotherWithTheSameNumber() {
        SectorTable table = new SectorTable();
        Waiting first = waiting(0);
        Waiting second = waiting(0);
        table.put(5, first);
        table.put(5, second);
        table.remove(5, first);
        assertThat(table.get(5)).isSameAs(second);
    }

    private static Waiting waiting(long sector) {
        return new Waiting(
                new DriveCommand().begin(ElevatorBench.part(BlockOperation.READ, sector), 0), 0);
    }
}
