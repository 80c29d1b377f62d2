/*
 * Reads and writes of a device, synchronous: read(2) and its relatives, and
 * the checks that AIO shares with them.
 */
#ifndef SPINDLE_TRANSFER_H
#define SPINDLE_TRANSFER_H

#include <sys/uio.h>

#include "fdtab.h"
#include "io.h"

/* fs.h's MAX_RW_COUNT and UIO_MAXIOV; vectors up to INLINE_SEGMENTS need no heap. */
#define TRANSFER_BYTES_MAX 0x7ffff000
#define SEGMENTS_MAX 1024
#define INLINE_SEGMENTS 8

/* A program's iovec array, copied. */
struct vector {
	struct iovec *iov;
	size_t segments;
	size_t length;		/* of all segments, at most TRANSFER_BYTES_MAX */
	struct iovec inline_iov[INLINE_SEGMENTS];
};

int vector_import(struct vector *v, const struct iovec *user, long count);
void vector_single(struct vector *v, void *base, size_t length);
void vector_release(struct vector *v);

/*
 * What blkdev_read_iter and blkdev_write_iter check. Returns how many bytes to
 * move (0: nothing to do, a good answer) or -errno.
 */
int64_t transfer_admit(const struct open_file *file, enum direction direction,
		       bool direct, const struct vector *v, int64_t offset);
/* RWF_* and the file's O_SYNC as flags of the request; or -EOPNOTSUPP. */
int transfer_flags(const struct open_file *file, enum direction direction,
		   int rw_flags, uint16_t *nbd_flags, bool *nowait);
/* Fills the io of an admitted transfer. */
void transfer_io(struct io *io, const struct open_file *file,
		 enum direction direction, const struct vector *v,
		 int64_t offset, uint64_t length, uint16_t nbd_flags);
bool access_allows(const struct open_file *file, enum direction direction);

/* The whole of it, from the access mode on; returns the count or -errno. */
int64_t transfer_run(const struct open_file *file, enum direction direction,
		     const struct vector *v, int64_t offset, int rw_flags);

ssize_t shim_pio(const struct open_file *file, enum direction direction,
		 void *buffer, size_t length, off_t offset);
ssize_t shim_piov(const struct open_file *file, enum direction direction,
		  const struct iovec *iov, int count, off_t offset, int flags);
/* At the file's own offset, which moves. */
ssize_t shim_io(const struct open_file *file, enum direction direction,
		void *buffer, size_t length);
ssize_t shim_iov(const struct open_file *file, enum direction direction,
		 const struct iovec *iov, int count, int flags);

/* fsync and the range commands. */
int shim_flush(const struct open_file *file);
int shim_range(const struct open_file *file, uint16_t command, uint64_t offset,
	       uint64_t length);

/* TRIM or WRITE_ZEROES of whole blocks inside the drive. */
int shim_erase(const struct open_file *file, uint16_t command, uint64_t offset,
	       uint64_t length);

void transfers_forget_after_fork(void);

#endif
