/*
 * Which device, if any, a path given to a call leads to. See place.c.
 */
#ifndef SPINDLE_PLACE_H
#define SPINDLE_PLACE_H

#include "shim.h"

struct device;

/*
 * After the real call, which answered result and errno and changed nothing;
 * follow: a link at the end is followed. errno is as it was.
 */
struct device *place_after(long result, int dirfd, const char *path,
			   bool follow);
/* Before a call that may change something. NULL too when path is a bad pointer. */
struct device *place_before(int dirfd, const char *path, bool follow);
/* The same; readable: the path can be, whether or not it leads to a device. */
struct device *place_before_looked(int dirfd, const char *path, bool follow,
				   bool *readable);

#endif
