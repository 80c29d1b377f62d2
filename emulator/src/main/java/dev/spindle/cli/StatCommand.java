package dev.spindle.cli;

import dev.spindle.control.ControlAnswer;
import dev.spindle.control.ControlRequest;
import dev.spindle.control.Json;
import dev.spindle.control.RefusedException;
import java.io.Console;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code spindle stat}: what devices have done and how full their queues are. */
@Command(
        name = "stat",
        mixinStandardHelpOptions = true,
        versionProvider = Main.VersionText.class,
        description = {
            "Shows the settings, queues, counters and latencies of one device or of all, and what"
                    + " the NBD server has seen."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  spindle stat",
            "  spindle stat hda --watch 0.5",
            "  spindle stat hda --json | jq '.daemons[0].devices[0].counters.sleeps'"
        })
final class StatCommand implements Callable<Integer> {
    private static final String CLEAR_SCREEN = "\u001b[H\u001b[2J";

    @Parameters(
            arity = "0..1",
            paramLabel = "DEVICE",
            description = "As 'spindle list' names it; all if none is given.")
    private @Nullable String device;

    @Option(
            names = "--watch",
            arity = "0..1",
            fallbackValue = "1",
            paramLabel = "SECONDS",
            description = "Shows it again every so many seconds, 1 if not said.")
    private Optional<Double> watchSeconds;

    @Option(
            names = "--json",
            description = "As one JSON object; with --watch one line each time. Times in us.")
    private boolean isJson;

    @Option(
            names = "--daemon",
            paramLabel = "PID",
            description = "Which daemon, where several serve a device of that name.")
    private Optional<Long> pid;

    @Option(
            names = "--reset",
            description =
                    "First makes a packet writer's stat/* zero, as the driver's stat/reset did.")
    private boolean isReset;

    private final Surroundings surroundings;

    StatCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() throws IOException, RefusedException, InterruptedException {
        if (isReset) {
            reset();
        }
        if (watchSeconds.isEmpty()) {
            show(Json::renderFormatted, "");
            return 0;
        }
        long everyMs = (long) (watchSeconds.get() * 1000);
        if (everyMs < 50 || everyMs > 86_400_000) {
            throw new Failure("--watch " + watchSeconds.get() + ": allowed 0.05 to 86400 seconds");
        }
        CountDownLatch stop = new CountDownLatch(1);
        for (String name : Signals.NUMBERS.keySet()) {
            surroundings.signals().handle(name, _ -> stop.countDown());
        }
        boolean isTerminal =
                Optional.ofNullable(System.console()).map(Console::isTerminal).orElse(false);
        do {
            show(Json::render, isTerminal ? CLEAR_SCREEN : "");
        } while (!surroundings.out().checkError() && !stop.await(everyMs, TimeUnit.MILLISECONDS));
        return 0;
    }

    private void reset() throws IOException, RefusedException {
        if (device == null) {
            throw new Failure("--reset: which DEVICE?");
        }
        Daemons.Found found = Daemons.of(surroundings.environment()).serving(device, pid);
        found.client().ask(new ControlRequest.Reset(device));
    }

    /** How an object becomes text. */
    private interface Rendering {
        String of(Map<String, ?> object);
    }

    private void show(Rendering rendering, String before) throws IOException, RefusedException {
        List<ControlAnswer> answers = ask();
        if (isJson) {
            List<Map<String, Object>> daemons = new ArrayList<>();
            for (ControlAnswer answer : answers) {
                daemons.add(
                        Map.of(
                                "server", answer.object("server").fields(),
                                "devices",
                                        answer.objects("devices").stream()
                                                .map(ControlAnswer::fields)
                                                .toList()));
            }
            surroundings.out().println(rendering.of(Map.of("daemons", daemons)));
        } else {
            surroundings.out().print(before);
            answers.forEach(answer -> surroundings.out().print(StatText.of(answer)));
        }
        surroundings.out().flush();
    }

    private List<ControlAnswer> ask() throws IOException, RefusedException {
        Daemons daemons = Daemons.of(surroundings.environment());
        if (device != null) {
            Daemons.Found found = daemons.serving(device, pid);
            return List.of(found.client().ask(new ControlRequest.Stat(Optional.of(device))));
        }
        List<Daemons.Found> all = daemons.all(pid);
        if (all.isEmpty()) {
            throw new Failure("no daemon is running; start one with 'spindle serve CONF'");
        }
        List<ControlAnswer> answers = new ArrayList<>();
        for (Daemons.Found found : all) {
            answers.add(found.client().ask(new ControlRequest.Stat(Optional.empty())));
        }
        return answers;
    }
}
