package dev.spindle.testbench.experiment;

import dev.spindle.cli.Experiments;
import dev.spindle.testbench.simulate.SimulateProgram;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * {@code spindle experiment}: the launcher's other half, found by the command as a service, so that
 * the daemon's jar needs nothing of the testbench.
 */
public final class ExperimentProgram implements Experiments {
    private static final List<Experiment> ALL =
            List.of(new Thread000(), new Thread001(), new Thread002(), new Thread004());

    /** By real programs; what thread 002 reports lies in a kernel's page cache. */
    private static final List<Experiment> LIVE =
            List.of(new LiveThread000(), new LiveThread001(), new LiveThread004());

    private static final String LIVE_NOTE =
            "live: the drives' times are played, the processor's are this machine's; interrupts, an"
                    + " old kernel's bugs and its context switches cannot be seen";

    @Override
    public List<String> list() {
        List<String> lines = new ArrayList<>();
        ALL.forEach(each -> lines.add(each.name() + "  " + each.title()));
        lines.add("simulate  a workload of your own: spindle experiment simulate --help");
        return lines;
    }

    @Override
    public void simulate(Simulation order, PrintWriter out) throws IOException {
        SimulateProgram.run(order, out);
    }

    @Override
    public boolean run(Order order, Path home, PrintWriter out) throws IOException {
        List<Experiment> known = order.isLive() ? LIVE : ALL;
        List<Experiment> chosen =
                known.stream()
                        .filter(each ->
                                order.name().equals("all") || each.name().equals(order.name()))
                        .toList();
        if (chosen.isEmpty()) {
            throw new IllegalArgumentException(
                    (order.isLive() ? "no live experiment " : "no experiment ")
                            + order.name()
                            + ", there is all, "
                            + String.join(", ", known.stream().map(Experiment::name).toList()));
        }
        Experiment.Setting setting = new Experiment.Setting(home, order.seeds());
        List<Outcome> outcomes = new ArrayList<>();
        chosen.forEach(each -> outcomes.add(each.run(setting)));
        Optional<Path> html = order.html();
        if (html.isPresent()) {
            Files.writeString(html.get(), HtmlReport.of(outcomes));
        }
        if (order.isJson()) {
            out.println(Scorecard.json(outcomes, order.seeds()));
        } else {
            out.println(order.isLive() ? LIVE_NOTE : "layout seeds 1 to " + order.seeds());
            out.print(Scorecard.text(outcomes));
        }
        out.flush();
        return outcomes.stream().flatMap(each -> each.rows().stream()).allMatch(Row::passes);
    }
}
