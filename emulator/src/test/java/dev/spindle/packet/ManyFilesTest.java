package dev.spindle.packet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.drive.optical.Burners;
import dev.spindle.drive.optical.MediumKind;
import dev.spindle.drive.optical.MediumState;
import dev.spindle.drive.optical.OpticalProfile;
import dev.spindle.drive.optical.OpticalProfile.Timing;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * Why a bound on the write queue made many files slow in August 2004, in miniature: 29 files of 120
 * MB in all, one block of their own before each, written back 4 MiB of a file at a time and those
 * blocks last. With the queue bounded, zones are reached before all of their pieces are there.
 */
class ManyFilesTest {
    private static final int FILES = 29;
    private static final int FRAMES = 120 * 512;
    private static final int PASS_FRAMES = 2048;

    private static OpticalProfile burner(Timing timing) {
        return new OpticalProfile(
                MediumKind.DVD_PLUS_RW, MediumState.FORMATTED, 4, 4, timing, 20e6, 2 << 20);
    }

    private static VirtualBurner burn(Timing timing, int limit) {
        WriteMarks marks = limit == 0 ? WriteMarks.NEVER : new WriteMarks(limit, limit - 1);
        var settings =
                new PacketSettings(
                        CongestionPolicy.BLOCK, marks, PacketScheduler.WHEN_STUCK, 5_000_000);
        var store = new SinkStore(MediumKind.DVD_PLUS_RW.capacityBytes());
        var burner = new VirtualBurner(burner(timing), store, settings);
        int[] sizes = sizes();
        int[] firsts = new int[FILES];
        int frame = 1000;
        for (int i = 0; i < FILES; i++) {
            firsts[i] = frame + 1;
            frame += 1 + sizes[i];
        }
        for (int from = 0, left = 1; left > 0; from += PASS_FRAMES) {
            left = 0;
            for (int i = 0; i < FILES; i++) {
                int frames = Math.min(PASS_FRAMES, sizes[i] - from);
                if (frames > 0) {
                    burner.stream(firsts[i] + from, frames);
                    left += sizes[i] - from - frames;
                }
            }
        }
        for (int first : firsts) {
            burner.stream(first - 1, 1);
        }
        burner.sync();
        return burner;
    }

    private static int[] sizes() {
        SplittableRandom random = new SplittableRandom(1);
        double[] weights = random.doubles(FILES, 0.6, 1.6).toArray();
        double sum = 0;
        for (double weight : weights) {
            sum += weight;
        }
        int[] sizes = new int[FILES];
        for (int i = 0; i < FILES; i++) {
            sizes[i] = (int) (FRAMES * weights[i] / sum);
        }
        return sizes;
    }

    @Test
    void aShortQueueWritesManyPacketsInParts() {
        VirtualBurner bounded = burn(Burners.TIMING, 1024);
        VirtualBurner free = burn(Burners.TIMING, 0);
        assertThat(bounded.nowSeconds()).isGreaterThan(2 * free.nowSeconds());
        assertThat(bounded.count(PacketCounter.PARTIAL)).isGreaterThan(50);
        assertThat(free.count(PacketCounter.PARTIAL)).isLessThan(5);
        assertThat(bounded.writer.longestQueue()).isLessThanOrEqualTo(1024);
        assertThat(free.writer.longestQueue()).isGreaterThan(50_000);
    }

    @Test
    void withoutTheCostOfTurningThereIsNoDifference() {
        Timing free = new Timing(500_000, 0, 0, 3_500_000_000L);
        double bounded = burn(free, 1024).nowSeconds();
        assertThat(bounded).isLessThan(1.1 * burn(free, 0).nowSeconds());
    }
}
