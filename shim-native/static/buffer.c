/*
 * Memory that stands in for the program's during one transfer. It is mapped
 * without being touched, so a long read that ends early costs little. Blocks of
 * common sizes are kept for the next transfer.
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "static.h"

#define DMA_ALIGNMENT 512
#define LEAST_SHIFT 13
#define KEPT_SHIFTS 8	/* 8 KiB to 1 MiB, and what goes with it */
#define KEPT_EACH 32

static pthread_mutex_t kept_lock = PTHREAD_MUTEX_INITIALIZER;
static void *kept[KEPT_SHIFTS][KEPT_EACH];
static unsigned kept_count[KEPT_SHIFTS];

/* Which size a block of so many bytes gets; KEPT_SHIFTS: its own. */
static unsigned size_index(size_t *bytes)
{
	unsigned i;

	for (i = 0; i < KEPT_SHIFTS; i++)
		if (*bytes <= (size_t)1 << (LEAST_SHIFT + i)) {
			*bytes = (size_t)1 << (LEAST_SHIFT + i);
			return i;
		}
	return KEPT_SHIFTS;
}

static void *take_block(size_t *bytes)
{
	unsigned i = size_index(bytes);
	void *block = NULL;

	if (i < KEPT_SHIFTS) {
		pthread_mutex_lock(&kept_lock);
		if (kept_count[i] > 0)
			block = kept[i][--kept_count[i]];
		pthread_mutex_unlock(&kept_lock);
	}
	return block ? block : raw_map(*bytes);
}

static void give_block(void *block, size_t bytes)
{
	size_t rounded = bytes;
	unsigned i = size_index(&rounded);

	if (i < KEPT_SHIFTS) {
		pthread_mutex_lock(&kept_lock);
		if (kept_count[i] < KEPT_EACH) {
			kept[i][kept_count[i]++] = block;
			block = NULL;
		}
		pthread_mutex_unlock(&kept_lock);
	}
	if (block)
		raw(SYS_munmap, block, bytes);
}

/* Lays out local beside remote, whose lengths are final. */
static int lay_out(struct buffer *b)
{
	size_t i, at = 0;

	b->length = 0;
	for (i = 0; i < b->segments; i++)
		b->length += b->remote[i].iov_len;
	b->bytes = b->length + b->segments * 2 * DMA_ALIGNMENT;
	b->memory = take_block(&b->bytes);
	if (!b->memory)
		return -ENOMEM;
	for (i = 0; i < b->segments; i++) {
		at = (at + DMA_ALIGNMENT - 1) / DMA_ALIGNMENT * DMA_ALIGNMENT +
		     ((uintptr_t)b->remote[i].iov_base & (DMA_ALIGNMENT - 1));
		b->local[i] = (struct iovec){ b->memory + at,
					      b->remote[i].iov_len };
		at += b->remote[i].iov_len;
	}
	return 0;
}

int buffer_single(struct buffer *b, uint64_t address, uint64_t length)
{
	memset(b, 0, sizeof(*b));
	b->local = &b->one[0];
	b->remote = &b->one[1];
	b->segments = 1;
	if (length > TRANSFER_BYTES_MAX)
		length = TRANSFER_BYTES_MAX;
	*b->remote = (struct iovec){ (void *)(uintptr_t)address, length };
	return lay_out(b);
}

int buffer_vector(struct buffer *b, pid_t tid, uint64_t vector, long count)
{
	size_t i, room = TRANSFER_BYTES_MAX;
	int result;

	memset(b, 0, sizeof(*b));
	if (count < 0 || count > SEGMENTS_MAX)
		return -EINVAL;
	b->segments = (size_t)count;
	b->local = calloc(2 * b->segments + 1, sizeof(struct iovec));
	if (!b->local)
		return -ENOMEM;
	b->remote = b->local + b->segments;
	result = count == 0 ? 0
			    : target_fetch(tid, b->remote, vector,
					   b->segments * sizeof(struct iovec));
	for (i = 0; result == 0 && i < b->segments; i++) {
		if (b->remote[i].iov_len > SSIZE_MAX)
			result = -EINVAL;
		else if (b->remote[i].iov_len > room)
			b->remote[i].iov_len = room;
		room -= result == 0 ? b->remote[i].iov_len : 0;
	}
	if (result == 0)
		result = lay_out(b);
	if (result < 0)
		buffer_free(b);
	return result;
}

int buffer_fill(const struct buffer *b, pid_t tid)
{
	ssize_t got;

	if (b->length == 0)
		return 0;
	got = raw(SYS_process_vm_readv, tid, b->local, b->segments, b->remote,
		  b->segments, 0);
	return got == (ssize_t)b->length ? 0 : -EFAULT;
}

int buffer_empty(const struct buffer *b, pid_t tid, size_t bytes)
{
	size_t i, left = bytes;

	for (i = 0; i < b->segments && left > 0; i++) {
		size_t part = b->local[i].iov_len < left ? b->local[i].iov_len
							 : left;

		if (part > 0 &&
		    target_store(tid, (uintptr_t)b->remote[i].iov_base,
				 b->local[i].iov_base, part) < 0)
			return -EFAULT;
		left -= part;
	}
	return 0;
}

void buffer_free(struct buffer *b)
{
	if (b->memory)
		give_block(b->memory, b->bytes);
	if (b->local != &b->one[0])
		free(b->local);
	b->memory = NULL;
	b->local = NULL;
}
