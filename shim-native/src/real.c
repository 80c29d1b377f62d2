#include <dlfcn.h>

#include "shim.h"

/* Stands in for a function this libc does not have. */
static long real_missing(void)
{
	errno = ENOSYS;
	return -1;
}

void *real_bind(void *_Atomic *slot, const char *name)
{
	void *found = dlsym(RTLD_NEXT, name);

	if (!found)
		found = __extension__(void *)real_missing;
	atomic_store_explicit(slot, found, memory_order_relaxed);
	return found;
}
