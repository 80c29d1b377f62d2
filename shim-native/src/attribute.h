/*
 * Attributes: the files below /sys that the daemon answers for. See attribute.c.
 */
#ifndef SPINDLE_ATTRIBUTE_H
#define SPINDLE_ATTRIBUTE_H

#include <sys/uio.h>

#include "shim.h"

/* What the link of such a descriptor in /proc/self/fd begins with. */
#define ATTRIBUTE_LINK "/memfd:spindle.sys:"

/* path: below /sys; mode: whether it can be read and written. */
int attribute_open(const char *path, mode_t mode, int flags);

/* A read is about to be made, at the descriptor's own offset if that is -1. */
int attribute_refresh(int fd, int64_t offset);
/* write(2): the number of bytes or -errno; the offset means nothing. */
long attribute_write(int fd, const void *bytes, size_t length);
long attribute_writev(int fd, const struct iovec *vector, int count);

/* fstat(2): as the file's path has it. */
int attribute_stat(int fd, struct stat *st);
/* Where the daemon's tree has the file, for a call that takes a path. */
bool attribute_place(int fd, char *place, size_t room);

/* A file with this text alone, which cannot be changed; or -errno. */
int text_open(const char *name, const char *text, size_t length, mode_t mode,
	      int flags);

#endif
