/* The stat family, access, and the file system underneath. */
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "attribute.h"
#include "control.h"
#include "device.h"
#include "place.h"
#include "sysfs.h"
#include "usercopy.h"

int __xstat(int version, const char *path, struct stat *st);
int __xstat64(int version, const char *path, struct stat64 *st);
int __lxstat(int version, const char *path, struct stat *st);
int __lxstat64(int version, const char *path, struct stat64 *st);
int __fxstat(int version, int fd, struct stat *st);
int __fxstat64(int version, int fd, struct stat64 *st);
int __fxstatat(int version, int dirfd, const char *path, struct stat *st,
	       int flags);
int __fxstatat64(int version, int dirfd, const char *path, struct stat64 *st,
		 int flags);

_Static_assert(sizeof(struct stat) == sizeof(struct stat64),
	       "one struct stat on 64-bit");

/* By path, or with AT_EMPTY_PATH by descriptor; after the real call. */
static struct device *device_at_place(long result, int dirfd, const char *path,
				      int flags)
{
	struct open_file file;

	if ((flags & AT_EMPTY_PATH) && (!path || !*path))
		return fd_find(dirfd, &file) ? file.device : NULL;
	return place_after(result, dirfd, path,
			   !(flags & AT_SYMLINK_NOFOLLOW));
}

/* A call that goes well leaves errno as it was, whatever the real one did. */
static struct device *found(struct device *d, int before)
{
	if (d)
		errno = before;
	return d;
}

static int give_stat(const struct device *d, void *to)
{
	struct stat st;

	shim_stat(d, &st);
	return (int)answer(copy_to_user(to, &st, sizeof(st)));
}

static int give_attribute_stat(int fd, void *to)
{
	struct stat st;
	int result = attribute_stat(fd, &st);

	if (result == 0)
		result = copy_to_user(to, &st, sizeof(st));
	return (int)answer(result);
}

/* By descriptor: an attribute's place in the daemon's tree. */
static bool empty_path_attribute(int fd, const char *path, int flags,
				 char *place)
{
	return (flags & AT_EMPTY_PATH) && fd_is_attribute(fd) &&
	       (!path || !*path) && attribute_place(fd, place, PLACE_MAX);
}

static int give_statx(const struct device *d, struct statx *to)
{
	struct statx stx;

	shim_statx(d, &stx);
	return (int)answer(copy_to_user(to, &stx, sizeof(stx)));
}

/* A file of our part of /sys: the same call, where the daemon's tree has it. */
#define TRY_TREE(result, dirfd, path, call)                           \
	do {                                                          \
		char *place;                                          \
								      \
		if (!sysfs_candidate(result, path))                   \
			break;                                        \
		place = __builtin_alloca(PLACE_MAX);                  \
		if (sysfs_find(dirfd, path, place)) {                 \
			errno = before;                               \
			return call;                                  \
		}                                                     \
	} while (0)

#define TRY_TREE_AT(result, dirfd, path, flags, call)                 \
	do {                                                          \
		char *place;                                          \
								      \
		if (!(flags & AT_EMPTY_PATH) &&                       \
		    !sysfs_candidate(result, path))                   \
			break;                                        \
		place = __builtin_alloca(PLACE_MAX);                  \
		if (empty_path_attribute(dirfd, path, flags, place) || \
		    sysfs_after(result, dirfd, path, place)) {        \
			errno = before;                               \
			return call;                                  \
		}                                                     \
	} while (0)

#define DEFINE_STAT(name, type, follow)                               \
	EXPORT int name(const char *path, type *st)                   \
	{                                                             \
		int before = errno;                                   \
		int result = REAL(name)(path, st);                    \
		struct device *d = place_after(result, AT_FDCWD, path, \
					       follow);               \
								      \
		if (found(d, before))                                 \
			return give_stat(d, st);                      \
		TRY_TREE(result, AT_FDCWD, path,                      \
			 REAL(name)(place, st));                      \
		return result;                                        \
	}

#define DEFINE_FSTAT(name, type)                                      \
	EXPORT int name(int fd, type *st)                             \
	{                                                             \
		struct open_file file;                                \
								      \
		if (fd_is_attribute(fd))                              \
			return give_attribute_stat(fd, st);           \
		if (!fd_find(fd, &file))                              \
			return REAL(name)(fd, st);                    \
		return give_stat(file.device, st);                    \
	}

#define DEFINE_FSTATAT(name, type)                                          \
	EXPORT int name(int dirfd, const char *path, type *st, int flags)   \
	{                                                                   \
		int before = errno;                                         \
		int result = REAL(name)(dirfd, path, st, flags);            \
		struct device *d = device_at_place(result, dirfd, path,     \
						   flags);                  \
									    \
		if (found(d, before))                                       \
			return give_stat(d, st);                            \
		TRY_TREE_AT(result, dirfd, path, flags,                     \
			    REAL(name)(AT_FDCWD, place, st, flags));        \
		return result;                                              \
	}

#define DEFINE_XSTAT(name, type, follow)                                    \
	EXPORT int name(int version, const char *path, type *st)            \
	{                                                                   \
		int before = errno;                                         \
		int result = REAL(name)(version, path, st);                 \
		struct device *d = place_after(result, AT_FDCWD, path,      \
					       follow);                     \
									    \
		if (found(d, before))                                       \
			return give_stat(d, st);                            \
		TRY_TREE(result, AT_FDCWD, path,                            \
			 REAL(name)(version, place, st));                   \
		return result;                                              \
	}

#define DEFINE_FXSTAT(name, type)                                           \
	EXPORT int name(int version, int fd, type *st)                      \
	{                                                                   \
		struct open_file file;                                      \
									    \
		if (fd_is_attribute(fd))                                    \
			return give_attribute_stat(fd, st);                 \
		if (!fd_find(fd, &file))                                    \
			return REAL(name)(version, fd, st);                 \
		return give_stat(file.device, st);                          \
	}

#define DEFINE_FXSTATAT(name, type)                                         \
	EXPORT int name(int version, int dirfd, const char *path, type *st, \
			int flags)                                          \
	{                                                                   \
		int before = errno;                                         \
		int result = REAL(name)(version, dirfd, path, st, flags);   \
		struct device *d = device_at_place(result, dirfd, path,     \
						   flags);                  \
									    \
		if (found(d, before))                                       \
			return give_stat(d, st);                            \
		TRY_TREE_AT(result, dirfd, path, flags,                     \
			    REAL(name)(version, AT_FDCWD, place, st, flags)); \
		return result;                                              \
	}

DEFINE_STAT(stat, struct stat, true)
DEFINE_STAT(stat64, struct stat64, true)
DEFINE_STAT(lstat, struct stat, false)
DEFINE_STAT(lstat64, struct stat64, false)
DEFINE_FSTAT(fstat, struct stat)
DEFINE_FSTAT(fstat64, struct stat64)
DEFINE_FSTATAT(fstatat, struct stat)
DEFINE_FSTATAT(fstatat64, struct stat64)
DEFINE_XSTAT(__xstat, struct stat, true)
DEFINE_XSTAT(__xstat64, struct stat64, true)
DEFINE_XSTAT(__lxstat, struct stat, false)
DEFINE_XSTAT(__lxstat64, struct stat64, false)
DEFINE_FXSTAT(__fxstat, struct stat)
DEFINE_FXSTAT(__fxstat64, struct stat64)
DEFINE_FXSTATAT(__fxstatat, struct stat)
DEFINE_FXSTATAT(__fxstatat64, struct stat64)

EXPORT int statx(int dirfd, const char *path, int flags, unsigned mask,
		 struct statx *stx)
{
	int before = errno;
	int result = REAL(statx)(dirfd, path, flags, mask, stx);
	struct device *d = device_at_place(result, dirfd, path, flags);

	if (found(d, before))
		return give_statx(d, stx);
	TRY_TREE_AT(result, dirfd, path, flags,
		    REAL(statx)(AT_FDCWD, place, flags, mask, stx));
	return result;
}

static int may_access(int mode)
{
	return (int)answer(mode & X_OK ? -EACCES : 0);
}

EXPORT int access(const char *path, int mode)
{
	int before = errno;
	int result = REAL(access)(path, mode);
	struct device *d = place_after(result, AT_FDCWD, path, true);

	if (found(d, before))
		return may_access(mode);
	TRY_TREE(result, AT_FDCWD, path, (int)answer(sysfs_access(place, mode)));
	return result;
}

EXPORT int faccessat(int dirfd, const char *path, int mode, int flags)
{
	int before = errno;
	int result = REAL(faccessat)(dirfd, path, mode, flags);
	struct device *d = device_at_place(result, dirfd, path, flags);

	if (found(d, before))
		return may_access(mode);
	TRY_TREE(result, dirfd, path, (int)answer(sysfs_access(place, mode)));
	return result;
}

EXPORT int euidaccess(const char *path, int mode)
{
	int before = errno;
	int result = REAL(euidaccess)(path, mode);
	struct device *d = place_after(result, AT_FDCWD, path, true);

	if (found(d, before))
		return may_access(mode);
	TRY_TREE(result, AT_FDCWD, path, (int)answer(sysfs_access(place, mode)));
	return result;
}

/* A device node lies on devtmpfs; ours is answered from where /dev lies. */
#define DEFINE_STATFS(name, by_fd, type)                              \
	EXPORT int name(const char *path, type *st)                   \
	{                                                             \
		int result = REAL(name)(path, st);                    \
		char place[PLACE_MAX];                                \
								      \
		if (place_after(result, AT_FDCWD, path, true))        \
			return REAL(name)("/dev", st);                \
		if (sysfs_after(result, AT_FDCWD, path, place) &&     \
		    raw(SYS_faccessat, AT_FDCWD, place, F_OK) == 0)   \
			return REAL(name)("/sys", st);                \
		return result;                                        \
	}                                                             \
	EXPORT int by_fd(int fd, type *st)                            \
	{                                                             \
		struct open_file file;                                \
								      \
		if (!fd_find(fd, &file))                              \
			return REAL(by_fd)(fd, st);                   \
		return REAL(name)("/dev", st);                        \
	}

DEFINE_STATFS(statfs, fstatfs, struct statfs)
DEFINE_STATFS(statfs64, fstatfs64, struct statfs64)
DEFINE_STATFS(statvfs, fstatvfs, struct statvfs)
DEFINE_STATFS(statvfs64, fstatvfs64, struct statvfs64)

#define DEFINE_PATHCONF(name)                                         \
	EXPORT long name(int fd, int what)                            \
	{                                                             \
		struct open_file file;                                \
								      \
		if (!fd_find(fd, &file))                              \
			return REAL(name)(fd, what);                  \
		return pathconf("/dev", what);                        \
	}

DEFINE_PATHCONF(fpathconf)
