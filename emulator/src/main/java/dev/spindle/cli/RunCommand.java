package dev.spindle.cli;

import dev.spindle.config.ConfigLoader;
import dev.spindle.config.SpindleConfig;
import dev.spindle.control.ControlClient;
import dev.spindle.control.RefusedException;
import dev.spindle.daemon.CompilerThreads;
import dev.spindle.daemon.Daemon;
import dev.spindle.daemon.DaemonOptions;
import dev.spindle.daemon.LiveDaemon;
import dev.spindle.daemon.SysFolder;
import dev.spindle.shm.ShimMap;
import dev.spindle.time.DeviceClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * {@code spindle run}: any program, with the drive under it.
 *
 * <p>A private daemon lives in this very process, not in a second JVM: one start-up instead of two,
 * and it cannot outlive us, however we end. Nor does it share the program's fate: the program is a
 * process of its own and speaks to it over a socket.
 */
@Command(
        name = "run",
        mixinStandardHelpOptions = true,
        versionProvider = Main.VersionText.class,
        description = {
            "Runs a program that finds the devices of a daemon at their paths (/dev/NAME), with no"
                    + " kernel module and no root. The program itself need not be changed.",
            "Uses the daemon that is running; if none serves the device, starts a private one that"
                    + " ends with the program, from conf/spindle.conf. With --conf it always"
                    + " starts a private one, from that file.",
            "The exit status is that of the program, 128+N where signal N ended it, 126 where it"
                    + " cannot be executed, 127 where it is not found."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  spindle run --device hda -- dd if=/dev/hda of=/dev/null bs=1M count=8 iflag=direct",
            "  spindle run --report=fio.html --device hda,hdb -- fio job.fio",
            "  spindle run --conf conf/null.conf -- dd if=/dev/fast of=/dev/null bs=1M count=64",
            "  spindle run --static --device hda -- busybox dd if=/dev/hda of=/dev/null count=1",
            "  spindle run --device hda --set queue/nr_requests=1024 -- testbench/build/testaio"
                    + " /dev/hda"
        })
final class RunCommand implements Callable<Integer> {
    @Option(
            names = "--conf",
            paramLabel = "CONF",
            description = "Starts a private daemon from this conf file, whatever else is running.")
    private Optional<Path> conf;

    @Option(
            names = "--device",
            paramLabel = "NAME",
            split = ",",
            description =
                    "The program sees this device only; all of the daemon if not given. May be"
                            + " given again, or with several names: hda,hdb.")
    private List<String> devices = new ArrayList<>();

    @Option(
            names = "--set",
            paramLabel = "[NAME:]KEY=VALUE",
            description =
                    "Tunes the device first, as 'spindle tune' does, and for as long as its daemon"
                            + " runs; may be given again. NAME says which, where there are"
                            + " several.")
    private List<String> set = new ArrayList<>();

    @Option(
            names = "--daemon",
            paramLabel = "PID",
            description = "Which daemon, where several serve a device of that name.")
    private Optional<Long> pid;

    @Option(
            names = "--transport",
            paramLabel = "HOW",
            defaultValue = "AUTO",
            description =
                    "How the program's requests reach the daemon: shm, by shared memory; nbd, over"
                            + " the daemon's unix socket; auto, by shared memory where that can be"
                            + " had (the default).")
    private Transport transport;

    @Option(
            names = "--static",
            description =
                    "For programs that make system calls without libc: static ones, Go, musl,"
                            + " inline assembly. Each call on any file costs microseconds more; it"
                            + " needs Linux 5.19 and a container that allows seccomp"
                            + " notification.")
    private boolean isStatic;

    @Option(
            names = "--proc-partitions",
            description = "The program finds the devices in /proc/partitions as well.")
    private boolean showsPartitions;

    @Option(
            names = "--report",
            arity = "0..1",
            paramLabel = "FILE",
            preprocessor = ReportOption.class,
            converter = ReportOption.class,
            description =
                    "When the program has ended, prints on standard error what it did: requests,"
                            + " latencies, waits, congestion. --report=FILE.html draws it as well,"
                            + " --report=FILE.json writes it.")
    private Optional<ReportOption.Asked> report;

    @Option(
            names = "--json",
            description = "With --report: prints it as one line of JSON instead of text.")
    private boolean isJson;

    @Parameters(
            arity = "1..*",
            paramLabel = "PROGRAM [ARGUMENT]",
            description = "What to run, best after --.")
    private List<String> program;

    private final Surroundings surroundings;

    /** See the option. */
    enum Transport {
        AUTO,
        SHM,
        NBD
    }

    RunCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() throws IOException, RefusedException, InterruptedException {
        Path shim = built(isStatic ? "spindle-static" : "libspindle-shim.so");
        Path relay = built("libspindle-relay.so");
        requireSense();
        Optional<Integer> cannotRun = explain(ProgramPath.of(program.getFirst(), path()));
        if (cannotRun.isPresent()) {
            return cannotRun.get();
        }
        ProgramRunner runner =
                new ProgramRunner(command(shim), surroundings.signals().relay(relay));
        RunSettings settings = RunSettings.parse(set);
        Optional<LiveDaemon> running = running();
        if (running.isPresent()) {
            return runWith(running.get(), settings, runner, shim);
        }
        Daemons daemons = Daemons.of(surroundings.environment());
        DaemonOptions options = new DaemonOptions(daemons.root(), true, DeviceClock.wall());
        try (Daemon daemon = Daemon.start(privateConfig(), options)) {
            CompilerThreads.giveWay();
            return runWith(daemon.asOthersSeeIt(), settings, runner, shim);
        }
    }

    private void requireSense() {
        if (isJson && report.isEmpty()) {
            throw new Failure("--json needs --report");
        }
        if (showsPartitions && isStatic) {
            throw new Failure("--proc-partitions is not to be had with --static");
        }
        report.ifPresent(ReportOption.Asked::check);
    }

    private Path built(String name) {
        Path file = surroundings.requireHome("the shim").resolve("shim-native/build").resolve(name);
        if (!Files.isReadable(file)) {
            throw new Failure("the shim " + file + " is missing: run 'make build'");
        }
        return file;
    }

    /** Without a preload, the program is the child of one that serves its system calls. */
    private List<String> command(Path shim) {
        if (!isStatic) {
            return program;
        }
        List<String> command = new ArrayList<>(program);
        command.addFirst(shim.toString());
        return command;
    }

    private String path() {
        return surroundings.environment().getOrDefault("PATH", "/usr/bin:/bin");
    }

    private Optional<Integer> explain(ProgramPath found) {
        return switch (found) {
            case ProgramPath.Executable _ -> Optional.empty();
            case ProgramPath.NotExecutable(Path file, String why) -> {
                surroundings.err().println("spindle: " + file + ": " + why);
                yield Optional.of(126);
            }
            case ProgramPath.Missing(String name) -> {
                surroundings.err().println("spindle: " + name + ": no such program");
                yield Optional.of(127);
            }
        };
    }

    /** Not another run's private one: it would end under the program's feet. */
    private Optional<LiveDaemon> running() throws IOException {
        if (conf.isPresent()) {
            return Optional.empty();
        }
        List<Daemons.Found> fit =
                Daemons.of(surroundings.environment()).all(pid).stream()
                        .filter(found -> pid.isPresent() || !found.daemon().isPrivate())
                        .filter(found -> found.deviceNames().containsAll(devices))
                        .toList();
        if (fit.isEmpty() && pid.isPresent()) {
            throw new Failure(
                    "daemon " + pid.get() + " serves no device " + String.join(", ", devices));
        }
        if (fit.isEmpty()) {
            return Optional.empty();
        }
        String otherwise = "several daemons would do";
        return Optional.of(Daemons.only(fit, otherwise).daemon());
    }

    private SpindleConfig privateConfig() {
        Path file =
                conf.orElseGet(() ->
                        surroundings.requireHome("conf/spindle.conf").resolve("conf/spindle.conf"));
        Map<String, String> overrides = new LinkedHashMap<>();
        overrides.put("server.tcp.enabled", "off");
        overrides.put("server.unix.enabled", "on");
        overrides.put("server.unix.path", "auto");
        SpindleConfig config = ConfigLoader.load(file, overrides);
        List<String> names = config.devices().stream().map(each -> each.name()).toList();
        for (String name : devices) {
            if (!names.contains(name)) {
                throw new Failure(
                        "no device " + name + ": " + file + " has " + String.join(", ", names));
            }
        }
        return config;
    }

    private int runWith(LiveDaemon daemon, RunSettings settings, ProgramRunner runner, Path shim)
            throws IOException, RefusedException, InterruptedException {
        ShimMap map = ShimMap.read(daemon.shimMap());
        if (map.lines().isEmpty()) {
            throw new Failure(
                    "daemon " + daemon.pid() + " has no unix socket, which the shim needs");
        }
        ShimMap seen = devices.isEmpty() ? map : map.only(devices.toArray(String[]::new));
        settings.apply(new ControlClient(daemon.controlSocket()), seen);
        try (RunFiles files = RunFiles.of(daemon)) {
            Path usedMap = daemon.shimMap();
            ShimMap used = byTransport(seen);
            if (!used.equals(map)) {
                used.write(files.map());
                usedMap = files.map();
                SysFolder.seenBy(
                        daemon,
                        files.name(),
                        used.lines().stream().map(ShimMap.Line::name).toList());
            }
            Map<String, String> environment =
                    new LinkedHashMap<>(
                            isStatic
                                    ? Map.of("SPINDLE_SHIM_MAP", usedMap.toString())
                                    : environment(preloadable(shim, files.shim()), usedMap));
            if (showsPartitions) {
                environment.put("SPINDLE_SHIM_PARTITIONS", "1");
            }
            return report.isPresent()
                    ? reported(daemon, used, runner, environment, files.report())
                    : runner.run(environment);
        } catch (ProgramRunner.CannotStart e) {
            surroundings.err().println("spindle: " + e.getMessage());
            return 126;
        }
    }

    private int reported(
            LiveDaemon daemon,
            ShimMap map,
            ProgramRunner runner,
            Map<String, String> environment,
            Path counted)
            throws IOException, RefusedException, InterruptedException {
        try (RunReport counts = RunReport.begin(daemon, map, counted)) {
            Map<String, String> all = new LinkedHashMap<>(environment);
            all.put("SPINDLE_SHIM_REPORT", counts.path());
            int status = runner.run(all);
            counts.show(program, status, report.orElseThrow(), isJson, surroundings);
            return status;
        }
    }

    /** What keeps the daemon from sharing memory is said where that is not what was asked for. */
    private ShimMap byTransport(ShimMap map) {
        if (transport == Transport.NBD) {
            return map.withoutSharedMemory();
        }
        if (!map.whyNbd().isEmpty() && transport == Transport.SHM) {
            throw new Failure("the daemon offers no shared memory: " + map.whyNbd());
        }
        if (!map.whyNbd().isEmpty()) {
            surroundings.err().println("spindle: no shared memory, NBD is used: " + map.whyNbd());
        }
        return map;
    }

    /** LD_PRELOAD is a list that spaces and colons divide, with no way to quote them (ld.so(8)). */
    private static Path preloadable(Path shim, Path link) throws IOException {
        if (!isDivided(shim)) {
            return shim;
        }
        if (isDivided(link)) {
            throw new Failure(
                    "the shim cannot be preloaded from a path with a space or colon: " + shim);
        }
        return Files.createSymbolicLink(link, shim);
    }

    private static boolean isDivided(Path path) {
        return path.toString().contains(" ") || path.toString().contains(":");
    }

    private Map<String, String> environment(Path shim, Path map) {
        String before = surroundings.environment().getOrDefault("LD_PRELOAD", "");
        return Map.of(
                "LD_PRELOAD",
                before.isEmpty() ? shim.toString() : shim + ":" + before,
                "SPINDLE_SHIM_MAP",
                map.toString());
    }
}
