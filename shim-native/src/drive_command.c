/*
 * HDIO_DRIVE_CMD: {command, sector, feature, count} in, {status, error, count}
 * out (Documentation/userspace-api/ioctl/hdio.rst). The two commands with an
 * answer that needs no more of the drive than the shim knows are carried out;
 * of the others the drive would have to tell more, and aborts them: EIO.
 */
#include "drive_command.h"

#include <linux/hdreg.h>

#include "transfer.h"
#include "usercopy.h"

/* ATA: status DRDY and DSC; CHECK POWER MODE's answer of an active drive. */
#define ATA_STATUS_READY 0x50
#define ATA_POWER_ACTIVE 0xff

int drive_command(const struct open_file *file, void *argument)
{
	unsigned char command[4], answer[3] = { ATA_STATUS_READY, 0, 0 };
	int result = 0;

	/* Waits for the commands before it, of which none of ours is left. */
	if (!argument)
		return 0;
	if (copy_from_user(command, argument, sizeof(command)) < 0)
		return -EFAULT;
	switch (command[0]) {
	case WIN_CHECKPOWERMODE1:
	case WIN_CHECKPOWERMODE2:
		answer[2] = ATA_POWER_ACTIVE;
		break;
	case WIN_FLUSH_CACHE:
	case WIN_FLUSH_CACHE_EXT:
		result = shim_flush(file);
		break;
	default:
		return -EIO;
	}
	return result < 0 ? result
			  : copy_to_user(argument, answer, sizeof(answer));
}
