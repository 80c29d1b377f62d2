package dev.spindle.report;

import java.util.List;

/**
 * The calls of one process.
 *
 * @param pid 0 for those that came when all records were taken, together
 * @param calls by {@link CallKind}
 */
public record ProcessCalls(int pid, String program, List<Calls> calls) {
    public ProcessCalls {
        calls = List.copyOf(calls);
    }

    Calls of(CallKind kind) {
        return calls.get(kind.index());
    }
}
