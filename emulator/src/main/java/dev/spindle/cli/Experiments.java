package dev.spindle.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
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
     * @param isLive by real programs in this machine's time
     */
    record Order(String name, boolean isJson, Optional<Path> html, int seeds, boolean isLive) {}

    /**
     * A simulation that was asked for.
     *
     * @param conf its devices, workloads and hosts
     * @param device empty for the workload's or the only one
     * @param drive a profile; the first device that has it, or put into the device
     * @param workload of the file; empty for one made of the flags alone
     * @param flags keys of the workload and their values
     * @param settings keys of anything, as short as they are clear
     * @param sweeps KEY=VALUES each
     * @param seeds to take the median over
     */
    record Simulation(
            Path conf,
            Optional<String> device,
            Optional<String> drive,
            Optional<String> workload,
            Map<String, String> flags,
            Map<String, String> settings,
            List<String> sweeps,
            int seeds,
            boolean isJson,
            Optional<Path> html) {}

    /** Prints what a workload of the user's own comes to. */
    void simulate(Simulation order, PrintWriter out) throws IOException;

    /** A line each: name and title. */
    List<String> list();

    /** True when every row has passed its gate. */
    boolean run(Order order, Path home, PrintWriter out) throws IOException;
}
