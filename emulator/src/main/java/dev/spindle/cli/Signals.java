package dev.spindle.cli;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.Consumer;

/** Signals that reach this process: to be acted on, or to be passed on to another. */
interface Signals {
    /** The number of each that can be caught. SIGQUIT belongs to the JVM. */
    Map<String, Integer> NUMBERS = Map.of("HUP", 1, "INT", 2, "TERM", 15);

    /** Runs the handler, with the signal's number, on a thread of its own at each such signal. */
    void handle(String name, Consumer<Integer> handler);

    /** From now on all signals are kept for a program that is to be started. */
    SignalRelay relay(Path library);

    static Signals ofProcess() {
        return new ProcessSignals();
    }

    /**
     * By way of sun.misc.Signal, which every JDK has in jdk.unsupported and for which there is no
     * supported equal. It is reached by reflection because javac hides it under --release.
     */
    final class ProcessSignals implements Signals {
        @Override
        public void handle(String name, Consumer<Integer> handler) {
            int number = NUMBERS.getOrDefault(name, 0);
            try {
                Class<?> signal = Class.forName("sun.misc.Signal");
                Class<?> signalHandler = Class.forName("sun.misc.SignalHandler");
                Object proxy =
                        Proxy.newProxyInstance(
                                Signals.class.getClassLoader(),
                                new Class<?>[] {signalHandler},
                                (self, method, arguments) -> {
                                    if (method.getName().equals("handle")) {
                                        handler.accept(number);
                                    }
                                    return null;
                                });
                signal.getMethod("handle", signal, signalHandler)
                        .invoke(null, signal.getConstructor(String.class).newInstance(name), proxy);
            } catch (InvocationTargetException _) {
                // The JVM was started with -Xrs, or whoever started us had it ignored: so be it.
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException("no signal handling in this JDK", e);
            }
        }

        @Override
        public SignalRelay relay(Path library) {
            return new SignalRelay.Native(library);
        }
    }
}
