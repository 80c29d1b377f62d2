/*
 * The queue file: how the daemon tells every process under the shim, live,
 * the limits of one device. The daemon maps it read-write, the shim read-only.
 *
 *   offset  size  field                 (little endian, 4096 bytes in all)
 *   +-----+----+----------------------+---------------------------------------+
 *   |   0 |  8 | magic                | bytes 'S','P','N','D','L','Q','0','1' |
 *   |   8 |  4 | layout_version       | 1                                     |
 *   |  12 |  4 | generation           | seqlock: odd while fields change      |
 *   |  16 |  4 | nr_requests          | credits per direction                 |
 *   |  20 |  4 | max_sectors_kb       | longest single request, KiB           |
 *   |  24 |  4 | hard_cap             | 1: refuse batchers at 3 * nr / 2      |
 *   |  28 |  4 | logical_block_bytes  | 512; 2048 on optical                  |
 *   |  32 |  8 | capacity_bytes       |                                       |
 *   |  40 |  4 | flags                | bit 0: read-only, bit 1: no pool      |
 *   |  44 |  4 | daemon_pid           | signed                                |
 *   |  48 |  4 | time_scale           | in thousandths; 0 is 1000             |
 *   |  52 |  4 | congested            | bit 0: reads, 1: writes, 2: these     |
 *   |     |    |                      | sleep, where there is no pool         |
 *   |  56 |    | zeros                |                                       |
 *   +-----+----+----------------------+---------------------------------------+
 *
 * A single 32-bit field is read alone with an acquire load. Fields that must
 * agree with one another are read between two equal, even generations.
 */
#ifndef SPINDLE_QUEUE_FILE_H
#define SPINDLE_QUEUE_FILE_H

#include <stdatomic.h>
#include <stdint.h>

#define QUEUE_FILE_BYTES 4096
#define QUEUE_FILE_MAGIC "SPNDLQ01"
#define QUEUE_FILE_VERSION 1
#define QUEUE_FLAG_READ_ONLY 1u
#define QUEUE_FLAG_NO_POOL 2u
#define QUEUE_WRITERS_SLEEP 4u

/* What the shim believes whatever the file says: beyond these it refuses. */
#define QUEUE_NR_REQUESTS_MIN 1u
#define QUEUE_BLOCK_BYTES_MIN 512u
#define QUEUE_BLOCK_BYTES_MAX 4096u
#define QUEUE_TIME_SCALE_REAL 1000u

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "the queue file is read in place, which needs a little-endian machine"
#endif

struct queue_file {
	char magic[8];
	_Atomic uint32_t layout_version;
	_Atomic uint32_t generation;
	_Atomic uint32_t nr_requests;
	_Atomic uint32_t max_sectors_kb;
	_Atomic uint32_t hard_cap;
	_Atomic uint32_t logical_block_bytes;
	_Atomic uint64_t capacity_bytes;
	_Atomic uint32_t flags;
	_Atomic int32_t daemon_pid;
	_Atomic uint32_t time_scale;
	_Atomic uint32_t congested;
};

_Static_assert(sizeof(struct queue_file) == 56, "layout drawn above");

/* Maps and checks a queue file. Returns 0 or -errno, having said why. */
int queue_file_map(const char *path, struct queue_file **mapped);

static inline uint32_t queue_nr_requests(const struct queue_file *q)
{
	uint32_t nr = atomic_load_explicit(&q->nr_requests,
					   memory_order_acquire);

	return nr < QUEUE_NR_REQUESTS_MIN ? QUEUE_NR_REQUESTS_MIN : nr;
}

static inline uint32_t queue_max_sectors_kb(const struct queue_file *q)
{
	return atomic_load_explicit(&q->max_sectors_kb, memory_order_acquire);
}

static inline uint32_t queue_hard_cap(const struct queue_file *q)
{
	return atomic_load_explicit(&q->hard_cap, memory_order_acquire);
}

static inline uint32_t queue_block_bytes(const struct queue_file *q)
{
	return atomic_load_explicit(&q->logical_block_bytes,
				    memory_order_acquire);
}

/* How fast the device's time passes, in thousandths of the wall's. */
static inline uint32_t queue_time_scale(const struct queue_file *q)
{
	uint32_t scale = atomic_load_explicit(&q->time_scale,
					      memory_order_acquire);

	return scale == 0 ? QUEUE_TIME_SCALE_REAL : scale;
}

/*
 * A burner takes requests as they are, as pktcdvd did, a bio-based driver:
 * nr_requests is of the queue below it, and nobody waits for that but its own
 * thread. Only writers sleep, when its write queue is too long.
 */
static inline int queue_has_pool(const struct queue_file *q)
{
	return !(atomic_load_explicit(&q->flags, memory_order_acquire) &
		 QUEUE_FLAG_NO_POOL);
}

static inline int queue_lets_in(const struct queue_file *q, int is_write)
{
	return !is_write ||
	       !(atomic_load_explicit(&q->congested, memory_order_acquire) &
		 QUEUE_WRITERS_SLEEP);
}

/* The advisory flag of a direction: reads 0, writes 1. */
static inline int queue_is_congested(const struct queue_file *q, int direction)
{
	return (atomic_load_explicit(&q->congested, memory_order_acquire) >>
		direction) & 1;
}

static inline uint64_t queue_capacity_bytes(const struct queue_file *q)
{
	return atomic_load_explicit(&q->capacity_bytes, memory_order_acquire);
}

static inline int queue_is_read_only(const struct queue_file *q)
{
	return (atomic_load_explicit(&q->flags, memory_order_acquire) &
		QUEUE_FLAG_READ_ONLY) != 0;
}

#endif
