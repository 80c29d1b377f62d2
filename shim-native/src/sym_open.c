/* open and its spellings. */
#include <fcntl.h>

#include "device.h"
#include "fdtab.h"

int __open_2(const char *path, int flags);
int __open64_2(const char *path, int flags);
int __openat_2(int dirfd, const char *path, int flags);
int __openat64_2(int dirfd, const char *path, int flags);

/* A descriptor that is not ours may carry the number of one that was. */
static int not_ours(int fd)
{
	if (fd >= 0)
		fd_forget(fd);
	return fd;
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
		struct device *d = device_by_path(AT_FDCWD, path);         \
		mode_t mode;                                               \
									   \
		TAKE_MODE(mode, flags);                                    \
		if (d)                                                     \
			return (int)answer(fd_open_device(d, flags));      \
		return not_ours(REAL(name)(path, flags, mode));            \
	}

#define DEFINE_OPENAT(name)                                                \
	EXPORT int name(int dirfd, const char *path, int flags, ...)       \
	{                                                                  \
		struct device *d = device_by_path(dirfd, path);            \
		mode_t mode;                                               \
									   \
		TAKE_MODE(mode, flags);                                    \
		if (d)                                                     \
			return (int)answer(fd_open_device(d, flags));      \
		return not_ours(REAL(name)(dirfd, path, flags, mode));     \
	}

#define DEFINE_OPEN_2(name)                                                \
	EXPORT int name(const char *path, int flags)                       \
	{                                                                  \
		struct device *d = device_by_path(AT_FDCWD, path);         \
									   \
		if (d)                                                     \
			return (int)answer(fd_open_device(d, flags));      \
		return not_ours(REAL(name)(path, flags));                  \
	}

#define DEFINE_OPENAT_2(name)                                              \
	EXPORT int name(int dirfd, const char *path, int flags)            \
	{                                                                  \
		struct device *d = device_by_path(dirfd, path);            \
									   \
		if (d)                                                     \
			return (int)answer(fd_open_device(d, flags));      \
		return not_ours(REAL(name)(dirfd, path, flags));           \
	}

#define DEFINE_CREAT(name)                                                 \
	EXPORT int name(const char *path, mode_t mode)                     \
	{                                                                  \
		struct device *d = device_by_path(AT_FDCWD, path);         \
									   \
		if (d)                                                     \
			return (int)answer(fd_open_device(d, O_WRONLY));   \
		return not_ours(REAL(name)(path, mode));                   \
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
