package dev.spindle.drive.optical;

import dev.spindle.block.BlockOperation;
import dev.spindle.block.BlockStatus;
import dev.spindle.block.Sectors;
import dev.spindle.drive.DataMover;
import dev.spindle.drive.Drive;
import dev.spindle.drive.DriveCommand;
import dev.spindle.drive.DriveSettings;
import dev.spindle.time.DeviceClock;
import org.jspecify.annotations.Nullable;

/**
 * A CD or DVD burner with a rewritable disc in it: one command at a time, a FIFO that reports
 * writes early, and a laser behind it that writes at constant linear velocity.
 *
 * <p>Nothing but commands disturbs a drive, so the time of all it does is known as soon as it is
 * told: a piece of a write is given the moment at which it will be on the disc when it enters the
 * buffer, and leaves the buffer at that moment.
 *
 * <pre>
 *   WRITE  room in the buffer       overhead + bus; the laser follows
 *          none                     the same, once enough has reached the disc
 *          FUA                      until it is on the disc
 *          not whole packets        CD-RW, DVD-RW: refused. DVD+RW, DVD-RAM: the drive reads the packet first
 *   READ   in what was read ahead   overhead + bus
 *          a little further on      until the laser has passed it
 *          elsewhere                after all writes: access, then whole packets
 *   FLUSH                           until the buffer is empty; the next write starts anew
 * </pre>
 *
 * <p>After a read the laser reads on, until as much lies ahead of the host as the buffer holds, or
 * until it is needed elsewhere.
 */
public final class OpticalDrive implements Drive {
    private final OpticalProfile profile;
    private final DataMover mover;
    private final Laser laser;
    private final WriteBuffer buffer;
    private final double busSectorNs;
    private final int packetSectors;
    private final long endSector;
    private @Nullable DriveCommand current;
    private long deadlineNs = DeviceClock.NEVER;
    private long flushes;

    /** What was read lies from here to where the laser is, as long as it reads. */
    private long readFirst;

    /** The end of what the host has asked for of it. */
    private long readAsked;

    public OpticalDrive(OpticalProfile profile, long capacityBytes, DataMover mover) {
        this.profile = profile;
        this.mover = mover;
        laser = new Laser(profile);
        buffer = new WriteBuffer(profile.bufferBytes(), Sectors.BYTES);
        busSectorNs = Sectors.BYTES * 1e9 / profile.busBytesPerSecond();
        packetSectors = profile.medium().packetSectors();
        endSector = Sectors.ofBytes(capacityBytes);
    }

    public OpticalProfile profile() {
        return profile;
    }

    public OpticalActivity activity() {
        return new OpticalActivity(
                laser.writeRestarts(), laser.readAccesses(), flushes, buffer.usedBytes());
    }

    /** SET SPEED for reading; more than the drive can is what it can. 0xffff asks for the most. */
    public void setReadSpeed(int kbPerSecond, long nowNs) {
        readOn((double) nowNs);
        double speed = (double) kbPerSecond / profile.medium().kbPerSecondAtOne();
        laser.readSectorNs(profile.readSectorNs(Math.clamp(speed, 0.5, profile.maxReadSpeed())));
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
        laser.beginCommand();
        BlockStatus refusal = refusal(command);
        double endNs = (double) nowNs + profile.timing().commandNs();
        if (refusal == BlockStatus.OK) {
            mover.begin(command);
            endNs = carryOut(command, nowNs);
        } else {
            command.refuse(refusal);
        }
        deadlineNs = (long) Math.ceil(endNs);
        command.phases((long) laser.positioningNs(), 0, (long) laser.transferNs());
    }

    private BlockStatus refusal(DriveCommand command) {
        BlockOperation operation = command.operation();
        if (operation == BlockOperation.FLUSH || !operation.isWrite()) {
            return BlockStatus.OK;
        }
        if (!profile.state().isWritable()) {
            return profile.state() == MediumState.WRITE_PROTECTED
                    ? BlockStatus.READ_ONLY
                    : BlockStatus.IO_ERROR;
        }
        boolean isWhole = command.firstSector() % packetSectors == 0 && endsAPacket(command);
        boolean isTaken =
                isWhole
                        || operation == BlockOperation.DISCARD
                        || profile.medium().takesPartsOfPackets();
        return isTaken ? BlockStatus.OK : BlockStatus.IO_ERROR;
    }

    private boolean endsAPacket(DriveCommand command) {
        return command.endSector() % packetSectors == 0 || command.endSector() == endSector;
    }

    private double carryOut(DriveCommand command, long nowNs) {
        return switch (command.operation()) {
            case READ -> read(command.firstSector(), command.endSector(), nowNs);
            case WRITE, WRITE_ZEROES -> write(command, nowNs);
            case FLUSH -> flush(nowNs);
            case DISCARD -> (double) nowNs + profile.timing().commandNs();
        };
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
        return new DriveSettings(true, true);
    }

    @Override
    public void apply(DriveSettings settings) {
        // Neither its buffer nor its reading ahead can be switched off.
    }

    private double write(DriveCommand command, long nowNs) {
        readOn((double) nowNs);
        double arrivedNs = (double) nowNs + profile.timing().commandNs();
        buffer.drainUntil((double) nowNs);
        long sector = command.firstSector();
        while (sector < command.endSector()) {
            long pieceEnd = Math.min(command.endSector(), packetEnd(sector));
            long sectors = pieceEnd - sector;
            arrivedNs += sectors * busSectorNs;
            while (!buffer.hasRoomFor(Sectors.toBytes(sectors))) {
                arrivedNs = Math.max(arrivedNs, buffer.removeOldest());
            }
            buffer.add(Sectors.toBytes(sectors), laser.write(sector, sectors, arrivedNs));
            sector = pieceEnd;
        }
        return command.isFua() ? laser.finishWriting(arrivedNs) : arrivedNs;
    }

    /** The end of the packet that a sector lies in. */
    private long packetEnd(long sector) {
        return (sector / packetSectors + 1) * packetSectors;
    }

    private double flush(long nowNs) {
        flushes++;
        double begunNs = (double) nowNs + profile.timing().commandNs();
        double doneNs = laser.isWriting() ? laser.finishWriting(begunNs) : begunNs;
        buffer.drainUntil(doneNs);
        return doneNs;
    }

    /** What the laser has read by itself until now. */
    private void readOn(double nowNs) {
        long ahead = profile.bufferBytes() / Sectors.BYTES;
        laser.readOnUntil(nowNs, Math.min(endSector, readAsked + ahead));
    }

    private double read(long first, long end, long nowNs) {
        readOn((double) nowNs);
        double begunNs = (double) nowNs + profile.timing().commandNs();
        double hitNs = begunNs + (end - first) * busSectorNs;
        boolean isAround = laser.isReading() && first >= readFirst;
        boolean isHit = isAround && end <= laser.nextSector();
        double endNs = hitNs;
        if (!isHit) {
            long wholeEnd = Math.min(endSector, packetEnd(end - 1));
            boolean isNear = isAround && (first < laser.nextSector() || laser.isNearAhead(first));
            double passedNs;
            if (isNear) {
                passedNs = laser.readOnTo(wholeEnd, begunNs);
            } else {
                readFirst = packetEnd(first) - packetSectors;
                passedNs = laser.readFrom(readFirst, wholeEnd, begunNs);
            }
            buffer.drainUntil(passedNs);
            endNs = Math.max(hitNs, passedNs + Math.min(packetSectors, end - first) * busSectorNs);
        }
        readAsked = end;
        return endNs;
    }
}
