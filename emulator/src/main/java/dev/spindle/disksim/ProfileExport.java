package dev.spindle.disksim;

import static dev.spindle.disksim.ValidationReport.format;

import dev.spindle.drive.disk.Bus;
import dev.spindle.drive.disk.Cache;
import dev.spindle.drive.disk.Defects;
import dev.spindle.drive.disk.DiskProfile;
import dev.spindle.drive.disk.Overhead;
import dev.spindle.drive.disk.ReadAheadRule;
import dev.spindle.drive.disk.SeekCurve;
import dev.spindle.drive.disk.Zone;
import java.math.BigDecimal;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** Writes a drive as a profile of {@code drives}, for a conf file. */
public final class ProfileExport {
    /** What a controller of the time moved in one command. */
    private static final int MAX_SECTORS_KB = 128;

    /** A conf file's table of seek times may have some more. */
    private static final int MAX_POINTS = 500;

    private final StringBuilder conf = new StringBuilder();

    private ProfileExport() {}

    /** With the figures of a validation, where there was one. */
    public static String of(String profile, MeasuredDrive drive, Optional<Validation> validation) {
        ProfileExport export = new ProfileExport();
        DiskProfile disk = validation.map(Validation::profile).orElse(drive.profile());
        export.heading(drive, validation);
        export.add("drives {");
        export.add("    %s {", profileName(profile));
        export.add("        kind  = disk");
        export.add("        model = \"%s\"", shortened(drive.name()));
        export.add("        max_hw_sectors_kb = %d", MAX_SECTORS_KB);
        export.mechanics(disk);
        export.zones(disk.zones());
        export.seek(disk.seek());
        export.overhead(disk.overhead());
        export.bus(disk.bus());
        export.cache(disk.cache());
        export.add("    }");
        export.add("}");
        return export.conf.toString();
    }

    /** Of a file's name, as a profile is named in conf files. */
    static String profileName(String file) {
        String plain = file.toLowerCase(Locale.ROOT).replaceAll("\\.conf$", "");
        return plain.replaceAll("[^a-z0-9]+", "-").replaceAll("(^-|-$)", "");
    }

    private static String shortened(String name) {
        String plain = name.replaceAll("_validate$", "").replaceAll("[^A-Za-z0-9 ._-]", " ");
        return plain.substring(0, Math.min(40, plain.length()));
    }

    private void heading(MeasuredDrive drive, Optional<Validation> validation) {
        add("# %s, from the parameters measured for DiskSim's validation.", drive.name());
        validation.ifPresent(against -> {
            ServiceTimes all = against.all();
            add(
                    "# Demerit %.2f %%: over %d requests the drive took %.3f ms in the mean,"
                            + " this model %.3f ms, rms %.3f ms.",
                    100 * all.demerit(),
                    all.count(),
                    all.meanDriveMs(),
                    all.meanModelMs(),
                    all.rmsMs());
            if (against.isBusFitted()) {
                add("# [fitted] bus_rate, to the buffer hits of the trace.");
            }
        });
        add("# Written by 'spindle validate --export-conf'; docs/validation.md says more.");
        add("");
    }

    private void mechanics(DiskProfile profile) {
        add("");
        add("        rpm   = %s", number(profile.rpm()));
        add("        heads = %d", profile.heads());
        add("        head_order   = %s", word(profile.headOrder()));
        add("        head_switch  = %s", time(profile.headSwitchNs()));
        add("        write_settle = %s", time(profile.writeSettleNs()));
        add("        bus_rate     = %s", rate(profile.bus().readSectorNs()));
        add("");
    }

    private void zones(List<Zone> zones) {
        add("        zones = [");
        for (Zone zone : zones) {
            StringBuilder line = new StringBuilder();
            append(line, "cylinders", zone.cylinders());
            append(line, "sectors_per_track", zone.sectorsPerTrack());
            append(line, "track_skew", zone.trackSkewSectors() % zone.sectorsPerTrack());
            append(line, "cylinder_skew", zone.cylinderSkewSectors() % zone.sectorsPerTrack());
            append(line, "gap", zone.gapCylinders());
            append(line, "offset", zone.offsetSectors());
            append(line, "empty", (double) zone.emptySectors());
            append(line, "spare_group", zone.sparing().groupTracks());
            append(line, "spares", zone.sparing().sparesPerGroup());
            append(line, "spares_at_front", zone.sparing().isAtFront());
            append(line, "slips_reach_on", zone.sparing().slipsReachOn());
            append(line, "slips_turn", zone.sparing().slipsTurn());
            defects(line, zone.defects());
            add("            {%s }", line);
        }
        add("        ]");
    }

    private static void defects(StringBuilder line, Defects defects) {
        if (defects.unitSectors() > 1) {
            line.append(" defect_unit = track,");
        }
        if (!defects.slips().isEmpty()) {
            line.append(" slips = \"").append(joined(defects.slips())).append("\",");
        }
        if (!defects.remaps().isEmpty()) {
            String pairs =
                    defects.remaps().stream()
                            .map(remap -> remap.badUnit() + " " + remap.spareUnit())
                            .collect(Collectors.joining("  "));
            line.append(" remaps = \"").append(pairs).append("\",");
        }
        line.setLength(line.length() - 1);
    }

    private static String joined(List<Integer> numbers) {
        return numbers.stream().map(String::valueOf).collect(Collectors.joining(" "));
    }

    private static void append(StringBuilder line, String key, double value) {
        if (value != 0) {
            line.append(' ').append(key).append(" = ").append(number(value)).append(',');
        }
    }

    private static void append(StringBuilder line, String key, boolean value) {
        if (value) {
            line.append(' ').append(key).append(" = on,");
        }
    }

    private void seek(SeekCurve seek) {
        double[] cylinders = seek.cylinders();
        double[] timesNs = seek.timesNs();
        add("");
        add("        seek.table = [");
        int step = 1 + cylinders.length / MAX_POINTS;
        for (int i = 0; i < cylinders.length; i += i + step < cylinders.length ? step : 1) {
            add(
                    "            { cylinders = %s, time = %s }",
                    number(cylinders[i]), time(Math.round(timesNs[i])));
        }
        add("        ]");
    }

    private void overhead(Overhead overhead) {
        add("");
        add("        overhead {");
        both("read_hit", overhead.readHit());
        both("read_miss", overhead.readMiss());
        both("write_hit", overhead.writeHit());
        both("write_miss", overhead.writeMiss());
        time("read_done", overhead.readDoneNs());
        time("write_done", overhead.writeDoneNs());
        time("least_read_move", overhead.leastReadMoveNs());
        time("least_write_move", overhead.leastWriteMoveNs());
        add("        }");
    }

    private void both(String key, Overhead.After after) {
        add("            %s = %s", key, time(after.readNs()));
        if (after.writeNs() != after.readNs()) {
            add("            %s_after_write = %s", key, time(after.writeNs()));
        }
    }

    private void time(String key, long timeNs) {
        if (timeNs != 0) {
            add("            %s = %s", key, time(timeNs));
        }
    }

    private void bus(Bus bus) {
        add("");
        add("        bus {");
        if (bus.writeSectorNs() != bus.readSectorNs()) {
            add("            write_rate = %s", rate(bus.writeSectorNs()));
        }
        add("            read_watermark = %s", number(bus.readWatermark()));
        time("prepare", bus.prepareNs());
        time("reselect", bus.reselectNs());
        both("read_release", bus.readReleaseNs());
        time("write_release", bus.writeReleaseNs());
        Bus.ExtraRelease extra = bus.extra();
        if (extra.isDone()) {
            add("            extra_release = on");
            time("extra_command", extra.commandNs());
            time("extra_let_go", extra.releaseNs());
            time("extra_away", extra.awayNs());
            time("extra_second", extra.secondReleaseNs());
            time("extra_reselect", extra.reselectNs());
            time("extra_move_delay", extra.moveDelayNs());
        }
        add("        }");
    }

    private void cache(Cache cache) {
        ReadAheadRule ahead = cache.readAhead();
        add("");
        add("        cache {");
        add("            size       = %d B", 512L * cache.segments() * cache.segmentSectors());
        add("            segments   = %d", Math.max(1, cache.segments()));
        add("            read_ahead = on");
        add("            write_back = %s", onOff(cache.writes().isWriteBack()));
        add("            read_ahead_to    = %s", word(ahead.scope()));
        add("            read_ahead_least = %d", ahead.leastSectors());
        add("            read_ahead_most  = %d", ahead.mostSectors());
        add("            read_ahead_on_hit   = %s", onOff(ahead.onHit()));
        add("            over_requested      = %s", onOff(ahead.overRequested()));
        add("            almost_hits         = %s", onOff(ahead.almostHits()));
        add("            from_landing        = %s", onOff(ahead.fromLanding()));
        add("            whole_track         = %s", onOff(ahead.wholeTrack()));
        add("            stops_in_sector     = %s", onOff(ahead.stopsInSector()));
        add("            write_size          = %d B", 512 * cache.writes().maxSectors());
        add("            writes_first        = %s", onOff(cache.writes().goesFirst()));
        add("            writes_take_segment = %s", onOff(cache.writes().takesSegment()));
        add("            writes_drop_reads   = %s", onOff(cache.writes().dropsReads()));
        add("            writes_serve_reads  = %s", onOff(cache.writes().servesReads()));
        add("        }");
    }

    private static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    private static String onOff(boolean flag) {
        return flag ? "on" : "off";
    }

    private static String rate(double sectorNs) {
        return Math.round(512e9 / Math.max(1, sectorNs)) + " B/s";
    }

    private static String time(long timeNs) {
        return BigDecimal.valueOf(timeNs, 6).stripTrailingZeros().toPlainString() + " ms";
    }

    private static String number(double value) {
        return BigDecimal.valueOf(value).stripTrailingZeros().toPlainString();
    }

    private void add(String pattern, Object... values) {
        conf.append(values.length == 0 ? pattern : format(pattern, values)).append('\n');
    }
}
