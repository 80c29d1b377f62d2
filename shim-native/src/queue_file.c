#include "queue_file.h"

#include <string.h>
#include <sys/mman.h>

#include "shim.h"

/* How long a writer may sit between two generations before it is a fault. */
#define SEQLOCK_TRIES 1000

static int queue_file_check(const char *path, const struct queue_file *q)
{
	uint32_t block = queue_block_bytes(q);
	uint32_t version = atomic_load_explicit(&q->layout_version,
						memory_order_acquire);

	if (version != QUEUE_FILE_VERSION) {
		say("queue file %s: layout version %u, this shim reads %d",
		    path, version, QUEUE_FILE_VERSION);
		return -EIO;
	}
	if (block < QUEUE_BLOCK_BYTES_MIN || block > QUEUE_BLOCK_BYTES_MAX ||
	    (block & (block - 1)) != 0) {
		say("queue file %s: logical block of %u bytes is not a power of two in %u..%u",
		    path, block, QUEUE_BLOCK_BYTES_MIN, QUEUE_BLOCK_BYTES_MAX);
		return -EIO;
	}
	if (queue_capacity_bytes(q) == 0 ||
	    queue_capacity_bytes(q) % block != 0 ||
	    queue_capacity_bytes(q) > INT64_MAX) {
		say("queue file %s: capacity %llu is no whole number of %u-byte blocks",
		    path, (unsigned long long)queue_capacity_bytes(q), block);
		return -EIO;
	}
	return 0;
}

/* The checks compare several fields, so they need one unchanging generation. */
static int queue_file_check_settled(const char *path,
				    const struct queue_file *q)
{
	struct timespec pause = { .tv_nsec = 1000000 };
	int tries;

	/* Of any other file the generation means nothing. */
	if (memcmp(q->magic, QUEUE_FILE_MAGIC, sizeof(q->magic)) != 0) {
		say("queue file %s: not a Spindle queue file (bad magic)", path);
		return -EIO;
	}
	for (tries = 0; tries < SEQLOCK_TRIES; tries++) {
		uint32_t before = atomic_load_explicit(&q->generation,
						       memory_order_acquire);

		if ((before & 1) == 0) {
			int result = queue_file_check(path, q);

			if (atomic_load_explicit(&q->generation,
						 memory_order_acquire) == before)
				return result;
		}
		raw(SYS_nanosleep, &pause, NULL);
	}
	say("queue file %s: its writer stopped in the middle of a change", path);
	return -EIO;
}

int queue_file_map(const char *path, struct queue_file **mapped)
{
	struct stat st;
	long address;
	int fd, result;

	fd = raw_open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0) {
		say("queue file %s: cannot be opened (errno %d); is the daemon running?",
		    path, -fd);
		return -ENODEV;
	}
	result = raw_fstat(fd, &st);
	if (result == 0 && st.st_size < QUEUE_FILE_BYTES) {
		say("queue file %s: %lld bytes, needs %d", path,
		    (long long)st.st_size, QUEUE_FILE_BYTES);
		result = -EIO;
	}
	if (result < 0)
		goto out;
	address = raw(SYS_mmap, NULL, QUEUE_FILE_BYTES, PROT_READ, MAP_SHARED,
		      fd, 0);
	if (address < 0 && address > -4096) {
		say("queue file %s: cannot be mapped (errno %ld)", path, -address);
		result = -EIO;
		goto out;
	}
	result = queue_file_check_settled(path, (struct queue_file *)address);
	if (result < 0)
		raw(SYS_munmap, address, QUEUE_FILE_BYTES);
	else
		*mapped = (struct queue_file *)address;
out:
	raw_close(fd);
	return result;
}
