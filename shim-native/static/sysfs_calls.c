/*
 * Calls on /sys of the devices (../src/sysfs.c). Those on paths are made here,
 * in the daemon's tree, and their answers handed over; descriptors are real
 * ones, of folders or of attributes, so reading and listing are the kernel's
 * work, and only a write to an attribute comes back. The current directory of
 * another process cannot be set: chdir finds no /sys of ours.
 */
#include <string.h>
#include <sys/stat.h>

#include "../src/attribute.h"
#include "../src/sysfs.h"
#include "static.h"

#define PAGE_BYTES 4096

/* Where the daemon's tree has the path, if it is ours. */
static bool place_of(const struct call *call, int dirfd, long path, char *place)
{
	char full[2 * PATH_MAX];

	if (!target_path(call->tid, dirfd, (uint64_t)path, full))
		return false;
	sysfs_from_tree(full);
	return sysfs_could_be(full) && sysfs_find(AT_FDCWD, full, place);
}

static int64_t open_place(const struct call *call, const char *place, int flags)
{
	return answer_descriptor(call, sysfs_open(place, flags | O_CLOEXEC),
			       flags);
}

static int64_t stat_place(const struct call *call, const char *place, long to,
			  int flags)
{
	struct stat st;
	long result = raw(SYS_newfstatat, AT_FDCWD, place, &st, flags);

	return result < 0 ? result
			  : target_store(call->tid, (uint64_t)to, &st,
					 sizeof(st));
}

static int64_t statx_place(const struct call *call, const char *place)
{
	struct statx stx;
	long result = raw(SYS_statx, AT_FDCWD, place, call->a[2], call->a[3],
			  &stx);

	return result < 0 ? result
			  : target_store(call->tid, (uint64_t)call->a[4], &stx,
					 sizeof(stx));
}

static int64_t link_place(const struct call *call, const char *place, long to,
			  long room)
{
	char target[PATH_MAX];
	long length = raw(SYS_readlinkat, AT_FDCWD, place, target,
			  sizeof(target));

	if (length > room)
		length = room;
	if (length < 0 || room <= 0)
		return length < 0 ? length : -EINVAL;
	if (target_store(call->tid, (uint64_t)to, target, (size_t)length) < 0)
		return -EFAULT;
	return length;
}

/* The calls that newer machines no longer have. */
static int64_t old_call(const struct call *call)
{
#ifdef SYS_open
	char place[PLACE_MAX];
	const long *a = call->a;

	if (!place_of(call, AT_FDCWD, a[0], place))
		return LEFT_TO_KERNEL;
	switch (call->number) {
	case SYS_open:
		return open_place(call, place, (int)a[1]);
	case SYS_creat:
		return open_place(call, place, O_CREAT | O_WRONLY | O_TRUNC);
	case SYS_stat:
		return stat_place(call, place, a[1], 0);
	case SYS_lstat:
		return stat_place(call, place, a[1], AT_SYMLINK_NOFOLLOW);
	case SYS_access:
		return sysfs_access(place, (int)a[1]);
	case SYS_readlink:
		return link_place(call, place, a[1], a[2]);
	default:
		return LEFT_TO_KERNEL;
	}
#else
	(void)call;
	return LEFT_TO_KERNEL;
#endif
}

int64_t call_on_sysfs(const struct call *call)
{
	char place[PLACE_MAX];
	const long *a = call->a;

	switch (call->number) {
	case SYS_openat:
	case SYS_newfstatat:
	case SYS_statx:
	case SYS_faccessat:
	case SYS_readlinkat:
#ifdef SYS_faccessat2
	case SYS_faccessat2:
#endif
		break;
	case SYS_openat2:	/* its resolve flags are the kernel's to obey */
		return LEFT_TO_KERNEL;
	default:
		return old_call(call);
	}
	if (!place_of(call, (int)a[0], a[1], place))
		return LEFT_TO_KERNEL;
	switch (call->number) {
	case SYS_openat:
		return open_place(call, place, (int)a[2]);
	case SYS_newfstatat:
		return stat_place(call, place, a[2], (int)a[3]);
	case SYS_statx:
		return statx_place(call, place);
	case SYS_readlinkat:
		return link_place(call, place, a[2], (int)a[3]);
	default:
		return sysfs_access(place, (int)a[2]);
	}
}

int64_t call_on_attribute(const struct call *call)
{
	char text[PAGE_BYTES];
	size_t length = (size_t)call->a[2];
	int64_t result;
	int copy;

	if (call->number != SYS_write ||
	    !target_link_begins(call->tid, (int)call->a[0], ATTRIBUTE_LINK))
		return LEFT_TO_KERNEL;
	if (length > sizeof(text))
		length = sizeof(text);
	if (target_fetch(call->tid, text, (uint64_t)call->a[1], length) < 0)
		return -EFAULT;
	copy = target_descriptor(call->tid, (int)call->a[0]);
	if (copy < 0)
		return -EBADF;
	result = attribute_write(copy, text, length);
	raw_close(copy);
	return result;
}
