package dev.spindle.shm;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/** Wakes threads of other processes that sleep on a word of shared memory (futex(2)). */
final class Futex {
    private static final long SYS_FUTEX =
            System.getProperty("os.arch").equals("aarch64") ? 98 : 202;
    private static final int FUTEX_WAKE = 1;
    private static final MethodHandle SYSCALL = bind();

    private Futex() {}

    @SuppressWarnings("restricted") // the package's one foreign function
    private static MethodHandle bind() {
        Linker linker = Linker.nativeLinker();
        FunctionDescriptor descriptor =
                FunctionDescriptor.of(
                        ValueLayout.JAVA_LONG,
                        ValueLayout.JAVA_LONG,
                        ValueLayout.JAVA_LONG,
                        ValueLayout.JAVA_INT,
                        ValueLayout.JAVA_INT);
        return linker.downcallHandle(
                linker.defaultLookup().findOrThrow("syscall"),
                descriptor,
                Linker.Option.firstVariadicArg(1));
    }

    /** All that sleep on the word at {@code address}; nobody sleeping is no error. */
    static void wakeAll(long address) {
        try {
            var _ = (long) SYSCALL.invokeExact(SYS_FUTEX, address, FUTEX_WAKE, Integer.MAX_VALUE);
        } catch (Throwable e) {
            throw new IllegalStateException("futex", e);
        }
    }
}
