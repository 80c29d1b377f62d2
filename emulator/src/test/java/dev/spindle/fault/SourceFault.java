package dev.spindle.fault;

import java.util.ArrayList;
import java.util.List;

/**
 * A mechanism broken in one place of the sources.
 *
 * @param name the mechanism, and what is wrong with it
 * @param className of the source file, whole
 * @param right text that stands in it exactly once
 * @param wrong text to stand there instead
 * @param testName the class of tests that must notice
 */
record SourceFault(String name, String className, String right, String wrong, String testName) {
    private static final String ROOT = "dev.spindle.";
    private static final int LINES = 5;

    /** From blocks of five lines with an empty line between; # begins a comment. */
    static List<SourceFault> parse(List<String> text) {
        List<SourceFault> faults = new ArrayList<>();
        List<String> block = new ArrayList<>(LINES);
        for (String line : text) {
            if (!line.isBlank() && !line.startsWith("#")) {
                block.add(line.strip());
            }
            if (block.size() == LINES) {
                faults.add(ofBlock(block));
                block.clear();
            }
        }
        if (!block.isEmpty()) {
            throw new IllegalArgumentException("cut short: " + block);
        }
        return faults;
    }

    private static SourceFault ofBlock(List<String> block) {
        return new SourceFault(
                block.get(0),
                ROOT + field(block.get(1), "in "),
                field(block.get(2), "- "),
                field(block.get(3), "+ "),
                ROOT + field(block.get(4), "noticed by "));
    }

    private static String field(String line, String mark) {
        if (!line.startsWith(mark)) {
            throw new IllegalArgumentException("\"" + line + "\" does not begin with " + mark);
        }
        return line.substring(mark.length());
    }

    /** The source with the fault in it. */
    String plantIn(String source) {
        int at = source.indexOf(right);
        if (at < 0 || source.indexOf(right, at + 1) >= 0) {
            throw new IllegalArgumentException(
                    name + ": \"" + right + "\" does not stand exactly once in " + className);
        }
        return source.substring(0, at) + wrong + source.substring(at + right.length());
    }

    @Override
    public String toString() {
        return name;
    }
}
