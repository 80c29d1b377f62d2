package dev.spindle.drive.optical;

/**
 * The parameters of a burner with a disc in it.
 *
 * @param medium the kind of disc
 * @param state what has been done to it
 * @param speed at which it is written, as a multiple of 1x; constant linear velocity
 * @param maxReadSpeed the most it reads at
 * @param timing what things take besides the data itself
 * @param busBytesPerSecond between host and buffer
 * @param bufferBytes the write buffer
 * @param verifies reads back each packet it has written, in a second pass
 */
public record OpticalProfile(
        MediumKind medium,
        MediumState state,
        double speed,
        double maxReadSpeed,
        Timing timing,
        double busBytesPerSecond,
        long bufferBytes,
        boolean verifies) {
    /** One that does not read back what it wrote. */
    public OpticalProfile(
            MediumKind medium,
            MediumState state,
            double speed,
            double maxReadSpeed,
            Timing timing,
            double busBytesPerSecond,
            long bufferBytes) {
        this(medium, state, speed, maxReadSpeed, timing, busBytesPerSecond, bufferBytes, false);
    }

    public OpticalProfile {
        int packetBytes = medium.packetBlocks() * MediumKind.BLOCK_BYTES;
        if (speed <= 0 || maxReadSpeed < speed || busBytesPerSecond <= 0) {
            throw new IllegalArgumentException(
                    "burner: speed="
                            + speed
                            + "x max read speed="
                            + maxReadSpeed
                            + "x bus="
                            + busBytesPerSecond
                            + " B/s: needs 0 < speed <= max read speed and a positive bus");
        }
        if (bufferBytes < 2L * packetBytes) {
            throw new IllegalArgumentException(
                    "burner: buffer=" + bufferBytes + " holds no two packets of " + packetBytes);
        }
    }

    /** In the drive's own unit, as SET SPEED takes it. */
    public int speedKbPerSecond() {
        return (int) Math.round(speed * medium.kbPerSecondAtOne());
    }

    double writeSectorNs() {
        return writeSectorNs(speed);
    }

    /** A sector takes twice as long where what was written is read back. */
    double writeSectorNs(double writeSpeed) {
        return (verifies ? 2 : 1) * 512e9 / medium.bytesPerSecond(writeSpeed);
    }

    double readSectorNs(double readSpeed) {
        return 512e9 / medium.bytesPerSecond(readSpeed);
    }

    /**
     * What things take besides the data itself.
     *
     * @param commandNs a command's overhead in the drive
     * @param readAccessNs until the first block of a read that does not follow the one before
     * @param writeRestartNs until the laser writes after anything but a gapless stream
     * @param startUpNs once, before the first write: spinning up, finding the laser's power
     */
    public record Timing(long commandNs, long readAccessNs, long writeRestartNs, long startUpNs) {
        public Timing {
            if (commandNs < 0 || readAccessNs < 0 || writeRestartNs < 0 || startUpNs < 0) {
                throw new IllegalArgumentException(
                        "burner: command="
                                + commandNs
                                + " read access="
                                + readAccessNs
                                + " write restart="
                                + writeRestartNs
                                + " start-up="
                                + startUpNs
                                + " ns: no time can be negative");
            }
        }
    }
}
