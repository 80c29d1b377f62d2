/*
 * syscall(2). Programs that use AIO without libaio, and libaio itself since
 * 0.3.113, come this way. Numbers that mean nothing to us are passed on with
 * six arguments unchanged. The calls on paths and descriptors lead to our own
 * wrappers of the same name, which decide as they do for anyone.
 */
#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "native_aio.h"
#include "close.h"
#include "control.h"
#include "device.h"
#include "place.h"
#include "sysfs.h"
#include "usercopy.h"

#define ARGUMENTS 6

static long aio_call(long number, const long *a)
{
	switch (number) {
	case SYS_io_setup:
		return shim_io_setup((unsigned)a[0], (aio_context_t *)a[1]);
	case SYS_io_destroy:
		return shim_io_destroy((aio_context_t)a[0]);
	case SYS_io_submit:
		return shim_io_submit((aio_context_t)a[0], a[1],
				  (struct iocb **)a[2]);
	case SYS_io_cancel:
		return shim_io_cancel((aio_context_t)a[0], (struct iocb *)a[1],
				  (struct io_event *)a[2]);
	case SYS_io_getevents:
		return shim_io_getevents((aio_context_t)a[0], a[1], a[2],
				     (struct io_event *)a[3],
				     (const struct timespec *)a[4]);
	default:
		return shim_io_pgetevents((aio_context_t)a[0], a[1], a[2],
				      (struct io_event *)a[3],
				      (const struct timespec *)a[4],
				      (const void *)a[5]);
	}
}

/* The kernel's pair of halves; on 64-bit the low one is the whole offset. */
static long vector_call(long number, const long *a)
{
	const struct iovec *iov = (const struct iovec *)a[1];
	int fd = (int)a[0], count = (int)a[2];

	switch (number) {
	case SYS_readv:
		return readv(fd, iov, count);
	case SYS_writev:
		return writev(fd, iov, count);
	case SYS_preadv:
		return preadv(fd, iov, count, a[3]);
	case SYS_pwritev:
		return pwritev(fd, iov, count, a[3]);
	case SYS_preadv2:
		return preadv2(fd, iov, count, a[3], (int)a[5]);
	default:
		return pwritev2(fd, iov, count, a[3], (int)a[5]);
	}
}

static long descriptor_call(long number, const long *a)
{
	int fd = (int)a[0];

	switch (number) {
	case SYS_read:
		return read(fd, (void *)a[1], (size_t)a[2]);
	case SYS_write:
		return write(fd, (const void *)a[1], (size_t)a[2]);
	case SYS_pread64:
		return pread64(fd, (void *)a[1], (size_t)a[2], a[3]);
	case SYS_pwrite64:
		return pwrite64(fd, (const void *)a[1], (size_t)a[2], a[3]);
	case SYS_lseek:
		return lseek(fd, a[1], (int)a[2]);
	case SYS_fsync:
		return fsync(fd);
	case SYS_fdatasync:
		return fdatasync(fd);
	case SYS_ioctl:
		return ioctl(fd, (unsigned long)a[1], a[2]);
	case SYS_fcntl:
		return fcntl(fd, (int)a[1], a[2]);
	case SYS_fallocate:
		return fallocate(fd, (int)a[1], a[2], a[3]);
	case SYS_ftruncate:
		return ftruncate(fd, a[1]);
	case SYS_fstat:
		return fstat(fd, (struct stat *)a[1]);
	case SYS_dup:
		return dup(fd);
	case SYS_dup3:
		return dup3(fd, (int)a[1], (int)a[2]);
	default:
		return close(fd);
	}
}

/* openat2 has no wrapper in libc; its resolve flags mean nothing to us. */
static long openat2_call(const long *a)
{
	const char *path = (const char *)a[1];
	struct open_how how = { 0 };
	char place[PLACE_MAX];
	struct device *d;
	bool readable;

	if (a[3] < (long)sizeof(how))
		return answer(-EINVAL);
	if (copy_from_user(&how, (const void *)a[2], sizeof(how)) < 0)
		return answer(-EFAULT);
	d = place_before_looked((int)a[0], path, !(how.flags & O_NOFOLLOW),
				&readable);
	if (!d && readable && sysfs_could_be(path) &&
	    sysfs_find((int)a[0], path, place))
		return answer(sysfs_open(place, (int)how.flags));
	return answer(d ? fd_open_device(d, (int)how.flags)
			: raw(SYS_openat2, a[0], path, a[2], a[3]));
}

static long path_call(long number, const long *a)
{
	const char *path = (const char *)a[1];
	int dirfd = (int)a[0];

	switch (number) {
	case SYS_openat:
		return openat(dirfd, path, (int)a[2], (mode_t)a[3]);
	case SYS_openat2:
		return openat2_call(a);
	case SYS_newfstatat:
		return fstatat(dirfd, path, (struct stat *)a[2], (int)a[3]);
	case SYS_statx:
		return statx(dirfd, path, (int)a[2], (unsigned)a[3],
			     (struct statx *)a[4]);
	case SYS_readlinkat:
		return readlinkat(dirfd, path, (char *)a[2], (size_t)a[3]);
	default:
		return faccessat(dirfd, path, (int)a[2], 0);
	}
}

/* Calls that newer machines no longer have, and those on whole ranges. */
static long other_call(long number, const long *a)
{
	switch (number) {
#ifdef SYS_open
	case SYS_open:
		return open((const char *)a[0], (int)a[1], (mode_t)a[2]);
	case SYS_stat:
		return stat((const char *)a[0], (struct stat *)a[1]);
	case SYS_lstat:
		return lstat((const char *)a[0], (struct stat *)a[1]);
	case SYS_access:
		return access((const char *)a[0], (int)a[1]);
	case SYS_readlink:
		return readlink((const char *)a[0], (char *)a[1],
				(size_t)a[2]);
	case SYS_dup2:
		return dup2((int)a[0], (int)a[1]);
#endif
	case SYS_chdir:
		return chdir((const char *)a[0]);
	case SYS_close_range:
		return close_range((unsigned)a[0], (unsigned)a[1], (int)a[2]);
	case SYS_mmap:
		return (long)mmap((void *)a[0], (size_t)a[1], (int)a[2],
				  (int)a[3], (int)a[4], a[5]);
	case SYS_execve:
		return execve((const char *)a[0], (char *const *)a[1],
			      (char *const *)a[2]);
	case SYS_io_uring_setup:
		return answer(rings_are_refused()
				      ? -ENOSYS
				      : raw_call6(number, a[0], a[1], a[2],
						  a[3], a[4], a[5]));
	case SYS_mremap:
		return (long)mremap((void *)a[0], (size_t)a[1], (size_t)a[2],
				    (int)a[3], (void *)a[4]);
	default:
		return answer(raw_call6(number, a[0], a[1], a[2], a[3], a[4],
					a[5]));
	}
}

static long dispatch(long number, const long *a)
{
	switch (number) {
	case SYS_io_setup:
	case SYS_io_destroy:
	case SYS_io_submit:
	case SYS_io_cancel:
	case SYS_io_getevents:
	case SYS_io_pgetevents:
		return answer(aio_call(number, a));
	case SYS_readv:
	case SYS_writev:
	case SYS_preadv:
	case SYS_pwritev:
	case SYS_preadv2:
	case SYS_pwritev2:
		return vector_call(number, a);
	case SYS_read:
	case SYS_write:
	case SYS_pread64:
	case SYS_pwrite64:
	case SYS_lseek:
	case SYS_fsync:
	case SYS_fdatasync:
	case SYS_ioctl:
	case SYS_fcntl:
	case SYS_fallocate:
	case SYS_ftruncate:
	case SYS_fstat:
	case SYS_dup:
	case SYS_dup3:
	case SYS_close:
		return descriptor_call(number, a);
	case SYS_openat:
	case SYS_openat2:
	case SYS_newfstatat:
	case SYS_statx:
	case SYS_readlinkat:
	case SYS_faccessat:
		return path_call(number, a);
	default:
		return other_call(number, a);
	}
}

EXPORT long syscall(long number, ...)
{
	long a[ARGUMENTS];
	va_list arguments;
	int i;

	va_start(arguments, number);
	for (i = 0; i < ARGUMENTS; i++)
		a[i] = va_arg(arguments, long);
	va_end(arguments);
	if (!shim_active())
		return answer(raw_call6(number, a[0], a[1], a[2], a[3], a[4],
					a[5]));
	return dispatch(number, a);
}
