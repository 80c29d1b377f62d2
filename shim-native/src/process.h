/*
 * Which process this is, without a system call. See process.c.
 */
#ifndef SPINDLE_PROCESS_H
#define SPINDLE_PROCESS_H

#include "shim.h"

extern _Atomic pid_t *_Atomic process_page;

pid_t process_ask(void);

/* A vfork child, which shares this memory, is taken for its parent. */
static inline pid_t process_id(void)
{
	_Atomic pid_t *page = atomic_load_explicit(&process_page,
						   memory_order_acquire);
	pid_t known = page ? atomic_load_explicit(page, memory_order_relaxed)
			   : 0;

	return known ? known : process_ask();
}

#endif
