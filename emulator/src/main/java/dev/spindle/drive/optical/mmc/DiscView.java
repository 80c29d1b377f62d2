package dev.spindle.drive.optical.mmc;

import dev.spindle.drive.optical.MediumKind;
import dev.spindle.drive.optical.MediumState;
import dev.spindle.drive.optical.OpticalDrive;

/** The disc in the drive as several answers need it, at the moment they are given. */
final class DiscView {
    static final int PROFILE_NONE = 0;
    private static final int PROFILE_CD_ROM = 0x08;
    private static final int PROFILE_DVD_ROM = 0x10;
    private static final int PROFILE_DVD_MINUS_RW_SEQUENTIAL = 0x14;
    private static final int MSF_OFFSET = 150;
    private static final int MOST_FRAMES = (255 * 60 + 59) * 75 + 74;

    private final OpticalDrive burner;
    private final MmcIdentity identity;

    DiscView(OpticalDrive burner, MmcIdentity identity) {
        this.burner = burner;
        this.identity = identity;
    }

    static long blockOf(long offsetBytes) {
        return offsetBytes / MediumKind.BLOCK_BYTES;
    }

    /** Minute, second and frame of a block, in three bytes; a DVD's end where they can say it. */
    static int msf(long block) {
        long frames = Math.min(block + MSF_OFFSET, MOST_FRAMES);
        long seconds = frames / 75;
        return (int) ((seconds / 60) << 16 | (seconds % 60) << 8 | frames % 75);
    }

    MediumKind kind() {
        return burner.profile().medium();
    }

    MediumState state() {
        return burner.discState();
    }

    boolean isCd() {
        return kind() == MediumKind.CD_RW;
    }

    boolean isPresent() {
        return !burner.isTrayOpen();
    }

    boolean isBlank() {
        return state() == MediumState.BLANK;
    }

    /** A CD-ROM or DVD-ROM: nothing can be done to it. */
    boolean isPressed() {
        return state() == MediumState.READ_ONLY;
    }

    /** The disc as formatting leaves one, in fixed packets. */
    boolean isInPackets() {
        return state() == MediumState.FORMATTED || state() == MediumState.WRITE_PROTECTED;
    }

    boolean isWriteProtected() {
        return identity.isWriteProtected() || state() == MediumState.WRITE_PROTECTED;
    }

    boolean isWritable() {
        return state().isWritable() && !isWriteProtected();
    }

    int capacityBlocks() {
        return identity.capacityBlocks();
    }

    /** What can be read: nothing of a blank one. */
    int recordedBlocks() {
        return isBlank() ? 0 : capacityBlocks();
    }

    int packetBlocks() {
        return isInPackets() ? identity.packetBlocks() : 0;
    }

    int romProfile() {
        return isCd() ? PROFILE_CD_ROM : PROFILE_DVD_ROM;
    }

    /** What GET CONFIGURATION names as current. */
    int profile() {
        if (!isPresent()) {
            return PROFILE_NONE;
        }
        if (isPressed()) {
            return romProfile();
        }
        // Blanking takes a DVD-RW out of restricted overwrite mode (MMC-5, BLANK).
        return kind() == MediumKind.DVD_MINUS_RW && isBlank()
                ? PROFILE_DVD_MINUS_RW_SEQUENTIAL
                : kind().profile();
    }

    /** Blocks of a CD's track: packets with what links them. */
    int trackBlocks() {
        return (int) kind().trackBlocks(capacityBlocks());
    }
}
