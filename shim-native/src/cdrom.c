/*
 * The ioctls of linux/cdrom.h as drivers/cdrom/cdrom.c and drivers/scsi/sr*.c of
 * Linux 6.1 answer them: each from what the drive says to the same commands,
 * with the same errors. What these refuse as unknown ends up with the host's
 * driver, which says ENOTTY. Audio there is none. What lies where on the disc is
 * asked for in cdrom_tracks.c.
 */
#include <linux/cdrom.h>
#include <stdlib.h>
#include <string.h>

#include "cdrom.h"
#include "device.h"
#include "disc.h"
#include "usercopy.h"

#define TRIES 10
#define LOCK_OPTIONS (CDO_AUTO_CLOSE | CDO_USE_FFLAGS | CDO_LOCK)
#define MAX_SPEED 0xffff
#define KB_PER_SECOND_AT_ONE 177
#define CD_BLOCK_BYTES 2048

/* All that sr can do, before what the drive says it cannot. */
#define SR_CAPABILITIES                                                      \
	(CDC_CLOSE_TRAY | CDC_OPEN_TRAY | CDC_LOCK | CDC_SELECT_SPEED |      \
	 CDC_MULTI_SESSION | CDC_MCN | CDC_MEDIA_CHANGED | CDC_PLAY_AUDIO |  \
	 CDC_RESET | CDC_DRIVE_STATUS | CDC_CD_R | CDC_CD_RW | CDC_DVD |     \
	 CDC_DVD_R | CDC_DVD_RAM | CDC_GENERIC_PACKET | CDC_MRW | CDC_MRW_W | \
	 CDC_RAM)

static _Atomic int options = LOCK_OPTIONS;

static struct packet packet_of(const unsigned char *cdb, void *in, size_t bytes)
{
	struct packet p = { .cdb_bytes = CDROM_PACKET_SIZE,
			    .in = in,
			    .in_bytes = bytes };

	memcpy(p.cdb, cdb, CDROM_PACKET_SIZE);
	if (in)
		memset(in, 0, bytes);
	return p;
}

/* Where the drive refused: which error that is (sr_do_ioctl). */
static int error_of(const struct packet *p)
{
	switch (packet_sense_key(p)) {
	case 0x2:	/* not ready */
	case 0x6:	/* unit attention, again and again */
		return -ENOMEDIUM;
	case 0x5:
		return packet_sense_is(p, 0x5, 0x20, 0x00) ? -EOPNOTSUPP : -EIO;
	default:
		return -EIO;
	}
}

/* A changed medium is news to the kernel, not to the program: asked again. */
int cdrom_command(const struct open_file *file, const unsigned char *cdb,
		   void *in, size_t bytes)
{
	int tries;

	for (tries = 0;; tries++) {
		struct packet p = packet_of(cdb, in, bytes);
		int result = packet_run(file->device, &p);

		if (result < 0 || p.status == PACKET_GOOD)
			return result;
		if (packet_sense_key(&p) != 0x6 || tries == TRIES)
			return error_of(&p);
	}
}

static int disc_status(const struct open_file *file)
{
	struct cdrom_tochdr header;
	int result = cdrom_toc_header(file, &header);
	int track, data = 0, audio = 0;

	if (result < 0)
		return result == -ENOMEDIUM ? CDS_NO_DISC : CDS_NO_INFO;
	for (track = header.cdth_trk0; track <= header.cdth_trk1; track++) {
		struct cdrom_tocentry entry = {
			.cdte_track = (unsigned char)track
		};

		if (cdrom_toc_entry(file, &entry) < 0)
			return CDS_NO_INFO;
		if (entry.cdte_ctrl & DATA_CONTROL)
			data++;
		else
			audio++;
	}
	if (audio > 0)
		return data > 0 ? CDS_MIXED : CDS_AUDIO;
	return data > 0 ? CDS_DATA_1 : CDS_NO_INFO;
}

/* The media class of GET EVENT STATUS NOTIFICATION: event code, then status. */
static int media_event(const struct open_file *file, unsigned char *code,
		       unsigned char *status)
{
	unsigned char event[8];
	int result = cdrom_command(file,
			     CDB(GPCMD_GET_EVENT_STATUS_NOTIFICATION, 1,
				 [4] = 1 << 4, [8] = sizeof(event)),
			     event, sizeof(event));

	if (result < 0)
		return result;
	if (be16(event) < 6 || (event[2] & 0x80) || (event[2] & 7) != 4)
		return -EIO;
	*code = event[4] & 0xf;
	*status = event[5];
	return 0;
}

static int drive_status(const struct open_file *file)
{
	unsigned char code, status;
	struct packet p;
	int result, tries = 0;

	do {
		p = packet_of(CDB(GPCMD_TEST_UNIT_READY), NULL, 0);
		result = packet_run(file->device, &p);
	} while (result == 0 && p.status != PACKET_GOOD &&
		 packet_sense_key(&p) == 0x6 && tries++ < TRIES);
	if (result < 0)
		return result;
	if (p.status == PACKET_GOOD)
		return CDS_DISC_OK;
	if (packet_sense_is(&p, 0x2, 0x04, 0x01))
		return CDS_DRIVE_NOT_READY;
	if (media_event(file, &code, &status) == 0) {
		if (status & 0x02)
			return CDS_DISC_OK;
		return status & 0x01 ? CDS_TRAY_OPEN : CDS_NO_DISC;
	}
	/* At work on the disc, which therefore is there. */
	if (packet_sense_key(&p) == 0x2 && p.sense[12] == 0x04)
		return CDS_DISC_OK;
	return CDS_TRAY_OPEN;
}

static int media_changed(const struct open_file *file)
{
	unsigned char code, status;
	int result = media_event(file, &code, &status);

	return result == 0 && (code == 2 || code == 3);
}

/* Page 2A says what of it this drive has (sr's get_capabilities). */
static int capability(const struct open_file *file)
{
	unsigned char mode[128];
	int can = SR_CAPABILITIES;
	const unsigned char *page;
	size_t at;

	if (cdrom_command(file,
		    CDB(GPCMD_MODE_SENSE_10, [2] = GPMODE_CAPABILITIES_PAGE,
			[8] = sizeof(mode)),
		    mode, sizeof(mode)) < 0)
		return can & ~(CDC_CD_R | CDC_CD_RW | CDC_DVD | CDC_DVD_R |
			       CDC_DVD_RAM);
	at = 8 + be16(mode + 6);
	if (at + 7 > sizeof(mode))
		return can;
	page = mode + at;
	if (page[6] >> 5 == 0)
		can &= ~CDC_CLOSE_TRAY;
	if (!(page[2] & 0x08))
		can &= ~CDC_DVD;
	if (!(page[3] & 0x20))
		can &= ~CDC_DVD_RAM;
	if (!(page[3] & 0x10))
		can &= ~CDC_DVD_R;
	if (!(page[3] & 0x02))
		can &= ~CDC_CD_RW;
	if (!(page[3] & 0x01))
		can &= ~CDC_CD_R;
	if (!(page[6] & 0x08))
		can &= ~CDC_OPEN_TRAY;
	return can;
}

static int give_block(int (*find)(const struct open_file *, long *),
		      const struct open_file *file, void *argument)
{
	long block = 0;
	int result = find(file, &block);

	return result < 0 ? result
			  : copy_to_user(argument, &block, sizeof(block));
}

static int lock_door(const struct open_file *file, bool locked)
{
	return cdrom_command(file,
		       CDB(GPCMD_PREVENT_ALLOW_MEDIUM_REMOVAL, [4] = locked),
		       NULL, 0);
}

static int start_stop(const struct open_file *file, bool immediate, int how)
{
	return cdrom_command(file,
		       CDB(GPCMD_START_STOP_UNIT, immediate,
			   [4] = (unsigned char)how),
		       NULL, 0);
}

static int select_speed(const struct open_file *file, unsigned long speed)
{
	unsigned kb = speed == 0 || speed > MAX_SPEED / KB_PER_SECOND_AT_ONE
			      ? MAX_SPEED
			      : (unsigned)speed * KB_PER_SECOND_AT_ONE;

	return cdrom_command(file,
		       CDB(GPCMD_SET_SPEED, [2] = (unsigned char)(kb >> 8),
			   [3] = (unsigned char)kb, [4] = 0xff, [5] = 0xff),
		       NULL, 0) < 0
		       ? -EIO
		       : 0;
}

/* Only those that sr can keep to. */
static int set_options(unsigned long wanted)
{
	if (wanted != 0 && wanted != CDO_USE_FFLAGS &&
	    wanted != CDO_CHECK_TYPE && wanted != CDO_LOCK &&
	    !(SR_CAPABILITIES & wanted))
		return -ENOTTY;
	return atomic_fetch_or(&options, (int)wanted) | (int)wanted;
}

/* One block of a data track, found by its time. */
static int read_mode_1(const struct open_file *file, void *argument)
{
	unsigned char block[CD_BLOCK_BYTES];
	struct cdrom_msf msf;
	int lba, result;

	if (copy_from_user(&msf, argument, sizeof(msf)) < 0)
		return -EFAULT;
	lba = cdrom_block_of((struct cdrom_msf0){ msf.cdmsf_min0, msf.cdmsf_sec0,
					      msf.cdmsf_frame0 });
	if (lba < 0)
		return -EINVAL;
	result = cdrom_command(file,
			 CDB(GPCMD_READ_CD, 2 << 2, (unsigned char)(lba >> 24),
			     (unsigned char)(lba >> 16),
			     (unsigned char)(lba >> 8), (unsigned char)lba,
			     [8] = 1, [9] = 0x10),
			 block, sizeof(block));
	return result < 0 ? result
			  : copy_to_user(argument, block, sizeof(block));
}

/* What moves something. */
static int moving_ioctl(const struct open_file *file, unsigned long request,
			void *argument)
{
	switch (request) {
	case CDROMEJECT:
		return start_stop(file, false, 2);
	case CDROMCLOSETRAY:
		return start_stop(file, false, 3);
	case CDROMSTART:
		return start_stop(file, true, 1);
	case CDROMSTOP:
		return start_stop(file, true, 0);
	case CDROM_LOCKDOOR:
		return lock_door(file, argument != NULL);
	case CDROM_SELECT_SPEED:
		return select_speed(file, (unsigned long)argument);
	case CDROMREADMODE1:
		return read_mode_1(file, argument);
	case CDROMRESET:
		return 0;
	default:
		return -ENOTTY;
	}
}

int cdrom_ioctl(const struct open_file *file, unsigned long request,
		void *argument)
{
	switch (request) {
	case CDROM_GET_CAPABILITY:
		return capability(file);
	case CDROM_DRIVE_STATUS:
		return drive_status(file);
	case CDROM_DISC_STATUS:
		return disc_status(file);
	case CDROM_MEDIA_CHANGED:
		return media_changed(file);
	case CDROM_CHANGER_NSLOTS:
		return 1;
	case CDROM_SET_OPTIONS:
		return set_options((unsigned long)argument);
	case CDROM_CLEAR_OPTIONS:
		return atomic_fetch_and(&options, ~(int)(long)argument) &
		       ~(int)(long)argument;
	case CDROMREADTOCHDR:
		return cdrom_give_toc_header(file, argument);
	case CDROMREADTOCENTRY:
		return cdrom_give_toc_entry(file, argument);
	case CDROMMULTISESSION:
		return cdrom_give_multisession(file, argument);
	case CDROM_LAST_WRITTEN:
		return give_block(cdrom_last_written, file, argument);
	case CDROM_NEXT_WRITABLE:
		return give_block(cdrom_next_writable, file, argument);
	case CDROM_GET_MCN:
	case CDROMSUBCHNL:
	case CDROMPLAYMSF:
	case CDROMPLAYBLK:
	case CDROMPAUSE:
	case CDROMRESUME:
		return -EOPNOTSUPP;
	default:
		return moving_ioctl(file, request, argument);
	}
}
