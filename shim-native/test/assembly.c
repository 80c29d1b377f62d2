/*
 * A program that no preload can reach: its system calls are made by itself, in
 * several threads. Built static, with glibc and with musl.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../src/raw.h"

#define THREADS 4
#define ROUNDS 40
#define PIECES 8
#define PIECE_BYTES 16384
#define REGION_BYTES (PIECES * PIECE_BYTES)
#define READ_OPCODE 0
#define WRITE_OPCODE 1
#define SIZE_IOCTL 0x80081272ul	/* BLKGETSIZE64 */

/* linux/aio_abi.h's, which musl's headers do not find. */
struct control_block {
	uint64_t data;
	uint32_t key, rw_flags;
	uint16_t opcode;
	int16_t priority;
	uint32_t fd;
	uint64_t buffer, bytes;
	int64_t offset;
	uint64_t reserved;
	uint32_t flags, resfd;
};

struct event {
	uint64_t data, object;
	int64_t result, result2;
};

static int device;

static int fail(const char *what, long got)
{
	printf("%s: %ld\n", what, got);
	return 1;
}

/* All pieces of a region at once; reaped by a call, or from the ring. */
static int transfer(unsigned long context, int opcode, char *memory,
		    int64_t offset, int from_ring)
{
	volatile uint32_t *ring = (volatile uint32_t *)context;
	struct control_block blocks[PIECES], *list[PIECES];
	struct event events[PIECES];
	long i, got;

	for (i = 0; i < PIECES; i++) {
		blocks[i] = (struct control_block){
			.opcode = (uint16_t)opcode,
			.fd = (uint32_t)device,
			.buffer = (uintptr_t)memory + i * PIECE_BYTES,
			.bytes = PIECE_BYTES,
			.offset = offset + i * PIECE_BYTES,
		};
		list[i] = &blocks[i];
	}
	got = raw(SYS_io_submit, context, PIECES, list);
	if (got != PIECES)
		return fail("io_submit", got);
	if (from_ring) {	/* head at 8, tail at 12, the number at 4 */
		while ((ring[3] + ring[1] - ring[2]) % ring[1] < PIECES)
			raw(SYS_sched_yield);
		for (i = 0; i < PIECES; i++)
			events[i] = ((struct event *)context)
				[1 + (ring[2] + i) % ring[1]];
		ring[2] = (ring[2] + PIECES) % ring[1];
	} else {
		got = raw(SYS_io_getevents, context, PIECES, PIECES, events,
			  NULL);
		if (got != PIECES)
			return fail("io_getevents", got);
	}
	for (i = 0; i < PIECES; i++)
		if (events[i].result != PIECE_BYTES)
			return fail("event", events[i].result);
	return 0;
}

static int use_region(unsigned long context, char *memory, long number)
{
	int64_t offset = number * REGION_BYTES;
	int round, bad = 0;

	for (round = 0; round < ROUNDS && !bad; round++) {
		int mark = (int)(number * ROUNDS + round) & 0xff;
		long i;

		memset(memory, mark, REGION_BYTES);
		if (round % 2)
			bad = transfer(context, WRITE_OPCODE, memory, offset,
				       round % 4 == 1);
		else
			bad = raw(SYS_pwrite64, device, memory, REGION_BYTES,
				  offset) != REGION_BYTES;
		memset(memory, ~mark, REGION_BYTES);
		if (!bad && round % 3)
			bad = transfer(context, READ_OPCODE, memory, offset,
				       round % 3 == 1);
		else if (!bad)
			bad = raw(SYS_pread64, device, memory, REGION_BYTES,
				  offset) != REGION_BYTES;
		for (i = 0; i < REGION_BYTES && !bad; i++)
			bad = (unsigned char)memory[i] != mark;
	}
	return bad ? fail("region", number) : 0;
}

static void *thread(void *argument)
{
	char *memory = raw_map(REGION_BYTES);
	unsigned long context = 0;
	long bad;

	if (!memory)
		return (void *)1;
	bad = raw(SYS_io_setup, 64, &context);
	if (bad)
		fail("io_setup", bad);
	else
		bad = use_region(context, memory, (long)argument);
	if (!bad)
		bad = raw(SYS_io_destroy, context);
	if (!bad)	/* EINVAL: it is gone */
		bad = raw(SYS_io_destroy, context) != -22;
	return (void *)bad;
}

int main(int argc, char **argv)
{
	pthread_t threads[THREADS];
	uint64_t bytes = 0;
	long i, bad;

	if (argc < 2)
		return 2;
	device = (int)raw(SYS_openat, AT_FDCWD, argv[1],
			  O_RDWR | O_DIRECT | O_CLOEXEC, 0);
	if (device < 0)
		return fail("open", device);
	bad = raw(SYS_ioctl, device, SIZE_IOCTL, &bytes);
	if (bad || bytes < THREADS * REGION_BYTES)
		return fail("its size", bad);
	for (i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, thread, (void *)i);
	for (i = 0; i < THREADS; i++) {
		void *result;

		pthread_join(threads[i], &result);
		bad |= result != NULL;
	}
	bad |= raw(SYS_fsync, device) != 0;
	return bad ? 1 : 0;
}
