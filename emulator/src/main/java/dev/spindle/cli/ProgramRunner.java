package dev.spindle.cli;

import java.io.IOException;
import java.util.List;
import java.util.Map;

/**
 * Runs one program in our place: our terminal, our signals, its exit status. A signal that comes
 * before the program runs keeps it from being started.
 */
final class ProgramRunner {
    private final List<String> program;
    private final SignalRelay relay;

    ProgramRunner(List<String> program, SignalRelay relay) {
        this.program = List.copyOf(program);
        this.relay = relay;
    }

    /** The program's exit status as a shell reports it: 128+N for signal N. */
    int run(Map<String, String> environment) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(program).inheritIO();
        builder.environment().putAll(environment);
        int early = relay.endedBy();
        if (early != 0) {
            return 128 + early;
        }
        Process process = start(builder);
        relay.to(process.pid());
        try {
            return process.waitFor();
        } finally {
            relay.end();
        }
    }

    private static Process start(ProcessBuilder builder) throws CannotStart {
        try {
            return builder.start();
        } catch (IOException e) {
            throw new CannotStart(builder.command().getFirst(), e);
        }
    }

    /** It is there and may be executed, but the kernel cannot: no interpreter, a strange format. */
    static final class CannotStart extends IOException {
        private static final long serialVersionUID = 1;

        CannotStart(String program, IOException cause) {
            super(program + ": cannot be executed" + reason(cause), cause);
        }

        /**
         * The last words of "Cannot run program ...: Exec failed, error: 2 (No such file ...) ".
         */
        private static String reason(IOException cause) {
            String text = String.valueOf(cause.getMessage()).strip();
            int from = text.lastIndexOf('(');
            return from < 0 ? "" : " " + text.substring(from);
        }
    }
}
