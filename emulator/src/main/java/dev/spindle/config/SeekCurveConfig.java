package dev.spindle.config;

/** The three figures of a data sheet, each no less than the one before. */
public record SeekCurveConfig(long trackToTrackNs, long averageNs, long fullStrokeNs)
        implements SeekConfig {
    public SeekCurveConfig {
        Checks.require(
                trackToTrackNs <= averageNs && averageNs <= fullStrokeNs,
                "needs track_to_track <= average <= full_stroke");
    }
}
