package dev.spindle.drive.disk;

/**
 * The way between host and cache, and what the disk does on it: it lets go of the bus while it
 * works on the medium and asks for it again when there is data to move.
 *
 * @param readSectorNs a sector to the host
 * @param writeSectorNs a sector from the host
 * @param readWatermark of a read from the medium, the share that must be in the buffer before the
 *     bus is asked for
 * @param prepareNs before data moves
 * @param reselectNs to get the bus again
 * @param readReleaseNs to let it go before a read from the medium
 * @param writeReleaseNs to let it go once a write is in the buffer
 * @param extra the habit of letting go before the data of a write
 */
public record Bus(
        double readSectorNs,
        double writeSectorNs,
        double readWatermark,
        long prepareNs,
        long reselectNs,
        Overhead.After readReleaseNs,
        long writeReleaseNs,
        ExtraRelease extra) {
    public Bus {
        if (!(readSectorNs >= 0) || !(writeSectorNs >= 0)) {
            throw new IllegalArgumentException(
                    "bus: "
                            + readSectorNs
                            + " ns a sector read, "
                            + writeSectorNs
                            + " ns written: must not be negative");
        }
        if (!(readWatermark >= 0 && readWatermark <= 1)) {
            throw new IllegalArgumentException(
                    "bus: watermark=" + readWatermark + " is not between 0 and 1");
        }
    }

    /** A bus that costs nothing but the moving of data. */
    public static Bus of(double bytesPerSecond) {
        if (!(bytesPerSecond > 0)) {
            throw new IllegalArgumentException(
                    "bus: " + bytesPerSecond + " B/s must be more than nothing");
        }
        double sectorNs = 512e9 / bytesPerSecond;
        return new Bus(sectorNs, sectorNs, 0, 0, 0, Overhead.After.NOTHING, 0, ExtraRelease.NONE);
    }

    /** The same habits at another speed. */
    public Bus withSectorNs(double readNs, double writeNs) {
        return new Bus(
                readNs,
                writeNs,
                readWatermark,
                prepareNs,
                reselectNs,
                readReleaseNs,
                writeReleaseNs,
                extra);
    }

    /**
     * Some disks let go of the bus between the command of a write and its data, if the command
     * before was a write too and this one does not follow it. The medium is then written only once
     * some of the data is in the buffer.
     *
     * @param commandNs in place of the write's overhead
     * @param releaseNs to let go
     * @param awayNs until the bus is asked for again
     * @param secondReleaseNs to let go once the data is in the buffer
     * @param reselectNs to get the bus again, to report the end
     * @param moveDelayNs until the arm moves, after the command
     */
    public record ExtraRelease(
            boolean isDone,
            long commandNs,
            long releaseNs,
            long awayNs,
            long secondReleaseNs,
            long reselectNs,
            long moveDelayNs) {
        public static final ExtraRelease NONE = new ExtraRelease(false, 0, 0, 0, 0, 0, 0);

        /** Sectors in the buffer before the medium is written. */
        long sectorsAhead(long sectors) {
            return !isDone ? 1 : sectors >= 45 ? 15 : Math.min(sectors, 10);
        }
    }
}
