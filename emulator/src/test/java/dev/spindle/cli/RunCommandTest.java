package dev.spindle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.daemon.Daemon;
import dev.spindle.shm.ShimMap;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class RunCommandTest {
    @TempDir private Path folder;
    private CliFixture cli;

    @BeforeEach
    void install() throws IOException {
        cli = new CliFixture(folder);
    }

    /** Runs a shell that notes its surroundings: LD_PRELOAD, then what SPINDLE_SHIM_MAP holds. */
    private List<String> surroundingsOfProgram(String... options) throws IOException {
        Path noted = folder.resolve("noted");
        String script = "{ echo \"$LD_PRELOAD\"; cat \"$SPINDLE_SHIM_MAP\"; } > " + noted;
        String[] arguments = new String[options.length + 5];
        arguments[0] = "run";
        System.arraycopy(options, 0, arguments, 1, options.length);
        System.arraycopy(
                new String[] {"--", "sh", "-c", script}, 0, arguments, options.length + 1, 4);
        assertThat(cli.spindle(arguments)).as(cli.err.toString()).isZero();
        return Files.readAllLines(noted);
    }

    private static List<String> devices(List<String> noted) {
        return noted.stream()
                .skip(1)
                .filter(line -> !line.startsWith("#"))
                .map(line -> line.substring(0, line.indexOf('\t')))
                .toList();
    }

    @ParameterizedTest
    @CsvSource({"exit 0,0", "exit 7,7", "kill -TERM $$,143", "kill -KILL $$,137"})
    void endsAsTheProgramDoes(String script, int status) {
        assertThat(cli.spindle("run", "--", "sh", "-c", script)).isEqualTo(status);
        assertThat(folder.resolve("r")).isEmptyDirectory();
    }

    @Test
    void takesWhatFollowsTheProgramForItsArguments() {
        assertThat(cli.spindle("run", "sh", "-c", "test \"$1\" = --help", "sh", "--help")).isZero();
    }

    @Test
    void startsAPrivateDaemonWhereNoneRunsAndLeavesNothing() throws IOException {
        List<String> noted = surroundingsOfProgram();
        assertThat(noted.getFirst())
                .isEqualTo(folder.resolve("shim-native/build/libspindle-shim.so").toString());
        assertThat(devices(noted)).containsExactly("hda");
        assertThat(folder.resolve("r")).isEmptyDirectory();
    }

    @Test
    void startsOneFromAConfFileAndShowsAllOrOneOfItsDevices() throws IOException {
        String conf = cli.conf("two.conf", "hdb", "hdc").toString();
        assertThat(devices(surroundingsOfProgram("--conf", conf))).containsExactly("hdb", "hdc");
        assertThat(devices(surroundingsOfProgram("--conf", conf, "--device", "hdc")))
                .containsExactly("hdc");
        assertThat(cli.spindle("run", "--conf", conf, "--set", "nr_requests=9", "--", "true"))
                .isEqualTo(1);
        assertThat(cli.errorLines())
                .containsExactly(
                        "spindle: --set needs --device, or NAME: before the key, where there are"
                                + " several devices: hdb, hdc");
    }

    @Test
    void showsSeveralDevicesAndTunesEachByItsName() throws IOException {
        String conf = cli.conf("three.conf", "hdb", "hdc", "hdd").toString();
        assertThat(devices(surroundingsOfProgram("--conf", conf, "--device", "hdc,hdb")))
                .containsExactly("hdb", "hdc");
        String[] twice = {"--conf", conf, "--device", "hdd", "--device", "hdb"};
        assertThat(devices(surroundingsOfProgram(twice))).containsExactly("hdb", "hdd");
        try (Daemon daemon = cli.serve(Path.of(conf))) {
            surroundingsOfProgram(
                    "--device",
                    "hdb,hdc",
                    "--set",
                    "hdc:nr_requests=9",
                    "--set",
                    "hdb:nr_requests=8");
            ShimMap map = ShimMap.read(daemon.asOthersSeeIt().shimMap());
            for (String name : List.of("hdb", "hdc")) {
                Path queueFile = map.only(name).lines().getFirst().queueFile();
                assertThat(Files.readAllBytes(queueFile)[16])
                        .isEqualTo((byte) (name.equals("hdb") ? 8 : 9));
            }
            assertThat(cli.spindle("run", "--device", "hdb", "--set", "hdc:nr_requests=7", "true"))
                    .isEqualTo(1);
        }
        assertThat(cli.errorLines()).contains("spindle: --set hdc: no such device: hdb");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--report true",
                "--report -- true",
                "--report --device hda true",
                "--report sh -c true",
                "--report=PAGE.html true",
                "--report=PAGE.json -- true",
                "--report PAGE.html -- true",
                "--report --json true"
            })
    void reportsWithoutTakingTheProgramForAFile(String words) throws IOException {
        Path page = folder.resolve("page");
        String[] arguments = ("run " + words.replace("PAGE", page.toString())).split(" ", -1);
        assertThat(cli.spindle(arguments)).as(cli.err.toString()).isZero();
        assertThat(cli.err.toString())
                .contains(words.contains("--json") ? "\"ran_s\":" : "no request to any device");
        for (String ending : new String[] {".html", ".json"}) {
            Path file = folder.resolve("page" + ending);
            assertThat(Files.exists(file)).isEqualTo(words.contains(ending));
        }
        assertThat(folder.resolve("r")).isEmptyDirectory();
    }

    @Test
    void refusesAReportThatCannotBeWrittenBeforeTheProgramRuns() {
        Path ran = folder.resolve("ran");
        String[][] wrong = {
            {"run", "--report=" + folder.resolve("none/x.html"), "--", "touch", ran.toString()},
            {"run", "--json", "--", "touch", ran.toString()},
        };
        for (String[] arguments : wrong) {
            assertThat(cli.spindle(arguments)).isEqualTo(1);
        }
        assertThat(cli.spindle("run", "--report=x.txt", "--", "touch", ran.toString()))
                .isEqualTo(2);
        assertThat(ran).doesNotExist();
        assertThat(cli.err.toString())
                .contains("x.html: cannot be written", "--json needs --report", "wants .html or");
    }

    @Test
    void reportsHowASignalEndedTheProgram() {
        assertThat(cli.spindle("run", "--report", "--", "sh", "-c", "kill -KILL $$"))
                .isEqualTo(137);
        assertThat(cli.err.toString()).contains("status 137");
    }

    @Test
    void usesTheDaemonThatRunsAndTunesIt() throws IOException {
        try (Daemon daemon = cli.serve(cli.conf("two.conf", "hdb", "hdc"))) {
            Path map = daemon.asOthersSeeIt().shimMap();
            assertThat(surroundingsOfProgram().subList(1, 4)).isEqualTo(Files.readAllLines(map));
            List<String> noted =
                    surroundingsOfProgram("--device", "hdc", "--set", "queue/nr_requests=77");
            assertThat(devices(noted)).containsExactly("hdc");
            Path queueFile = ShimMap.read(map).only("hdc").lines().getFirst().queueFile();
            assertThat(Files.readAllBytes(queueFile)[16]).isEqualTo((byte) 77);
            try (var files = Files.list(map.resolveSibling("."))) {
                assertThat(files.filter(file -> file.toString().contains("run-"))).isEmpty();
            }
        }
    }

    @Test
    void sharesMemoryUnlessToldOtherwise() throws IOException {
        String conf = cli.conf("one.conf", "hdb").toString();
        assertThat(surroundingsOfProgram("--conf", conf))
                .anyMatch(line -> line.endsWith("/shm.sock"));
        assertThat(surroundingsOfProgram("--conf", conf, "--transport", "nbd"))
                .anyMatch(line -> line.endsWith("/hdb.queue"));
    }

    @Test
    void saysWhyItSpeaksNbd() throws IOException {
        Path file = cli.conf("one.conf", "hdb");
        Files.writeString(file, "\nserver.shm.enabled = off\n", StandardOpenOption.APPEND);
        String conf = file.toString();
        assertThat(cli.spindle("run", "--conf", conf, "--", "true")).isZero();
        assertThat(cli.errorLines())
                .contains("spindle: no shared memory, NBD is used: server.shm.enabled = off");
        assertThat(cli.spindle("run", "--conf", conf, "--transport", "shm", "--", "true"))
                .isEqualTo(1);
        assertThat(cli.errorLines())
                .contains("spindle: the daemon offers no shared memory: server.shm.enabled = off");
    }

    @Test
    void passesSignalsOnToTheProgramWhileThereIsOne() throws IOException {
        Path noted = folder.resolve("noted");
        assertThat(cli.spindle("run", "--", "sh", "-c", "echo $$ > " + noted)).isZero();
        long pid = Long.parseLong(Files.readString(noted).strip());
        assertThat(cli.signals.relay.programs).containsExactly(pid);
        assertThat(cli.signals.relay.hasEnded).isTrue();
    }

    @Test
    void removesWhatAKilledRunHasLeftWithItsDaemon() throws Exception {
        Process dead = new ProcessBuilder("true").start();
        dead.waitFor();
        try (Daemon daemon = cli.serve(cli.conf("two.conf", "hda", "hdb"))) {
            Path runs = daemon.asOthersSeeIt().folder();
            Path left = Files.createFile(runs.resolve("run-" + dead.pid() + ".map"));
            Path used =
                    Files.createFile(
                            runs.resolve(
                                    "run-"
                                            + ProcessHandle.current().parent().get().pid()
                                            + ".map"));
            assertThat(cli.spindle("run", "--device", "hda", "--", "true")).isZero();
            assertThat(left).doesNotExist();
            assertThat(used).exists();
        }
    }

    @Test
    void startsNoProgramAfterASignal() {
        cli.signals.relay.early = 3;
        assertThat(cli.spindle("run", "--", "touch", folder + "/touched")).isEqualTo(131);
        assertThat(folder.resolve("touched")).doesNotExist();
        assertThat(cli.signals.relay.programs).isEmpty();
    }

    @Test
    void saysWhichProgramIsNotThereOrCannotBeRun() throws IOException {
        Path plain = Files.createFile(folder.resolve("plain"));
        assertThat(cli.spindle("run", "--", "no-such-program")).isEqualTo(127);
        assertThat(cli.spindle("run", "--", folder + "/none")).isEqualTo(127);
        assertThat(cli.spindle("run", "--", plain.toString())).isEqualTo(126);
        assertThat(cli.spindle("run", "--", folder.toString())).isEqualTo(126);
        assertThat(cli.errorLines())
                .containsExactly(
                        "spindle: no-such-program: no such program",
                        "spindle: " + folder + "/none: no such program",
                        "spindle: " + plain + ": permission denied",
                        "spindle: " + folder + ": is a folder");
    }

    @Test
    void aProgramWithoutItsInterpreterCannotBeExecuted() throws IOException {
        Path program = Files.writeString(folder.resolve("script"), "#!/no/such/interpreter\n");
        assertThat(program.toFile().setExecutable(true)).isTrue();
        assertThat(cli.spindle("run", "--", program.toString())).isEqualTo(126);
        assertThat(cli.errorLines())
                .containsExactly(
                        "spindle: " + program + ": cannot be executed (No such file or directory)");
    }

    @Test
    void preloadsAShimWhosePathHasASpaceByAnotherName() throws IOException {
        Path home = Files.createDirectory(folder.resolve("a folder"));
        CliFixture elsewhere = new CliFixture(home, folder.resolve("r"));
        Path noted = folder.resolve("noted");
        String script =
                "echo \"$LD_PRELOAD\" > " + noted + "; readlink \"$LD_PRELOAD\" >> " + noted;
        assertThat(elsewhere.spindle("run", "--", "sh", "-c", script))
                .as(elsewhere.err.toString())
                .isZero();
        List<String> lines = Files.readAllLines(noted);
        assertThat(lines.getFirst()).startsWith(folder + "/r/").doesNotContain(" ");
        assertThat(lines.getLast()).isEqualTo(home + "/shim-native/build/libspindle-shim.so");
        assertThat(folder.resolve("r")).isEmptyDirectory();
        CliFixture nowhere = new CliFixture(Files.createDirectory(folder.resolve("b folder")));
        assertThat(nowhere.spindle("run", "--", "true")).isEqualTo(1);
        assertThat(nowhere.errorLines().getFirst())
                .contains("cannot be preloaded from a path with a space or colon");
    }

    @Test
    void saysThatTheShimIsMissing() throws IOException {
        Path shim = folder.resolve("shim-native/build/libspindle-shim.so");
        Files.delete(shim);
        assertThat(cli.spindle("run", "--", "true")).isEqualTo(1);
        assertThat(cli.errorLines())
                .containsExactly("spindle: the shim " + shim + " is missing: run 'make build'");
    }
}
