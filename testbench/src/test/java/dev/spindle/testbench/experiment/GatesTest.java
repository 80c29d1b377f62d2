package dev.spindle.testbench.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every figure of the threads keeps to its gate, and no effect outlives its cause. */
class GatesTest {
    static final Experiment.Setting SETTING =
            new Experiment.Setting(Path.of(Files.isDirectory(Path.of("conf")) ? "" : ".."), 3);

    static List<Experiment> experiments() {
        return List.of(new Thread000(), new Thread001(), new Thread002(), new Thread004());
    }

    @ParameterizedTest
    @MethodSource("experiments")
    void everyRowPassesAndEveryAblationTakesItsEffectAway(Experiment experiment) {
        Outcome outcome = experiment.run(SETTING);
        assertThat(outcome.rows()).isNotEmpty().allMatch(Row::passes);
        assertThat(outcome.ablations()).isNotEmpty().allMatch(Ablation::isGone);
    }
}
