package dev.spindle.drive.disk;

import java.util.List;

/** Disks for tests. */
public final class Disks {
    private Disks() {}

    /**
     * Round figures: 6000 rpm, so 10 ms a revolution; 500 sectors a track of 20 us each; two heads.
     */
    public static DiskProfile simple() {
        return new DiskProfile(
                6000,
                2,
                HeadOrder.ASCENDING,
                List.of(new Zone(1000, 500, 50, 100), new Zone(1000, 250, 25, 50)),
                SeekCurve.ofDataSheet(1_000_000, 8_000_000, 15_000_000, 2000),
                500_000,
                200_000,
                Overhead.of(100_000, 200_000, 100_000, 300_000),
                Bus.of(50e6),
                Cache.of(1 << 20, 4));
    }

    /**
     * The class of disk of thread 000: 4200 rpm, about 19.7 MB/s in the outermost zone, UDMA/66.
     */
    public static DiskProfile laptop() {
        return new DiskProfile(
                4200,
                4,
                HeadOrder.ASCENDING,
                List.of(new Zone(9000, 616, 66, 110), new Zone(20000, 500, 53, 90)),
                SeekCurve.ofDataSheet(2_500_000, 12_000_000, 23_000_000, 29000),
                1_500_000,
                200_000,
                Overhead.of(200_000, 300_000, 200_000, 300_000),
                Bus.of(66e6),
                Cache.of(8 << 20, 16));
    }
}
