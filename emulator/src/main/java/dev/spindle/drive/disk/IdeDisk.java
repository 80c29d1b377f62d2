package dev.spindle.drive.disk;

import dev.spindle.block.Sectors;
import dev.spindle.drive.DataMover;
import dev.spindle.drive.Drive;
import dev.spindle.drive.DriveCommand;
import dev.spindle.drive.DriveSettings;
import dev.spindle.time.DeviceClock;
import org.jspecify.annotations.Nullable;

/**
 * An IDE disk: one command at a time, a buffer that reads ahead and reports writes early, and
 * mechanics behind it.
 *
 * <p>The time of a command is known when it is begun, because nothing but commands disturbs a disk:
 * what the mechanics do between two commands (going on reading after a read, putting written data
 * on the medium) is worked out when the next one arrives. So the disk needs no deadline but that of
 * its command.
 *
 * <pre>
 *   READ   in the buffer            overhead + bus
 *          being read ahead         the moment the head has passed the last sector, or the bus if that is later
 *          neither                  seek + rotation + media, the bus overlapping
 *   WRITE  write-back, room         overhead + bus; the medium follows
 *          write-back, no room      the same, once enough has been put on the medium
 *          write-through or FUA     seek + settle + rotation + media
 *   FLUSH                           until nothing is left to put on the medium
 * </pre>
 *
 * <p>Putting data on the medium goes track by track; a read that arrives waits for the end of the
 * track's piece in work, no more. Reading ahead stops when the segment is full, when there is
 * something to write, or when another command needs the arm.
 */
public final class IdeDisk implements Drive {
    private final DiskProfile profile;
    private final DataMover mover;
    private final DiskMechanics mechanics;
    private final ReadAhead readAhead;
    private final ReadCache readCache;
    private final WriteCache writeCache;
    private final double busSectorNs;

    private DriveSettings settings = new DriveSettings(true, true);
    private @Nullable DriveCommand current;
    private long deadlineNs = DeviceClock.NEVER;

    /** When the mechanics have done what they have begun. */
    private double mediaFreeNs;

    public IdeDisk(DiskProfile profile, long capacityBytes, DataMover mover) {
        this.profile = profile;
        this.mover = mover;
        DiskGeometry geometry =
                new DiskGeometry(profile.heads(), profile.zones(), Sectors.ofBytes(capacityBytes));
        mechanics = new DiskMechanics(profile, geometry);
        readCache = new ReadCache(profile.cache().segments(), profile.cache().segmentSectors());
        readAhead =
                new ReadAhead(
                        mechanics, Sectors.ofBytes(capacityBytes), readCache.segmentSectors());
        writeCache = new WriteCache(profile.cache().writeSectors());
        busSectorNs = Sectors.BYTES * 1e9 / profile.busBytesPerSecond();
    }

    @Override
    public boolean isReady() {
        return current == null;
    }

    @Override
    public void start(DriveCommand command, long nowNs) {
        assert current == null;
        current = command;
        command.started(nowNs);
        mover.begin(command);
        double now = (double) nowNs;
        catchUp(now);
        mechanics.beginAccess();
        double endNs =
                switch (command.operation()) {
                    case READ -> read(now, command.firstSector(), command.sectors());
                    case WRITE, WRITE_ZEROES -> write(now, command);
                    case FLUSH -> flush(now);
                    case DISCARD -> discard(now, command);
                };
        deadlineNs = (long) Math.ceil(endNs);
        command.phases(
                (long) mechanics.seekNs(),
                (long) mechanics.rotationNs(),
                (long) mechanics.transferNs());
    }

    @Override
    public @Nullable DriveCommand poll(long nowNs) {
        DriveCommand done = current;
        if (done == null || deadlineNs - nowNs > 0 || !done.isDataMoved()) {
            return null;
        }
        done.completed(deadlineNs);
        current = null;
        deadlineNs = DeviceClock.NEVER;
        return done;
    }

    @Override
    public long nextDeadlineNs() {
        // Until the store thread is done no time can end the command, and it tells by itself.
        boolean waitsForData = current != null && !current.isDataMoved();
        return waitsForData ? DeviceClock.NEVER : deadlineNs;
    }

    @Override
    public DriveSettings settings() {
        return settings;
    }

    @Override
    public void apply(DriveSettings newSettings) {
        settings = newSettings;
    }

    private double read(double nowNs, long first, long sectors) {
        long end = first + sectors;
        double hitNs = nowNs + profile.overhead().readHitNs() + sectors * busSectorNs;
        if (writeCache.holds(first, end)) {
            return hitNs;
        }
        ReadCache.Segment segment = readCache.around(first);
        if (segment != null && end <= segment.end) {
            readCache.touch(segment);
            return hitNs;
        }
        if (segment != null && readAhead.isGrowing(segment)) {
            readCache.touch(segment);
            double passedNs = readAhead.growTo(end, nowNs + profile.overhead().readHitNs());
            mediaFreeNs = passedNs;
            return Math.max(hitNs, passedNs + busSectorNs);
        }
        double beginNs = Math.max(nowNs + profile.overhead().readMissNs(), mediaFreeNs);
        double firstNs = mechanics.reach(beginNs, first, false);
        mediaFreeNs = mechanics.access(firstNs, first, sectors, false);
        readAhead.stop();
        if (settings.readAhead() && !readCache.holdsNothing()) {
            readAhead.start(readCache.add(first, end), mediaFreeNs);
        }
        return Math.max(mediaFreeNs, firstNs + sectors * busSectorNs) + busSectorNs;
    }

    private double write(double nowNs, DriveCommand command) {
        long first = command.firstSector();
        long sectors = command.sectors();
        readAhead.stop();
        readCache.invalidate(first, command.endSector());
        if (!settings.writeBack() || command.isFua() || !writeCache.canHold(sectors)) {
            writeCache.remove(first, command.endSector());
            double beginNs = Math.max(nowNs + profile.overhead().writeMissNs(), mediaFreeNs);
            double busNs = nowNs + profile.overhead().writeMissNs() + sectors * busSectorNs;
            mediaFreeNs = mechanics.access(beginNs, first, sectors, true);
            return Math.max(mediaFreeNs, busNs);
        }
        writeCache.remove(first, command.endSector());
        double arrivedNs = nowNs + profile.overhead().writeHitNs() + sectors * busSectorNs;
        while (!writeCache.hasRoomFor(sectors)) {
            destageOneTrack();
            arrivedNs = Math.max(arrivedNs, mediaFreeNs);
        }
        if (writeCache.isEmpty()) {
            mediaFreeNs = Math.max(mediaFreeNs, arrivedNs);
        }
        writeCache.add(first, command.endSector());
        return arrivedNs;
    }

    private double flush(double nowNs) {
        double beginNs = nowNs + profile.overhead().writeMissNs();
        if (readAhead.isActive()) {
            return beginNs;
        }
        while (!writeCache.isEmpty()) {
            destageOneTrack();
        }
        return Math.max(beginNs, mediaFreeNs);
    }

    private double discard(double nowNs, DriveCommand command) {
        readAhead.stop();
        readCache.invalidate(command.firstSector(), command.endSector());
        writeCache.remove(command.firstSector(), command.endSector());
        return nowNs + profile.overhead().writeHitNs();
    }

    /** What the mechanics did by themselves until now. */
    private void catchUp(double nowNs) {
        while (!writeCache.isEmpty() && mediaFreeNs < nowNs) {
            readAhead.stop();
            destageOneTrack();
        }
        if (readAhead.isActive()) {
            mediaFreeNs = Math.min(nowNs, readAhead.growUntil(nowNs));
        }
    }

    private void destageOneTrack() {
        long first = writeCache.nextFirst();
        double firstNs = mechanics.reach(mediaFreeNs, first, true);
        long sectors = Math.min(writeCache.nextSectors(), mechanics.sectorsToTrackEnd());
        mediaFreeNs = mechanics.access(firstNs, first, sectors, true);
        writeCache.removeNext(sectors);
    }
}
