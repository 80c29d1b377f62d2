package dev.spindle.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * What {@code spindle experiment} runs. The experiments live in the testbench, which the daemon
 * does without: this is a service, looked for on the class path that the launcher gives.
 */
public interface Experiments {
    /**
     * What was asked for.
     *
     * @param name of an experiment, or all
     * @param html where a page with plots is to be written
     * @param seeds layouts to take the median over
     */
    record Order(String name, boolean isJson, Optional<Path> html, int seeds) {}

    /** A line each: name and title. */
    List<String> list();

    /** True when every row has passed its gate. */
    boolean run(Order order, Path home, PrintWriter out) throws IOException;
}
