package dev.spindle.drive.optical;

import java.util.Locale;

/**
 * What can be done to a disc as a whole (MMC-5: BLANK, FORMAT UNIT, CLOSE TRACK/SESSION). Each
 * occupies the drive until it is done.
 */
public enum DiscOperation {
    /** FORMAT UNIT, full: every packet is written once. */
    FORMAT,
    /** FORMAT UNIT, quick: only the lead-in is; the data stays as it was. Not on CD-RW. */
    QUICK_FORMAT,
    /** BLANK, the entire disc. CD-RW and DVD-RW only. */
    BLANK,
    /** BLANK, minimal: the lead-in with its table of contents. CD-RW and DVD-RW only. */
    QUICK_BLANK,
    /** CLOSE SESSION: lead-in and lead-out, so that other drives can read it. Not on DVD-RAM. */
    FINALISE;

    /** In the words of the command line. */
    public String word() {
        return switch (this) {
            case FORMAT -> "format";
            case QUICK_FORMAT -> "quick-format";
            case BLANK -> "blank";
            case QUICK_BLANK -> "quick-blank";
            case FINALISE -> "finalise";
        };
    }

    /** True where what was on the disc is gone. */
    boolean erases() {
        return switch (this) {
            case FORMAT, BLANK, QUICK_BLANK -> true;
            case QUICK_FORMAT, FINALISE -> false;
        };
    }

    /** What the disc is afterwards. */
    MediumState result(MediumKind medium) {
        return switch (this) {
            case FORMAT, QUICK_FORMAT -> MediumState.FORMATTED;
            case BLANK, QUICK_BLANK -> MediumState.BLANK;
            // A DVD+RW gets its lead-out and stays as it is: it can be overwritten at any time.
            case FINALISE ->
                    medium == MediumKind.DVD_PLUS_RW
                            ? MediumState.FORMATTED
                            : MediumState.FINALISED;
        };
    }

    /** Why it cannot be done to such a disc; empty where it can. */
    String refusal(MediumKind medium, MediumState state) {
        if (state == MediumState.READ_ONLY || state == MediumState.WRITE_PROTECTED) {
            return "the disc is " + state.name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
        boolean isKnown =
                switch (this) {
                    case FORMAT -> true;
                    case QUICK_FORMAT -> medium != MediumKind.CD_RW;
                    case BLANK, QUICK_BLANK ->
                            medium == MediumKind.CD_RW || medium == MediumKind.DVD_MINUS_RW;
                    case FINALISE -> medium != MediumKind.DVD_RAM;
                };
        if (!isKnown) {
            return "a " + medium.label() + " knows no such operation";
        }
        return this == FINALISE && state != MediumState.FORMATTED
                ? "only a formatted disc can be finalised"
                : "";
    }
}
