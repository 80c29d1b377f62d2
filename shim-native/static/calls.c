/*
 * Calls on paths and on descriptors. A device's is answered by the shim's own
 * functions, on a duplicate of the program's descriptor and a copy of its data.
 */
#include <linux/fs.h>
#include <linux/openat2.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "static.h"

int64_t answer_descriptor(const struct call *call, int fd, int flags)
{
	struct open_file file = { .fd = fd };
	struct seccomp_notif_addfd add = {
		.id = call->id,
		.flags = SECCOMP_ADDFD_FLAG_SEND,
		.srcfd = (uint32_t)fd,
		.newfd_flags = (uint32_t)(flags & O_CLOEXEC),
	};
	long result;

	if (fd < 0)
		return fd;
	result = raw(SYS_ioctl, call->listener, SECCOMP_IOCTL_NOTIF_ADDFD, &add);
	target_release(&file);
	return result < 0 ? result : ALREADY_ANSWERED;
}

static int64_t open_place(const struct call *call, int dirfd, uint64_t path,
			  int flags)
{
	struct device *d = target_place(call->tid, dirfd, path,
					!(flags & O_NOFOLLOW));

	if (!d)
		return LEFT_TO_KERNEL;
	return answer_descriptor(call, fd_open_device(d, flags | O_CLOEXEC),
			       flags);
}

static int64_t open2_place(const struct call *call)
{
	struct open_how how = { 0 };

	if (call->a[3] < (long)sizeof(how) ||
	    target_fetch(call->tid, &how, (uint64_t)call->a[2], sizeof(how)) < 0)
		return LEFT_TO_KERNEL;
	return open_place(call, (int)call->a[0], (uint64_t)call->a[1],
			  (int)how.flags);
}

static int64_t give_stat(const struct call *call, const struct device *d,
			 long to)
{
	struct stat st;

	shim_stat(d, &st);
	return target_store(call->tid, (uint64_t)to, &st, sizeof(st));
}

/* By path, or with AT_EMPTY_PATH by descriptor. */
static struct device *place_or_file(const struct call *call, int flags)
{
	struct open_file file;
	char first = 1;
	int dirfd = (int)call->a[0];
	uint64_t path = (uint64_t)call->a[1];

	if (flags & AT_EMPTY_PATH) {
		if (path)
			target_fetch(call->tid, &first, path, 1);
		if (!path || !first) {
			if (target_device(call->tid, dirfd, &file) < 0)
				return NULL;
			target_release(&file);
			return file.device;
		}
	}
	return target_place(call->tid, dirfd, path,
			    !(flags & AT_SYMLINK_NOFOLLOW));
}

static int64_t statx_place(const struct call *call)
{
	struct device *d = place_or_file(call, (int)call->a[2]);
	struct statx stx;

	if (!d)
		return LEFT_TO_KERNEL;
	device_queue(d);
	shim_statx(d, &stx);
	return target_store(call->tid, (uint64_t)call->a[4], &stx, sizeof(stx));
}

static int64_t stat_place(const struct call *call)
{
	struct device *d = place_or_file(call, (int)call->a[3]);

	return d ? give_stat(call, d, call->a[2]) : LEFT_TO_KERNEL;
}

static int64_t access_place(const struct call *call, int dirfd, long path,
			    long mode)
{
	if (!target_place(call->tid, dirfd, (uint64_t)path, true))
		return LEFT_TO_KERNEL;
	return mode & X_OK ? -EACCES : 0;
}

/* A device is no link; a link to an open one leads to its path. */
static int64_t read_link(const struct call *call, int dirfd, long path, long to,
			 long room)
{
	static const char descriptors[] = "/proc/";
	char start[sizeof(descriptors) - 1];
	struct device *d;
	size_t length;

	if (target_place(call->tid, dirfd, (uint64_t)path, false))
		return -EINVAL;
	if (target_fetch(call->tid, start, (uint64_t)path, sizeof(start)) < 0 ||
	    memcmp(start, descriptors, sizeof(start)) != 0)
		return LEFT_TO_KERNEL;
	d = target_place(call->tid, dirfd, (uint64_t)path, true);
	if (!d || room <= 0)
		return LEFT_TO_KERNEL;
	length = strlen(d->path);
	if (length > (size_t)room)
		length = (size_t)room;
	return target_store(call->tid, (uint64_t)to, d->path, length) < 0
		       ? -EFAULT
		       : (int64_t)length;
}

/* The calls that newer machines no longer have. */
static int64_t call_on_old_path(const struct call *call)
{
#ifdef SYS_open
	struct device *d;

	switch (call->number) {
	case SYS_open:
		return open_place(call, AT_FDCWD, (uint64_t)call->a[0],
				  (int)call->a[1]);
	case SYS_creat:
		return open_place(call, AT_FDCWD, (uint64_t)call->a[0],
				  O_CREAT | O_WRONLY | O_TRUNC);
	case SYS_access:
		return access_place(call, AT_FDCWD, call->a[0], call->a[1]);
	case SYS_readlink:
		return read_link(call, AT_FDCWD, call->a[0], call->a[1],
				 call->a[2]);
	default:
		d = target_place(call->tid, AT_FDCWD, (uint64_t)call->a[0],
				 call->number == SYS_stat);
		return d ? give_stat(call, d, call->a[1]) : LEFT_TO_KERNEL;
	}
#else
	(void)call;
	return LEFT_TO_KERNEL;
#endif
}

int64_t call_on_path(const struct call *call)
{
	switch (call->number) {
	case SYS_openat:
		return open_place(call, (int)call->a[0], (uint64_t)call->a[1],
				  (int)call->a[2]);
	case SYS_openat2:
		return open2_place(call);
	case SYS_newfstatat:
		return stat_place(call);
	case SYS_readlinkat:
		return read_link(call, (int)call->a[0], call->a[1], call->a[2],
				 (int)call->a[3]);
	case SYS_statx:
		return statx_place(call);
	case SYS_faccessat:
#ifdef SYS_faccessat2
	case SYS_faccessat2:
#endif
		return access_place(call, (int)call->a[0], call->a[1],
				    call->a[2]);
	default:
		return call_on_old_path(call);
	}
}

/* Where a transfer is to go: at an offset, or where the file stands. */
struct transfer {
	enum direction direction;
	bool vectored, positioned;
	int64_t offset;
	int flags;
};

static bool transfer_of(const struct call *call, struct transfer *t)
{
	*t = (struct transfer){ .direction = DIRECTION_READ };
	switch (call->number) {
	case SYS_write:
	case SYS_writev:
	case SYS_pwrite64:
	case SYS_pwritev:
	case SYS_pwritev2:
		t->direction = DIRECTION_WRITE;
		break;
	case SYS_read:
	case SYS_readv:
	case SYS_pread64:
	case SYS_preadv:
	case SYS_preadv2:
		break;
	default:
		return false;
	}
	t->vectored = call->number != SYS_read && call->number != SYS_write &&
		      call->number != SYS_pread64 &&
		      call->number != SYS_pwrite64;
	t->positioned = call->number != SYS_read &&
			call->number != SYS_write &&
			call->number != SYS_readv && call->number != SYS_writev;
	t->offset = call->a[3];
	if (call->number == SYS_preadv2 || call->number == SYS_pwritev2) {
		t->flags = (int)call->a[5];
		t->positioned = t->offset != -1;
	}
	return true;
}

static int64_t run_transfer(const struct call *call,
			    const struct open_file *file,
			    const struct transfer *t)
{
	struct buffer buffer;
	int64_t result;

	if (!access_allows(file, t->direction))
		return -EBADF;
	if (t->positioned && t->offset < 0)
		return -EINVAL;
	result = t->vectored
			 ? buffer_vector(&buffer, call->tid,
					 (uint64_t)call->a[1], call->a[2])
			 : buffer_single(&buffer, (uint64_t)call->a[1],
					 (uint64_t)call->a[2]);
	if (result < 0)
		return result;
	if (t->direction == DIRECTION_WRITE)
		result = buffer_fill(&buffer, call->tid);
	if (result == 0 && t->positioned)
		result = shim_piov(file, t->direction, buffer.local,
				   (int)buffer.segments, t->offset, t->flags);
	else if (result == 0)
		result = shim_iov(file, t->direction, buffer.local,
				  (int)buffer.segments, t->flags);
	if (result > 0 && t->direction == DIRECTION_READ &&
	    buffer_empty(&buffer, call->tid, (size_t)result) < 0)
		result = -EFAULT;
	buffer_free(&buffer);
	return result;
}

static int64_t run_lock(const struct call *call, const struct open_file *file)
{
	uint64_t argument = (uint64_t)call->a[2];
	struct flock lock;
	int result = target_fetch(call->tid, &lock, argument, sizeof(lock));

	if (result == 0)
		result = shim_fcntl(file, (int)call->a[1], (long)&lock);
	if (result == 0 &&
	    (call->a[1] == F_GETLK || call->a[1] == F_OFD_GETLK))
		result = target_store(call->tid, argument, &lock, sizeof(lock));
	return result;
}

static int64_t run_fcntl(const struct call *call, const struct open_file *file)
{
	switch ((int)call->a[1]) {
	case F_GETFL:
	case F_SETFL:
	case F_GETSIG:
	case F_SETSIG:
	case F_GET_SEALS:
	case F_ADD_SEALS:
		return shim_fcntl(file, (int)call->a[1], call->a[2]);
	case F_GETLK:
	case F_SETLK:
	case F_SETLKW:
	case F_OFD_GETLK:
	case F_OFD_SETLK:
	case F_OFD_SETLKW:
		return run_lock(call, file);
	default:	/* the rest is the descriptor's, which is a real one */
		return LEFT_TO_KERNEL;
	}
}

static int64_t run_on_device(const struct call *call,
			     const struct open_file *file)
{
	struct transfer transfer;

	if (transfer_of(call, &transfer))
		return run_transfer(call, file, &transfer);
	switch (call->number) {
	case SYS_lseek:
		return shim_lseek(file, call->a[1], (int)call->a[2]);
	case SYS_fstat:
		return give_stat(call, file->device, call->a[1]);
	case SYS_ioctl:
		return call_ioctl(call, file);
	case SYS_fcntl:
		return run_fcntl(call, file);
	case SYS_fsync:
	case SYS_fdatasync:
		return shim_flush(file);
	case SYS_fallocate:
		return shim_fallocate(file, (int)call->a[1], call->a[2],
				      call->a[3]);
	case SYS_sync_file_range:
		return 0;
	default:
		/* Cut to a length; copied inside the kernel, which cannot be. */
		return -EINVAL;
	}
}

/* The second descriptor of a call that copies from one to another; or -1. */
static int other_descriptor(const struct call *call)
{
	switch (call->number) {
	case SYS_sendfile:
		return (int)call->a[1];
	case SYS_splice:
	case SYS_copy_file_range:
		return (int)call->a[2];
	default:
		return -1;
	}
}

int64_t call_on_file(const struct call *call)
{
	struct open_file file;
	int64_t result;

	if (target_device(call->tid, (int)call->a[0], &file) < 0 &&
	    target_device(call->tid, other_descriptor(call), &file) < 0)
		return LEFT_TO_KERNEL;
	result = run_on_device(call, &file);
	target_release(&file);
	return result;
}
