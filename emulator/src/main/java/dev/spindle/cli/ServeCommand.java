package dev.spindle.cli;

import dev.spindle.config.ConfigException;
import dev.spindle.config.ConfigLoader;
import dev.spindle.config.SpindleConfig;
import dev.spindle.daemon.CompilerThreads;
import dev.spindle.daemon.Daemon;
import dev.spindle.daemon.DaemonOptions;
import dev.spindle.daemon.RuntimeRoot;
import dev.spindle.daemon.ServedDevice;
import dev.spindle.daemon.SocketActivation;
import dev.spindle.nbd.HandedSocket;
import dev.spindle.nbd.StandardStreams;
import dev.spindle.time.DeviceClock;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code spindle serve}: the daemon, in the foreground, until a signal ends it. */
@Command(
        name = "serve",
        mixinStandardHelpOptions = true,
        versionProvider = Main.VersionText.class,
        description = {
            "Serves the devices of a conf file over NBD until SIGTERM or SIGINT, which lets clients"
                    + " finish, flushes and ends with 0; a second one ends at once.",
            "Prints a line for each device, then \"ready\".",
            "Started by systemd with sockets (LISTEN_FDS), it listens on those instead."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  spindle serve conf/spindle.conf",
            "  spindle serve conf/null.conf --port 0 --unix /tmp/fast.sock",
            "  spindle serve conf/spindle.conf --set devices.hda.queue.nr_requests=1024"
        })
final class ServeCommand implements Callable<Integer> {
    private static final Duration LAST_BYTES = Duration.ofSeconds(10);

    @Parameters(paramLabel = "CONF", description = "The conf file; docs/configuration.md.")
    private Path conf;

    @Option(
            names = "--unix",
            paramLabel = "PATH",
            description = "Listens on this unix socket instead of one in the runtime folder.")
    private Optional<Path> unix;

    @Option(names = "--no-unix", description = "Listens on no unix socket.")
    private boolean isWithoutUnix;

    @Option(
            names = "--port",
            paramLabel = "N",
            description = "Listens on this TCP port; 0 picks a free one.")
    private Optional<Integer> port;

    @Option(names = "--no-tcp", description = "Listens on no TCP port.")
    private boolean isWithoutTcp;

    @Option(
            names = "--stdio",
            description =
                    "Serves one client on standard input and output, and ends when it leaves.")
    private boolean isOnStdio;

    @Option(
            names = "--set",
            paramLabel = "PATH=VALUE",
            description = "Overrides a setting of the conf file; may be given again.")
    private List<String> set = new ArrayList<>();

    private final Surroundings surroundings;

    ServeCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        SpindleConfig config = load();
        CountDownLatch stop = new CountDownLatch(1);
        catchSignals(stop);
        if (isOnStdio) {
            serveStandardStreams(config, stop);
            return 0;
        }
        List<HandedSocket> activated =
                SocketActivation.sockets(surroundings.environment(), ProcessHandle.current().pid());
        try (Daemon daemon = Daemon.start(config, options(activated, Optional.empty()))) {
            // A program that starts us with its own socket has its own use for its output.
            PrintWriter out = activated.isEmpty() ? surroundings.out() : surroundings.err();
            daemon.devices().forEach(device -> out.println(line(device)));
            out.println("ready");
            out.flush();
            CompilerThreads.giveWay();
            stop.await();
        }
        return 0;
    }

    /** Prints nothing: what is printed would reach the client. */
    private void serveStandardStreams(SpindleConfig config, CountDownLatch stop)
            throws IOException, InterruptedException {
        StandardStreams streams = StandardStreams.take();
        try (Daemon daemon =
                Daemon.start(config, options(List.of(), Optional.of(streams.connection())))) {
            CompilerThreads.giveWay();
            var _ = daemon.clientLeft().thenRun(stop::countDown);
            stop.await();
        }
        streams.await(LAST_BYTES);
    }

    private DaemonOptions options(List<HandedSocket> activated, Optional<HandedSocket> connection)
            throws IOException {
        RuntimeRoot root = RuntimeRoot.of(surroundings.environment());
        return new DaemonOptions(root, false, DeviceClock.wall(), activated, connection);
    }

    /** A fault in what an option of its own has set is that option's. */
    private SpindleConfig load() {
        try {
            return ConfigLoader.load(conf, overrides());
        } catch (ConfigException bad) {
            throw new ConfigException(bad.problems().stream().map(this::byOption).toList());
        }
    }

    private String byOption(String problem) {
        Map<String, String> own = new LinkedHashMap<>();
        port.ifPresent(_ -> own.put("server.tcp.port", "--port"));
        unix.ifPresent(_ -> own.put("server.unix.path", "--unix"));
        SettingsOption.parse(set).keySet().forEach(own::remove);
        for (Map.Entry<String, String> each : own.entrySet()) {
            String asSet = "--set: " + each.getKey() + ": ";
            if (problem.startsWith(asSet)) {
                return each.getValue() + ": " + problem.substring(asSet.length());
            }
        }
        return problem;
    }

    private Map<String, String> overrides() {
        Map<String, String> overrides = new LinkedHashMap<>();
        unix.ifPresent(path -> {
            overrides.put("server.unix.enabled", "on");
            overrides.put("server.unix.path", path.toAbsolutePath().normalize().toString());
        });
        port.ifPresent(number -> {
            overrides.put("server.tcp.enabled", "on");
            overrides.put("server.tcp.port", number.toString());
        });
        if (isOnStdio) {
            requireNot(unix.isPresent() || port.isPresent(), "--stdio opens no socket");
        }
        if (isWithoutUnix) {
            requireNot(unix.isPresent(), "--unix and --no-unix exclude each other");
            overrides.put("server.unix.enabled", "off");
        }
        if (isWithoutTcp) {
            requireNot(port.isPresent(), "--port and --no-tcp exclude each other");
            overrides.put("server.tcp.enabled", "off");
        }
        overrides.putAll(SettingsOption.parse(set));
        return overrides;
    }

    private static void requireNot(boolean isWrong, String line) {
        if (isWrong) {
            throw new Failure(line);
        }
    }

    private void catchSignals(CountDownLatch stop) {
        AtomicBoolean isStopping = new AtomicBoolean();
        for (String name : Signals.NUMBERS.keySet()) {
            surroundings
                    .signals()
                    .handle(
                            name,
                            number -> {
                                if (isStopping.getAndSet(true)) {
                                    Runtime.getRuntime().halt(128 + number);
                                }
                                stop.countDown();
                            });
        }
    }

    private static String line(ServedDevice device) {
        return device.name()
                + "  "
                + device.description()
                + "  "
                + String.join("  ", device.addresses())
                + "  attach: "
                + device.attachCommand();
    }
}
