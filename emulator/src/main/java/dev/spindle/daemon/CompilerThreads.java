package dev.spindle.daemon;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The threads of the virtual machine that compile while the daemon is young. Their work comes in
 * pieces of milliseconds, and one that wakes up takes the processor from an event loop that keeps
 * its eye on a deadline. As batch work (sched(7), SCHED_BATCH) they have the same share of the
 * processor but never take it from another thread on waking up.
 *
 * <p>A thread hands its policy down, so those that the virtual machine adds later have it too.
 */
public final class CompilerThreads {
    private static final Logger LOG = LoggerFactory.getLogger(CompilerThreads.class);

    private static final Path THREADS = Path.of("/proc/self/task");
    private static final int SCHED_BATCH = 3;

    private CompilerThreads() {}

    /** Makes batch work of all there are; where that fails it is logged and nothing else. */
    public static void giveWay() {
        try (Arena arena = Arena.ofConfined();
                DirectoryStream<Path> threads = Files.newDirectoryStream(THREADS)) {
            MemorySegment priorityZero = arena.allocate(ValueLayout.JAVA_INT);
            MethodHandle setScheduler = bind();
            for (Path thread : threads) {
                if (compiles(thread)) {
                    int id = Integer.parseInt(thread.getFileName().toString());
                    var _ = (int) setScheduler.invokeExact(id, SCHED_BATCH, priorityZero);
                }
            }
        } catch (Throwable e) {
            LOG.info("compiler threads keep their priority: {}", e.toString());
        }
    }

    /** By the names that HotSpot gives them, cut to the kernel's fifteen characters. */
    static boolean compiles(Path thread) throws IOException {
        String name = Files.readString(thread.resolve("comm"));
        return name.startsWith("C1 Compiler")
                || name.startsWith("C2 Compiler")
                || name.startsWith("Training");
    }

    @SuppressWarnings("restricted") // sched_setscheduler(pid_t, int, const struct sched_param *)
    private static MethodHandle bind() {
        Linker linker = Linker.nativeLinker();
        return linker.downcallHandle(
                linker.defaultLookup().findOrThrow("sched_setscheduler"),
                FunctionDescriptor.of(
                        ValueLayout.JAVA_INT,
                        ValueLayout.JAVA_INT,
                        ValueLayout.JAVA_INT,
                        ValueLayout.ADDRESS));
    }
}
