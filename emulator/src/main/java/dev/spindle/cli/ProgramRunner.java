package dev.spindle.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * Runs one program in our place: our terminal, our signals, its exit status. A signal that comes
 * before the program runs keeps it from being started.
 */
final class ProgramRunner {
    private static final int SIGTERM = 15;

    private final List<String> program;
    private final Signals signals;
    private int early;

    /** 0 before the program runs, -1 after. */
    private long pid;

    ProgramRunner(List<String> program, Signals signals) {
        this.program = List.copyOf(program);
        this.signals = signals;
        for (String name : Signals.NUMBERS.keySet()) {
            signals.handle(name, this::caught);
        }
    }

    private synchronized void caught(int signal) {
        if (pid == 0) {
            early = signal;
        } else if (pid > 0 && (signal == SIGTERM || !isForeground())) {
            signals.send(pid, signal);
        }
    }

    /** The program's exit status as a shell reports it: 128+N for signal N. */
    int run(Map<String, String> environment) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(program).inheritIO();
        builder.environment().putAll(environment);
        Process process;
        synchronized (this) {
            if (early != 0) {
                return 128 + early;
            }
            process = start(builder);
            pid = process.pid();
        }
        int status = process.waitFor();
        synchronized (this) {
            pid = -1;
        }
        return status;
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

    /**
     * In the foreground of a terminal, Ctrl-C and hanging up reach the program by themselves; it
     * must not get them twice. Fields of /proc/self/stat after the name: state, ppid, pgrp,
     * session, tty_nr, tpgid (proc(5)).
     */
    private static boolean isForeground() {
        String stat;
        try {
            stat = Files.readString(Path.of("/proc/self/stat"));
        } catch (IOException _) {
            return false;
        }
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
        return !fields[4].equals("0") && fields[5].equals(fields[2]);
    }
}
