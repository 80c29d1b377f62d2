package dev.spindle.report;

/**
 * Where what lies in the file of {@code spindle run --report}; the shim's side, with the
 * assertions, is {@code report_layout.h}. The launcher makes it, the processes of the run add to
 * it. Numbers are little endian, 8 bytes unless said otherwise.
 *
 * <pre>
 *   header, 4096 bytes
 *     +0 magic "SPNDLR01" | +8 version 4 | +12 records 4 | +16 timelines 4 | +20 records taken 4
 *     +24 CLOCK_MONOTONIC of the first request or call | +32 of the last end of a request
 *   256 records of 20480 bytes
 *     +0 kind 4: 0 free, 1 a process's calls, 2 its requests to one device | +4 pid 4
 *     +8 program 72 | +80 device 72 | +152 in flight 4 | +156 deepest 4
 *     +160 4 x {calls, items, ns, of these asleep, longest}    io_submit, io_getevents, POSIX, aio_suspend
 *     +320 2 x {waits, ns, longest} for a free request         reads, writes
 *     +368 2 x submissions while congested                     reads, writes
 *     +384 24 x submissions that made the depth 2^i to 2^(i+1) - 1
 *     +576 4 x {started, ended, errors, bytes, pieces, split, ns, longest}   read, write, flush, erase
 *     +1024 4 x 592 x latencies                                of the same
 *   8 timelines of 200704 bytes
 *     +0 kind 4 | +8 device 72 | +4096 4 levels x 2048 spans x {started 4, ended 4, read, written bytes}
 * </pre>
 */
final class ReportLayout {
    /** "SPNDLR01" as a little-endian number. */
    static final long MAGIC = 0x3130_524c_444e_5053L;

    static final int VERSION = 1;
    static final int HEADER_BYTES = 4096;
    static final int RECORDS = 256;
    static final int RECORD_BYTES = 20_480;
    static final int TIMELINES = 8;
    static final int TIMELINE_BYTES = 200_704;
    static final int FILE_BYTES =
            HEADER_BYTES + RECORDS * RECORD_BYTES + TIMELINES * TIMELINE_BYTES;

    static final int VERSION_OFFSET = 8;
    static final int RECORDS_OFFSET = 12;
    static final int TIMELINES_OFFSET = 16;
    static final int BEGAN_OFFSET = 24;
    static final int LAST_OFFSET = 32;

    static final int KIND_PROCESS = 1;
    static final int KIND_DEVICE = 2;
    static final int NAME_BYTES = 72;
    static final int PID_OFFSET = 4;
    static final int PROGRAM_OFFSET = 8;
    static final int DEVICE_OFFSET = 80;
    static final int MAX_DEPTH_OFFSET = 156;
    static final int CALLS_OFFSET = 160;
    static final int CALL_BYTES = 40;
    static final int POOL_OFFSET = 320;
    static final int POOL_BYTES = 24;
    static final int CONGESTED_OFFSET = 368;
    static final int DEPTHS_OFFSET = 384;
    static final int DEPTHS = 24;
    static final int REQUESTS_OFFSET = 576;
    static final int REQUEST_BYTES = 64;
    static final int LATENCY_OFFSET = 1024;

    static final int LINE_DEVICE_OFFSET = 8;
    static final int SPANS_OFFSET = 4096;
    static final int SPANS = 2048;
    static final int SPAN_BYTES = 24;

    /** How long the spans of each level are. */
    static final long[] SPAN_NS = {10_000_000L, 200_000_000L, 5_000_000_000L, 120_000_000_000L};

    private ReportLayout() {}
}
