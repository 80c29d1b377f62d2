package dev.spindle.cli;

import dev.spindle.control.ControlAnswer;
import dev.spindle.control.ControlRequest;
import dev.spindle.control.RefusedException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code spindle trace}: a blktrace of a device that is being served. */
@Command(
        name = "trace",
        mixinStandardHelpOptions = true,
        versionProvider = Main.VersionText.class,
        description = {
            "Writes what happens to the requests of a device, as blktrace does: for blkparse, btt,"
                    + " 'spindle replay' and fio. Goes on until Ctrl-C, or for --duration.",
            "The daemon writes the file, NAME.blktrace.0. Records for which its buffer has no room"
                    + " are dropped and counted; the device does not wait for them."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  spindle trace hda -o hda          then: blkparse -i hda",
            "  spindle trace hda -o hda --duration 10",
            "  spindle trace hda --stop"
        })
final class TraceCommand implements Callable<Integer> {
    private static final double MAX_SECONDS = 86_400;

    @Parameters(index = "0", paramLabel = "DEVICE", description = "As 'spindle list' names it.")
    private String device;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "NAME",
            description = "Where to; a file NAME.blktrace.0 that is there is written over.")
    private Optional<Path> output;

    @Option(
            names = "--duration",
            paramLabel = "SECONDS",
            description = "Ends by itself after so long.")
    private Optional<Double> seconds;

    @Option(
            names = "--stop",
            description = "Ends a trace that runs: one begun by the conf file, or left behind.")
    private boolean isStop;

    @Option(
            names = "--daemon",
            paramLabel = "PID",
            description = "Which daemon, where several serve a device of that name.")
    private Optional<Long> pid;

    private final Surroundings surroundings;

    TraceCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() throws IOException, RefusedException, InterruptedException {
        if (isStop == output.isPresent()) {
            throw new Failure("trace: say either where to, with -o NAME, or --stop");
        }
        if (seconds.isPresent() && !(seconds.get() > 0 && seconds.get() <= MAX_SECONDS)) {
            throw new Failure(
                    "--duration " + seconds.get() + ": allowed more than 0, up to 86400 seconds");
        }
        Daemons.Found found = Daemons.of(surroundings.environment()).serving(device, pid);
        if (output.isPresent()) {
            CountDownLatch stop = new CountDownLatch(1);
            for (String name : Signals.NUMBERS.keySet()) {
                surroundings.signals().handle(name, _ -> stop.countDown());
            }
            Path absolute = output.get().toAbsolutePath().normalize();
            ControlAnswer begun =
                    found.client().ask(new ControlRequest.StartTrace(device, absolute));
            surroundings
                    .err()
                    .println(device + ": tracing to " + begun.object("trace").text("file"));
            await(stop);
        }
        return end(found.client().ask(new ControlRequest.StopTrace(device)).object("trace"));
    }

    private void await(CountDownLatch stop) throws InterruptedException {
        if (seconds.isEmpty()) {
            stop.await();
            return;
        }
        var _ = stop.await((long) (seconds.get() * 1e9), TimeUnit.NANOSECONDS);
    }

    private int end(ControlAnswer trace) {
        surroundings
                .out()
                .println(
                        device
                                + ": "
                                + trace.whole("records")
                                + " records, "
                                + trace.whole("dropped")
                                + " dropped, "
                                + trace.text("file"));
        if (trace.has("fault")) {
            throw new Failure(trace.text("fault"));
        }
        return 0;
    }
}
