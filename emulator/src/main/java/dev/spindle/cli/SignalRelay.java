package dev.spindle.cli;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;

/**
 * Hands the signals that reach this process on to a program, once there is one. A relay begins when
 * it is made: from then on no signal but SIGKILL, SIGSTOP and those of a crash ends or stops this
 * process by itself.
 */
interface SignalRelay {
    /** The signal that came before there was a program and would have ended it, or 0. */
    int endedBy();

    /** Signals are for this process, a child of ours, from now on. */
    void to(long pid);

    /** The program has gone: signals are nobody's. */
    void end();

    /**
     * By the handlers of shim-native/relay/relay.c. Java itself can have no handler of SIGQUIT, and
     * none that knows who sent a signal.
     */
    final class Native implements SignalRelay {
        private final MethodHandle endedBy;
        private final MethodHandle to;
        private final MethodHandle end;

        @SuppressWarnings("restricted") // a library of our own
        Native(Path library) {
            SymbolLookup symbols = SymbolLookup.libraryLookup(library, Arena.global());
            Linker linker = Linker.nativeLinker();
            FunctionDescriptor plain = FunctionDescriptor.ofVoid();
            endedBy =
                    linker.downcallHandle(
                            symbols.findOrThrow("spindle_relay_ended_by"),
                            FunctionDescriptor.of(ValueLayout.JAVA_INT));
            to =
                    linker.downcallHandle(
                            symbols.findOrThrow("spindle_relay_to"),
                            FunctionDescriptor.ofVoid(ValueLayout.JAVA_INT));
            end = linker.downcallHandle(symbols.findOrThrow("spindle_relay_end"), plain);
            try {
                linker.downcallHandle(symbols.findOrThrow("spindle_relay_begin"), plain)
                        .invokeExact();
            } catch (Throwable e) {
                throw new IllegalStateException("spindle_relay_begin", e);
            }
        }

        @Override
        public int endedBy() {
            try {
                return (int) endedBy.invokeExact();
            } catch (Throwable e) {
                throw new IllegalStateException("spindle_relay_ended_by", e);
            }
        }

        @Override
        public void to(long pid) {
            try {
                to.invokeExact((int) pid);
            } catch (Throwable e) {
                throw new IllegalStateException("spindle_relay_to", e);
            }
        }

        @Override
        public void end() {
            try {
                end.invokeExact();
            } catch (Throwable e) {
                throw new IllegalStateException("spindle_relay_end", e);
            }
        }
    }
}
