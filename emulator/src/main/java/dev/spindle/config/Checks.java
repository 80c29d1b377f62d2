package dev.spindle.config;

/** What a settings record must be to exist at all; the reader has told the user long before. */
final class Checks {
    private Checks() {}

    static void require(boolean isSo, String otherwise) {
        if (!isSo) {
            throw new IllegalArgumentException(otherwise);
        }
    }

    static void requireRange(String what, long value, long least, long most) {
        require(
                value >= least && value <= most,
                what + "=" + value + " is not from " + least + " to " + most);
    }
}
