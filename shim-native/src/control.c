/*
 * fcntl, lseek and fallocate as a block device answers them.
 */
#include "control.h"

#include <linux/falloc.h>

#include "device.h"
#include "transfer.h"
#include "usercopy.h"

/*
 * Record locks. Each open has a placeholder of its own, so the kernel has no
 * common file to hold them against each other: they are granted, and there is
 * never anyone else's to report. The access mode is checked as it should be.
 */
static int lock_record(const struct open_file *file, int command,
		       struct flock *user)
{
	struct flock lock;

	if (copy_from_user(&lock, user, sizeof(lock)) < 0)
		return -EFAULT;
	if (lock.l_type != F_RDLCK && lock.l_type != F_WRLCK &&
	    lock.l_type != F_UNLCK)
		return -EINVAL;
	if (command == F_GETLK || command == F_OFD_GETLK) {
		lock.l_type = F_UNLCK;
		return copy_to_user(user, &lock, sizeof(lock));
	}
	if ((lock.l_type == F_RDLCK && !access_allows(file, DIRECTION_READ)) ||
	    (lock.l_type == F_WRLCK && !access_allows(file, DIRECTION_WRITE)))
		return -EBADF;
	return 0;
}

int shim_fcntl(const struct open_file *file, int command, long argument)
{
	int fd;

	switch (command) {
	case F_GETFL:
		return fd_flags(file);
	case F_SETFL:
		return fd_set_flags(file, (int)argument);
	case F_DUPFD:
	case F_DUPFD_CLOEXEC:
		fd = raw_fcntl(file->fd, command, argument);
		if (fd >= FDTAB_MAX) {
			raw_close(fd);
			return -EMFILE;
		}
		if (fd >= 0)
			fd_copied(file->fd, fd);
		return fd;
	case F_GETSIG:		/* holds our O_DIRECT; see fdtab.c */
	case F_SETSIG:
		return 0;
	case F_GET_SEALS:
	case F_ADD_SEALS:
		return -EINVAL;
	case F_GETLK:
	case F_SETLK:
	case F_SETLKW:
	case F_OFD_GETLK:
	case F_OFD_SETLK:
	case F_OFD_SETLKW:
		return lock_record(file, command, (struct flock *)argument);
	default:
		return raw_fcntl(file->fd, command, argument);
	}
}

int64_t shim_lseek(const struct open_file *file, int64_t offset, int whence)
{
	int64_t capacity = (int64_t)queue_capacity_bytes(
		atomic_load(&file->device->queue));
	int64_t base = 0;

	switch (whence) {
	case SEEK_SET:
		break;
	case SEEK_CUR:
		base = raw(SYS_lseek, file->fd, 0, SEEK_CUR);
		break;
	case SEEK_END:
		base = capacity;
		break;
	default:	/* SEEK_DATA and SEEK_HOLE would find one great hole */
		return -EINVAL;
	}
	if (base < 0)
		return base;
	if (__builtin_add_overflow(base, offset, &offset) || offset < 0 ||
	    offset > capacity)
		return -EINVAL;
	return raw(SYS_lseek, file->fd, offset, SEEK_SET);
}

int shim_fallocate(const struct open_file *file, int mode, int64_t offset,
		   int64_t length)
{
	const struct queue_file *queue = atomic_load(&file->device->queue);
	int64_t capacity = (int64_t)queue_capacity_bytes(queue);
	uint32_t block = queue_block_bytes(queue);
	uint16_t command;

	if (!access_allows(file, DIRECTION_WRITE))
		return -EBADF;
	if (offset < 0 || length <= 0)
		return -EINVAL;
	switch (mode) {
	case FALLOC_FL_ZERO_RANGE:
	case FALLOC_FL_ZERO_RANGE | FALLOC_FL_KEEP_SIZE:
		command = NBD_CMD_WRITE_ZEROES;
		break;
	case FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE:
	case FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE |
		FALLOC_FL_NO_HIDE_STALE:
		command = NBD_CMD_TRIM;
		break;
	default:
		return -EOPNOTSUPP;
	}
	if (queue_is_read_only(queue))
		return -EPERM;
	if (offset >= capacity)
		return -EINVAL;
	if (length > capacity - offset) {
		if (!(mode & FALLOC_FL_KEEP_SIZE))
			return -EINVAL;
		length = capacity - offset;
	}
	if ((offset | length) & (block - 1))
		return -EINVAL;
	return shim_erase(file, command, (uint64_t)offset, (uint64_t)length);
}
