/*
 * Which device, if any, a path given to a call leads to.
 *
 * Most calls by far concern other files, and a path may be a bad pointer. So a
 * call that changes nothing is made first, for real: its answer says whether
 * the path can be read at all, and only then is it compared (place_after). For
 * a call that may create or cut a file, readlink says the same (place_before).
 *
 * A program may also come by a link: /dev/disk/by-name/x, a testfile in its
 * own folder, /dev/stdin, /proc/self/fd/7. Following one costs a system call
 * more, so it is done only where it can matter: the real call found nothing at
 * the end of the link, the last component looks like one of a descriptor, or a
 * real file lies where a device should, so that finding something proves
 * nothing.
 */
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "device.h"
#include "fdtab.h"
#include "place.h"

#define LINKS_MAX 40

static bool names_a_descriptor(const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *last = slash ? slash + 1 : path;

	return (*last && last[strspn(last, "0123456789")] == '\0') ||
	       strcmp(last, "stdin") == 0 || strcmp(last, "stdout") == 0 ||
	       strcmp(last, "stderr") == 0;
}

/* Puts target in the place of path's last component. */
static bool step(char *path, const char *target)
{
	char *slash = strrchr(path, '/');
	size_t kept = *target == '/' || !slash ? 0 : (size_t)(slash - path) + 1;

	if (kept + strlen(target) >= PATH_MAX)
		return false;
	strcpy(path + kept, target);
	return true;
}

/* Follows path, which can be read, as long as it is a link. */
static struct device *device_by_link(int dirfd, const char *path)
{
	char at[PATH_MAX], target[PATH_MAX];
	struct device *d = NULL;
	int i;

	if (strlen(path) >= sizeof(at))
		return NULL;
	strcpy(at, path);
	for (i = 0; i < LINKS_MAX && !d; i++) {
		long length = raw(SYS_readlinkat, dirfd, at, target,
				  sizeof(target) - 1);

		if (length <= 0)
			return NULL;
		target[length] = '\0';
		d = device_by_descriptor_link(target);
		if (!d && step(at, target))
			d = device_by_path(dirfd, at);
	}
	return d;
}

struct device *place_before(int dirfd, const char *path, bool follow)
{
	bool readable;

	return place_before_looked(dirfd, path, follow, &readable);
}

struct device *place_before_looked(int dirfd, const char *path, bool follow,
				   bool *readable)
{
	char target[PATH_MAX];
	struct device *d;
	long length;

	*readable = false;
	if (!path || !shim_active())
		return NULL;
	length = raw(SYS_readlinkat, dirfd, path, target, sizeof(target));
	if (length == -EFAULT || length == -ENAMETOOLONG || !*path)
		return NULL;
	*readable = true;
	d = device_by_path(dirfd, path);
	if (!d && follow && length > 0)
		d = device_by_link(dirfd, path);
	return d;
}

struct device *place_after(long result, int dirfd, const char *path,
			   bool follow)
{
	int error = result < 0 ? errno : 0;
	struct device *d;

	if (!path || error == EFAULT || error == ENAMETOOLONG ||
	    !shim_active())
		return NULL;
	/*
	 * Unknown flags are EINVAL before the path is looked at; else it is a
	 * file in a device's place that dislikes what a device would take.
	 */
	if (error == EINVAL)
		return devices_are_shadowed() ? place_before(dirfd, path, follow)
					      : NULL;
	if (!*path)
		return NULL;
	d = device_by_path(dirfd, path);
	if (!d && follow &&
	    (error || names_a_descriptor(path) || devices_are_shadowed()))
		d = device_by_link(dirfd, path);
	return d;
}
