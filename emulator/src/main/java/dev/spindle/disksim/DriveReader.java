package dev.spindle.disksim;

import dev.spindle.drive.disk.Bus;
import dev.spindle.drive.disk.Cache;
import dev.spindle.drive.disk.DiskProfile;
import dev.spindle.drive.disk.HeadOrder;
import dev.spindle.drive.disk.Overhead;
import dev.spindle.drive.disk.ReadAheadRule;
import dev.spindle.drive.disk.ReadAheadRule.Scope;
import dev.spindle.drive.disk.SeekCurve;
import dev.spindle.drive.disk.Zone;
import java.nio.file.Path;
import java.util.List;

/**
 * Makes a drive of DiskSim's parameter files. What a file does not say is taken as zero or off,
 * where that is what the manual's drives have; what no drive can do without is asked for by name.
 */
public final class DriveReader {
    private static final int MAX = Integer.MAX_VALUE;

    /**
     * What a read costs that finds the arm on its track already, as a share of the step to the next
     * cylinder. DiskSim knows no such cost; four of the drives measured for it show between 0.63
     * and 0.9 of a step.
     */
    private static final double RESETTLE_SHARE = 0.75;

    private final ParamBlock disk;
    private final double timeScale;

    private DriveReader(ParamBlock disk) throws DiskSimException {
        this.disk = disk;
        timeScale = disk.number("Time scale for overheads", 1, 0, 1000);
    }

    /**
     * The drive of a {@code .diskspecs} file, the last where it has several; or that of a whole
     * {@code .parv}, with the time of a sector on its buses.
     */
    public static MeasuredDrive read(Path file) throws DiskSimException {
        List<ParamBlock> blocks = ParamParser.parse(file);
        ParamBlock disk =
                blocks.stream()
                        .filter(block -> block.type().equals("disksim_disk"))
                        .reduce((_, last) -> last)
                        .orElse(null);
        if (disk == null) {
            throw DiskSimException.at(new Place(file, 1), "holds no disksim_disk block");
        }
        List<ParamBlock> buses =
                blocks.stream().filter(block -> block.type().equals("disksim_bus")).toList();
        try {
            return new DriveReader(disk).drive(buses);
        } catch (IllegalArgumentException unsound) {
            throw DiskSimException.at(disk.place(), String.valueOf(unsound.getMessage()));
        }
    }

    private MeasuredDrive drive(List<ParamBlock> buses) throws DiskSimException {
        ParamBlock model = disk.block("Model");
        int heads = model.whole("Number of data surfaces", 1, 255);
        int cylinders = model.whole("Number of cylinders", 1, 10_000_000);
        ParamBlock layout = model.block("Layout Model");
        List<Zone> zones = new LayoutReader(heads).zones(layout);
        HeadOrder order = LayoutReader.headOrder(layout);
        ParamBlock mechanics = mechanics(model);
        SeekCurve seek = new SeekReader(mechanics, cylinders).read();
        double bulkNs = (double) Units.ns(disk, "Bulk sector transfer time");
        double readNs = Math.max(bulkNs, slowest(buses, "Read block transfer time"));
        double writeNs = Math.max(bulkNs, slowest(buses, "Write block transfer time"));
        DiskProfile profile =
                new DiskProfile(
                        mechanics.number("Rotation speed (in rpms)", 1, 1e6),
                        heads,
                        order,
                        zones,
                        seek,
                        Units.requiredNs(mechanics, "Head switch time"),
                        Units.signedNs(mechanics, "Add. write settling delay"),
                        overhead(Math.round(RESETTLE_SHARE * seek.timeNs(1))),
                        bus(readNs, writeNs),
                        cache());
        mechanics.find("Percent error in rpms");
        model.find("Block count");
        return new MeasuredDrive(disk.name(), profile, readNs > 0 && writeNs > 0, disk.unknown());
    }

    private static ParamBlock mechanics(ParamBlock model) throws DiskSimException {
        ParamBlock mechanics = model.block("Mechanical Model");
        if (!mechanics.type().equals("dm_mech_g1")) {
            throw DiskSimException.at(
                    mechanics.place(),
                    "mechanics " + mechanics.type() + " are not supported, only dm_mech_g1 are");
        }
        String access =
                mechanics.has("Access time type")
                        ? mechanics.text("Access time type")
                        : "trackSwitchPlusRotation";
        if (!access.equals("trackSwitchPlusRotation")) {
            throw DiskSimException.at(
                    mechanics.require("Access time type").place(),
                    "'Access time type' = "
                            + access
                            + " is not supported, only trackSwitchPlusRotation is");
        }
        return mechanics;
    }

    private static double slowest(List<ParamBlock> buses, String key) throws DiskSimException {
        double slowestNs = 0;
        for (ParamBlock bus : buses) {
            slowestNs = Math.max(slowestNs, (double) Units.ns(bus, key));
        }
        return slowestNs;
    }

    private Overhead overhead(long leastReadMoveNs) throws DiskSimException {
        long each = scaled("Per-request overhead time");
        return new Overhead(
                after("Read hit over. after ", each),
                after("Read miss over. after ", each),
                after("Write hit over. after ", each),
                after("Write miss over. after ", each),
                scaled("Read completion overhead"),
                scaled("Write completion overhead"),
                leastReadMoveNs,
                Units.ns(disk, "Minimum seek delay"));
    }

    private Overhead.After after(String key, long each) throws DiskSimException {
        return new Overhead.After(scaled(key + "read") + each, scaled(key + "write") + each);
    }

    private long scaled(String key) throws DiskSimException {
        return Math.round(Units.ns(disk, key) * timeScale);
    }

    private Bus bus(double readNs, double writeNs) throws DiskSimException {
        return new Bus(
                readNs,
                writeNs,
                disk.number("High (read) water mark", 0, 0, 1),
                scaled("Data preparation overhead"),
                scaled("First reselect overhead"),
                new Overhead.After(
                        scaled("Read disconnect afterread"), scaled("Read disconnect afterwrite")),
                scaled("Write disconnect overhead"),
                new Bus.ExtraRelease(
                        disk.flag("Extra write disconnect", false),
                        scaled("Extradisc command overhead"),
                        scaled("Extradisc disconnect overhead"),
                        scaled("Extradisc inter-disconnect delay"),
                        scaled("Extradisc 2nd disconnect overhead"),
                        scaled("Other reselect overhead"),
                        scaled("Extradisc seek delta")));
    }

    private Cache cache() throws DiskSimException {
        int segments = disk.whole("Number of buffer segments", 1, 0, 65536);
        int sectors = disk.whole("Segment size (in blks)", 1, 1 << 24);
        boolean isSeparate = disk.flag("Use separate write segment", false);
        int writeSegments = disk.whole("Maximum number of write segments", 1, 0, 65536);
        boolean isCaching = disk.whole("Enable caching in buffer", 1, 0, 2) != 0;
        int level = disk.whole("Fast write level", 0, 0, 2);
        boolean servesReads = disk.flag("Allow read hits on write data", true) && !isSeparate;
        int forReads = isCaching ? Math.max(1, isSeparate ? segments - 1 : segments) : 0;
        return new Cache(
                forReads,
                forReads == 0 ? 0 : sectors,
                new Cache.Writes(
                        (long) writeSegments * sectors,
                        level > 0,
                        true,
                        !isSeparate,
                        level == 1,
                        servesReads),
                readAhead(sectors));
    }

    private ReadAheadRule readAhead(int sectors) throws DiskSimException {
        Scope scope =
                switch (disk.whole("Buffer continuous read", 0, 0, 4)) {
                    case 1 -> Scope.TRACK;
                    case 2 -> Scope.CYLINDER;
                    case 3 -> Scope.SEGMENT;
                    case 4 -> Scope.NEXT_TRACK;
                    default -> Scope.NOTHING;
                };
        return new ReadAheadRule(
                scope,
                disk.whole("Minimum read-ahead (blks)", 0, 0, sectors),
                disk.whole("Maximum read-ahead (blks)", 0, 0, MAX),
                disk.flag("Read-ahead over requested", false),
                disk.flag("Read-ahead on idle hit", false),
                disk.flag("Allow almost read hits", false),
                disk.flag("Read any free blocks", false),
                disk.flag("Read any free blocks", false)
                        && disk.whole("Immediate buffer read", 0, 0, 2) != 0,
                disk.flag("Stop prefetch in sector", false));
    }
}
