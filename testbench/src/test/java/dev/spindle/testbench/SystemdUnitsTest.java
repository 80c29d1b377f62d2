package dev.spindle.testbench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The units we ship and those that docs/daemon.md shows, before systemd-analyze. */
class SystemdUnitsTest {
    private static final String SHIPPED = "/opt/spindle/spindle";

    @TempDir Path folder;

    @Test
    void theShippedUnitsAreValid() throws IOException {
        Path units = Tools.home().resolve("conf/systemd");
        verify("spindle.service", Files.readString(units.resolve("spindle.service")));
        verify("spindle-nbd@nbd0.service", Files.readString(units.resolve("spindle-nbd@.service")));
    }

    @Test
    void theUnitsShownForSocketActivationAreValid() throws IOException {
        List<String> shown =
                Files.readAllLines(Tools.home().resolve("docs/daemon.md")).stream()
                        .dropWhile(line -> !line.startsWith("    # spindle.socket"))
                        .takeWhile(line -> !line.isEmpty())
                        .toList();
        assertThat(shown).hasSizeGreaterThan(4);
        int column = shown.getFirst().indexOf("# spindle.service");
        StringBuilder socket = new StringBuilder();
        StringBuilder service = new StringBuilder();
        for (String line : shown) {
            int middle = Math.min(column, line.length());
            socket.append(line.substring(0, middle).strip()).append('\n');
            service.append(line.substring(middle).strip()).append('\n');
        }
        Files.writeString(folder.resolve("spindle.service"), executable(service.toString()));
        verify("spindle.socket", socket.toString());
        verify("spindle.service", service.toString());
    }

    /** systemd-analyze looks for the program, so it is told where ours lies. */
    private static String executable(String unit) {
        return unit.replace(SHIPPED, Tools.launcher());
    }

    /** No complaint about the unit itself: others of this machine are not our business. */
    private void verify(String name, String text) throws IOException {
        Tools.require("systemd-analyze", "nbd-client");
        Path unit = Files.writeString(folder.resolve(name), executable(text));
        Command.Outcome outcome =
                Command.of("systemd-analyze", "verify", "--man=no", unit.toString())
                        .with("SYSTEMD_UNIT_PATH", folder + ":")
                        .succeed();
        assertThat(outcome.errors().lines().filter(line -> line.contains(folder.toString())))
                .as(outcome.toString())
                .isEmpty();
    }
}
