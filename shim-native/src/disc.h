/*
 * The ioctls of a disc drive, as the kernel's sr and cdrom drivers answer them.
 */
#ifndef SPINDLE_DISC_H
#define SPINDLE_DISC_H

#include "fdtab.h"
#include "packet.h"

/* scsi/scsi_ioctl.h of the kernel has them, the C library's has not. */
#define SCSI_GET_IDLUN 0x5382
#define SCSI_GET_BUS_NUMBER 0x5386

/* cdrom.c: those of linux/cdrom.h; -ENOTTY for any that is not one of these. */
int cdrom_ioctl(const struct open_file *file, unsigned long request,
		void *argument);

/* sg.c: those of scsi/sg.h and scsi/scsi_ioctl.h, likewise. */
int sg_ioctl(const struct open_file *file, unsigned long request,
	     void *argument);

struct cdrom_generic_command;
struct sg_io_hdr;

/* SG_IO, its header being ours; it holds pointers of the program's. */
int sg_io(const struct open_file *file, struct sg_io_hdr *header);

/*
 * CDROM_SEND_PACKET, the older way with a command of twelve bytes: what the
 * kernel makes an SG_IO of, and what it tells of how that ended.
 */
int packet_header(struct cdrom_generic_command *cgc, struct sg_io_hdr *header);
int packet_ended(struct cdrom_generic_command *cgc,
		 const struct sg_io_hdr *header, int result);

#endif
