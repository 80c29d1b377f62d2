/*
 * The part of /sys that our devices have: which paths lead there, and where the
 * daemon's tree of files has them. See sysfs.c.
 */
#ifndef SPINDLE_SYSFS_H
#define SPINDLE_SYSFS_H

#include <limits.h>

#include "shim.h"

/* Room for a path in the daemon's tree. */
#define PLACE_MAX (2 * PATH_MAX)

/* True once this process may name our files by a path that is not absolute. */
extern _Atomic bool sysfs_entered;

/* When the map has been read, whose path this is. */
void sysfs_start(const char *map_path);

/* The daemon's tree; empty where there is none. */
const char *sysfs_root(void);

/* Where a path, which can be read, is in the daemon's tree; false: not ours. */
bool sysfs_find(int dirfd, const char *path, char *place);

/* Costs a few comparisons where the path begins otherwise. */
static inline bool sysfs_could_be(const char *path)
{
	if (path[0] != '/')
		return path[0] && atomic_load_explicit(&sysfs_entered,
						       memory_order_relaxed);
	return path[1] == '/' || path[1] == '.' ||
	       (path[1] == 's' && path[2] == 'y' && path[3] == 's');
}

/*
 * After a real call that changed nothing: the path can be read, and could be
 * ours. Most are not, and then the caller need have no room for a place.
 */
static inline bool sysfs_candidate(long result, const char *path)
{
	if (result < 0 && (errno == EFAULT || errno == ENAMETOOLONG ||
			   errno == EINVAL))
		return false;
	return path && __builtin_expect(sysfs_could_be(path), 0);
}

/*
 * The same after the real call, which changed nothing and answered result and
 * errno: whether the path can be read at all is known from that.
 */
static inline bool sysfs_after(long result, int dirfd, const char *path,
			       char *place)
{
	return sysfs_candidate(result, path) && sysfs_find(dirfd, path, place);
}

/* A path in the daemon's tree as the program is to see it; false: it is none. */
bool sysfs_from_tree(char *path);
/* A directory has been opened, or is the current one: is it one of /sys? */
void sysfs_note_directory(const char *path);

/* open(2) of a place in the tree; the descriptor or -errno. */
int sysfs_open(const char *place, int flags);
/* access(2) of one: of a file the mode alone counts, even for root. */
int sysfs_access(const char *place, int mode);

#endif
