package dev.spindle.packet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.data.Percentage.withPercentage;

import dev.spindle.drive.optical.Burners;
import dev.spindle.drive.optical.MediumKind;
import org.junit.jupiter.api.Test;

/** How long it takes to write one long file, against what people measured. */
class BurnTimesTest {
    private static final PacketSettings UNLIMITED =
            new PacketSettings(
                    CongestionPolicy.NONE, WriteMarks.NEVER, PacketScheduler.WHEN_STUCK, 5_000_000);

    private static VirtualBurner burn(MediumKind medium, PacketSettings settings, int frames) {
        SinkStore store = new SinkStore(medium.capacityBytes());
        var burner = new VirtualBurner(Burners.of(medium, 4), store, settings);
        burner.stream(1024, frames);
        burner.sync();
        return burner;
    }

    private static PacketSettings limit(int pieces) {
        return new PacketSettings(
                CongestionPolicy.BLOCK,
                new WriteMarks(pieces, pieces - 1),
                PacketScheduler.WHEN_STUCK,
                5_000_000);
    }

    /** 250 MB from /dev/zero: 51.2 to 54.6 s in the thread of August 2004, whatever the limit. */
    @Test
    void oneLongFileOnDvdPlusRwTakesAsLongAsInTheThread() {
        int frames = 250 * 512;
        for (PacketSettings settings : new PacketSettings[] {UNLIMITED, limit(1024), limit(8192)}) {
            VirtualBurner burner = burn(MediumKind.DVD_PLUS_RW, settings, frames);
            assertThat(burner.nowSeconds()).isCloseTo(51.9, within(1.0));
            assertThat(burner.count(PacketCounter.PARTIAL)).isZero();
        }
    }

    /** Measured: 98.8 MB in 187 s. The gap between packets makes 4x slower than it sounds. */
    @Test
    void aCdRwAtFourTimesTakesThreeMinutesForAHundredMegabytes() {
        int frames = 98_800_000 / 2048 / 32 * 32;
        VirtualBurner burner = burn(MediumKind.CD_RW, UNLIMITED, frames);
        assertThat(burner.nowSeconds()).isCloseTo(187, withPercentage(12));
    }
}
