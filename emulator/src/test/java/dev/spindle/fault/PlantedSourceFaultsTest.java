package dev.spindle.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.platform.engine.CancellationToken;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherExecutionRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * Each mechanism is broken in its source, as listed in {@code planted-faults.txt}; the tests named
 * there must notice. That they pass on the right source is seen when they run by themselves. Some
 * of the faults: {@code mvn -pl emulator test -Dtest=PlantedSourceFaultsTest
 * -Dspindle.fault=barrier}.
 */
class PlantedSourceFaultsTest {
    private static final Path LIST = Path.of("src/test/resources/planted-faults.txt");
    private static final Path SOURCES = Path.of("src/main/java");

    static List<SourceFault> faults() throws IOException {
        String some = System.getProperty("spindle.fault", "");
        return SourceFault.parse(Files.readAllLines(LIST)).stream()
                .filter(fault -> fault.name().contains(some))
                .toList();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("faults")
    void isNoticed(SourceFault fault) throws IOException, ClassNotFoundException {
        String file = fault.className().replace('.', '/') + ".java";
        String faulty = fault.plantIn(Files.readString(SOURCES.resolve(file)));
        FirstFailure outcome = new FirstFailure();
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        try (FaultyBuild build = FaultyBuild.of(fault.className(), faulty)) {
            thread.setContextClassLoader(build);
            run(build.loadClass(fault.testName()), outcome);
        } finally {
            thread.setContextClassLoader(before);
        }
        assertThat(outcome.begun).as("%s has no tests", fault.testName()).isPositive();
        assertThat(outcome.hasFailed)
                .as("nothing in %s notices: %s", fault.testName(), fault)
                .isTrue();
    }

    /** Up to its first failure, or its end. */
    private static void run(Class<?> tests, FirstFailure outcome) {
        LauncherDiscoveryRequest request =
                LauncherDiscoveryRequestBuilder.request()
                        .selectors(DiscoverySelectors.selectClass(tests))
                        .configurationParameter(
                                "junit.jupiter.extensions.autodetection.enabled", "false")
                        .configurationParameter("junit.jupiter.execution.timeout.default", "20 s")
                        .build();
        LauncherFactory.create()
                .execute(
                        LauncherExecutionRequestBuilder.request(request)
                                .listeners(outcome)
                                .cancellationToken(outcome.token)
                                .build());
    }

    @Test
    void aTextThatIsNotThereOnceIsAnError() {
        var fault = new SourceFault("m", "dev.spindle.X", "a", "b", "dev.spindle.XTest");
        assertThat(fault.plantIn("-a-")).isEqualTo("-b-");
        for (String source : List.of("", "a a")) {
            assertThatThrownBy(() -> fault.plantIn(source))
                    .hasMessage("m: \"a\" does not stand exactly once in dev.spindle.X");
        }
        assertThatThrownBy(() -> SourceFault.parse(List.of("m", "in X")))
                .hasMessageContaining("cut short");
    }

    private static final class FirstFailure implements TestExecutionListener {
        private final CancellationToken token = CancellationToken.create();
        private int begun;
        private boolean hasFailed;

        @Override
        public void executionStarted(TestIdentifier test) {
            begun += test.isTest() ? 1 : 0;
        }

        @Override
        public void executionFinished(TestIdentifier test, TestExecutionResult result) {
            if (result.getStatus() == TestExecutionResult.Status.FAILED) {
                hasFailed = true;
                token.cancel();
            }
        }
    }
}
