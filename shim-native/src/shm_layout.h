/*
 * What this process and the daemon share in memory, little endian. Drawn, with
 * who writes what, in the daemon's ChannelLayout.java and PoolFile.java, and
 * explained in docs/shared-memory.md.
 */
#ifndef SPINDLE_SHM_LAYOUT_H
#define SPINDLE_SHM_LAYOUT_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#define CHANNEL_MAGIC "SPNDLC01"
#define CHANNEL_VERSION 1
#define CHANNEL_OPEN 1
/* Of each ring, and as many requests as SLOTS_MAX. */
#define CHANNEL_SLOTS 16384
#define CHANNEL_ARENA_OFFSET (1u << 20)
#define ARENA_PAGE_BYTES 4096
#define POOL_CELLS 64

struct submission {
	uint64_t offset;
	uint32_t length;
	uint32_t slot;
	uint16_t command;	/* NBD_CMD_* */
	uint16_t flags;		/* NBD_CMD_FLAG_*, SUBMISSION_AWAITED */
	uint32_t page;		/* of the arena, where the data lies */
	uint64_t zero;
};

/* The submitter sleeps until it has ended: no plug is to hold it back. */
#define SUBMISSION_AWAITED (1u << 15)

struct completion {
	uint32_t slot;
	uint32_t error;
};

struct pool_cell {
	_Atomic uint64_t ticket;
	_Atomic uint32_t woken;		/* futex */
	uint32_t zero;
};

#define LINE __attribute__((aligned(64)))

struct channel_file {
	char magic[8];
	uint32_t layout_version;
	_Atomic uint32_t state;
	_Atomic uint64_t arena_bytes;
	_Atomic uint64_t arena_limit;
	uint32_t client;
	uint32_t slots;
	uint64_t credit_base[2];
	LINE _Atomic uint32_t submission_tail;
	LINE _Atomic uint32_t parked;
	LINE _Atomic uint32_t completion_tail;
	LINE _Atomic uint32_t waiters;
	_Atomic uint32_t event;		/* futex */
	_Atomic uint32_t wants_times;
	LINE _Atomic uint64_t pool_waiters[2];
	__attribute__((aligned(1024))) struct pool_cell cells[2][POOL_CELLS];
	__attribute__((aligned(4096)))
	struct submission submissions[CHANNEL_SLOTS];
	struct completion completions[CHANNEL_SLOTS];
	/* CLOCK_MONOTONIC of each of these; only where wanted. */
	uint64_t completion_ns[CHANNEL_SLOTS];
};

_Static_assert(sizeof(struct submission) == 32, "as drawn");
_Static_assert(sizeof(struct completion) == 8, "as drawn");
_Static_assert(offsetof(struct channel_file, submission_tail) == 64, "as drawn");
_Static_assert(offsetof(struct channel_file, parked) == 128, "as drawn");
_Static_assert(offsetof(struct channel_file, completion_tail) == 192, "as drawn");
_Static_assert(offsetof(struct channel_file, event) == 260, "as drawn");
_Static_assert(offsetof(struct channel_file, pool_waiters) == 320, "as drawn");
_Static_assert(offsetof(struct channel_file, cells) == 1024, "as drawn");
_Static_assert(offsetof(struct channel_file, submissions) == 4096, "as drawn");
_Static_assert(offsetof(struct channel_file, completions) == 528384, "as drawn");
_Static_assert(offsetof(struct channel_file, wants_times) == 264, "as drawn");
_Static_assert(offsetof(struct channel_file, completion_ns) == 659456, "as drawn");
_Static_assert(sizeof(struct channel_file) <= CHANNEL_ARENA_OFFSET, "as drawn");

#define POOL_FILE_MAGIC "SPNDLP01"
#define POOL_FILE_VERSION 1
#define POOL_CLIENTS 512

/*
 *   bits 0-17 count | 18 full | 19-27 who took last | 28-63 how many that one
 *   has taken in all, going round
 */
#define POOL_COUNT_MASK ((1ull << 18) - 1)
#define POOL_FULL (1ull << 18)
#define POOL_CLIENT_SHIFT 19
#define POOL_SEQUENCE_SHIFT 28

struct pool_file_side {
	_Atomic uint64_t word;
	_Atomic uint64_t tickets;
	char rest[48];
};

struct pool_file {
	char magic[8];
	uint32_t layout_version;
	uint32_t clients;
	LINE struct pool_file_side side[2];
	__attribute__((aligned(4096))) _Atomic uint64_t taken[2][POOL_CLIENTS];
};

_Static_assert(offsetof(struct pool_file, side) == 64, "as drawn");
_Static_assert(offsetof(struct pool_file, taken) == 4096, "as drawn");
_Static_assert(sizeof(struct pool_file) == 12288, "as drawn");

#define ATTACH_MAGIC "SPNDLSH1"
#define ATTACH_VERSION 1

struct attach_hello {
	char magic[8];
	uint32_t version;
	uint32_t name_length;
};

struct attach_reply {
	char magic[8];
	uint32_t status;
	uint32_t flags;		/* NBD_FLAG_* of the device */
	uint64_t capacity;
	uint32_t channel_length;
	uint32_t pool_length;
};

#define ATTACH_MAPPED 'M'
#define ATTACH_BELL 'B'
#define ATTACH_GROW 'G'

#endif
