package dev.spindle.cli;

import dev.spindle.config.ConfigLoader;
import dev.spindle.daemon.Daemon;
import dev.spindle.daemon.DaemonOptions;
import dev.spindle.daemon.RuntimeRoot;
import dev.spindle.time.DeviceClock;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The program called in this process: its own folder for daemons, an installation with a harmless
 * library for a shim, signals that come from the test.
 */
final class CliFixture {
    static final String DRIVES = "drives { d { kind = null, max_hw_sectors_kb = 128 } }\n";

    final Path folder;
    final StringWriter out = new StringWriter();
    final StringWriter err = new StringWriter();
    final FakeSignals signals = new FakeSignals();
    final RuntimeRoot root;

    CliFixture(Path folder) throws IOException {
        this(folder, folder.resolve("r"));
    }

    CliFixture(Path folder, Path runtime) throws IOException {
        this.folder = folder;
        root = new RuntimeRoot(runtime);
        Path build = Files.createDirectories(folder.resolve("shim-native/build"));
        Path preloadable = Path.of(System.getProperty("java.home"), "lib", "libjsig.so");
        Files.createSymbolicLink(build.resolve("libspindle-shim.so"), preloadable);
        Files.createFile(build.resolve("libspindle-relay.so"));
        Files.createDirectory(folder.resolve("conf"));
        conf("conf/spindle.conf", "hda");
    }

    Path conf(String name, String... devices) throws IOException {
        StringBuilder text = new StringBuilder("server { tcp { port = 0 } }\n").append(DRIVES);
        for (String device : devices) {
            text.append("devices { " + device + " { drive = d, size = 1 MiB } }\n");
        }
        return Files.writeString(folder.resolve(name), text);
    }

    /** As {@code spindle serve} would, in a folder of that name. */
    Daemon serve(Path conf) throws IOException {
        return Daemon.start(
                ConfigLoader.load(conf, Map.of()),
                new DaemonOptions(root, false, DeviceClock.wall()));
    }

    int spindle(String... arguments) {
        Map<String, String> environment =
                Map.of(
                        "SPINDLE_RUNTIME_DIR", root.path().toString(),
                        "PATH", System.getenv().getOrDefault("PATH", "/usr/bin:/bin"));
        Surroundings surroundings =
                new Surroundings(
                        new PrintWriter(out, true),
                        new PrintWriter(err, true),
                        environment,
                        Optional.of(folder),
                        signals);
        return Main.commandLine(surroundings).execute(arguments);
    }

    List<String> errorLines() {
        return err.toString().lines().toList();
    }

    /** Holds the handlers for the test to call. */
    static final class FakeSignals implements Signals {
        final List<Consumer<Integer>> handlers = new ArrayList<>();
        final FakeRelay relay = new FakeRelay();

        @Override
        public synchronized void handle(String name, Consumer<Integer> handler) {
            handlers.add(handler);
        }

        synchronized void raise(int number) {
            handlers.getLast().accept(number);
        }

        @Override
        public SignalRelay relay(Path library) {
            return relay;
        }
    }

    /** Knows who the program is, and what came too early for it. */
    static final class FakeRelay implements SignalRelay {
        final List<Long> programs = new ArrayList<>();
        int early;
        boolean hasEnded;

        @Override
        public int endedBy() {
            return early;
        }

        @Override
        public void to(long pid) {
            programs.add(pid);
        }

        @Override
        public void end() {
            hasEnded = true;
        }
    }
}
