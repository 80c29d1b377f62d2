/*
 * What a block device does with a read or a write before and around the I/O.
 *
 * With O_DIRECT, offset, length and every segment's length are multiples of
 * the logical block and every buffer is aligned to DMA_ALIGNMENT, else EINVAL;
 * the data moves between the program's memory and the socket in place.
 *
 * Without O_DIRECT anything goes, as through the page cache. There is no cache
 * here: an aligned transfer moves in place too, and an unaligned one goes by
 * whole blocks through a bounce buffer, one at a time per device, where a
 * write of part of a block first reads the rest. Two processes writing parts
 * of one block at the same time may therefore lose one of the two.
 *
 * The file offset is the placeholder's own. read and write hold a lock chosen
 * by inode over the transfer, as the kernel holds f_pos_lock.
 */
#include "transfer.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "usercopy.h"

#define DMA_ALIGNMENT 512
#define BOUNCE_BYTES (256 * 1024)
#define POSITION_LOCKS 16

#define RWF_KNOWN 0x1f	/* HIPRI DSYNC SYNC NOWAIT APPEND */
#define RWF_DSYNC_OR_SYNC 0x06
#define RWF_NOWAIT_BIT 0x08

static pthread_mutex_t position_locks[POSITION_LOCKS] = {
	[0 ... POSITION_LOCKS - 1] = PTHREAD_MUTEX_INITIALIZER
};

static struct queue_file *queue_of(const struct open_file *file)
{
	return atomic_load(&file->device->queue);
}

bool access_allows(const struct open_file *file, enum direction direction)
{
	return file->access == O_RDWR ||
	       file->access == (direction == DIRECTION_READ ? O_RDONLY
							    : O_WRONLY);
}

static bool is_aligned(const struct vector *v, int64_t offset, int64_t length,
		       uint32_t block)
{
	size_t i;

	if (((uint64_t)offset | (uint64_t)length) & (block - 1))
		return false;
	for (i = 0; i < v->segments; i++)
		if (((uintptr_t)v->iov[i].iov_base & (DMA_ALIGNMENT - 1)) ||
		    (v->iov[i].iov_len & (block - 1)))
			return false;
	return true;
}

int64_t transfer_admit(const struct open_file *file, enum direction direction,
		       bool direct, const struct vector *v, int64_t offset)
{
	const struct queue_file *queue = queue_of(file);
	int64_t capacity = (int64_t)queue_capacity_bytes(queue);
	int64_t length = (int64_t)v->length;

	if (direction == DIRECTION_WRITE) {
		if (queue_is_read_only(queue))
			return -EPERM;
		if (length == 0)
			return 0;
		if (offset >= capacity)
			return -ENOSPC;
	} else if (offset >= capacity || length == 0) {
		return 0;
	}
	if (length > capacity - offset)
		length = capacity - offset;
	if (direct && !is_aligned(v, offset, length, queue_block_bytes(queue)))
		return -EINVAL;
	return length;
}

int transfer_flags(const struct open_file *file, enum direction direction,
		   int rw_flags, uint16_t *nbd_flags, bool *nowait)
{
	int flags;

	*nbd_flags = 0;
	if (rw_flags & ~RWF_KNOWN)
		return -EOPNOTSUPP;
	*nowait = (rw_flags & RWF_NOWAIT_BIT) != 0;
	if (direction == DIRECTION_READ)
		return 0;
	flags = raw_fcntl(file->fd, F_GETFL, 0);
	if ((rw_flags & RWF_DSYNC_OR_SYNC) || (flags > 0 && (flags & O_DSYNC)))
		*nbd_flags = NBD_CMD_FLAG_FUA;
	return 0;
}

void transfer_io(struct io *io, const struct open_file *file,
		 enum direction direction, const struct vector *v,
		 int64_t offset, uint64_t length, uint16_t nbd_flags)
{
	memset(io, 0, sizeof(*io));
	io->device = file->device;
	io->direction = direction;
	io->command = direction == DIRECTION_READ ? NBD_CMD_READ : NBD_CMD_WRITE;
	io->flags = nbd_flags;
	io->offset = (uint64_t)offset;
	io->length = length;
	io->vector = v->iov;
	io->segments = v->segments;
}

int shim_range(const struct open_file *file, uint16_t command, uint64_t offset,
	       uint64_t length)
{
	struct io io = {
		.device = file->device,
		.direction = DIRECTION_WRITE,
		.command = command,
		.offset = offset,
		.length = length,
	};
	int result = device_connected(file->device);

	return result < 0 ? result : io_run(&io);
}

int shim_flush(const struct open_file *file)
{
	int result = device_connected(file->device);

	if (result < 0)
		return result;
	if (!(file->device->connection.flags & NBD_FLAG_SEND_FLUSH))
		return 0;
	return shim_range(file, NBD_CMD_FLUSH, 0, 0);
}

/* One transfer in place. FUA is replaced by a flush where it is not offered. */
static int run_in_place(const struct open_file *file, enum direction direction,
			const struct vector *v, int64_t offset, int64_t length,
			uint16_t nbd_flags, bool nowait)
{
	struct io io;
	int result = device_connected(file->device);
	bool fua = file->device->connection.flags & NBD_FLAG_SEND_FUA;

	if (result < 0)
		return result;
	transfer_io(&io, file, direction, v, offset, (uint64_t)length,
		    fua ? nbd_flags : 0);
	io.nowait = nowait;
	result = io_run(&io);
	if (result == 0 && nbd_flags && !fua)
		result = shim_flush(file);
	return result;
}

/* The part of an unaligned transfer that one bounce buffer covers. */
static int64_t run_window(const struct open_file *file,
			  enum direction direction, const struct vector *v,
			  size_t at, int64_t offset, int64_t length,
			  uint16_t nbd_flags)
{
	int64_t block = queue_block_bytes(queue_of(file));
	int64_t start = offset / block * block;
	int64_t end = (offset + length + block - 1) / block * block;
	char *bounce = file->device->bounce;
	struct vector window;
	int result;

	if (end - start > BOUNCE_BYTES)
		end = start + BOUNCE_BYTES;
	if (length > end - offset)
		length = end - offset;
	vector_single(&window, bounce, (size_t)(end - start));
	result = 0;
	if (direction == DIRECTION_READ || offset != start ||
	    offset + length != end)
		result = run_in_place(file, DIRECTION_READ, &window, start,
				      end - start, 0, false);
	if (result < 0)
		return result;
	bounce += offset - start;
	if (direction == DIRECTION_READ)
		result = copy_to_vector(v->iov, v->segments, at, bounce,
					(size_t)length);
	else
		result = copy_from_vector(bounce, v->iov, v->segments, at,
					  (size_t)length);
	if (result == 0 && direction == DIRECTION_WRITE)
		result = run_in_place(file, DIRECTION_WRITE, &window, start,
				      end - start, nbd_flags, false);
	return result < 0 ? result : length;
}

static int64_t run_bounced(const struct open_file *file,
			   enum direction direction, const struct vector *v,
			   int64_t offset, int64_t length, uint16_t nbd_flags)
{
	struct device *d = file->device;
	int64_t done = 0, step = 0;

	pthread_mutex_lock(&d->bounce_lock);
	if (!d->bounce)
		d->bounce = raw_map(BOUNCE_BYTES);
	if (!d->bounce)
		step = -ENOMEM;
	while (step >= 0 && done < length) {
		step = run_window(file, direction, v, (size_t)done,
				  offset + done, length - done, nbd_flags);
		done += step > 0 ? step : 0;
	}
	pthread_mutex_unlock(&d->bounce_lock);
	return done > 0 ? done : step;
}

int64_t transfer_run(const struct open_file *file, enum direction direction,
		     const struct vector *v, int64_t offset, int rw_flags)
{
	bool direct = fd_is_direct(file);
	uint16_t nbd_flags;
	bool nowait;
	int64_t length;
	int result;

	if (!access_allows(file, direction))
		return -EBADF;
	if (offset < 0)
		return -EINVAL;
	if (device_connected(file->device) < 0)
		return -EIO;
	result = transfer_flags(file, direction, rw_flags, &nbd_flags, &nowait);
	if (result < 0)
		return result;
	length = transfer_admit(file, direction, direct, v, offset);
	if (length <= 0)
		return length;
	if (!direct && ((offset | length) &
			(queue_block_bytes(queue_of(file)) - 1)))
		return run_bounced(file, direction, v, offset, length,
				   nbd_flags);
	result = run_in_place(file, direction, v, offset, length, nbd_flags,
			      nowait);
	return result < 0 ? result : length;
}

ssize_t shim_pio(const struct open_file *file, enum direction direction,
		 void *buffer, size_t length, off_t offset)
{
	struct vector v;

	vector_single(&v, buffer, length);
	return transfer_run(file, direction, &v, offset, 0);
}

ssize_t shim_piov(const struct open_file *file, enum direction direction,
		  const struct iovec *iov, int count, off_t offset, int flags)
{
	struct vector v;
	int64_t result;

	if (offset < 0)
		return -EINVAL;
	result = vector_import(&v, iov, count);
	if (result < 0)
		return result;
	result = transfer_run(file, direction, &v, offset, flags);
	vector_release(&v);
	return result;
}

static ssize_t at_position(const struct open_file *file,
			   enum direction direction, const struct vector *v,
			   int flags)
{
	pthread_mutex_t *lock = &position_locks[file->inode % POSITION_LOCKS];
	int64_t position, result;

	pthread_mutex_lock(lock);
	position = raw(SYS_lseek, file->fd, 0, SEEK_CUR);
	result = position < 0 ? position
			      : transfer_run(file, direction, v, position,
					     flags);
	if (result > 0)
		raw(SYS_lseek, file->fd, position + result, SEEK_SET);
	pthread_mutex_unlock(lock);
	return result;
}

ssize_t shim_io(const struct open_file *file, enum direction direction,
		void *buffer, size_t length)
{
	struct vector v;

	vector_single(&v, buffer, length);
	return at_position(file, direction, &v, 0);
}

ssize_t shim_iov(const struct open_file *file, enum direction direction,
		 const struct iovec *iov, int count, int flags)
{
	struct vector v;
	ssize_t result = vector_import(&v, iov, count);

	if (result < 0)
		return result;
	result = at_position(file, direction, &v, flags);
	vector_release(&v);
	return result;
}

void transfers_forget_after_fork(void)
{
	int i;

	for (i = 0; i < POSITION_LOCKS; i++)
		pthread_mutex_init(&position_locks[i], NULL);
}
