/*
 * What every file of the shim shares: the export mark, the binding of the
 * real functions, and the step from -errno to errno.
 */
#ifndef SPINDLE_SHIM_H
#define SPINDLE_SHIM_H

#include <errno.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "raw.h"

#define EXPORT __attribute__((visibility("default")))

/*
 * The next definition of a libc function, bound when first needed: a program
 * that never calls it never pays for it, and an old libc may lack it.
 */
#define REAL(function)                                                      \
	((__typeof__(function) *)__extension__({                            \
		static void *_Atomic slot;                                  \
		void *bound = atomic_load_explicit(&slot,                   \
						   memory_order_relaxed);   \
		bound ? bound : real_bind(&slot, #function);                \
	}))

void *real_bind(void *_Atomic *slot, const char *name);

/* errno is set here and nowhere else. */
static inline long answer(long result)
{
	if (result >= 0)
		return result;
	errno = (int)-result;
	return -1;
}

/* True when a usable SPINDLE_SHIM_MAP named at least one device. */
bool shim_active(void);

/* The map that is in use; empty where none is. */
const char *shim_map_path(void);

/* See sym_uring.c; false under SPINDLE_SHIM_IO_URING=allow. */
bool rings_are_refused(void);

/* One line on stderr, "spindle-shim: ...", by write(2), whole. */
void say(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* The same, only under SPINDLE_SHIM_DEBUG=1. */
void say_debug(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
