/*
 * /sys of our devices. The daemon keeps a tree of files beside the map, in
 * which each folder, link and mode is as /sys would have it, so a path below
 * /sys that concerns a device of ours is put there and everything but opening
 * an attribute is left to the kernel: stat, readlink, opendir, chdir. What an
 * attribute says is asked of the daemon when it is opened (attribute.c).
 *
 * A path is folded as text as far as the device, following the links that
 * /sys has there, so that ".." goes where it would in the kernel:
 *
 *   /sys/block/NAME, /sys/class/block/NAME, /sys/dev/block/43:N
 *                                    -> /sys/devices/virtual/block/NAME
 *   /sys/class/pktcdvd/pktcdvdN      -> /sys/devices/virtual/pktcdvd/pktcdvdN
 *
 * A relative path can only matter once the process has gone below /sys or has
 * opened a directory there; until then it is not looked at.
 */
#include "sysfs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "attribute.h"
#include "device.h"
#include "fdtab.h"
#include "path.h"

#define SYS "/sys"
#define BLOCK_DEVICES "/sys/devices/virtual/block/"
#define PACKET_DEVICES "/sys/devices/virtual/pktcdvd/"
#define PACKET_CLASS "/sys/class/pktcdvd"
#define DEVICE_NUMBERS "/sys/dev/block/"
#define SUFFIX ".sys"

_Atomic bool sysfs_entered;

/* The tree of this process's map, and the folder of all trees, free of links. */
static char root[PATH_MAX], folder[PATH_MAX];

const char *sysfs_root(void)
{
	return root;
}

static bool begins(const char *path, const char *with)
{
	return strncmp(path, with, strlen(with)) == 0;
}

bool sysfs_from_tree(char *path)
{
	size_t length = strlen(folder);
	const char *tree, *end;

	if (length == 0 || !begins(path, folder) || path[length] != '/')
		return false;
	tree = path + length + 1;
	end = tree + strcspn(tree, "/");
	if (end - tree < (long)sizeof(SUFFIX) ||
	    memcmp(end - (sizeof(SUFFIX) - 1), SUFFIX, sizeof(SUFFIX) - 1) != 0)
		return false;
	memmove(path + sizeof(SYS) - 1, end, strlen(end) + 1);
	memcpy(path, SYS, sizeof(SYS) - 1);
	return true;
}

void sysfs_note_directory(const char *path)
{
	char copy[PATH_MAX];

	if (!folder[0] || strlen(path) >= sizeof(copy))
		return;
	strcpy(copy, path);
	if (strcmp(path, SYS) == 0 || begins(path, SYS "/") ||
	    sysfs_from_tree(copy))
		atomic_store(&sysfs_entered, true);
}

void sysfs_start(const char *map_path)
{
	char real[PATH_MAX], *slash;
	size_t length = strlen(map_path);
	int fd;

	if (length > 4 && strcmp(map_path + length - 4, ".map") == 0)
		length -= 4;
	if (length + sizeof(SUFFIX) > sizeof(root))
		return;
	memcpy(root, map_path, length);
	strcpy(root + length, SUFFIX);
	fd = raw_open(root, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (fd >= 0 && starting_directory(fd, real, sizeof(real))) {
		strcpy(root, real);
		slash = strrchr(real, '/');
		*slash = '\0';
		strcpy(folder, real);
		if (starting_directory(AT_FDCWD, real, sizeof(real)))
			sysfs_note_directory(real);
	}
	if (fd >= 0)
		raw_close(fd);
}

/* The device whose name is the last component, behind prefix; or NULL. */
static struct device *named_behind(const char *path, const char *prefix)
{
	const char *name = path + strlen(prefix);

	if (!begins(path, prefix) || strchr(name, '/'))
		return NULL;
	return device_by_name(name, strlen(name));
}

/* The device of /sys/dev/block/43:N. */
static struct device *numbered(const char *path)
{
	unsigned major, minor;
	char more;

	if (!begins(path, DEVICE_NUMBERS) ||
	    sscanf(path + sizeof(DEVICE_NUMBERS) - 1, "%u:%u%c", &major, &minor,
		   &more) != 2)
		return NULL;
	return major == DEVICE_MAJOR && minor < device_count()
		       ? device_at(minor)
		       : NULL;
}

static struct device *linked_device(const char *path)
{
	struct device *d = named_behind(path, SYS "/block/");

	if (!d)
		d = named_behind(path, SYS "/class/block/");
	return d ? d : numbered(path);
}

/* Follows the one link that path may be. */
static void follow(char *path)
{
	const struct device *d = linked_device(path);
	const char *writer = path + sizeof(PACKET_CLASS);
	char name[64];

	if (d) {
		strcpy(path, BLOCK_DEVICES);
		strcat(path, d->name);
	} else if (begins(path, PACKET_CLASS "/pktcdvd") &&
		   !strchr(writer, '/') && strlen(writer) < sizeof(name)) {
		strcpy(name, writer);
		strcpy(path, PACKET_DEVICES);
		strcat(path, name);
	}
}

static bool is_in(const char *path, const char *directory)
{
	size_t length = strlen(directory);

	return begins(path, directory) &&
	       (path[length] == '\0' || path[length] == '/');
}

/* A folded path: is it ours to answer? */
static bool is_ours(const char *path)
{
	const char *name = path + sizeof(BLOCK_DEVICES) - 1;

	if (!is_in(path, SYS))
		return false;
	if (strcmp(path, SYS "/block") == 0 ||
	    strcmp(path, SYS "/class/block") == 0 ||
	    strcmp(path, SYS "/dev/block") == 0)
		return true;
	if (begins(path, BLOCK_DEVICES))
		return device_by_name(name, strcspn(name, "/"));
	if (is_in(path, PACKET_CLASS) || begins(path, PACKET_DEVICES)) {
		char place[PLACE_MAX];

		snprintf(place, sizeof(place), "%s%s", root,
			 PACKET_CLASS + sizeof(SYS) - 1);
		return raw(SYS_faccessat, AT_FDCWD, place, F_OK) == 0;
	}
	return linked_device(path);
}

/* Folds an absolute path, through our links alone; at most as long again. */
static void fold_into(char *to, const char *from)
{
	char *end = to;

	*to = '\0';
	for (;;) {
		size_t length;

		if (*from == '/')
			follow(to);
		from += strspn(from, "/");
		length = strcspn(from, "/");
		if (length == 0)
			return;
		end = to + strlen(to);
		if (length == 2 && from[0] == '.' && from[1] == '.') {
			while (end > to && *--end != '/')
				;
			*end = '\0';
		} else if (length != 1 || from[0] != '.') {
			*end++ = '/';
			memcpy(end, from, length);
			end[length] = '\0';
		}
		from += length;
	}
}

/* Made absolute; false where it starts outside of /sys. */
static bool make_absolute(int dirfd, const char *path, char *out)
{
	size_t length = 0;

	if (*path != '/') {
		if (!starting_directory(dirfd, out, PATH_MAX))
			return false;
		if (!sysfs_from_tree(out) && !is_in(out, SYS))
			return false;
		length = strlen(out);
		out[length++] = '/';
	}
	if (length + strlen(path) >= 2 * PATH_MAX)
		return false;
	strcpy(out + length, path);
	return true;
}

bool sysfs_find(int dirfd, const char *path, char *place)
{
	/* A link is followed by a longer path only once, before the device. */
	char absolute[2 * PATH_MAX], folded[3 * PATH_MAX];

	if (!shim_active() || !folder[0] ||
	    !make_absolute(dirfd, path, absolute))
		return false;
	fold_into(folded, absolute);
	if (!is_ours(folded) ||
	    strlen(root) + strlen(folded) >= PLACE_MAX)
		return false;
	strcpy(place, root);
	strcat(place, folded + sizeof(SYS) - 1);
	return true;
}

/* Nothing is made in /sys: EACCES, where there is a folder to make it in. */
static int cannot_create(const char *place)
{
	char parent[PLACE_MAX];
	struct stat st;

	strcpy(parent, place);
	*strrchr(parent, '/') = '\0';
	if (raw(SYS_newfstatat, AT_FDCWD, parent, &st, 0) < 0)
		return -ENOENT;
	return S_ISDIR(st.st_mode) ? -EACCES : -ENOTDIR;
}

int sysfs_open(const char *place, int flags)
{
	const int unchanged = flags & ~(O_CREAT | O_TRUNC | O_EXCL);
	char real[PLACE_MAX];
	struct stat st;
	int fd, result;

	fd = raw_open(place, O_PATH | O_CLOEXEC | (flags & O_NOFOLLOW));
	if (fd == -ENOENT && (flags & O_CREAT))
		return cannot_create(place);
	if (fd < 0)
		return fd;
	result = raw_fstat(fd, &st);
	if (result == 0 && !starting_directory(fd, real, PATH_MAX))
		result = -ENOENT;
	raw_close(fd);
	if (result < 0)
		return result;
	if (S_ISREG(st.st_mode) && !(flags & O_PATH) && sysfs_from_tree(real))
		return attribute_open(real + sizeof(SYS), st.st_mode, flags);
	if (S_ISDIR(st.st_mode)) {
		atomic_store(&sysfs_entered, true);
		if (flags & O_CREAT)
			return flags & O_EXCL ? -EEXIST : -EISDIR;
	}
	return raw_open(place, unchanged);
}

int sysfs_access(const char *place, int mode)
{
	struct stat st;
	long result = raw(SYS_newfstatat, AT_FDCWD, place, &st, 0);

	if (result == 0 && S_ISREG(st.st_mode) &&
	    ((mode & W_OK && !(st.st_mode & 0222)) || mode & X_OK))
		return -EACCES;
	return (int)(result == 0 ? raw(SYS_faccessat, AT_FDCWD, place, mode)
				 : result);
}
