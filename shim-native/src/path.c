/*
 * Which device a path names. The map holds absolute paths; a program may write
 * the same place as "//dev/./hda", or as "hda" from /dev, or relative to a
 * directory descriptor. Names are folded as text, without asking the file
 * system: a configured path is ours whether or not it exists. Most calls by
 * far concern other files, so the last component is compared first. Only when
 * that fits and the whole does not is the directory looked up, which may be a
 * link (/proc/self/root/dev).
 */
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "device.h"
#include "path.h"

static const char *last_component(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static bool could_be_device(const char *path)
{
	const char *last = last_component(path);
	unsigned i;

	for (i = 0; i < device_count(); i++)
		if (strcmp(device_last_component(i), last) == 0)
			return true;
	return false;
}

bool starting_directory(int dirfd, char *out, size_t room)
{
	char link[64];
	long length;

	if (dirfd == AT_FDCWD)
		return raw(SYS_getcwd, out, room) > 0 && out[0] == '/';
	snprintf(link, sizeof(link), "/proc/self/fd/%d", dirfd);
	length = raw(SYS_readlinkat, AT_FDCWD, link, out, room - 1);
	if (length <= 0 || out[0] != '/')
		return false;
	out[length] = '\0';
	return true;
}

/* Folds "//", "/./" and "/../" as text, in place. */
static void fold(char *path)
{
	char *from = path, *to = path;

	while (*from) {
		size_t length;

		while (*from == '/')
			from++;
		length = strcspn(from, "/");
		if (length == 0)
			break;
		if (length == 1 && from[0] == '.') {
			from += length;
			continue;
		}
		if (length == 2 && from[0] == '.' && from[1] == '.') {
			while (to > path && *--to != '/')
				;
			from += length;
			continue;
		}
		*to++ = '/';
		memmove(to, from, length);
		to += length;
		from += length;
	}
	*to = '\0';
}

/* Replaces the directory by where it really is; false when it is nowhere. */
static bool real_directory(char *path)
{
	char real[2 * PATH_MAX], *slash = strrchr(path, '/');
	bool known = false;
	int fd;

	if (!slash || slash == path)
		return false;
	*slash = '\0';
	fd = (int)raw(SYS_openat, AT_FDCWD, path,
		      O_PATH | O_DIRECTORY | O_CLOEXEC, 0);
	*slash = '/';
	if (fd < 0)
		return false;
	if (starting_directory(fd, real, PATH_MAX)) {
		if (strcmp(real, "/") == 0)
			real[0] = '\0';
		strcat(real, slash);
		known = strlen(real) < PATH_MAX;
		if (known)
			strcpy(path, real);
	}
	raw_close(fd);
	return known;
}

static struct device *device_by_exact_path(const char *path)
{
	unsigned i;

	for (i = 0; i < device_count(); i++)
		if (strcmp(device_at(i)->path, path) == 0)
			return device_at(i);
	return NULL;
}

struct device *device_by_path(int dirfd, const char *path)
{
	char full[2 * PATH_MAX];
	size_t length = 0;
	struct device *d;

	if (!path || !*path || !shim_active() || !could_be_device(path))
		return NULL;
	d = device_by_exact_path(path);
	if (d)
		return d;
	if (*path != '/') {
		if (!starting_directory(dirfd, full, PATH_MAX))
			return NULL;
		length = strlen(full);
		full[length++] = '/';
	}
	if (length + strlen(path) >= sizeof(full))
		return NULL;
	strcpy(full + length, path);
	fold(full);
	d = device_by_exact_path(full);
	if (!d && real_directory(full))
		d = device_by_exact_path(full);
	return d;
}
