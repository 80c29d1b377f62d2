/*
 * The file of `spindle run --report`, little endian. The launcher makes it, all
 * zeroes behind the header, and every process of the run maps it; all fields
 * are only ever added to, by atomic additions, so that what a process has done
 * is there however it ends. The daemon's side is ReportFile.java.
 *
 *   header      4096 bytes: magic, version, how many of each, how many taken
 *   records     REPORT_RECORDS of 20480 bytes: one of each process for its
 *               calls, and one of each process and device for its requests;
 *               the last REPORT_SHARED are those of who came too late
 *   timelines   REPORT_TIMELINES of 200704 bytes: one of each device, four
 *               levels of 2048 spans of time, each coarser than the one before
 */
#ifndef SPINDLE_REPORT_LAYOUT_H
#define SPINDLE_REPORT_LAYOUT_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#define REPORT_MAGIC "SPNDLR01"
#define REPORT_VERSION 1
#define REPORT_RECORDS 256
#define REPORT_SHARED 16
#define REPORT_TIMELINES 8
#define REPORT_LEVELS 4
#define REPORT_SPANS 2048
#define REPORT_NAME_BYTES 72

/* Below 16 each ns, then 16 buckets to a doubling, up to 2^40 ns. */
#define REPORT_SUB_BITS 4
#define REPORT_TOP_BITS 40
#define REPORT_BUCKETS \
	((REPORT_TOP_BITS - REPORT_SUB_BITS + 1) << REPORT_SUB_BITS)
#define REPORT_DEPTHS 24

enum report_op { OP_READ, OP_WRITE, OP_FLUSH, OP_ERASE, OPS };

enum report_call_kind {
	CALL_SUBMIT,	/* io_submit; iocbs taken */
	CALL_GETEVENTS,	/* io_getevents, io_pgetevents; events */
	CALL_POSIX,	/* aio_read, aio_write, aio_fsync, lio_listio */
	CALL_SUSPEND,	/* aio_suspend */
	CALLS
};

enum report_kind { RECORD_FREE, RECORD_PROCESS, RECORD_DEVICE };

struct report_call {
	_Atomic uint64_t count;
	_Atomic uint64_t items;
	_Atomic uint64_t ns;
	_Atomic uint64_t slept_ns;	/* of these, for want of a request */
	_Atomic uint64_t max_ns;
};

struct report_pool {
	_Atomic uint64_t waits;
	_Atomic uint64_t ns;
	_Atomic uint64_t max_ns;
};

struct report_requests {
	_Atomic uint64_t started;
	_Atomic uint64_t ended;
	_Atomic uint64_t errors;
	_Atomic uint64_t bytes;		/* of those that ended well */
	_Atomic uint64_t pieces;
	_Atomic uint64_t split;		/* in more than one piece */
	_Atomic uint64_t ns;
	_Atomic uint64_t max_ns;
};

struct report_record {
	_Atomic uint32_t kind;		/* stored last, with release */
	int32_t pid;
	char program[REPORT_NAME_BYTES];
	char device[REPORT_NAME_BYTES];
	_Atomic int32_t in_flight;
	_Atomic uint32_t max_depth;
	struct report_call calls[CALLS];
	struct report_pool pool[2];
	_Atomic uint64_t congested[2];	/* submissions while congested */
	_Atomic uint64_t depths[REPORT_DEPTHS];	/* at submission, by powers of 2 */
	struct report_requests requests[OPS];
	__attribute__((aligned(1024)))
	_Atomic uint64_t latency[OPS][REPORT_BUCKETS];
};

struct report_span {
	_Atomic uint32_t started;
	_Atomic uint32_t ended;
	_Atomic uint64_t read_bytes;
	_Atomic uint64_t written_bytes;
};

struct report_timeline {
	_Atomic uint32_t kind;
	uint32_t zero;
	char device[REPORT_NAME_BYTES];
	__attribute__((aligned(4096)))
	struct report_span spans[REPORT_LEVELS][REPORT_SPANS];
};

struct report_file {
	char magic[8];
	uint32_t version;
	uint32_t records;
	uint32_t timelines;
	_Atomic uint32_t records_taken;	/* counts on beyond what there is */
	_Atomic uint64_t began_ns;	/* CLOCK_MONOTONIC of the first request */
	_Atomic uint64_t last_ns;	/* of the last end of one */
	__attribute__((aligned(4096)))
	struct report_record record[REPORT_RECORDS];
	struct report_timeline timeline[REPORT_TIMELINES];
};

/* How long the spans of each level are, ns. */
static const uint64_t report_span_ns[REPORT_LEVELS] = {
	10000000ull, 200000000ull, 5000000000ull, 120000000000ull
};

_Static_assert(REPORT_BUCKETS == 592, "as in ReportFile.java");
_Static_assert(offsetof(struct report_file, began_ns) == 24, "as drawn");
_Static_assert(offsetof(struct report_file, record) == 4096, "as drawn");
_Static_assert(sizeof(struct report_record) == 20480, "as drawn");
_Static_assert(offsetof(struct report_record, program) == 8, "as drawn");
_Static_assert(offsetof(struct report_record, in_flight) == 152, "as drawn");
_Static_assert(offsetof(struct report_record, calls) == 160, "as drawn");
_Static_assert(offsetof(struct report_record, pool) == 320, "as drawn");
_Static_assert(offsetof(struct report_record, congested) == 368, "as drawn");
_Static_assert(offsetof(struct report_record, depths) == 384, "as drawn");
_Static_assert(offsetof(struct report_record, requests) == 576, "as drawn");
_Static_assert(offsetof(struct report_record, latency) == 1024, "as drawn");
_Static_assert(sizeof(struct report_timeline) == 200704, "as drawn");

#endif
