package dev.spindle.disksim;

import java.nio.file.Path;

/** A line of a file. */
record Place(Path file, int line) {
    @Override
    public String toString() {
        return file + ":" + line;
    }
}
