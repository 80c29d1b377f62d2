/* open and its spellings. */
#include <fcntl.h>

#include "device.h"
#include "fdtab.h"
#include "place.h"
#include "standard.h"

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

/* fd is the real open's; a device's descriptor takes its place. */
static int opened(int fd, int dirfd, const char *path, int flags)
{
	struct device *d = NULL;

	if (!may_change(flags))
		d = place_after(fd, dirfd, path, !(flags & O_NOFOLLOW));
	if (fd >= 0 && d)
		raw_close(fd);
	if (d)
		return open_device(d, flags);
	/* It may carry the number of one that was ours. */
	if (fd >= 0)
		fd_forget(fd);
	return fd;
}

static struct device *device_to_change(int dirfd, const char *path, int flags)
{
	return may_change(flags) ? place_before(dirfd, path,
						!(flags & O_NOFOLLOW))
				 : NULL;
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
		struct device *d = device_to_change(AT_FDCWD, path, flags); \
		mode_t mode;                                               \
									   \
		TAKE_MODE(mode, flags);                                    \
		if (d)                                                     \
			return open_device(d, flags);      \
		return opened(REAL(name)(path, flags, mode), AT_FDCWD,     \
			      path, flags);                                \
	}

#define DEFINE_OPENAT(name)                                                \
	EXPORT int name(int dirfd, const char *path, int flags, ...)       \
	{                                                                  \
		struct device *d = device_to_change(dirfd, path, flags);   \
		mode_t mode;                                               \
									   \
		TAKE_MODE(mode, flags);                                    \
		if (d)                                                     \
			return open_device(d, flags);      \
		return opened(REAL(name)(dirfd, path, flags, mode), dirfd, \
			      path, flags);                                \
	}

/* These have no mode: they never create. */
#define DEFINE_OPEN_2(name)                                                \
	EXPORT int name(const char *path, int flags)                       \
	{                                                                  \
		struct device *d = device_to_change(AT_FDCWD, path, flags); \
									   \
		if (d)                                                     \
			return open_device(d, flags);      \
		return opened(REAL(name)(path, flags), AT_FDCWD, path,     \
			      flags);                                      \
	}

#define DEFINE_OPENAT_2(name)                                              \
	EXPORT int name(int dirfd, const char *path, int flags)            \
	{                                                                  \
		struct device *d = device_to_change(dirfd, path, flags);   \
									   \
		if (d)                                                     \
			return open_device(d, flags);      \
		return opened(REAL(name)(dirfd, path, flags), dirfd, path, \
			      flags);                                      \
	}

#define CREAT_FLAGS (O_WRONLY | O_CREAT | O_TRUNC)

#define DEFINE_CREAT(name)                                                 \
	EXPORT int name(const char *path, mode_t mode)                     \
	{                                                                  \
		struct device *d = place_before(AT_FDCWD, path, true);     \
									   \
		if (d)                                                     \
			return open_device(d, O_WRONLY);   \
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
