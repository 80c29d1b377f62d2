package dev.spindle.config;

import java.util.List;

/**
 * A zone's spare sectors, and what they stand in for.
 *
 * @param groupTracks tracks that share spares; 0 for the zone as a whole
 * @param sectors spares of each group
 * @param slips bad units passed over
 * @param remaps pairs of a bad unit and the one that stands in for it
 */
public record SparesConfig(
        int groupTracks,
        int sectors,
        boolean isAtFront,
        boolean slipsReachOn,
        boolean slipsTurn,
        DefectUnit unit,
        List<Integer> slips,
        List<Integer> remaps) {
    static final SparesConfig NONE =
            new SparesConfig(0, 0, false, false, false, DefectUnit.SECTOR, List.of(), List.of());

    public SparesConfig {
        slips = List.copyOf(slips);
        remaps = List.copyOf(remaps);
    }
}
