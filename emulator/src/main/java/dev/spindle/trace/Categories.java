package dev.spindle.trace;

/** The upper half of a record's action word (enum blktrace_cat of linux/blktrace_api.h). */
final class Categories {
    static final int READ = 1;
    static final int WRITE = 1 << 1;
    static final int FLUSH = 1 << 2;
    static final int SYNC = 1 << 3;
    static final int QUEUE = 1 << 4;
    static final int REQUEUE = 1 << 5;
    static final int ISSUE = 1 << 6;
    static final int COMPLETE = 1 << 7;

    /** A command of the SCSI layer: no blocks of the file system's or a user's. */
    static final int PC = 1 << 9;

    static final int NOTIFY = 1 << 10;
    static final int AHEAD = 1 << 11;
    static final int DISCARD = 1 << 13;
    static final int DRIVER_DATA = 1 << 14;
    static final int FUA = 1 << 15;

    static final int SHIFT = 16;

    /** Without the bit that says a control group's id precedes the pdu. */
    static final int CODE_MASK = 0xff;

    private Categories() {}
}
