/*
 * The kernel's text as it is at the moment, and a line for each of our devices
 * behind it, in the kernel's format (block/genhd.c): in a file that cannot be
 * changed, as attributes are.
 */
#include "partitions.h"

#include <stdio.h>
#include <stdlib.h>

#include "attribute.h"
#include "device.h"
#include "queue_file.h"

#define KERNEL_BYTES (256 * 1024)
#define LINE_BYTES (DEVICE_NAME_MAX + 64)
#define TEXT_BYTES (KERNEL_BYTES + DEVICES_MAX * LINE_BYTES)
#define BLOCK_BYTES 1024

bool partitions_wanted;

void partitions_start(void)
{
	const char *value = getenv("SPINDLE_SHIM_PARTITIONS");

	partitions_wanted = value && strcmp(value, "1") == 0;
}

static size_t take_kernels(char *text)
{
	int fd = raw_open(PARTITIONS, O_RDONLY | O_CLOEXEC);
	size_t length = 0;
	long got;

	if (fd < 0)
		return 0;
	do {
		got = raw(SYS_read, fd, text + length, KERNEL_BYTES - length);
		length += got > 0 ? (size_t)got : 0;
	} while (got > 0 && length < KERNEL_BYTES);
	raw_close(fd);
	return length;
}

int partitions_open(int flags)
{
	char *text = raw_map(TEXT_BYTES);
	size_t length;
	unsigned i;
	int fd;

	if (!text)
		return -ENOMEM;
	length = take_kernels(text);
	for (i = 0; i < device_count(); i++) {
		struct device *d = device_at(i);

		if (device_queue(d) < 0)
			continue;
		length += (size_t)snprintf(
			text + length, LINE_BYTES, "%4d  %7u %10llu %s\n",
			DEVICE_MAJOR, i,
			(unsigned long long)(queue_capacity_bytes(
						     atomic_load(&d->queue)) /
					     BLOCK_BYTES),
			d->name);
	}
	fd = text_open("spindle.partitions", text, length, 0444, flags);
	raw(SYS_munmap, text, TEXT_BYTES);
	return fd;
}
