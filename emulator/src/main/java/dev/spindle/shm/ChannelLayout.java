package dev.spindle.shm;

/**
 * Where what lies in the file that one process and the daemon share for one device; the shim's side
 * is {@code shm_layout.h}. Numbers are little endian; what belongs to different writers lies in
 * different cache lines.
 *
 * <pre>
 *   offset   size    field                  written by
 *   +--------+-------+----------------------+------------------------------------------------------+
 *   |      0 |     8 | magic                | daemon, last: 'S','P','N','D','L','C','0','1'        |
 *   |      8 |     4 | layout version       | daemon                                               |
 *   |     12 |     4 | state                | daemon: 1 open, 2 ended: nothing more is taken       |
 *   |     16 |     8 | arena bytes          | daemon: so many may be used now                      |
 *   |     24 |     8 | arena limit          | daemon: it grows no further                          |
 *   |     32 |     4 | client               | daemon: the process's number in the pool             |
 *   |     36 |     4 | slots                | daemon: of each ring                                 |
 *   |     40 |  8 x2 | credit base          | daemon: credits ever taken under that number, before |
 *   |     64 |     4 | submission tail      | shim: entries published                              |
 *   |    128 |     4 | daemon parked        | daemon sets it; the shim clears it and rings         |
 *   |    192 |     4 | completion tail      | daemon: entries published                            |
 *   |    256 |     4 | waiters              | shim: threads that sleep until completions come      |
 *   |    260 |     4 | event                | both: the futex they sleep on                        |
 *   |    264 |     4 | wants times          | shim: 1 where it wants the last array of this table  |
 *   |    320 |  8 x2 | pool waiters         | both: a bit for each cell in use, reads and writes   |
 *   |   1024 | 1024  | pool cells, reads    | 64 of {ticket 8, woken 4, zero 4}                    |
 *   |   2048 | 1024  | pool cells, writes   |                                                      |
 *   |   4096 |       | submission ring      | shim: 16384 of 32 bytes                              |
 *   | 528384 |       | completion ring      | daemon: 16384 of 8 bytes                             |
 *   | 659456 |       | completion times     | daemon: 8 bytes for each completion, CLOCK_MONOTONIC |
 *   |  1 MiB |       | arena                | both: pages of 4096 bytes                            |
 *   +--------+-------+----------------------+------------------------------------------------------+
 *
 *   submission   +0 offset 8 | +8 length 4 | +12 slot 4 | +16 command 2 | +18 flags 2 | +20 page 4 | +24 zero 8
 *   completion   +0 slot 4   | +4 errno 4, or 0
 * </pre>
 */
final class ChannelLayout {
    /** "SPNDLC01" as a little-endian number. */
    static final long MAGIC = 0x3130_434c_444e_5053L;

    static final int VERSION = 1;

    static final int MAGIC_OFFSET = 0;
    static final int VERSION_OFFSET = 8;
    static final int STATE_OFFSET = 12;
    static final int ARENA_BYTES_OFFSET = 16;
    static final int ARENA_LIMIT_OFFSET = 24;
    static final int CLIENT_OFFSET = 32;
    static final int SLOTS_OFFSET = 36;
    static final int CREDIT_BASE_OFFSET = 40;
    static final int SUBMISSION_TAIL_OFFSET = 64;
    static final int PARKED_OFFSET = 128;
    static final int COMPLETION_TAIL_OFFSET = 192;
    static final int WAITERS_OFFSET = 256;
    static final int EVENT_OFFSET = 260;
    static final int WANTS_TIMES_OFFSET = 264;
    static final int POOL_WAITERS_OFFSET = 320;
    static final int POOL_CELLS_OFFSET = 1024;
    static final int POOL_CELLS_BYTES = 1024;
    static final int POOL_CELL_BYTES = 16;
    static final int POOL_CELL_WOKEN = 8;
    static final int SUBMISSIONS_OFFSET = 4096;
    static final int SUBMISSION_BYTES = 32;
    static final int COMPLETIONS_OFFSET = 528_384;
    static final int COMPLETION_BYTES = 8;
    static final int COMPLETION_TIMES_OFFSET = 659_456;
    static final int ARENA_OFFSET = 1 << 20;

    static final int STATE_OPEN = 1;
    static final int STATE_ENDED = 2;

    /** Of each ring; also how many requests of one process can be under way. A power of two. */
    static final int SLOTS = 16384;

    static final int PAGE_BYTES = 4096;

    /** The longest READ or WRITE; the arena is never smaller. */
    static final int MAX_TRANSFER_BYTES = 4 << 20;

    static final int COMMAND_READ = 0;
    static final int COMMAND_WRITE = 1;
    static final int COMMAND_FLUSH = 3;
    static final int COMMAND_DISCARD = 4;
    static final int COMMAND_WRITE_ZEROES = 6;
    static final int FLAG_FUA = 1;

    /** The process sleeps until it has ended: read(2), not io_submit. */
    static final int FLAG_AWAITED = 1 << 15;

    private ChannelLayout() {}
}
