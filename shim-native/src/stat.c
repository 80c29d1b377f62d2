/*
 * A block special file, the same whether asked for by path or by descriptor.
 */
#include <linux/fs.h>
#include <linux/stat.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "control.h"
#include "device.h"

#define DEVICE_MODE (S_IFBLK | 0660)
#define PREFERRED_BYTES 4096
#define DMA_ALIGNMENT 512
/* Inode numbers no devtmpfs gives out, one per device. */
#define FIRST_INODE 0x53500000u
#define FILE_SYSTEM_MINOR 0x5d

void shim_stat(const struct device *d, struct stat *st)
{
	memset(st, 0, sizeof(*st));
	st->st_dev = makedev(0, FILE_SYSTEM_MINOR);
	st->st_ino = FIRST_INODE + d->index;
	st->st_mode = DEVICE_MODE;
	st->st_nlink = 1;
	st->st_uid = geteuid();
	st->st_gid = getegid();
	st->st_rdev = makedev(DEVICE_MAJOR, d->index);
	st->st_blksize = PREFERRED_BYTES;
}

#ifndef STATX_DIOALIGN
#define STATX_DIOALIGN 0x2000u
#endif
/* Where STATX_DIOALIGN's two numbers stand, in headers old and new. */
#define DIO_ALIGN_OFFSET 0x98

void shim_statx(const struct device *d, struct statx *stx)
{
	const struct queue_file *queue = atomic_load(&d->queue);
	uint32_t align[2] = { DMA_ALIGNMENT, 0 };

	memset(stx, 0, sizeof(*stx));
	stx->stx_mask = STATX_BASIC_STATS;
	stx->stx_blksize = PREFERRED_BYTES;
	stx->stx_nlink = 1;
	stx->stx_uid = geteuid();
	stx->stx_gid = getegid();
	stx->stx_mode = DEVICE_MODE;
	stx->stx_ino = FIRST_INODE + d->index;
	stx->stx_rdev_major = DEVICE_MAJOR;
	stx->stx_rdev_minor = d->index;
	stx->stx_dev_minor = FILE_SYSTEM_MINOR;
	if (queue) {
		align[1] = queue_block_bytes(queue);
		stx->stx_mask |= STATX_DIOALIGN;
		memcpy((char *)stx + DIO_ALIGN_OFFSET, align, sizeof(align));
	}
}
