package dev.spindle.config;

import java.util.List;
import java.util.Optional;

/** Reads what an optical drive has of its own: in its profile, and in the devices that use it. */
final class OpticalReader {
    static final String[] DRIVE_ONLY = {
        "medium",
        "speed",
        "write_speeds",
        "verify",
        "max_read_speed",
        "command",
        "read_access",
        "write_restart",
        "start_up",
        "buffer"
    };
    private static final String[] DEVICE_ONLY = {"disc", "packet"};
    private static final int MIN_BUFFERED_PACKETS = 2;

    private OpticalReader() {}

    /** The rest of a profile; its block size is that of the medium. */
    static Optional<DriveConfig> drive(
            Section drive, String profile, String model, int maxHwSectorsKb, int before) {
        drive.refuse("is 2 KiB on every optical medium", "logical_block", "physical_block");
        MediumType medium = drive.read(OpticalKeys.MEDIUM);
        double speed = drive.read(OpticalKeys.SPEED);
        List<Double> writeSpeeds =
                drive.find(OpticalKeys.WRITE_SPEEDS)
                        .orElseGet(() ->
                                drive.recordDefault(OpticalKeys.WRITE_SPEEDS, List.of(speed)));
        boolean verifies =
                drive.find(OpticalKeys.VERIFY)
                        .orElseGet(() ->
                                drive.recordDefault(
                                        OpticalKeys.VERIFY, medium == MediumType.DVD_RAM));
        double maxReadSpeed =
                drive.find(OpticalKeys.MAX_READ_SPEED)
                        .orElseGet(() -> drive.recordDefault(OpticalKeys.MAX_READ_SPEED, speed));
        long commandNs = drive.read(OpticalKeys.COMMAND);
        long readAccessNs = drive.read(OpticalKeys.READ_ACCESS);
        long writeRestartNs = drive.read(OpticalKeys.WRITE_RESTART);
        long startUpNs = drive.read(OpticalKeys.START_UP);
        long busRate = drive.read(DiskKeys.BUS_RATE);
        long buffer = drive.read(OpticalKeys.BUFFER);
        if (drive.faults() == before && maxReadSpeed < speed) {
            drive.problem(
                    OpticalKeys.MAX_READ_SPEED.name(),
                    OpticalKeys.SPEED.type().render(maxReadSpeed)
                            + " is less than speed = "
                            + OpticalKeys.SPEED.type().render(speed));
        }
        if (drive.faults() == before && !writeSpeeds.contains(speed)) {
            drive.problem(
                    OpticalKeys.WRITE_SPEEDS.name(),
                    OpticalKeys.WRITE_SPEEDS.type().render(writeSpeeds)
                            + " does not hold speed = "
                            + OpticalKeys.SPEED.type().render(speed));
        }
        if (drive.faults() == before
                && buffer < (long) MIN_BUFFERED_PACKETS * medium.packetBytes()) {
            drive.problem(OpticalKeys.BUFFER.name(), "does not hold two packets of the medium");
        }
        return drive.ifSound(
                before,
                () ->
                        new OpticalDriveConfig(
                                profile,
                                model,
                                maxHwSectorsKb,
                                medium,
                                speed,
                                writeSpeeds,
                                verifies,
                                maxReadSpeed,
                                commandNs,
                                readAccessNs,
                                writeRestartNs,
                                startUpNs,
                                busRate,
                                buffer));
    }

    /** A device's {@code disc} and {@code packet}; empty where its drive has no disc. */
    static Optional<DiscConfig> disc(Section device, DriveConfig drive) {
        if (!(drive instanceof OpticalDriveConfig optical)) {
            device.refuse("belongs to a drive of kind = optical", DEVICE_ONLY);
            return Optional.empty();
        }
        Section disc = device.child("disc");
        DiscState state = disc.read(OpticalKeys.DISC_STATE);
        long packetBytes =
                disc.find(OpticalKeys.DISC_PACKET)
                        .orElseGet(() ->
                                disc.recordDefault(
                                        OpticalKeys.DISC_PACKET,
                                        (long) optical.medium().packetBytes()));
        long least = optical.medium().packetBytes();
        if (packetBytes != 0 && (Long.bitCount(packetBytes) > 1 || packetBytes < least)) {
            disc.problem(
                    OpticalKeys.DISC_PACKET.name(),
                    OpticalKeys.DISC_PACKET.type().render(packetBytes)
                            + " is no packet of the medium, allowed 0 or a power of two from "
                            + OpticalKeys.DISC_PACKET.type().render(least));
        }
        Optional<PacketConfig> writer = writer(device.child("packet"));
        return Optional.of(new DiscConfig(state, Math.toIntExact(packetBytes), writer));
    }

    private static Optional<PacketConfig> writer(Section packet) {
        boolean isEnabled = packet.read(OpticalKeys.PACKET_ENABLED);
        PacketConfig config =
                new PacketConfig(
                        packet.read(OpticalKeys.PACKETS),
                        packet.read(OpticalKeys.POLICY),
                        packet.read(OpticalKeys.CONGESTION_ON),
                        packet.read(OpticalKeys.CONGESTION_OFF),
                        packet.read(OpticalKeys.SCHEDULER),
                        packet.read(OpticalKeys.WAIT));
        return isEnabled ? Optional.of(config) : Optional.empty();
    }

    /** A disc is written in whole packets, and no larger than it is. */
    static Optional<String> sizeFault(long sizeBytes, OpticalDriveConfig drive) {
        MediumType medium = drive.medium();
        if (sizeBytes > medium.capacityBytes()) {
            return Optional.of(
                    Keys.SIZE.type().render(sizeBytes)
                            + " is more than a disc holds, allowed up to "
                            + Keys.SIZE.type().render(medium.capacityBytes()));
        }
        return sizeBytes % medium.packetBytes() == 0
                ? Optional.empty()
                : Optional.of(
                        Keys.SIZE.type().render(sizeBytes)
                                + " is not a multiple of the medium's packet of "
                                + Keys.SIZE.type().render((long) medium.packetBytes()));
    }

    /** A packet goes to the drive in one command. */
    static Optional<String> maxSectorsFault(int maxSectorsKb, DiscConfig disc) {
        return disc.isPacketSizeSupported() && maxSectorsKb < disc.packetBytes() / 1024
                ? Optional.of(
                        maxSectorsKb
                                + " is less than a packet, allowed at least "
                                + disc.packetBytes() / 1024)
                : Optional.empty();
    }
}
