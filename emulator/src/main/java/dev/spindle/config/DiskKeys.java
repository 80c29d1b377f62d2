package dev.spindle.config;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** That part of the table of keys which says what a disk is. */
final class DiskKeys {
    private static final int MAX_DEFECTS = 10_000;
    private static final long MIB = 1 << 20;
    private static final ValueType<Long> MECHANICAL = new Duration(0, Duration.SECOND);
    private static final ValueType<Integer> CYLINDERS = WholeNumber.from(1, 1_000_000);
    private static final ValueType<Double> SECTORS = new Decimal(0, 65535);
    private static final ValueType<Long> RATE = new Rate(1000, 1_000_000_000_000L);

    private static final List<Key<?>> ALL = new ArrayList<>();

    static final Key<Integer> RPM =
            add(
                    Key.required(
                            Keys.DRIVE + ".rpm",
                            WholeNumber.from(60, 100_000),
                            "Revolutions a minute."));
    static final Key<Integer> HEADS =
            add(
                    Key.required(
                            Keys.DRIVE + ".heads",
                            WholeNumber.from(1, 255),
                            "Tracks in a cylinder."));
    static final Key<HeadOrderKind> HEAD_ORDER =
            add(
                    Key.of(
                            Keys.DRIVE + ".head_order",
                            Choice.of(HeadOrderKind.class),
                            HeadOrderKind.ASCENDING,
                            "How the heads of a cylinder follow; serpentine goes back on every second cylinder."));
    static final Key<Long> HEAD_SWITCH =
            add(
                    Key.required(
                            Keys.DRIVE + ".head_switch",
                            MECHANICAL,
                            "From one track of a cylinder to the next."));
    static final Key<Long> WRITE_SETTLE =
            add(
                    Key.of(
                            Keys.DRIVE + ".write_settle",
                            new Duration(-100 * Duration.MS, 100 * Duration.MS),
                            0L,
                            "More of the same before a write, where heads moved or switched;"
                                    + " negative where writes wait less."));
    static final Key<Long> BUS_RATE =
            add(Key.required(Keys.DRIVE + ".bus_rate", RATE, "Between drive and host."));

    static final Key<Integer> ZONE_CYLINDERS =
            add(Key.required(Keys.ZONE + ".cylinders", CYLINDERS, "Cylinders in this zone."));
    static final Key<Integer> SECTORS_PER_TRACK =
            add(
                    Key.required(
                            Keys.ZONE + ".sectors_per_track",
                            WholeNumber.from(1, 65536),
                            "Sectors of 512 bytes on each of its tracks."));
    static final Key<Double> TRACK_SKEW =
            add(
                    Key.of(
                            Keys.ZONE + ".track_skew",
                            SECTORS,
                            0.0,
                            "Sectors by which a track starts after the one before it, same"
                                    + " cylinder; less than sectors_per_track."));
    static final Key<Double> CYLINDER_SKEW =
            add(
                    Key.of(
                            Keys.ZONE + ".cylinder_skew",
                            SECTORS,
                            0.0,
                            "The same from a cylinder's last track to the next cylinder."));
    static final Key<Integer> GAP =
            add(
                    Key.of(
                            Keys.ZONE + ".gap",
                            WholeNumber.from(0, 1000000),
                            0,
                            "Unused cylinders before it."));
    static final Key<Double> OFFSET =
            add(
                    Key.of(
                            Keys.ZONE + ".offset",
                            SECTORS,
                            0.0,
                            "How far its first sector lies behind the index mark, in sectors."));
    static final Key<Integer> EMPTY =
            add(
                    Key.of(
                            Keys.ZONE + ".empty",
                            WholeNumber.from(0, 100000000),
                            0,
                            "Sectors at its beginning that the drive keeps for itself."));
    static final Key<Integer> SPARE_GROUP =
            add(
                    Key.of(
                            Keys.ZONE + ".spare_group",
                            WholeNumber.from(0, 1000000),
                            0,
                            "Tracks that share spare sectors; 0 for the zone as a whole."));
    static final Key<Integer> SPARES =
            add(
                    Key.of(
                            Keys.ZONE + ".spares",
                            WholeNumber.from(0, 100000000),
                            0,
                            "Spare sectors of each such group."));
    static final Key<Boolean> SPARES_AT_FRONT =
            add(
                    Key.of(
                            Keys.ZONE + ".spares_at_front",
                            new Flag(),
                            false,
                            "They come first in their group, not last."));
    static final Key<Boolean> SLIPS_REACH_ON =
            add(
                    Key.of(
                            Keys.ZONE + ".slips_reach_on",
                            new Flag(),
                            false,
                            "A slipped sector moves all that follow in the zone, not only in its group."));
    static final Key<Boolean> SLIPS_TURN =
            add(
                    Key.of(
                            Keys.ZONE + ".slips_turn",
                            new Flag(),
                            false,
                            "A slipped sector also turns the tracks that follow."));
    static final Key<DefectUnit> DEFECT_UNIT =
            add(
                    Key.of(
                            Keys.ZONE + ".defect_unit",
                            Choice.of(DefectUnit.class),
                            DefectUnit.SECTOR,
                            "What slips and remaps count, from the first of the zone."));
    static final Key<List<Integer>> SLIPS =
            add(
                    Key.of(
                            Keys.ZONE + ".slips",
                            new WholeNumbers(MAX_DEFECTS),
                            List.of(),
                            "Bad ones that were passed over when the disk was formatted; ascending."));
    static final Key<List<Integer>> REMAPS =
            add(
                    Key.of(
                            Keys.ZONE + ".remaps",
                            new WholeNumbers(MAX_DEFECTS),
                            List.of(),
                            "Pairs: a bad one, and the one that stands in for it."));

    static final Key<Long> TRACK_TO_TRACK =
            add(
                    Key.required(
                            Keys.SEEK + ".track_to_track",
                            MECHANICAL,
                            "To the neighbouring cylinder."));
    static final Key<Long> AVERAGE =
            add(
                    Key.required(
                            Keys.SEEK + ".average",
                            MECHANICAL,
                            "Over a third of the cylinders; at least track_to_track."));
    static final Key<Long> FULL_STROKE =
            add(
                    Key.required(
                            Keys.SEEK + ".full_stroke",
                            MECHANICAL,
                            "Over all cylinders; at least average."));
    static final Key<Integer> POINT_CYLINDERS =
            add(
                    Key.required(
                            Keys.SEEK_POINT + ".cylinders",
                            CYLINDERS,
                            "The distance; ascending down the table."));
    static final Key<Long> POINT_TIME =
            add(Key.required(Keys.SEEK_POINT + ".time", MECHANICAL, "What it takes."));

    static final Key<Long> READ_HIT =
            add(overhead("read_hit", "Before a read found in the cache."));
    static final Key<Long> READ_MISS = add(overhead("read_miss", "Before a read from the medium."));
    static final Key<Long> WRITE_HIT =
            add(overhead("write_hit", "Before a write taken into the cache."));
    static final Key<Long> WRITE_MISS =
            add(overhead("write_miss", "Before a write to the medium."));
    static final Key<Long> READ_HIT_AFTER_WRITE =
            add(
                    Key.derived(
                            Keys.OVERHEAD + ".read_hit_after_write",
                            MECHANICAL,
                            "read_hit",
                            "After a write; a hit that goes on from no other costs the dearer of the two."));
    static final Key<Long> READ_MISS_AFTER_WRITE =
            add(
                    Key.derived(
                            Keys.OVERHEAD + ".read_miss_after_write",
                            MECHANICAL,
                            "read_miss",
                            "The same where the command before was a write."));
    static final Key<Long> WRITE_HIT_AFTER_WRITE =
            add(
                    Key.derived(
                            Keys.OVERHEAD + ".write_hit_after_write",
                            MECHANICAL,
                            "write_hit",
                            "After a write; a hit that goes on from no other costs the dearer of the two."));
    static final Key<Long> WRITE_MISS_AFTER_WRITE =
            add(
                    Key.derived(
                            Keys.OVERHEAD + ".write_miss_after_write",
                            MECHANICAL,
                            "write_miss",
                            "The same where the command before was a write."));
    static final Key<Long> READ_DONE =
            add(
                    Key.of(
                            Keys.OVERHEAD + ".read_done",
                            MECHANICAL,
                            0L,
                            "Before the end of a read is reported."));
    static final Key<Long> WRITE_DONE =
            add(
                    Key.of(
                            Keys.OVERHEAD + ".write_done",
                            MECHANICAL,
                            0L,
                            "Before the end of a write is reported."));
    static final Key<Long> LEAST_READ_MOVE =
            add(
                    Key.of(
                            Keys.OVERHEAD + ".least_read_move",
                            MECHANICAL,
                            0L,
                            "What a read from the medium takes to reach its track, at least."));
    static final Key<Long> LEAST_WRITE_MOVE =
            add(
                    Key.of(
                            Keys.OVERHEAD + ".least_write_move",
                            MECHANICAL,
                            0L,
                            "The same for a write that does not go on where the last one ended."));

    static final Key<Long> WRITE_RATE =
            add(
                    Key.derived(
                            Keys.BUS + ".write_rate",
                            RATE,
                            "bus_rate",
                            "From host to drive, where it differs."));
    static final Key<Double> READ_WATERMARK =
            add(
                    Key.of(
                            Keys.BUS + ".read_watermark",
                            new Decimal(0, 1),
                            0.0,
                            "The share of a read that is in the buffer before the bus is asked for."));
    static final Key<Long> PREPARE =
            add(Key.of(Keys.BUS + ".prepare", MECHANICAL, 0L, "Before data moves."));
    static final Key<Long> RESELECT =
            add(Key.of(Keys.BUS + ".reselect", MECHANICAL, 0L, "To get the bus again."));
    static final Key<Long> READ_RELEASE =
            add(
                    Key.of(
                            Keys.BUS + ".read_release",
                            MECHANICAL,
                            0L,
                            "To let it go before a read from the medium."));
    static final Key<Long> READ_RELEASE_AFTER_WRITE =
            add(
                    Key.derived(
                            Keys.BUS + ".read_release_after_write",
                            MECHANICAL,
                            "read_release",
                            "The same where the command before was a write."));
    static final Key<Long> WRITE_RELEASE =
            add(
                    Key.of(
                            Keys.BUS + ".write_release",
                            MECHANICAL,
                            0L,
                            "To let it go once a write is in the buffer."));
    static final Key<Boolean> EXTRA_RELEASE =
            add(
                    Key.of(
                            Keys.BUS + ".extra_release",
                            new Flag(),
                            false,
                            "Lets the bus go between command and data of a write that follows a write it does not go on from."));
    static final Key<Long> EXTRA_COMMAND =
            add(
                    Key.of(
                            Keys.BUS + ".extra_command",
                            MECHANICAL,
                            0L,
                            "Then: in place of the overhead."));
    static final Key<Long> EXTRA_LET_GO =
            add(Key.of(Keys.BUS + ".extra_let_go", MECHANICAL, 0L, "Then: to let the bus go."));
    static final Key<Long> EXTRA_AWAY =
            add(
                    Key.of(
                            Keys.BUS + ".extra_away",
                            MECHANICAL,
                            0L,
                            "Then: until it asks for the bus again."));
    static final Key<Long> EXTRA_SECOND =
            add(
                    Key.of(
                            Keys.BUS + ".extra_second",
                            MECHANICAL,
                            0L,
                            "Then: to let it go a second time."));
    static final Key<Long> EXTRA_RESELECT =
            add(
                    Key.of(
                            Keys.BUS + ".extra_reselect",
                            MECHANICAL,
                            0L,
                            "Then: to get it again, to report the end."));
    static final Key<Long> EXTRA_MOVE_DELAY =
            add(
                    Key.of(
                            Keys.BUS + ".extra_move_delay",
                            MECHANICAL,
                            0L,
                            "Then: until the arm moves."));

    static final Key<Long> CACHE_SIZE =
            add(
                    Key.of(
                            Keys.CACHE + ".size",
                            new Size(0, 1024 * MIB),
                            8 * MIB,
                            "The drive's buffer; 0 for none."));
    static final Key<Integer> SEGMENTS =
            add(
                    Key.of(
                            Keys.CACHE + ".segments",
                            WholeNumber.from(1, 4096),
                            16,
                            "Into how many it is cut, one for each stream."));
    static final Key<Boolean> READ_AHEAD =
            add(Key.of(Keys.CACHE + ".read_ahead", new Flag(), true, "Reads on after a read."));
    static final Key<Boolean> WRITE_BACK =
            add(
                    Key.of(
                            Keys.CACHE + ".write_back",
                            new Flag(),
                            true,
                            "Reports a write done once its data is in the buffer."));
    static final Key<ReadAheadScope> SCOPE =
            add(
                    Key.of(
                            Keys.CACHE + ".read_ahead_to",
                            Choice.of(ReadAheadScope.class),
                            ReadAheadScope.SEGMENT,
                            "The end it reads on to; next_track: of the next one, if that fits."));
    static final Key<Integer> LEAST_AHEAD =
            add(
                    Key.of(
                            Keys.CACHE + ".read_ahead_least",
                            WholeNumber.from(0, 1000000),
                            0,
                            "Sectors it reads ahead before it turns to another command."));
    static final Key<Integer> MOST_AHEAD =
            add(
                    Key.of(
                            Keys.CACHE + ".read_ahead_most",
                            WholeNumber.from(0, 1000000),
                            0,
                            "Sectors it reads ahead at most; 0 for what the segment holds."));
    static final Key<Boolean> OVER_REQUESTED =
            add(
                    Key.of(
                            Keys.CACHE + ".over_requested",
                            new Flag(),
                            false,
                            "Gives up what it has sent to the host."));
    static final Key<Boolean> AHEAD_ON_HIT =
            add(
                    Key.of(
                            Keys.CACHE + ".read_ahead_on_hit",
                            new Flag(),
                            false,
                            "Reads on after a hit, too."));
    static final Key<Boolean> ALMOST_HITS =
            add(
                    Key.of(
                            Keys.CACHE + ".almost_hits",
                            new Flag(),
                            true,
                            "A read that begins with the sector being read ahead is a hit."));
    static final Key<Boolean> FROM_LANDING =
            add(
                    Key.of(
                            Keys.CACHE + ".from_landing",
                            new Flag(),
                            false,
                            "Keeps what passes on the track before the first sector asked for."));
    static final Key<Boolean> WHOLE_TRACK =
            add(
                    Key.of(
                            Keys.CACHE + ".whole_track",
                            new Flag(),
                            false,
                            "Having come to the end of the track, goes on at its beginning."));
    static final Key<Boolean> STOPS_IN_SECTOR =
            add(
                    Key.of(
                            Keys.CACHE + ".stops_in_sector",
                            new Flag(),
                            true,
                            "Reading ahead can stop in the middle of a sector."));
    static final Key<Long> WRITE_SIZE =
            add(
                    Key.derived(
                            Keys.CACHE + ".write_size",
                            new Size(0, 1024 * MIB),
                            "half of size",
                            "What may wait for the medium."));
    static final Key<Boolean> WRITES_FIRST =
            add(
                    Key.of(
                            Keys.CACHE + ".writes_first",
                            new Flag(),
                            false,
                            "What waits goes to the medium before any other command is served, but for a write that goes on from it."));
    static final Key<Boolean> WRITES_TAKE_SEGMENT =
            add(
                    Key.of(
                            Keys.CACHE + ".writes_take_segment",
                            new Flag(),
                            false,
                            "A write takes a segment from the reads."));
    static final Key<Boolean> WRITES_DROP_READS =
            add(
                    Key.of(
                            Keys.CACHE + ".writes_drop_reads",
                            new Flag(),
                            false,
                            "A write drops what was read."));
    static final Key<Boolean> WRITES_SERVE_READS =
            add(
                    Key.of(
                            Keys.CACHE + ".writes_serve_reads",
                            new Flag(),
                            false,
                            "Reads find what was written, with writes_take_segment."));

    private DiskKeys() {}

    static List<Key<?>> all() {
        return Collections.unmodifiableList(ALL);
    }

    private static Key<Long> overhead(String name, String sentence) {
        return Key.of(Keys.OVERHEAD + "." + name, MECHANICAL, 0L, sentence);
    }

    private static <T> Key<T> add(Key<T> key) {
        ALL.add(key);
        return key;
    }
}
