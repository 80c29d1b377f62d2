package dev.spindle.daemon;

import dev.spindle.block.Sectors;
import dev.spindle.config.DeviceConfig;
import dev.spindle.config.DiscConfig;
import dev.spindle.config.DiscState;
import dev.spindle.config.MediumType;
import dev.spindle.config.OpticalDriveConfig;
import dev.spindle.config.PacketConfig;
import dev.spindle.config.PacketSchedulerKind;
import dev.spindle.drive.optical.MediumKind;
import dev.spindle.drive.optical.MediumState;
import dev.spindle.drive.optical.OpticalProfile;
import dev.spindle.packet.DiscInfo;
import dev.spindle.packet.PacketDisc;
import dev.spindle.packet.PacketGeometry;
import java.util.Optional;

/** The disc that a device's settings describe, as the drive and as the packet writer know it. */
final class Discs {
    private static final int CD_ROM = 0x08;
    private static final int DVD_ROM = 0x10;

    private Discs() {}

    static MediumKind kind(MediumType medium) {
        return switch (medium) {
            case CD_RW -> MediumKind.CD_RW;
            case DVD_PLUS_RW -> MediumKind.DVD_PLUS_RW;
            case DVD_MINUS_RW -> MediumKind.DVD_MINUS_RW;
            case DVD_RAM -> MediumKind.DVD_RAM;
        };
    }

    private static MediumState state(DiscConfig disc) {
        return switch (disc.state()) {
            case FORMATTED -> MediumState.FORMATTED;
            case BLANK -> MediumState.BLANK;
            case FINALISED -> MediumState.FINALISED;
            case WRITE_PROTECTED -> MediumState.WRITE_PROTECTED;
            case UNFORMATTED -> MediumState.UNFORMATTED;
            case READ_ONLY -> MediumState.READ_ONLY;
        };
    }

    static DiscState configState(MediumState state) {
        return switch (state) {
            case FORMATTED -> DiscState.FORMATTED;
            case BLANK -> DiscState.BLANK;
            case FINALISED -> DiscState.FINALISED;
            case WRITE_PROTECTED -> DiscState.WRITE_PROTECTED;
            case UNFORMATTED -> DiscState.UNFORMATTED;
            case READ_ONLY -> DiscState.READ_ONLY;
        };
    }

    static OpticalProfile profile(OpticalDriveConfig config, DiscConfig disc) {
        return new OpticalProfile(
                kind(config.medium()),
                state(disc),
                config.speed(),
                config.maxReadSpeed(),
                new OpticalProfile.Timing(
                        config.commandNs(),
                        config.readAccessNs(),
                        config.writeRestartNs(),
                        config.startUpNs()),
                config.busBytesPerSecond(),
                config.bufferBytes(),
                config.verifies());
    }

    /** What the drive tells the packet writer of it. */
    static DiscInfo info(OpticalDriveConfig config, DiscConfig disc) {
        MediumKind kind = kind(config.medium());
        int frames = disc.packetBytes() / PacketGeometry.FRAME_BYTES;
        boolean isInPackets =
                switch (disc.state()) {
                    case FORMATTED, WRITE_PROTECTED -> true;
                    case BLANK, FINALISED, UNFORMATTED, READ_ONLY -> false;
                };
        boolean isBlank =
                switch (disc.state()) {
                    case BLANK -> true;
                    case FORMATTED, WRITE_PROTECTED, FINALISED, UNFORMATTED, READ_ONLY -> false;
                };
        boolean isPressed = state(disc) == MediumState.READ_ONLY;
        int romProfile = kind == MediumKind.CD_RW ? CD_ROM : DVD_ROM;
        return new DiscInfo(
                isPressed ? romProfile : kind.profile(),
                0,
                !isPressed,
                false,
                state(disc) == MediumState.WRITE_PROTECTED,
                new DiscInfo.Track(isInPackets, isInPackets, false, isBlank, frames, 1, 0));
    }

    /** The disc as opened for writing. */
    static PacketDisc opened(
            DeviceConfig device, OpticalDriveConfig config, DiscConfig disc, PacketConfig writer) {
        MediumKind kind = kind(config.medium());
        DiscInfo info = info(config, disc);
        boolean assumesSize = writer.scheduler() == PacketSchedulerKind.WHEN_STUCK;
        int frames =
                disc.isPacketSizeSupported() ? info.packetFrames(assumesSize) : kind.packetBlocks();
        return new PacketDisc(
                new PacketGeometry(frames, 0, Sectors.ofBytes(device.sizeBytes())),
                kind == MediumKind.CD_RW,
                1,
                profile(config, disc).speedKbPerSecond(),
                info.refusal(assumesSize));
    }

    /** What suits the medium best. */
    static int packetBytes(OpticalDriveConfig config, Optional<DiscConfig> disc) {
        return disc.filter(DiscConfig::isPacketSizeSupported)
                .map(DiscConfig::packetBytes)
                .orElse(config.medium().packetBytes());
    }
}
