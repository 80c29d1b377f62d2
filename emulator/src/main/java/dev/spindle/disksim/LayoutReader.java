package dev.spindle.disksim;

import dev.spindle.drive.disk.Defects;
import dev.spindle.drive.disk.HeadOrder;
import dev.spindle.drive.disk.Sparing;
import dev.spindle.drive.disk.Zone;
import java.util.ArrayList;
import java.util.List;

/** Reads {@code dm_layout_g1}: zones with skews, spares, slipped and remapped sectors or tracks. */
final class LayoutReader {
    private static final int MAX = Integer.MAX_VALUE;
    private static final int TRACKS_PER_ZONE = 1;

    private final int heads;

    LayoutReader(int heads) {
        this.heads = heads;
    }

    static HeadOrder headOrder(ParamBlock layout) throws DiskSimException {
        return switch (layout.whole("LBN-to-PBN mapping scheme", 0, 0, 2)) {
            case 1 -> HeadOrder.SERPENTINE_IN_ZONE;
            case 2 -> HeadOrder.SERPENTINE_ON_DISK;
            default -> HeadOrder.ASCENDING;
        };
    }

    List<Zone> zones(ParamBlock layout) throws DiskSimException {
        if (!layout.type().equals("dm_layout_g1")) {
            throw DiskSimException.at(
                    layout.place(),
                    "layout " + layout.type() + " is not supported, only dm_layout_g1 is");
        }
        int scheme = layout.whole("Sparing scheme used", 0, 0, 10);
        int range = layout.whole("Rangesize for sparing", 1, 1, MAX);
        boolean isTurns = isInRevolutions(layout, false);
        List<Zone> zones = new ArrayList<>();
        int nextCylinder = 0;
        for (ParamValue value : layout.list("Zones")) {
            if (!(value instanceof ParamValue.Block(ParamBlock block, Place _))) {
                throw DiskSimException.at(value.place(), "a zone is not a block { ... }");
            }
            int first = block.whole("First cylinder number", 0, MAX);
            int last = block.whole("Last cylinder number", 0, MAX);
            check(block, first, last, nextCylinder);
            zones.add(zone(block, first - nextCylinder, new Scheme(scheme, range), isTurns));
            nextCylinder = last + 1;
        }
        if (zones.isEmpty()) {
            throw DiskSimException.at(layout.place(), layout + " has no zones");
        }
        return zones;
    }

    private static void check(ParamBlock block, int first, int last, int nextCylinder)
            throws DiskSimException {
        if (first < nextCylinder || last < first) {
            throw DiskSimException.at(
                    block.place(),
                    "a zone from cylinder %d to %d does not fit: the next free cylinder is %d"
                            .formatted(first, last, nextCylinder));
        }
    }

    private record Scheme(int number, int range) {}

    private Zone zone(ParamBlock block, int gap, Scheme scheme, boolean outerIsTurns)
            throws DiskSimException {
        boolean isTurns = isInRevolutions(block, outerIsTurns);
        int first = block.whole("First cylinder number", 0, MAX);
        int count = block.whole("Last cylinder number", 0, MAX) - first + 1;
        int sectors = block.whole("Blocks per track", 1, 1 << 20);
        double unit = isTurns ? sectors : 1;
        try {
            return new Zone(
                    gap,
                    count,
                    sectors,
                    angle(block, "Skew for track switch", unit, sectors),
                    angle(block, "Skew for cylinder switch", unit, sectors),
                    angle(block, "Offset of first block", unit, sectors),
                    block.whole("Empty space at zone front", 0, 0, MAX),
                    sparing(scheme, block.whole("Number of spares", 0, 0, MAX), sectors),
                    defects(block, scheme.number == TRACKS_PER_ZONE ? sectors : 1));
        } catch (IllegalArgumentException unsound) {
            throw DiskSimException.at(block.place(), String.valueOf(unsound.getMessage()));
        }
    }

    /** In sectors, within one revolution. */
    private static double angle(ParamBlock block, String key, double unit, int sectors)
            throws DiskSimException {
        double angle = unit * block.number(key, 0, -MAX, MAX);
        return angle - Math.floor(angle / sectors) * sectors;
    }

    private static boolean isInRevolutions(ParamBlock block, boolean absent)
            throws DiskSimException {
        if (!block.has("Skew units")) {
            return absent;
        }
        String unit = block.text("Skew units");
        return switch (unit) {
            case "revolutions" -> true;
            case "sectors" -> false;
            default ->
                    throw DiskSimException.at(
                            block.require("Skew units").place(),
                            "'Skew units' = " + unit + ", allowed sectors or revolutions");
        };
    }

    /** The ten schemes of the manual, as groups of tracks that keep spare sectors. */
    private Sparing sparing(Scheme scheme, int spares, int sectors) {
        return switch (scheme.number) {
            case TRACKS_PER_ZONE -> new Sparing(0, spares * sectors, false, false, false);
            case 2 -> new Sparing(heads, spares, false, false, true);
            case 3 -> new Sparing(1, spares, false, false, true);
            case 4 -> new Sparing(heads, spares, false, true, true);
            case 5 -> new Sparing(heads, spares, true, false, true);
            case 6 -> new Sparing(heads, spares, true, true, true);
            case 7 -> new Sparing(0, 0, false, true, false);
            case 8 -> new Sparing(heads * scheme.range, spares, false, false, false);
            case 9 -> new Sparing(0, spares, false, false, false);
            case 10 -> new Sparing(0, spares, false, true, false);
            default -> Sparing.NONE;
        };
    }

    private static Defects defects(ParamBlock block, int unit) throws DiskSimException {
        List<Integer> slips = numbers(block, "slips");
        List<Integer> pairs = numbers(block, "defects");
        if (pairs.size() % 2 != 0) {
            throw DiskSimException.at(
                    block.require("defects").place(),
                    "'defects' are pairs, found " + pairs.size() + " numbers");
        }
        List<Defects.Remap> remaps = new ArrayList<>();
        for (int i = 0; i < pairs.size(); i += 2) {
            if (!pairs.get(i).equals(pairs.get(i + 1))) {
                remaps.add(new Defects.Remap(pairs.get(i), pairs.get(i + 1)));
            }
        }
        return new Defects(unit, slips.stream().sorted().distinct().toList(), remaps);
    }

    private static List<Integer> numbers(ParamBlock block, String key) throws DiskSimException {
        List<Integer> numbers = new ArrayList<>();
        if (block.has(key)) {
            for (ParamValue value : block.list(key)) {
                numbers.add((int) ParamBlock.number(key, value, 0, MAX));
            }
        }
        return numbers;
    }
}
