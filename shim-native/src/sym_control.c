/* ioctl, syncing, preallocation, and mappings. */
#include <fcntl.h>
#include <linux/loop.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "native_aio.h"
#include "control.h"
#include "transfer.h"
#include "usercopy.h"

/* LOOP_CONFIGURE of Linux 5.8: its argument begins with the descriptor. */
#ifndef LOOP_CONFIGURE
#define LOOP_CONFIGURE 0x4C0A
#endif

/*
 * True for a request to a loop device to take its data from one of ours. The
 * kernel would take the placeholder, and read zeros.
 */
static bool lends_device(unsigned long request, void *argument)
{
	struct open_file file;
	int fd = (int)(intptr_t)argument;

	if (request == LOOP_CONFIGURE &&
	    copy_from_user(&fd, argument, sizeof(fd)) < 0)
		return false;
	return (request == LOOP_SET_FD || request == LOOP_CHANGE_FD ||
		request == LOOP_CONFIGURE) &&
	       fd_find(fd, &file);
}

EXPORT int ioctl(int fd, unsigned long request, ...)
{
	struct open_file file;
	va_list arguments;
	void *argument;

	va_start(arguments, request);
	argument = va_arg(arguments, void *);
	va_end(arguments);
	if (lends_device(request, argument))
		return (int)answer(-EINVAL);
	if (!fd_find(fd, &file))
		return REAL(ioctl)(fd, request, argument);
	return (int)answer(shim_ioctl(&file, request, argument));
}

#define DEFINE_SYNC(name)                                     \
	EXPORT int name(int fd)                               \
	{                                                     \
		struct open_file file;                        \
							      \
		if (!fd_find(fd, &file))                      \
			return REAL(name)(fd);                \
		return (int)answer(shim_flush(&file));        \
	}

DEFINE_SYNC(fsync)
DEFINE_SYNC(fdatasync)
DEFINE_SYNC(syncfs)

/* Starts or awaits write-back of a cache; there is none, and no flush. */
EXPORT int sync_file_range(int fd, off64_t offset, off64_t length,
			   unsigned flags)
{
	struct open_file file;

	if (!fd_find(fd, &file))
		return REAL(sync_file_range)(fd, offset, length, flags);
	return 0;
}

#define DEFINE_FADVISE(name, offset_type)                                   \
	EXPORT int name(int fd, offset_type offset, offset_type length,     \
			int advice)                                         \
	{                                                                   \
		struct open_file file;                                      \
									    \
		if (!fd_find(fd, &file))                                    \
			return REAL(name)(fd, offset, length, advice);      \
		return 0;                                                   \
	}

#define DEFINE_FALLOCATE(name, offset_type)                                 \
	EXPORT int name(int fd, int mode, offset_type offset,               \
			offset_type length)                                 \
	{                                                                   \
		struct open_file file;                                      \
									    \
		if (!fd_find(fd, &file))                                    \
			return REAL(name)(fd, mode, offset, length);        \
		return (int)answer(shim_fallocate(&file, mode, offset,      \
						  length));                 \
	}

/* Like posix_fadvise, answers with the error itself. */
#define DEFINE_POSIX_FALLOCATE(name, offset_type)                           \
	EXPORT int name(int fd, offset_type offset, offset_type length)     \
	{                                                                   \
		struct open_file file;                                      \
									    \
		if (!fd_find(fd, &file))                                    \
			return REAL(name)(fd, offset, length);              \
		return ENODEV;                                              \
	}

#define DEFINE_FTRUNCATE(name, offset_type)                                 \
	EXPORT int name(int fd, offset_type length)                         \
	{                                                                   \
		struct open_file file;                                      \
									    \
		if (fd_is_attribute(fd) && length >= 0)                     \
			return 0;                                           \
		if (!fd_find(fd, &file))                                    \
			return REAL(name)(fd, length);                      \
		return (int)answer(-EINVAL);                                \
	}

#define DEFINE_MMAP(name, offset_type)                                      \
	EXPORT void *name(void *address, size_t length, int protection,     \
			  int flags, int fd, offset_type offset)            \
	{                                                                   \
		struct open_file file;                                      \
									    \
		if ((flags & MAP_ANONYMOUS) || !fd_find(fd, &file))         \
			return REAL(name)(address, length, protection,      \
					  flags, fd, offset);               \
		return (void *)answer(-ENODEV);                             \
	}

DEFINE_FADVISE(posix_fadvise, off_t)
DEFINE_FADVISE(posix_fadvise64, off64_t)
DEFINE_FALLOCATE(fallocate, off_t)
DEFINE_FALLOCATE(fallocate64, off64_t)
DEFINE_POSIX_FALLOCATE(posix_fallocate, off_t)
DEFINE_POSIX_FALLOCATE(posix_fallocate64, off64_t)
DEFINE_FTRUNCATE(ftruncate, off_t)
DEFINE_FTRUNCATE(ftruncate64, off64_t)
DEFINE_MMAP(mmap, off_t)
DEFINE_MMAP(mmap64, off64_t)

EXPORT void *mremap(void *from, size_t old_length, size_t new_length,
		    int flags, ...)
{
	va_list arguments;
	void *wish, *to;

	va_start(arguments, flags);
	wish = va_arg(arguments, void *);
	va_end(arguments);
	to = REAL(mremap)(from, old_length, new_length, flags, wish);
	if (to != MAP_FAILED && to != from)
		aio_ring_moved(from, to);
	return to;
}
