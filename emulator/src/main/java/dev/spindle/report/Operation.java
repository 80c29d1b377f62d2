package dev.spindle.report;

import java.util.Locale;

/** What a request asks for, in the order of the file. */
public enum Operation {
    READ(0),
    WRITE(1),
    FLUSH(2),
    /** DISCARD and WRITE_ZEROES. */
    ERASE(3);

    private final int index;

    Operation(int index) {
        this.index = index;
    }

    /** Its place in the file. */
    int index() {
        return index;
    }

    String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
