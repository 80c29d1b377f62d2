package dev.spindle.drive.optical;

import dev.spindle.block.BlockOperation;
import dev.spindle.block.BlockStatus;
import dev.spindle.block.Sectors;
import dev.spindle.drive.CommandInWork;
import dev.spindle.drive.DataMover;
import dev.spindle.drive.Drive;
import dev.spindle.drive.DriveCommand;
import dev.spindle.drive.DriveSettings;
import dev.spindle.drive.RequestPart;
import java.util.HashSet;
import java.util.Set;
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
    private final CommandInWork current = new CommandInWork();
    private long flushes;
    private final DiscWork work = new DiscWork();
    private final Set<Double> knownSpeeds = new HashSet<>();
    private Runnable onDiscChange = () -> {};
    private MediumState state;
    private double speed;
    private double readSpeed;
    private boolean isTrayOpen;

    /** What was read lies from here to where the laser is, as long as it reads. */
    private long readFirst;

    /** The end of what the host has asked for of it. */
    private long readAsked;

    public OpticalDrive(OpticalProfile profile, long capacityBytes, DataMover mover) {
        this.profile = profile;
        this.mover = mover;
        state = profile.state();
        speed = profile.speed();
        readSpeed = profile.speed();
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

    /** What has been done to the disc. */
    public MediumState discState() {
        return state;
    }

    /** Runs whenever an operation on the whole disc has ended, at the end of the turn. */
    public void whenDiscChanges(Runnable listener) {
        onDiscChange = listener;
    }

    /** The operation that occupies the drive; null where there is none. */
    public @Nullable DiscOperation discOperation() {
        return work.operation();
    }

    /** How much of it is done, from 0 to 1. */
    public double discOperationShare(long nowNs) {
        return work.doneShare(nowNs);
    }

    /** When it will have ended, in device time. */
    public long discOperationEndNs() {
        return work.endNs();
    }

    /** Why an operation on the whole disc cannot begin now; empty where it can. */
    public String refusal(DiscOperation operation) {
        if (work.isUnderWay()) {
            return "the drive is busy with another operation on the disc";
        }
        if (isTrayOpen) {
            return "the tray is open";
        }
        return !current.isNone() ? "the drive is at work on a command" : mediumRefusal(operation);
    }

    /** Why an operation cannot be done to this disc as it is; empty where it can. */
    public String mediumRefusal(DiscOperation operation) {
        return operation.refusal(profile.medium(), state);
    }

    /** True where there is no disc under the laser. */
    public boolean isTrayOpen() {
        return isTrayOpen;
    }

    /** Opens the tray, once what is in the buffer is written, or closes it; when that begins. */
    public long moveTray(boolean open, long nowNs) {
        long doneNs = finishWriting(nowNs);
        laser.occupyUntil((double) doneNs);
        isTrayOpen = open;
        return doneNs;
    }

    /** Writes what is in the buffer; when that is done. */
    public long finishWriting(long nowNs) {
        return (long) Math.ceil(emptyBuffer(nowNs));
    }

    private double emptyBuffer(long nowNs) {
        double doneNs = laser.finishWriting((double) nowNs);
        buffer.drainUntil(doneNs);
        return doneNs;
    }

    /** What the write buffer has room for now. */
    public long bufferFreeBytes(long nowNs) {
        buffer.drainUntil((double) nowNs);
        return profile.bufferBytes() - buffer.usedBytes();
    }

    /**
     * Begins an operation on the whole disc, which {@link #refusal} must not refuse, or {@link
     * #mediumRefusal} where the command in work asks for it: what is in the buffer is written
     * first, and commands wait until its end, which is returned.
     */
    public long begin(DiscOperation operation, long nowNs) {
        double endNs = emptyBuffer(nowNs) + laser.readyToWriteNs() + durationNs(operation);
        laser.occupyUntil(endNs);
        work.begin(operation, nowNs, (long) Math.ceil(endNs));
        if (operation.erases()) {
            mover.erase(Sectors.toBytes(endSector));
        }
        return work.endNs();
    }

    /** The data part of it: how long what it writes takes to pass under the laser. */
    private double durationNs(DiscOperation operation) {
        MediumKind medium = profile.medium();
        return switch (operation) {
            case FORMAT, BLANK -> endSector * profile.writeSectorNs(speed);
            case QUICK_FORMAT, QUICK_BLANK -> medium.leadInNs(speed);
            case FINALISE ->
                    medium == MediumKind.DVD_PLUS_RW
                            ? medium.leadOutNs(speed)
                            : medium.leadInNs(speed) + medium.leadOutNs(speed);
        };
    }

    /** At which it writes. */
    public double writeSpeed() {
        return speed;
    }

    /** The same in the drive's own unit. */
    public int writeKbPerSecond() {
        return (int) Math.round(speed * profile.medium().kbPerSecondAtOne());
    }

    /**
     * SET STREAMING for writing: what is in the buffer is written at the speed it had, the laser
     * stops, and finds its power anew before it writes at a speed for the first time.
     */
    public void setWriteSpeed(double newSpeed, long nowNs) {
        if (newSpeed == speed) {
            return;
        }
        readOn((double) nowNs);
        laser.finishWriting((double) nowNs);
        if (laser.isWarm()) {
            knownSpeeds.add(speed);
        }
        speed = newSpeed;
        laser.writeSectorNs(profile.writeSectorNs(speed), knownSpeeds.contains(speed));
    }

    /** SET SPEED for reading; more than the drive can is what it can. 0xffff asks for the most. */
    public void setReadSpeed(int kbPerSecond, long nowNs) {
        readOn((double) nowNs);
        double asked = (double) kbPerSecond / profile.medium().kbPerSecondAtOne();
        readSpeed = Math.clamp(asked, 0.5, profile.maxReadSpeed());
        laser.readSectorNs(profile.readSectorNs(readSpeed));
    }

    /** At which it reads, in the drive's own unit. */
    public int readKbPerSecond() {
        return (int) Math.round(readSpeed * profile.medium().kbPerSecondAtOne());
    }

    @Override
    public boolean isReady() {
        return current.isNone() && !work.isUnderWay();
    }

    @Override
    public void start(DriveCommand command, long askedNs) {
        assert isReady();
        long nowNs = work.notBefore(askedNs);
        current.begin(command, nowNs);
        laser.beginCommand();
        BlockStatus refusal = refusal(command);
        double endNs = (double) nowNs + profile.timing().commandNs();
        if (refusal == BlockStatus.OK) {
            mover.begin(command);
            endNs = carryOut(command, nowNs);
        } else {
            command.refuse(refusal);
        }
        current.endsAt(endNs);
        command.phases((long) laser.positioningNs(), 0, (long) laser.transferNs());
    }

    private BlockStatus refusal(DriveCommand command) {
        BlockOperation operation = command.operation();
        if (operation == BlockOperation.FLUSH || operation == BlockOperation.COMMAND) {
            return BlockStatus.OK;
        }
        if (isTrayOpen) {
            return BlockStatus.IO_ERROR;
        }
        if (!operation.isWrite()) {
            return BlockStatus.OK;
        }
        if (!state.isWritable()) {
            return state == MediumState.WRITE_PROTECTED
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
            case COMMAND -> command(command, nowNs);
        };
    }

    private double command(DriveCommand command, long nowNs) {
        RequestPart part = command.firstPart();
        assert part != null;
        return (double) part.request().command().carryOut(nowNs + profile.timing().commandNs());
    }

    @Override
    public @Nullable DriveCommand poll(long nowNs) {
        endDiscOperation(nowNs);
        return current.takeEnded(nowNs);
    }

    private void endDiscOperation(long nowNs) {
        DiscOperation ended = work.takeEnded(nowNs);
        if (ended != null) {
            state = ended.result(profile.medium());
            onDiscChange.run();
        }
    }

    @Override
    public long nextDeadlineNs() {
        return Math.min(current.nextDeadlineNs(), work.endNs());
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
        double begunNs = (double) nowNs + profile.timing().commandNs();
        readOn(begunNs);
        double hitNs = begunNs + (end - first) * busSectorNs;
        boolean isAround = laser.isReading() && first >= readFirst;
        boolean isHit = isAround && end <= laser.nextSector();
        double endNs = hitNs;
        if (!isHit) {
            long wholeEnd = Math.min(endSector, packetEnd(end - 1));
            boolean isNear = isAround && (first < laser.nextSector() || laser.isNearAhead(first));
            double passedNs;
            if (isNear) {
                passedNs = laser.readOnTo(wholeEnd);
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
