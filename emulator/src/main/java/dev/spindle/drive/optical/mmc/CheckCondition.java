package dev.spindle.drive.optical.mmc;

/** Ends a command with CHECK CONDITION. Part of normal work, so it has no stack trace. */
final class CheckCondition extends Exception {
    private static final long serialVersionUID = 1;

    private final transient Sense sense;

    CheckCondition(Sense sense) {
        super("CHECK CONDITION " + sense, null, false, false);
        this.sense = sense;
    }

    Sense sense() {
        return sense;
    }

    /** A field of the CDB is not as the drive can do it. */
    static void requireField(boolean isGood) throws CheckCondition {
        require(isGood, Sense.INVALID_FIELD);
    }

    static void require(boolean isGood, Sense otherwise) throws CheckCondition {
        if (!isGood) {
            throw new CheckCondition(otherwise);
        }
    }
}
