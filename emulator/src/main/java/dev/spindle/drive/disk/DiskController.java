package dev.spindle.drive.disk;

import dev.spindle.drive.DriveSettings;

/**
 * When each command ends: the controller's overheads, the buffer, the bus, and the mechanics behind
 * them. Commands come one at a time; what the mechanics do between two of them (going on reading
 * after a read, putting written data on the medium) is worked out when the next one arrives. Owned
 * by its disk.
 *
 * <p>A read not in the buffer lets go of the bus, and asks for it again once its watermark has been
 * read; from then on bus and medium overlap. A write from the host and the arm's movement overlap,
 * too; a sector that is not in the buffer when its place comes round costs a revolution.
 */
final class DiskController {
    private final DiskProfile profile;
    private final Overhead overhead;
    private final Bus bus;
    private final Cache.Writes writes;
    private final DiskMechanics mechanics;
    private final ReadAhead readAhead;
    private final ReadCache readCache;
    private final WriteCache writeCache;
    private final BusTransfer transfer = new BusTransfer();
    private final WriteArrival arrival = new WriteArrival();

    private DriveSettings settings;

    /** When the mechanics have done what they have begun. */
    private double mediaFreeNs;

    private boolean wasRead = true;
    private long lastReadEnd = -1;
    private long lastWriteEnd = -1;

    DiskController(DiskProfile profile, DiskGeometry geometry, long capacitySectors) {
        this.profile = profile;
        overhead = profile.overhead();
        bus = profile.bus();
        Cache cache = profile.cache();
        writes = cache.writes();
        mechanics = new DiskMechanics(profile, geometry);
        readCache = new ReadCache(cache.segments(), cache.segmentSectors());
        readAhead =
                new ReadAhead(
                        mechanics, cache.readAhead(), capacitySectors, cache.segmentSectors());
        writeCache = new WriteCache(writes.maxSectors());
        settings = new DriveSettings(true, writes.isWriteBack());
    }

    DriveSettings settings() {
        return settings;
    }

    void apply(DriveSettings newSettings) {
        settings = newSettings;
    }

    /** Where the last command's time was spent. */
    DiskMechanics mechanics() {
        return mechanics;
    }

    /** To be called before each command: what the mechanics did by themselves until now. */
    void catchUp(double nowNs) {
        while (!writeCache.isEmpty() && mediaFreeNs < nowNs) {
            destagePiece();
        }
        if (readAhead.isActive()) {
            readAhead.growUntil(nowNs);
        }
        mechanics.beginAccess();
    }

    double read(double nowNs, long first, long sectors) {
        long end = first + sectors;
        double hitNs =
                nowNs
                        + overhead.readHit().ns(wasRead, wasRead && first == lastReadEnd)
                        + bus.prepareNs();
        double missNs = nowNs + overhead.readMiss().ns(wasRead);
        double releasedNs = missNs + bus.readReleaseNs().ns(wasRead);
        wasRead = true;
        lastReadEnd = end;
        if (!writeCache.isEmpty()) {
            if (!writes.goesFirst() && writeCache.holds(first, end)) {
                return hitNs + sectors * bus.readSectorNs() + overhead.readDoneNs();
            }
            if (writes.goesFirst()) {
                destageAll();
                hitNs = Math.max(mediaFreeNs, releasedNs) + bus.reselectNs() + bus.prepareNs();
            }
        }
        ReadCache.Segment segment = readCache.around(first);
        if (segment != null && isFound(segment, first)) {
            transfer.beginBuffered(hitNs, sectors, bus.readSectorNs());
            readFound(segment, first, end, Math.max(missNs, mediaFreeNs));
        } else {
            transfer.beginAtWatermark(
                    Math.max(1, (long) (sectors * bus.readWatermark())),
                    (double) (bus.reselectNs() + bus.prepareNs()),
                    sectors,
                    bus.readSectorNs());
            readMissed(first, end, nowNs, missNs);
        }
        if (profile.cache().readAhead().overRequested()) {
            readCache.giveUpTo(end);
        }
        return transfer.endNs() + overhead.readDoneNs();
    }

    private boolean isFound(ReadCache.Segment segment, long first) {
        return first < segment.end
                || (readAhead.isGrowing(segment) && profile.cache().readAhead().almostHits());
    }

    private void readFound(ReadCache.Segment segment, long first, long end, double resumeNs) {
        readCache.touch(segment);
        boolean isGrowing = readAhead.isGrowing(segment);
        if (end <= segment.end && isGrowing && readAhead.isActive()) {
            readAhead.extend(first, end);
            return;
        }
        if (end <= segment.end && !profile.cache().readAhead().onHit()) {
            return;
        }
        double atNs =
                isGrowing
                        ? readAhead.resumeNs(resumeNs)
                        : Math.max(resumeNs, stopReading(resumeNs));
        readOn(segment, first, end, atNs);
    }

    private void readMissed(long first, long end, double nowNs, double missNs) {
        double beginNs = Math.max(missNs, stopReading(nowNs)) + lackingMoveNs(first, false);
        if (readCache.holdsNothing() || !settings.readAhead()) {
            mediaFreeNs = pass(beginNs, first, first, end);
            return;
        }
        ReadCache.Segment segment = readCache.take(first);
        double atNs = mechanics.reach(beginNs, first, false);
        ReadAheadRule rule = profile.cache().readAhead();
        int onTrack = mechanics.sectorsFromTrackStart();
        double turnedNs = mechanics.onTrackNs() + mechanics.revolutionNs();
        long passed = 0;
        if (rule.fromLanding()) {
            double waitedNs = Math.max(0, atNs - mechanics.onTrackNs());
            passed = Math.min((long) (waitedNs / mechanics.sectorNs()), onTrack);
        }
        segment.first = first - passed;
        segment.end = first;
        readOn(segment, first, end, atNs);
        if (rule.wholeTrack()) {
            readAhead.wrapTo(onTrack - passed, turnedNs);
        }
    }

    /** Reads into the segment from its end to that of the command, and then goes on by itself. */
    private void readOn(ReadCache.Segment segment, long first, long end, double atNs) {
        double passedNs = pass(atNs, first, segment.end, end);
        segment.end = Math.max(segment.end, end);
        segment.keepWithin(readCache.segmentSectors());
        mediaFreeNs = Math.max(mediaFreeNs, passedNs);
        if (settings.readAhead()) {
            readAhead.start(segment, first, passedNs);
        }
    }

    private double pass(double atNs, long first, long from, long end) {
        double now = atNs;
        long sector = from;
        while (sector < end) {
            now = mechanics.reach(now, sector, false);
            long run = Math.min(end - sector, mechanics.runSectors());
            transfer.passes(sector - first, now, mechanics.sectorNs(), run);
            now = mechanics.pass(now, run);
            sector += run;
        }
        return now;
    }

    /** When the mechanics are free, reading ahead given up. */
    private double stopReading(double nowNs) {
        mediaFreeNs = Math.max(mediaFreeNs, readAhead.stop(nowNs));
        return mediaFreeNs;
    }

    double write(double nowNs, long first, long sectors, boolean isForced) {
        long end = first + sectors;
        boolean isBack = settings.writeBack() && !isForced && writeCache.canHold(sectors);
        stopReading(nowNs);
        boolean follows = first == lastWriteEnd;
        boolean isExtra = bus.extra().isDone() && !wasRead && !follows;
        double commandNs =
                isBack
                        ? overhead.writeHit().ns(wasRead, !wasRead && follows)
                        : overhead.writeMiss().ns(wasRead);
        double moveNs = nowNs + commandNs;
        double dataNs = moveNs + bus.prepareNs();
        if (writes.goesFirst() && !writeCache.isEmpty() && !(isBack && continues(first, sectors))) {
            destageAll();
            dataNs =
                    Math.max(mediaFreeNs, moveNs + bus.writeReleaseNs())
                            + bus.reselectNs()
                            + bus.prepareNs();
        } else if (isExtra) {
            Bus.ExtraRelease extra = bus.extra();
            moveNs = nowNs + extra.commandNs() + extra.moveDelayNs();
            dataNs =
                    nowNs
                            + extra.commandNs()
                            + extra.releaseNs()
                            + extra.awayNs()
                            + bus.reselectNs()
                            + bus.prepareNs();
        }
        takeSegment(first, end);
        wasRead = false;
        lastWriteEnd = end;
        writeCache.remove(first, end);
        if (isBack) {
            dataNs = Math.max(dataNs, roomNs(sectors, dataNs));
        }
        arrival.set(first, end, dataNs, bus.writeSectorNs(), bus.extra().sectorsAhead(sectors));
        double arrivedNs = dataNs + sectors * bus.writeSectorNs();
        if (writeCache.isEmpty()) {
            mediaFreeNs = Math.max(mediaFreeNs, isBack && !writes.goesFirst() ? arrivedNs : moveNs);
            mediaFreeNs += follows ? 0 : lackingMoveNs(first, true);
        }
        if (isBack) {
            writeCache.add(first, end);
            return arrivedNs + overhead.writeDoneNs();
        }
        putDown(first, end);
        double releaseNs = isExtra ? bus.extra().secondReleaseNs() : bus.writeReleaseNs();
        double reselectNs = isExtra ? bus.extra().reselectNs() : bus.reselectNs();
        return Math.max(mediaFreeNs, arrivedNs + releaseNs) + reselectNs + overhead.writeDoneNs();
    }

    private boolean continues(long first, long sectors) {
        return writeCache.endsAt(first) && writeCache.hasRoomFor(sectors);
    }

    private void takeSegment(long first, long end) {
        if (!writes.takesSegment() || readCache.holdsNothing()) {
            readCache.invalidate(first, end);
            return;
        }
        ReadCache.Segment before =
                wasRead || first != lastWriteEnd ? null : readCache.around(first);
        if (before != null && before.end == first) {
            readCache.touch(before);
            readCache.invalidate(first, end);
            before.end = end;
            before.keepWithin(readCache.segmentSectors());
            return;
        }
        if (writes.dropsReads()) {
            readCache.dropAll();
        }
        readCache.invalidate(first, end);
        ReadCache.Segment taken = readCache.take(first);
        taken.end = writes.servesReads() ? end : first;
        taken.keepWithin(readCache.segmentSectors());
    }

    /** When there is room for so many more sectors. */
    private double roomNs(long sectors, double atNs) {
        double now = atNs;
        while (!writeCache.hasRoomFor(sectors)) {
            destagePiece();
            now = Math.max(now, mediaFreeNs);
        }
        return now;
    }

    /** What the way to a sector's track falls short of the least it takes. */
    private double lackingMoveNs(long first, boolean isWrite) {
        long leastNs = isWrite ? overhead.leastWriteMoveNs() : overhead.leastReadMoveNs();
        return leastNs == 0 ? 0 : Math.max(0, leastNs - mechanics.moveNs(first, isWrite));
    }

    double flush(double nowNs) {
        double beginNs = nowNs + overhead.writeMiss().ns(wasRead);
        if (writeCache.isEmpty() && readAhead.isActive()) {
            return beginNs;
        }
        boolean waits = !writeCache.isEmpty() || mediaFreeNs > nowNs;
        destageAll();
        return waits ? Math.max(beginNs, mediaFreeNs) : beginNs;
    }

    double discard(double nowNs, long first, long end) {
        stopReading(nowNs);
        readCache.invalidate(first, end);
        writeCache.remove(first, end);
        return nowNs + overhead.writeHit().ns(wasRead);
    }

    private void destageAll() {
        while (!writeCache.isEmpty()) {
            destagePiece();
        }
    }

    private void destagePiece() {
        long first = writeCache.nextFirst();
        writeCache.removeNext(putPieceDown(first, first + writeCache.nextSectors()));
    }

    private void putDown(long first, long end) {
        long sector = first;
        while (sector < end) {
            sector += putPieceDown(sector, end);
        }
    }

    /** Puts on the medium what passes in one go; returns how many sectors that were. */
    private long putPieceDown(long first, long end) {
        double atNs = mechanics.reach(mediaFreeNs, first, true);
        double lateNs = arrival.readyNs(first) - atNs;
        if (lateNs > 0) {
            atNs += Math.ceil(lateNs / mechanics.revolutionNs()) * mechanics.revolutionNs();
        }
        long run = Math.min(end - first, mechanics.runSectors());
        long sectors = arrival.inTime(first, run, atNs, mechanics.sectorNs());
        mediaFreeNs = mechanics.pass(atNs, sectors);
        return sectors;
    }
}
