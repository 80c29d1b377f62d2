/*
 * The standard streams on devices. See standard.c.
 */
#ifndef SPINDLE_STANDARD_H
#define SPINDLE_STANDARD_H

#include <stdio.h>

#include "shim.h"

/* One of 0, 1, 2 has become another file. */
void standard_stream_moved(int fd);
void standard_streams_start(void);

static inline void standard_check(int fd)
{
	if (__builtin_expect((unsigned)fd <= 2, 0))
		standard_stream_moved(fd);
}

/* sym_stdio.c: a stream whose I/O comes to the shim; and its number, or -1. */
FILE *stream_on(int fd, const char *mode);
int stream_descriptor(const FILE *file);

#endif
