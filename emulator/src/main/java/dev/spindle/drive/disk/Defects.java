package dev.spindle.drive.disk;

import java.util.List;

/**
 * What of a zone is bad, counted from the zone's first physical sector in units of a sector or of a
 * track.
 *
 * @param unitSectors 1, or the sectors of a track
 * @param slips units passed over when the addresses were laid out, ascending
 * @param remaps units whose data lies elsewhere
 */
public record Defects(int unitSectors, List<Integer> slips, List<Remap> remaps) {
    public static final Defects NONE = new Defects(1, List.of(), List.of());

    public Defects {
        slips = List.copyOf(slips);
        remaps = List.copyOf(remaps);
        if (unitSectors < 1) {
            throw new IllegalArgumentException("defects: unit=" + unitSectors + " sectors");
        }
        for (int i = 0; i < slips.size(); i++) {
            if (slips.get(i) < (i == 0 ? 0 : slips.get(i - 1) + 1)) {
                throw new IllegalArgumentException(
                        "defects: slip " + slips.get(i) + " does not ascend");
            }
        }
    }

    /** A bad unit and the one that stands in for it. */
    public record Remap(int badUnit, int spareUnit) {
        public Remap {
            if (badUnit < 0 || spareUnit < 0) {
                throw new IllegalArgumentException(
                        "defects: remap " + badUnit + " to " + spareUnit + " is negative");
            }
        }
    }
}
