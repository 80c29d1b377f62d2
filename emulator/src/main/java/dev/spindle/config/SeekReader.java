package dev.spindle.config;

import java.util.List;
import java.util.Optional;

/** Reads {@code seek}: the three figures of a data sheet, or a table of measured points. */
final class SeekReader {
    private SeekReader() {}

    static Optional<SeekConfig> read(Section drive) {
        int before = drive.faults();
        Section seek = drive.child("seek");
        if (!seek.has("table")) {
            return curve(seek, before);
        }
        seek.refuse(
                "clashes with seek.table, allowed either of them",
                "track_to_track",
                "average",
                "full_stroke");
        List<SeekPointConfig> points = seek.elements("table", new PointReader()::read);
        return seek.ifSound(before, () -> new SeekTableConfig(points));
    }

    private static Optional<SeekConfig> curve(Section seek, int before) {
        long trackToTrack = seek.read(DiskKeys.TRACK_TO_TRACK);
        long average = seek.read(DiskKeys.AVERAGE);
        long fullStroke = seek.read(DiskKeys.FULL_STROKE);
        if (seek.faults() == before) {
            requireNoLess(seek, DiskKeys.AVERAGE, average, DiskKeys.TRACK_TO_TRACK, trackToTrack);
            requireNoLess(seek, DiskKeys.FULL_STROKE, fullStroke, DiskKeys.AVERAGE, average);
        }
        return seek.ifSound(before, () -> new SeekCurveConfig(trackToTrack, average, fullStroke));
    }

    private static void requireNoLess(
            Section seek, Key<Long> longer, long longerNs, Key<Long> shorter, long shorterNs) {
        if (longerNs < shorterNs) {
            seek.problem(
                    longer.name(),
                    longer.type().render(longerNs)
                            + " is less than "
                            + shorter.name()
                            + " = "
                            + shorter.type().render(shorterNs));
        }
    }

    /** Remembers the line before. */
    private static final class PointReader {
        private SeekPointConfig last = new SeekPointConfig(1, 0);
        private boolean isFirst = true;

        Optional<SeekPointConfig> read(Section line) {
            int before = line.faults();
            int cylinders = line.read(DiskKeys.POINT_CYLINDERS);
            long timeNs = line.read(DiskKeys.POINT_TIME);
            if (line.faults() > before) {
                return Optional.empty();
            }
            SeekPointConfig point = new SeekPointConfig(cylinders, timeNs);
            if (!isFirst && !point.isBeyond(last)) {
                line.problem(
                        "table is not ascending: needs more cylinders than " + last.cylinders());
            }
            isFirst = false;
            last = point;
            return Optional.of(point);
        }
    }
}
