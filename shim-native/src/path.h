/*
 * Where a relative path starts. See path.c.
 */
#ifndef SPINDLE_PATH_H
#define SPINDLE_PATH_H

#include "shim.h"

/*
 * The directory as an absolute path, of a descriptor or AT_FDCWD; false when it
 * has none or it is longer than room. (It tells where any descriptor leads.)
 */
bool starting_directory(int dirfd, char *out, size_t room);

#endif
