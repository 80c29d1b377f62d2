/*
 * Between cdrom.c, the ioctls of linux/cdrom.h, and cdrom_tracks.c, what they
 * ask of where things lie on the disc.
 */
#ifndef SPINDLE_CDROM_H
#define SPINDLE_CDROM_H

#include <linux/cdrom.h>

#include "fdtab.h"

/* Of a table's entry: a track of data. */
#define DATA_CONTROL 0x04

#define CDB(...) ((const unsigned char[CDROM_PACKET_SIZE]){ __VA_ARGS__ })

static inline unsigned be16(const unsigned char *at)
{
	return (unsigned)at[0] << 8 | at[1];
}

static inline unsigned be32(const unsigned char *at)
{
	return be16(at) << 16 | be16(at + 2);
}

/*
 * Has the drive carry out a command and takes what it gives. 0, -EIO where it
 * never got there, or what the kernel makes of the drive's refusal.
 */
int cdrom_command(const struct open_file *file, const unsigned char *cdb,
		  void *in, size_t bytes);

/* The block at a time of the disc's. */
int cdrom_block_of(struct cdrom_msf0 msf);

int cdrom_toc_header(const struct open_file *file,
		     struct cdrom_tochdr *header);
int cdrom_toc_entry(const struct open_file *file,
		    struct cdrom_tocentry *entry);
int cdrom_last_written(const struct open_file *file, long *last);
int cdrom_next_writable(const struct open_file *file, long *next);

/* CDROMREADTOCHDR, CDROMREADTOCENTRY, CDROMMULTISESSION. */
int cdrom_give_toc_header(const struct open_file *file, void *argument);
int cdrom_give_toc_entry(const struct open_file *file, void *argument);
int cdrom_give_multisession(const struct open_file *file, void *argument);

#endif
