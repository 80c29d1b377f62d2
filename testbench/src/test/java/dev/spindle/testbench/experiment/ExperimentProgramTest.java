package dev.spindle.testbench.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spindle.cli.Experiments;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExperimentProgramTest {
    @TempDir private Path folder;

    private static Experiments program() {
        return ServiceLoader.load(Experiments.class).findFirst().orElseThrow();
    }

    @Test
    void isFoundAsAServiceAndListsTheThreads() {
        assertThat(program().list())
                .hasSize(5)
                .allMatch(line -> line.matches("(00[0124]|simulate)  \\S.*"));
    }

    @Test
    void writesTheScorecardAndThePage() throws IOException {
        Path html = folder.resolve("x.html");
        StringWriter out = new StringWriter();
        var order = new Experiments.Order("000", false, Optional.of(html), 1, false);
        Path home = GatesTest.SETTING.home();
        assertThat(program().run(order, home, new PrintWriter(out))).isTrue();
        assertThat(out.toString()).contains("11 of 11 rows pass");
        assertThat(Files.readString(html)).contains("<svg").endsWith("</html>\n");
    }

    @Test
    void refusesAnUnknownNameWithThoseThereAre() {
        var order = new Experiments.Order("003", false, Optional.empty(), 1, false);
        assertThatThrownBy(() -> program().run(order, folder, new PrintWriter(new StringWriter())))
                .hasMessage("no experiment 003, there is all, 000, 001, 002, 004");
    }

    @Test
    void refusesToRunLiveWhatLiesInAKernel() {
        var order = new Experiments.Order("002", false, Optional.empty(), 1, true);
        assertThatThrownBy(() -> program().run(order, folder, new PrintWriter(new StringWriter())))
                .hasMessage("no live experiment 002, there is all, 000, 001, 004");
    }
}
