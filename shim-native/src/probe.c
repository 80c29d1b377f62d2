/*
 * process_vm_readv costs over a microsecond however little it copies, and a
 * request needs half a dozen copies. A system call that does nothing but touch
 * a word of the program's memory costs a tenth; so each page is touched by one,
 * and then the bytes are moved in user space.
 *
 *   read    rt_sigprocmask with a way of changing that does not exist: the
 *           kernel fetches the set, 8 bytes, then says EINVAL
 *   write   rt_sigprocmask that only asks: the kernel stores the set, 8 bytes;
 *           getcpu where there are but 4
 *   many    madvise(MADV_POPULATE_READ or _WRITE), Linux 5.14
 *
 * Valgrind would report each touch of a bad pointer as the program's; under it
 * nothing is probed, and process_vm_readv, which it understands, does it all.
 *
 * What another thread unmaps between the touch and the move is a fault of the
 * program's like any other; the kernel's own copy has no such gap.
 */
#include "probe.h"

#include <stdlib.h>
#include <string.h>

#define PAGE_BYTES 4096ul
#define SET_BYTES 8
#define NO_SUCH_HOW 99
/* So many pages are cheaper touched by one call. */
#define MANY_PAGES 8

#ifndef MADV_POPULATE_READ
#define MADV_POPULATE_READ 22
#define MADV_POPULATE_WRITE 23
#endif

/* It preloads libraries of its own into what it runs. */
static bool under_valgrind(void)
{
	static _Atomic int known;	/* 0 not yet, 1 no, 2 yes */
	int answer = atomic_load_explicit(&known, memory_order_relaxed);
	const char *preload;

	if (answer == 0) {
		preload = getenv("LD_PRELOAD");
		answer = preload && strstr(preload, "/vgpreload_") ? 2 : 1;
		atomic_store(&known, answer);
	}
	return answer == 2;
}

static bool is_long(size_t bytes)
{
	return bytes > MANY_PAGES * PAGE_BYTES;
}

static bool populate(uintptr_t from, size_t bytes, int advice)
{
	uintptr_t start = from & ~(PAGE_BYTES - 1);

	return raw(SYS_madvise, start, from + bytes - start, advice) == 0;
}

/* The end of what lies in the same page. */
static uintptr_t page_end(uintptr_t at, uintptr_t end)
{
	uintptr_t next = (at & ~(PAGE_BYTES - 1)) + PAGE_BYTES;

	return next < end ? next : end;
}

bool probe_read(const void *from, size_t bytes)
{
	uintptr_t at = (uintptr_t)from, end = at + bytes;

	if (end < at || under_valgrind())
		return false;
	if (is_long(bytes))
		return populate(at, bytes, MADV_POPULATE_READ);
	for (; at < end; at = page_end(at, end))
		if (raw(SYS_rt_sigprocmask, NO_SUCH_HOW, at & ~7ul, NULL,
			SET_BYTES) != -EINVAL)
			return false;
	return true;
}

static bool touch(uintptr_t at, size_t bytes)
{
	if (bytes >= SET_BYTES)
		return raw(SYS_rt_sigprocmask, 0, NULL, at, SET_BYTES) == 0;
	if (bytes >= sizeof(unsigned))
		return raw(SYS_getcpu, at, NULL, NULL) == 0;
	return false;
}

bool probe_write(void *to, size_t bytes)
{
	uintptr_t at = (uintptr_t)to, end = at + bytes;

	/* The calls take NULL for nothing asked. */
	if (end < at || at == 0 || under_valgrind())
		return false;
	if (is_long(bytes))
		return populate(at, bytes, MADV_POPULATE_WRITE);
	for (; at < end; at = page_end(at, end))
		if (!touch(at, page_end(at, end) - at))
			return false;
	return true;
}

void probe_move(void *to, const void *from, size_t bytes)
{
#if defined(__x86_64__)
	__asm__ volatile("rep movsb"
			 : "+D"(to), "+S"(from), "+c"(bytes)
			 :
			 : "memory");
#else
	memcpy(to, from, bytes);
#endif
}
