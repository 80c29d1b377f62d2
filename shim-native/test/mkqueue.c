/*
 * Makes a queue file, or changes fields of one in place, as the daemon does.
 *
 *   mkqueue FILE FIELD=VALUE...
 *
 * FIELD is nr_requests, max_sectors_kb, hard_cap, logical_block_bytes,
 * capacity_bytes, flags, daemon_pid, time_scale or
 * congested. A file that is not there is made whole
 * with the values of a 2006 disk; one that is there is changed live.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../src/queue_file.h"

static int set_field(struct queue_file *q, const char *assignment)
{
	const char *equals = strchr(assignment, '=');
	size_t length = equals ? (size_t)(equals - assignment) : 0;
	unsigned long long value = equals ? strtoull(equals + 1, NULL, 0) : 0;

#define FIELD(name)                                                         \
	if (length == strlen(#name) && !memcmp(assignment, #name, length)) { \
		q->name = value;                                            \
		return 0;                                                   \
	}
	FIELD(nr_requests)
	FIELD(max_sectors_kb)
	FIELD(hard_cap)
	FIELD(logical_block_bytes)
	FIELD(capacity_bytes)
	FIELD(flags)
	FIELD(daemon_pid)
	FIELD(time_scale)
	FIELD(congested)
#undef FIELD
	fprintf(stderr, "mkqueue: no such field: %s\n", assignment);
	return -1;
}

static void fill_defaults(struct queue_file *q)
{
	memcpy(q->magic, QUEUE_FILE_MAGIC, sizeof(q->magic));
	q->layout_version = QUEUE_FILE_VERSION;
	q->nr_requests = 128;
	q->max_sectors_kb = 128;
	q->logical_block_bytes = 512;
	q->capacity_bytes = 64 << 20;
	q->daemon_pid = getppid();
}

int main(int argc, char **argv)
{
	struct queue_file *q;
	struct stat st;
	int fd, i, bad = 0;

	if (argc < 2) {
		fprintf(stderr, "usage: mkqueue FILE [FIELD=VALUE]...\n");
		return 2;
	}
	fd = open(argv[1], O_RDWR | O_CREAT, 0644);
	if (fd < 0 || fstat(fd, &st) < 0 || ftruncate(fd, QUEUE_FILE_BYTES) < 0) {
		perror(argv[1]);
		return 1;
	}
	q = mmap(NULL, QUEUE_FILE_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
		 0);
	if (q == MAP_FAILED) {
		perror("mmap");
		return 1;
	}
	q->generation++;
	if (st.st_size == 0)
		fill_defaults(q);
	for (i = 2; i < argc; i++)
		bad |= set_field(q, argv[i]);
	q->generation++;
	return bad ? 1 : 0;
}
