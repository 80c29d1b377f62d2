package dev.spindle.drive.optical;

import dev.spindle.drive.optical.OpticalProfile.Timing;

/**
 * The pick-up: where it is, what it does, and until when. Told what to do in order; each answer is
 * the moment at which that is done, which nothing that comes later can change.
 *
 * <p>A stream of writes without a gap in place or time costs only the data. Anything else makes it
 * find its place anew: {@code writeRestart} before a write, {@code readAccess} before a read. A
 * read a little ahead of where it is reading is reached by reading on, where that is sooner.
 */
final class Laser {
    private enum Mode {
        IDLE,
        READING,
        WRITING
    }

    private final Timing timing;
    private final int packetSectors;
    private double writeSectorNs;
    private double readSectorNs;
    private Mode mode = Mode.IDLE;
    private boolean isWarm;
    private long nextSector;
    private double freeNs;

    private double positioningNs;
    private double transferNs;
    private long writeRestarts;
    private long readAccesses;

    Laser(OpticalProfile profile) {
        timing = profile.timing();
        packetSectors = profile.medium().packetSectors();
        writeSectorNs = profile.writeSectorNs();
        readSectorNs = profile.readSectorNs(profile.speed());
    }

    void readSectorNs(double newReadSectorNs) {
        readSectorNs = newReadSectorNs;
    }

    /**
     * Writes at another rate from now on, with its power found anew where it never wrote at that
     * speed (MMC-5, SEND OPC INFORMATION: values for each speed).
     */
    void writeSectorNs(double newWriteSectorNs, boolean isKnownSpeed) {
        writeSectorNs = newWriteSectorNs;
        isWarm = isKnownSpeed;
    }

    /** Busy with the disc as a whole until then; wherever it was is forgotten. */
    void occupyUntil(double endNs) {
        freeNs = endNs;
        mode = Mode.IDLE;
    }

    boolean isWarm() {
        return isWarm;
    }

    /** To be ready to write anywhere, from a standstill where it never wrote. */
    double readyToWriteNs() {
        double readyNs = timing.writeRestartNs() + (isWarm ? 0 : timing.startUpNs());
        isWarm = true;
        return readyNs;
    }

    /** When it has done all it was told. */
    double freeNs() {
        return freeNs;
    }

    boolean isReading() {
        return mode == Mode.READING;
    }

    boolean isWriting() {
        return mode == Mode.WRITING;
    }

    /** The first sector it has not passed. */
    long nextSector() {
        return nextSector;
    }

    /** Begins to count phases anew. */
    void beginCommand() {
        positioningNs = 0;
        transferNs = 0;
    }

    /**
     * Writes sectors that are in the buffer from {@code arrivedNs} on; when they are on the disc.
     */
    double write(long firstSector, long sectors, double arrivedNs) {
        boolean isGapless =
                mode == Mode.WRITING && firstSector == nextSector && arrivedNs <= freeNs;
        double beginNs = Math.max(arrivedNs, freeNs);
        if (!isGapless) {
            beginNs = restart(firstSector, beginNs);
        }
        pass(firstSector, sectors, beginNs, writeSectorNs);
        return freeNs;
    }

    private double restart(long firstSector, double beginNs) {
        double readyNs = completePacket(beginNs);
        if (firstSector % packetSectors != 0) {
            readyNs = readPacketAround(firstSector, readyNs);
        }
        readyNs += position(timing.writeRestartNs());
        if (!isWarm) {
            isWarm = true;
            readyNs += position(timing.startUpNs());
        }
        writeRestarts++;
        mode = Mode.WRITING;
        return readyNs;
    }

    /** Stops writing once everything is on the disc; when that is. */
    double finishWriting(double nowNs) {
        double doneNs = Math.max(nowNs, freeNs);
        if (mode == Mode.WRITING) {
            doneNs = completePacket(doneNs);
            mode = Mode.IDLE;
            freeNs = doneNs;
        }
        return doneNs;
    }

    /** The packet that was begun and will not be written on: the rest of it must be read first. */
    private double completePacket(double atNs) {
        long written = nextSector % packetSectors;
        if (mode != Mode.WRITING || written == 0) {
            return atNs;
        }
        double readNs = readPacketAround(nextSector, atNs);
        writeRestarts++;
        return readNs + position(timing.writeRestartNs()) + packetSectors * writeSectorNs;
    }

    private double readPacketAround(long sector, double atNs) {
        assert sector % packetSectors != 0;
        readAccesses++;
        return atNs + position(timing.readAccessNs()) + packetSectors * readSectorNs;
    }

    private double position(long spanNs) {
        positioningNs += spanNs;
        return spanNs;
    }

    private void pass(long firstSector, long sectors, double beginNs, double sectorNs) {
        transferNs += sectors * sectorNs;
        freeNs = beginNs + sectors * sectorNs;
        nextSector = firstSector + sectors;
    }

    /** Finds a place and reads from there; when the last of it has been read. */
    double readFrom(long firstSector, long endSector, double beginNs) {
        double foundNs = finishWriting(beginNs) + position(timing.readAccessNs());
        readAccesses++;
        mode = Mode.READING;
        pass(firstSector, endSector - firstSector, foundNs, readSectorNs);
        return freeNs;
    }

    /** Goes on reading up to there; when it has. After {@link #readOnUntil} that moment. */
    double readOnTo(long endSector) {
        assert mode == Mode.READING;
        pass(nextSector, endSector - nextSector, freeNs, readSectorNs);
        return freeNs;
    }

    /**
     * What it has read by itself since it was last told something. At the limit it pauses, with the
     * place kept.
     */
    void readOnUntil(double nowNs, long limitSector) {
        if (mode != Mode.READING || nowNs <= freeNs) {
            return;
        }
        long most = Math.max(0, limitSector - nextSector);
        long passed = (long) ((nowNs - freeNs) / readSectorNs);
        nextSector += Math.min(most, passed);
        freeNs = passed < most ? freeNs + passed * readSectorNs : nowNs;
    }

    /** True where reading on gets it there sooner than finding the place. */
    boolean isNearAhead(long sector) {
        return mode == Mode.READING
                && sector >= nextSector
                && (sector - nextSector) * readSectorNs <= timing.readAccessNs();
    }

    double positioningNs() {
        return positioningNs;
    }

    double transferNs() {
        return transferNs;
    }

    long writeRestarts() {
        return writeRestarts;
    }

    long readAccesses() {
        return readAccesses;
    }
}
