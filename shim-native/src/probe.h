/*
 * Whether the program's memory can be read or written. See probe.c.
 */
#ifndef SPINDLE_PROBE_H
#define SPINDLE_PROBE_H

#include "shim.h"

/* True when it can, now; false too where this way of asking does not reach. */
bool probe_read(const void *from, size_t bytes);
/* The same; the bytes asked about may be changed, being about to be written. */
bool probe_write(void *to, size_t bytes);
/* memcpy that no checker replaces: what is bad has been found by then. */
void probe_move(void *to, const void *from, size_t bytes);

#endif
