package dev.spindle.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class CompilerThreadsTest {
    /** The policy's place in /proc/PID/stat after the name, which may hold spaces (proc(5)). */
    private static final int POLICY_AFTER_NAME = 38;

    private static final String SCHED_OTHER = "0";
    private static final String SCHED_BATCH = "3";

    @Test
    void becomeBatchWorkAndNoOtherThreadDoes() throws IOException {
        Set<String> before = policies(false);
        CompilerThreads.giveWay();
        assertThat(policies(true)).containsExactly(SCHED_BATCH);
        assertThat(policies(false)).isEqualTo(before);
    }

    private static Set<String> policies(boolean ofCompilers) throws IOException {
        try (Stream<Path> threads = Files.list(Path.of("/proc/self/task"))) {
            return threads.filter(thread -> compiles(thread) == ofCompilers)
                    .map(CompilerThreadsTest::policy)
                    .collect(Collectors.toSet());
        }
    }

    private static boolean compiles(Path thread) {
        try {
            return CompilerThreads.compiles(thread);
        } catch (IOException e) {
            return false; // it has ended
        }
    }

    private static String policy(Path thread) {
        try {
            String stat = Files.readString(thread.resolve("stat"));
            return stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1)[POLICY_AFTER_NAME];
        } catch (IOException e) {
            return SCHED_OTHER; // it has ended
        }
    }
}
