/*
 * The ioctls of a block device. What is not here is ENOTTY, as from a driver that
 * never heard of it. A burner answers those of disc drives (cdrom.c) and SCSI
 * commands (sg.c) besides.
 */
#include <linux/fs.h>
#include <linux/hdreg.h>
#include <limits.h>
#include <scsi/sg.h>
#include <sys/ioctl.h>

#include "control.h"
#include "device.h"
#include "disc.h"
#include "drive_command.h"
#include "transfer.h"
#include "usercopy.h"

#define SOFT_BLOCK_BYTES 4096
#define READ_AHEAD_SECTORS 256
#define SECTOR_BYTES 512
#define DISC_BLOCK_BYTES 2048

/* What a BIOS makes of a large disk; cylinders as far as they can be told. */
#define BIOS_HEADS 255
#define BIOS_SECTORS 63

#define GIVE(type, value) \
	copy_to_user(argument, &(type){ (type)(value) }, sizeof(type))

static int erase_range(const struct open_file *file, uint16_t command,
		       const void *argument)
{
	const struct queue_file *queue = atomic_load(&file->device->queue);
	uint32_t block = queue_block_bytes(queue);
	uint64_t range[2];

	if (!access_allows(file, DIRECTION_WRITE))
		return -EBADF;
	if (queue_is_read_only(queue))
		return -EPERM;
	if (copy_from_user(range, argument, sizeof(range)) < 0)
		return -EFAULT;
	if ((range[0] | range[1]) & (block - 1) ||
	    range[0] + range[1] < range[0] ||
	    range[0] + range[1] > queue_capacity_bytes(queue))
		return -EINVAL;
	if (range[1] == 0)
		return 0;
	return shim_erase(file, command, range[0], range[1]);
}

static int set_block_size(const struct open_file *file, const void *argument)
{
	uint32_t block = queue_block_bytes(atomic_load(&file->device->queue));
	int size;

	if (copy_from_user(&size, argument, sizeof(size)) < 0)
		return -EFAULT;
	return size < (int)block || size > SOFT_BLOCK_BYTES ||
	       (size & (size - 1)) ? -EINVAL : 0;
}

static int give_geometry(uint64_t capacity, void *argument)
{
	uint64_t cylinders =
		capacity / SECTOR_BYTES / (BIOS_HEADS * BIOS_SECTORS);
	struct hd_geometry geometry = {
		.heads = BIOS_HEADS,
		.sectors = BIOS_SECTORS,
		.cylinders = (unsigned short)(cylinders < USHRT_MAX ? cylinders
								    : USHRT_MAX),
	};

	return copy_to_user(argument, &geometry, sizeof(geometry));
}

static int disk_ioctl(const struct open_file *file, unsigned long request,
		      void *argument)
{
	const struct queue_file *queue = atomic_load(&file->device->queue);

	switch (request) {
	case HDIO_GETGEO:
		return give_geometry(queue_capacity_bytes(queue), argument);
	case HDIO_DRIVE_CMD:
		return drive_command(file, argument);
	case SG_IO:	/* drivers/ide; hdparm then takes HDIO_DRIVE_CMD */
		return -EINVAL;
	default:
		say_debug("%s: ioctl 0x%lx refused", file->device->path,
			  request);
		return -ENOTTY;
	}
}

static int disc_ioctl(const struct open_file *file, unsigned long request,
		       void *argument)
{
	int result = sg_ioctl(file, request, argument);

	if (result == -ENOTTY)
		result = cdrom_ioctl(file, request, argument);
	if (result == -ENOTTY)
		say_debug("%s: ioctl 0x%lx refused", file->device->path,
			  request);
	return result;
}

int shim_ioctl(const struct open_file *file, unsigned long request,
	       void *argument)
{
	const struct queue_file *queue = atomic_load(&file->device->queue);
	uint64_t capacity = queue_capacity_bytes(queue);
	uint32_t block = queue_block_bytes(queue);
	uint32_t sectors = queue_max_sectors_kb(queue) * 2;

	switch (request) {
	case BLKGETSIZE64:
		return GIVE(uint64_t, capacity);
	case BLKGETSIZE:
		return GIVE(unsigned long, capacity / SECTOR_BYTES);
	case BLKSSZGET:
		return GIVE(int, block);
	case BLKPBSZGET:
	case BLKIOMIN:
		return GIVE(unsigned, block);
	case BLKIOOPT:
	case BLKDISCARDZEROES:
		return GIVE(unsigned, 0);
	case BLKALIGNOFF:
		return GIVE(int, 0);
	case BLKBSZGET:
		return GIVE(int, SOFT_BLOCK_BYTES);
	case BLKBSZSET:
		return set_block_size(file, argument);
	case BLKROGET:
		return GIVE(int, queue_is_read_only(queue));
	case BLKSECTGET:
		return GIVE(unsigned short,
			    sectors < USHRT_MAX ? sectors : USHRT_MAX);
	case BLKROTATIONAL:
		return GIVE(unsigned short, 1);
	case BLKRAGET:
	case BLKFRAGET:
		return GIVE(long, READ_AHEAD_SECTORS);
	case BLKRASET:
	case BLKFRASET:
		return 0;
	case BLKFLSBUF:
		return shim_flush(file);
	case BLKDISCARD:
		return erase_range(file, NBD_CMD_TRIM, argument);
	case BLKZEROOUT:
		return erase_range(file, NBD_CMD_WRITE_ZEROES, argument);
	case FIOCLEX:
	case FIONCLEX:
		return raw_fcntl(file->fd, F_SETFD,
				 request == FIOCLEX ? FD_CLOEXEC : 0);
	default:
		return block == DISC_BLOCK_BYTES
			       ? disc_ioctl(file, request, argument)
			       : disk_ioctl(file, request, argument);
	}
}
