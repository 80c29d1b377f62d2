package dev.spindle.trace;

import java.util.Optional;

/** What a record says has happened (enum blktrace_act of linux/blktrace_api.h). */
public enum TraceAction {
    QUEUE(1, 'Q', Categories.QUEUE),
    BACK_MERGE(2, 'M', Categories.QUEUE),
    FRONT_MERGE(3, 'F', Categories.QUEUE),
    GET_REQUEST(4, 'G', Categories.QUEUE),
    SLEEP_REQUEST(5, 'S', Categories.QUEUE),
    REQUEUE(6, 'R', Categories.REQUEUE),
    ISSUE(7, 'D', Categories.ISSUE),
    COMPLETE(8, 'C', Categories.COMPLETE),
    PLUG(9, 'P', Categories.QUEUE),
    UNPLUG(10, 'U', Categories.QUEUE),
    UNPLUG_TIMER(11, 'T', Categories.QUEUE),
    INSERT(12, 'I', Categories.QUEUE),
    SPLIT(13, 'X', 0),
    BOUNCE(14, 'B', 0),
    REMAP(15, 'A', Categories.QUEUE);

    private static final TraceAction[] BY_CODE = new TraceAction[REMAP.code + 1];

    static {
        for (TraceAction each : values()) {
            BY_CODE[each.code] = each;
        }
    }

    private final int code;
    private final char letter;
    private final int category;

    TraceAction(int code, char letter, int category) {
        this.code = code;
        this.letter = letter;
        this.category = category;
    }

    /** As blkparse prints it. */
    public char letter() {
        return letter;
    }

    /** The action word of a record, with what else is known of the request. */
    int word(int categories) {
        return code | ((category | categories) << Categories.SHIFT);
    }

    /** Empty for one that this table does not have. */
    static Optional<TraceAction> of(int word) {
        int code = word & Categories.CODE_MASK;
        return code < BY_CODE.length ? Optional.ofNullable(BY_CODE[code]) : Optional.empty();
    }
}
