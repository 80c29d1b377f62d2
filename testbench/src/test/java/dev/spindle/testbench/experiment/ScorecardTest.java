package dev.spindle.testbench.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.plot.Plot;
import dev.spindle.testbench.experiment.Row.Kind;
import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class ScorecardTest {
    private static final Row GOOD = Row.within("000", "total (s)", 5, 5.1, 0.03, Kind.FITTED);
    private static final Row BAD =
            new Row("004", "a < b", OptionalDouble.empty(), 2, "none", Kind.PREDICTED, false);
    private static final Outcome OUTCOME =
            new Outcome(
                    List.of(GOOD, BAD),
                    List.of(new Ablation("000", "cause", "effect", 2, 0, true)),
                    List.of(
                            new Plot(
                                    "plot",
                                    "x",
                                    "y",
                                    List.of(
                                            new Plot.Series(
                                                    "ours",
                                                    List.of(1.0, 2.0),
                                                    List.of(3.0, 4.0),
                                                    false)))));

    @Test
    void textNamesWhatFails() {
        assertThat(Scorecard.text(List.of(OUTCOME)))
                .contains("+2.0%")
                .contains("predicted  FAILS")
                .contains("1 of 2 rows pass")
                .contains("without cause: effect 2.000 -> 0.000, gone");
    }

    @Test
    void jsonHasEveryFieldOfARow() {
        assertThat(Scorecard.json(List.of(OUTCOME), 5))
                .contains("\"rows\":[{")
                .contains("\"experiment\":\"000\"")
                .contains("\"row\":\"total (s)\"")
                .contains("\"seed\":5")
                .contains("\"ours\":5.1")
                .contains("\"gate\":\"+-3 %\"")
                .contains("\"kind\":\"fitted\"")
                .contains("\"pass\":false")
                .contains("\"error\":null");
    }

    @Test
    void htmlIsEscapedAndDrawn() {
        assertThat(HtmlReport.of(List.of(OUTCOME)))
                .contains("a &lt; b")
                .contains("<svg")
                .contains("class=\"fails\"");
    }

    @Test
    void aRowWithinItsGatePasses() {
        assertThat(GOOD.passes()).isTrue();
        assertThat(Row.within("x", "y", 5, 5.2, 0.03, Kind.FITTED).passes()).isFalse();
        assertThat(GOOD.error().getAsDouble()).isBetween(0.019, 0.021);
    }
}
