/*
 * The pid is asked for several times in each request, to notice a fork that
 * libc knows nothing of. So it is kept in a page that the kernel gives a forked
 * child zeroed (MADV_WIPEONFORK); zero means: ask.
 */
#include "process.h"

#include <sys/mman.h>

_Atomic pid_t *_Atomic process_page;

static _Atomic pid_t *make_page(void)
{
	void *page = raw_map(4096);

	if (page && raw(SYS_madvise, page, 4096, MADV_WIPEONFORK) < 0) {
		raw(SYS_munmap, page, 4096);
		page = NULL;
	}
	return page;
}

pid_t process_ask(void)
{
	static _Atomic bool tried;
	_Atomic pid_t *page = atomic_load(&process_page);
	pid_t pid = raw_getpid();

	if (!page && !atomic_exchange(&tried, true)) {
		page = make_page();
		atomic_store_explicit(&process_page, page, memory_order_release);
	}
	if (page)
		atomic_store(page, pid);
	return pid;
}
