/*
 * What is asked of a device besides I/O: ioctl, fcntl, stat, fallocate.
 */
#ifndef SPINDLE_CONTROL_H
#define SPINDLE_CONTROL_H

#include <sys/stat.h>

#include "fdtab.h"

struct statx;

int shim_ioctl(const struct open_file *file, unsigned long request,
	       void *argument);
int shim_fcntl(const struct open_file *file, int command, long argument);
int shim_fallocate(const struct open_file *file, int mode, int64_t offset,
		   int64_t length);
int64_t shim_lseek(const struct open_file *file, int64_t offset, int whence);
void shim_stat(const struct device *d, struct stat *st);
void shim_statx(const struct device *d, struct statx *stx);

#endif
