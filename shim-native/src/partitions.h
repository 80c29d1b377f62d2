/*
 * /proc/partitions with our devices in it, where that is asked for by
 * SPINDLE_SHIM_PARTITIONS=1 (spindle run --proc-partitions). See partitions.c.
 */
#ifndef SPINDLE_PARTITIONS_H
#define SPINDLE_PARTITIONS_H

#include <string.h>

#include "shim.h"

#define PARTITIONS "/proc/partitions"

extern bool partitions_wanted;

void partitions_start(void);

/* Of a path that can be read. */
static inline bool is_partitions(const char *path)
{
	return partitions_wanted && strcmp(path, PARTITIONS) == 0;
}

/* The descriptor, or -errno. */
int partitions_open(int flags);

#endif
