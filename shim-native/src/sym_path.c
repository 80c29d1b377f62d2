/* Names made absolute, and copies inside the kernel, which cannot be. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>

#include "device.h"
#include "fdtab.h"
#include "place.h"
#include "sysfs.h"

char *__realpath_chk(const char *path, char *resolved, size_t room);

static char *give_path(const struct device *d, char *resolved)
{
	if (!resolved)
		return strdup(d->path);
	return memcpy(resolved, d->path, strlen(d->path) + 1);
}

EXPORT char *realpath(const char *path, char *resolved)
{
	char *result = REAL(realpath)(path, resolved);
	const struct device *d = place_after(result ? 0 : -1, AT_FDCWD, path,
					     true);
	char place[PLACE_MAX];

	if (!d && sysfs_after(result ? 0 : -1, AT_FDCWD, path, place)) {
		char *found = REAL(realpath)(place, resolved);

		if (found)
			sysfs_from_tree(found);
		if (!resolved)
			free(result);
		return found;
	}
	if (!d)
		return result;
	if (!resolved)
		free(result);
	return give_path(d, resolved);
}

EXPORT char *__realpath_chk(const char *path, char *resolved, size_t room)
{
	if (room < PATH_MAX)
		return REAL(__realpath_chk)(path, resolved, room);
	return realpath(path, resolved);
}

EXPORT char *canonicalize_file_name(const char *path)
{
	return realpath(path, NULL);
}

/* EINVAL: "not for this file", on which callers fall back to read and write. */
#define DEFINE_SENDFILE(name, offset_type)                                   \
	EXPORT ssize_t name(int to, int from, offset_type *offset,           \
			    size_t length)                                   \
	{                                                                    \
		struct open_file file;                                       \
									     \
		if (!fd_find(to, &file) && !fd_find(from, &file))            \
			return REAL(name)(to, from, offset, length);         \
		return answer(-EINVAL);                                      \
	}

#define DEFINE_SPLICE(name)                                                  \
	EXPORT ssize_t name(int from, off64_t *from_offset, int to,          \
			    off64_t *to_offset, size_t length,               \
			    unsigned flags)                                  \
	{                                                                    \
		struct open_file file;                                       \
									     \
		if (!fd_find(to, &file) && !fd_find(from, &file))            \
			return REAL(name)(from, from_offset, to, to_offset,  \
					  length, flags);                    \
		return answer(-EINVAL);                                      \
	}

DEFINE_SENDFILE(sendfile, off_t)
DEFINE_SENDFILE(sendfile64, off64_t)
DEFINE_SPLICE(splice)
DEFINE_SPLICE(copy_file_range)
