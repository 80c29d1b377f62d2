package dev.spindle.drive.disk;

/**
 * Where a zone keeps its spare sectors: each group of so many tracks gives up so many sectors, at
 * its end or at its front.
 *
 * @param groupTracks tracks in a group; 0 makes the whole zone one group
 * @param sparesPerGroup sectors given up in each
 * @param isAtFront the spares come first in their group
 * @param slipsReachOn a slipped sector moves all that follow it in the zone, not only its group
 * @param slipsTurn a slipped sector also moves the beginning of the tracks that follow
 */
public record Sparing(
        int groupTracks,
        int sparesPerGroup,
        boolean isAtFront,
        boolean slipsReachOn,
        boolean slipsTurn) {
    public static final Sparing NONE = new Sparing(0, 0, false, false, false);

    public Sparing {
        if (groupTracks < 0 || sparesPerGroup < 0) {
            throw new IllegalArgumentException(
                    "sparing: group="
                            + groupTracks
                            + " tracks, spares="
                            + sparesPerGroup
                            + " must not be negative");
        }
    }
}
