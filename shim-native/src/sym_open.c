/* open and its spellings. */
#include <fcntl.h>

#include "device.h"
#include "fdtab.h"
#include "partitions.h"
#include "place.h"
#include "standard.h"
#include "sysfs.h"

int __open_2(const char *path, int flags);
int __open64_2(const char *path, int flags);
int __openat_2(int dirfd, const char *path, int flags);
int __openat64_2(int dirfd, const char *path, int flags);

/* What a call with these flags may do to a file that is not ours. */
static bool may_change(int flags)
{
	return flags & (O_CREAT | O_TRUNC);
}

static int open_device(struct device *d, int flags)
{
	int fd = (int)answer(fd_open_device(d, flags));

	standard_check(fd);
	return fd;
}

static int open_sys(const char *place, int flags)
{
	int fd = (int)answer(sysfs_open(place, flags));

	standard_check(fd);
	return fd;
}

/* fd is the real open's of a path that may be in our part of /sys. */
static __attribute__((noinline)) int opened_sys(int fd, int dirfd,
						const char *path, int flags)
{
	char place[PLACE_MAX];

	if (sysfs_find(dirfd, path, place)) {
		if (fd >= 0)
			raw_close(fd);
		return open_sys(place, flags);
	}
	if (fd >= 0) {
		fd_forget(fd);
		if ((flags & O_DIRECTORY) == O_DIRECTORY)
			sysfs_note_directory(path);
	}
	return fd;
}

/* fd is the real open's; a descriptor of ours takes its place. */
static int opened(int fd, int dirfd, const char *path, int flags)
{
	struct device *d = NULL;

	if (!may_change(flags))
		d = place_after(fd, dirfd, path, !(flags & O_NOFOLLOW));
	if (fd >= 0 && d)
		raw_close(fd);
	if (d)
		return open_device(d, flags);
	if (!may_change(flags) && sysfs_candidate(fd, path))
		return opened_sys(fd, dirfd, path, flags);
	if (fd >= 0 && is_partitions(path) && (flags & O_ACCMODE) == 0) {
		raw_close(fd);
		return (int)answer(partitions_open(flags));
	}
	/* It may carry the number of one that was ours. */
	if (fd >= 0)
		fd_forget(fd);
	return fd;
}

/* True, and *fd the answer, when what might be changed is ours. */
static __attribute__((noinline)) bool
opened_what_changes(int dirfd, const char *path, int flags, int *fd)
{
	char place[PLACE_MAX];
	struct device *d;
	bool readable;

	d = place_before_looked(dirfd, path, !(flags & O_NOFOLLOW), &readable);
	if (d)
		*fd = open_device(d, flags);
	else if (readable && sysfs_could_be(path) &&
		 sysfs_find(dirfd, path, place))
		*fd = open_sys(place, flags);
	else
		return false;
	return true;
}

static bool opened_to_change(int dirfd, const char *path, int flags, int *fd)
{
	return may_change(flags) &&
	       opened_what_changes(dirfd, path, flags, fd);
}

static bool takes_mode(int flags)
{
	return (flags & O_CREAT) || (flags & O_TMPFILE) == O_TMPFILE;
}

#define TAKE_MODE(mode, flags)                       \
	do {                                         \
		va_list arguments;                   \
						     \
		va_start(arguments, flags);          \
		mode = takes_mode(flags)             \
			       ? va_arg(arguments, mode_t) \
			       : 0;                  \
		va_end(arguments);                   \
	} while (0)

#define DEFINE_OPEN(name)                                                  \
	EXPORT int name(const char *path, int flags, ...)                  \
	{                                                                  \
		mode_t mode;                                               \
		int fd;                                                    \
									   \
		TAKE_MODE(mode, flags);                                    \
		if (opened_to_change(AT_FDCWD, path, flags, &fd))          \
			return fd;                                         \
		return opened(REAL(name)(path, flags, mode), AT_FDCWD,     \
			      path, flags);                                \
	}

#define DEFINE_OPENAT(name)                                                \
	EXPORT int name(int dirfd, const char *path, int flags, ...)       \
	{                                                                  \
		mode_t mode;                                               \
		int fd;                                                    \
									   \
		TAKE_MODE(mode, flags);                                    \
		if (opened_to_change(dirfd, path, flags, &fd))             \
			return fd;                                         \
		return opened(REAL(name)(dirfd, path, flags, mode), dirfd, \
			      path, flags);                                \
	}

/* These have no mode: they never create. */
#define DEFINE_OPEN_2(name)                                                \
	EXPORT int name(const char *path, int flags)                       \
	{                                                                  \
		int fd;                                                    \
									   \
		if (opened_to_change(AT_FDCWD, path, flags, &fd))          \
			return fd;                                         \
		return opened(REAL(name)(path, flags), AT_FDCWD, path,     \
			      flags);                                      \
	}

#define DEFINE_OPENAT_2(name)                                              \
	EXPORT int name(int dirfd, const char *path, int flags)            \
	{                                                                  \
		int fd;                                                    \
									   \
		if (opened_to_change(dirfd, path, flags, &fd))             \
			return fd;                                         \
		return opened(REAL(name)(dirfd, path, flags), dirfd, path, \
			      flags);                                      \
	}

#define CREAT_FLAGS (O_WRONLY | O_CREAT | O_TRUNC)

#define DEFINE_CREAT(name)                                                 \
	EXPORT int name(const char *path, mode_t mode)                     \
	{                                                                  \
		int fd;                                                    \
									   \
		if (opened_to_change(AT_FDCWD, path, CREAT_FLAGS, &fd))    \
			return fd;                                         \
		return opened(REAL(name)(path, mode), AT_FDCWD, path,      \
			      CREAT_FLAGS);                                \
	}

DEFINE_OPEN(open)
DEFINE_OPEN(open64)
DEFINE_OPENAT(openat)
DEFINE_OPENAT(openat64)
DEFINE_OPEN_2(__open_2)
DEFINE_OPEN_2(__open64_2)
DEFINE_OPENAT_2(__openat_2)
DEFINE_OPENAT_2(__openat64_2)
DEFINE_CREAT(creat)
DEFINE_CREAT(creat64)
