package dev.spindle.trace;

/**
 * One record (struct blk_io_trace, version 7, of linux/blktrace_api.h), in the byte order of the
 * machine that wrote it.
 *
 * <pre>
 *    0  u32 magic      0x65617407: "eat" and the version
 *    4  u32 sequence   of the processor's events, from 1; a notification has 0
 *    8  u64 time       ns
 *   16  u64 sector     of 512 bytes
 *   24  u32 bytes
 *   28  u32 action     enum blktrace_act, and above it enum blktrace_cat
 *   32  u32 pid
 *   36  u32 device     major and 20 bits of minor
 *   40  u32 cpu
 *   44  u16 error      a negative errno
 *   46  u16 pdu_len    bytes that follow
 * </pre>
 */
final class RecordLayout {
    static final int MAGIC = 0x65617407;
    static final int MAGIC_WITHOUT_VERSION = 0xffffff00;
    static final int VERSION = MAGIC & ~MAGIC_WITHOUT_VERSION;

    static final int SEQUENCE = 4;
    static final int TIME = 8;
    static final int SECTOR = 16;
    static final int LENGTH = 24;
    static final int ACTION = 28;
    static final int PID = 32;
    static final int DEVICE = 36;
    static final int CPU = 40;
    static final int ERROR = 44;
    static final int PDU_LENGTH = 46;
    static final int BYTES = 48;

    /** Notifications: a process's name, the time of day. */
    static final int NOTIFY_PROCESS = 0;

    static final int NOTIFY_TIMESTAMP = 1;

    /** With its end, as the kernel's TASK_COMM_LEN. */
    static final int NAME_BYTES = 16;

    /** The longest that Spindle writes. */
    static final int MOST_BYTES = BYTES + NAME_BYTES;

    private RecordLayout() {}
}
