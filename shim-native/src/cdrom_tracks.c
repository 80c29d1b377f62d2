/*
 * Tables of contents, sessions, and where writing ended or goes on, as
 * drivers/cdrom/cdrom.c of Linux 6.1 finds them out (cdrom.c).
 */
#include <string.h>

#include "cdrom.h"
#include "usercopy.h"

#define MSF_OFFSET 150
#define LEAD_OUT_TRACK 0xaa

int cdrom_block_of(struct cdrom_msf0 msf)
{
	return (msf.minute * CD_SECS + msf.second) * CD_FRAMES + msf.frame -
	       MSF_OFFSET;
}

/* The drivers below speak MSF; the program may have asked for blocks. */
static void sanitize(union cdrom_addr *address, unsigned char *format,
		     unsigned char wanted)
{
	int lba;

	if (wanted == *format)
		return;
	if (wanted == CDROM_LBA) {
		address->lba = cdrom_block_of(address->msf);
	} else {
		lba = address->lba + MSF_OFFSET;
		address->msf.frame = (unsigned char)(lba % CD_FRAMES);
		lba /= CD_FRAMES;
		address->msf.second = (unsigned char)(lba % CD_SECS);
		address->msf.minute = (unsigned char)(lba / CD_SECS);
	}
	*format = wanted;
}

static bool is_format(unsigned char format)
{
	return format == CDROM_MSF || format == CDROM_LBA;
}

int cdrom_toc_header(const struct open_file *file,
			   struct cdrom_tochdr *header)
{
	unsigned char toc[12];
	int result = cdrom_command(file, CDB(GPCMD_READ_TOC_PMA_ATIP, [8] = 12),
				   toc, sizeof(toc));

	header->cdth_trk0 = toc[2];
	header->cdth_trk1 = toc[3];
	return result;
}

int cdrom_toc_entry(const struct open_file *file,
			  struct cdrom_tocentry *entry)
{
	unsigned char toc[12];
	int result = cdrom_command(file,
			     CDB(GPCMD_READ_TOC_PMA_ATIP, 0x02,
				 [6] = entry->cdte_track, [8] = 12),
			     toc, sizeof(toc));

	entry->cdte_format = CDROM_MSF;
	entry->cdte_ctrl = toc[5] & 0xf;
	entry->cdte_adr = toc[5] >> 4;
	entry->cdte_datamode = entry->cdte_ctrl & DATA_CONTROL ? 1 : 0;
	entry->cdte_addr.msf.minute = toc[9];
	entry->cdte_addr.msf.second = toc[10];
	entry->cdte_addr.msf.frame = toc[11];
	return result;
}

int cdrom_give_toc_header(const struct open_file *file, void *argument)
{
	struct cdrom_tochdr header;
	int result = copy_from_user(&header, argument, sizeof(header));

	if (result == 0)
		result = cdrom_toc_header(file, &header);
	return result < 0 ? result
			  : copy_to_user(argument, &header, sizeof(header));
}

int cdrom_give_toc_entry(const struct open_file *file, void *argument)
{
	struct cdrom_tocentry entry;
	unsigned char wanted;
	int result;

	if (copy_from_user(&entry, argument, sizeof(entry)) < 0)
		return -EFAULT;
	wanted = entry.cdte_format;
	if (!is_format(wanted))
		return -EINVAL;
	result = cdrom_toc_entry(file, &entry);
	if (result < 0)
		return result;
	sanitize(&entry.cdte_addr, &entry.cdte_format, wanted);
	return copy_to_user(argument, &entry, sizeof(entry));
}

int cdrom_give_multisession(const struct open_file *file, void *argument)
{
	struct cdrom_multisession session;
	unsigned char toc[12], wanted;
	int result;

	if (copy_from_user(&session, argument, sizeof(session)) < 0)
		return -EFAULT;
	wanted = session.addr_format;
	if (!is_format(wanted))
		return -EINVAL;
	/* The driver learns of sessions when it looks at the disc. */
	result = cdrom_command(file,
			       CDB(GPCMD_READ_TOC_PMA_ATIP, [2] = 1, [8] = 12),
			       toc, sizeof(toc));
	session.addr_format = CDROM_LBA;
	session.addr.lba = result == 0 && toc[3] > 1 ? (int)be32(toc + 8) : 0;
	session.xa_flag = session.addr.lba > 0;
	sanitize(&session.addr, &session.addr_format, wanted);
	return copy_to_user(argument, &session, sizeof(session));
}

/* The last track, or the one before where that is blank; READ TRACK INFORMATION. */
static int last_track(const struct open_file *file, unsigned char *track,
		      size_t bytes)
{
	unsigned char disc[34];
	unsigned number;
	int result = cdrom_command(file,
				   CDB(GPCMD_READ_DISC_INFO,
				       [8] = sizeof(disc)),
				   disc, sizeof(disc));

	if (result < 0)
		return result;
	number = (unsigned)disc[11] << 8 | disc[6];
	for (;;) {
		result = cdrom_command(file,
				 CDB(GPCMD_READ_TRACK_RZONE_INFO, 1,
				     [4] = (unsigned char)(number >> 8),
				     [5] = (unsigned char)number,
				     [8] = (unsigned char)bytes),
				 track, bytes);
		if (result < 0 || !(track[6] & 0x40))
			return result;
		if (number <= 1)
			return -ENODATA;
		number--;
	}
}

int cdrom_last_written(const struct open_file *file, long *last)
{
	struct cdrom_tocentry entry = { .cdte_track = LEAD_OUT_TRACK };
	unsigned char track[36];
	int result = last_track(file, track, sizeof(track));

	if (result == 0) {
		unsigned free_blocks = be32(track + 16);

		*last = track[7] & 0x02 ? be32(track + 28)
					: be32(track + 8) + be32(track + 24);
		if (!(track[7] & 0x02) && free_blocks > 0)
			*last -= free_blocks + 7;
		return 0;
	}
	result = cdrom_toc_entry(file, &entry);
	if (result == 0)
		*last = cdrom_block_of(entry.cdte_addr.msf);
	return result;
}

int cdrom_next_writable(const struct open_file *file, long *next)
{
	unsigned char track[36];
	int result = last_track(file, track, sizeof(track));

	if (result == 0 && (track[7] & 0x01)) {
		*next = be32(track + 12);
		return 0;
	}
	result = cdrom_last_written(file, next);
	*next += 7;
	return result;
}
