/*
 * Every ioctl of a table on a device: a disk's or, where its blocks are those
 * of a disc, a disc's.
 */
#include <limits.h>
#include <linux/cdrom.h>
#include <linux/fs.h>
#include <linux/hdreg.h>
#include <scsi/sg.h>
#include <sys/uio.h>

#include "test.h"

struct row {
	const char *name;
	unsigned long request;
	long long on_disk, on_disc;	/* the value, or -errno */
};

#define ROW(request, on_disk, on_disc) { #request, request, on_disk, on_disc }

/* With an argument of zeros. */
static const struct row rows[] = {
	ROW(BLKGETSIZE64, 0, 0),
	ROW(BLKGETSIZE, 0, 0),
	ROW(BLKSSZGET, 0, 0),
	ROW(BLKPBSZGET, 0, 0),
	ROW(BLKBSZGET, 0, 0),
	ROW(BLKBSZSET, -EINVAL, -EINVAL),
	ROW(BLKIOMIN, 0, 0),
	ROW(BLKIOOPT, 0, 0),
	ROW(BLKALIGNOFF, 0, 0),
	ROW(BLKROGET, 0, 0),
	ROW(BLKSECTGET, 0, 0),
	ROW(BLKRAGET, 0, 0),
	ROW(BLKROTATIONAL, 0, 0),
	ROW(BLKFLSBUF, 0, 0),
	ROW(BLKDISCARD, 0, 0),
	ROW(BLKZEROOUT, 0, 0),
	ROW(BLKDISCARDZEROES, 0, 0),
	ROW(HDIO_GETGEO, 0, -ENOTTY),
	ROW(HDIO_DRIVE_CMD, -EIO, -ENOTTY),
	ROW(CDROM_LAST_WRITTEN, -ENOTTY, 0),
	ROW(CDROM_NEXT_WRITABLE, -ENOTTY, 0),
	ROW(CDROMMULTISESSION, -ENOTTY, -EINVAL),
	ROW(CDROMREADTOCHDR, -ENOTTY, 0),
	ROW(CDROMREADTOCENTRY, -ENOTTY, -EINVAL),
	ROW(CDROM_DISC_STATUS, -ENOTTY, CDS_DATA_1),
	ROW(CDROM_CHANGER_NSLOTS, -ENOTTY, 1),
	ROW(CDROM_GET_MCN, -ENOTTY, -EOPNOTSUPP),
	ROW(CDROMSUBCHNL, -ENOTTY, -EOPNOTSUPP),
	ROW(CDROM_SEND_PACKET, -ENOTTY, 0),
	ROW(SG_GET_VERSION_NUM, -ENOTTY, 0),
	ROW(SG_GET_TIMEOUT, -ENOTTY, 0),
	ROW(SG_EMULATED_HOST, -ENOTTY, 0),
	ROW(SG_IO, -EINVAL, -EINVAL),
};

static void table(int fd, bool is_disc)
{
	static const unsigned char zeros[256];
	unsigned i;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		unsigned char argument[256] __attribute__((aligned(8)));
		long long want = is_disc ? rows[i].on_disc : rows[i].on_disk;
		long long got;

		memcpy(argument, zeros, sizeof(argument));
		got = ERR(ioctl(fd, rows[i].request, argument));
		if (got != want) {
			fprintf(stderr, "%s: got %lld, want %lld\n",
				rows[i].name, got, want);
			failures++;
		}
	}
}

static void disk(int fd, uint64_t bytes)
{
	unsigned char check_power[4] = { WIN_CHECKPOWERMODE1 };
	unsigned char flush[4] = { WIN_FLUSH_CACHE };
	struct hd_geometry geometry;

	EXPECT(ERR(ioctl(fd, HDIO_GETGEO, &geometry)), 0);
	EXPECT(geometry.heads, 255);
	EXPECT(geometry.sectors, 63);
	EXPECT(geometry.cylinders, bytes / 512 / (255 * 63));
	EXPECT(geometry.start, 0);
	EXPECT(ERR(ioctl(fd, HDIO_GETGEO, 8)), -EFAULT);
	EXPECT(ERR(ioctl(fd, HDIO_DRIVE_CMD, NULL)), 0);
	EXPECT(ERR(ioctl(fd, HDIO_DRIVE_CMD, 8)), -EFAULT);
	EXPECT(ERR(ioctl(fd, HDIO_DRIVE_CMD, check_power)), 0);
	EXPECT(check_power[2], 0xff);
	EXPECT(ERR(ioctl(fd, HDIO_DRIVE_CMD, flush)), 0);
}

/* A command by SG_IO, of length bytes and with room for its answer. */
static long long sg(int fd, const unsigned char *cdb, int length, int direction,
		    void *data, unsigned bytes, struct sg_io_hdr *h)
{
	static unsigned char sense[32];

	*h = (struct sg_io_hdr){ .interface_id = 'S',
				 .dxfer_direction = direction,
				 .cmd_len = (unsigned char)length,
				 .mx_sb_len = sizeof(sense),
				 .dxfer_len = bytes,
				 .dxferp = data,
				 .cmdp = (unsigned char *)cdb,
				 .sbp = sense,
				 .timeout = 10000 };
	memset(sense, 0, sizeof(sense));
	return ERR(ioctl(fd, SG_IO, h));
}

static void commands(int fd, uint64_t bytes)
{
	static const unsigned char inquiry[] = { 0x12, 0, 0, 0, 36, 0 };
	static const unsigned char capacity[10] = { 0x25 };
	static const unsigned char unknown[6] = { 0x44 };
	static const unsigned char past[] = { 0x28, 0, 0x7f, 0, 0, 0,
					      0,    0, 1,    0 };
	unsigned char data[4096];
	struct sg_io_hdr h;

	EXPECT(sg(fd, inquiry, 6, SG_DXFER_FROM_DEV, data, 96, &h), 0);
	EXPECT(h.status, 0);
	EXPECT(h.resid, 96 - 36);
	EXPECT(memcmp(data + 8, "SPINDLE ", 8), 0);
	EXPECT(sg(fd, capacity, 10, SG_DXFER_FROM_DEV, data, 8, &h), 0);
	EXPECT((uint64_t)data[1] << 16 | data[2] << 8 | data[3],
	       bytes / 2048 - 1);
	EXPECT(sg(fd, unknown, 6, SG_DXFER_NONE, NULL, 0, &h), 0);
	EXPECT(h.status, 2);
	EXPECT(h.masked_status, 1);
	EXPECT(h.driver_status, 8);
	EXPECT(h.info & SG_INFO_OK_MASK, SG_INFO_CHECK);
	EXPECT(h.sb_len_wr, 18);
	EXPECT(h.sbp[2] & 0xf, 5);
	EXPECT(h.sbp[12], 0x20);
	EXPECT(sg(fd, past, 10, SG_DXFER_FROM_DEV, data, 2048, &h), 0);
	EXPECT(h.sbp[12], 0x21);
	EXPECT(h.resid, 2048);
	EXPECT(sg(fd, inquiry, 5, SG_DXFER_FROM_DEV, data, 36, &h), -EMSGSIZE);
	EXPECT(sg(fd, inquiry, 6, 7, data, 36, &h), -EINVAL);
	EXPECT(sg(fd, inquiry, 6, SG_DXFER_FROM_DEV, (void *)8, 36, &h),
	       -EFAULT);
	EXPECT(sg(fd, (void *)8, 6, SG_DXFER_NONE, NULL, 0, &h), -EFAULT);
	EXPECT(ERR(ioctl(fd, SG_IO, 8)), -EFAULT);
}

/* A block there and back by commands, and by read(2): one and the same disc. */
static void blocks(int fd)
{
	static const unsigned char write[] = { 0x2a, 0, 0, 0, 0,
					       64,   0, 0, 32, 0 };
	static const unsigned char read[] = { 0x28, 0, 0, 0, 0,
					      64,   0, 0, 32, 0 };
	static char there[32 * 2048], back[32 * 2048];
	struct iovec halves[2] = { { back, 5000 },
				   { back + 5000, sizeof(back) - 5000 } };
	struct sg_io_hdr h;

	/* Whole packets of any disc. */
	memset(there, 'w', sizeof(there));
	EXPECT(sg(fd, write, 10, SG_DXFER_TO_DEV, there, sizeof(there), &h), 0);
	EXPECT(h.status, 0);
	EXPECT(h.resid, 0);
	EXPECT(pread(fd, back, sizeof(back), 64 * 2048), sizeof(back));
	EXPECT(memcmp(there, back, sizeof(back)), 0);
	memset(back, 0, sizeof(back));
	EXPECT(sg(fd, read, 10, SG_DXFER_FROM_DEV, back, sizeof(back), &h), 0);
	EXPECT(memcmp(there, back, sizeof(back)), 0);
	memset(back, 0, sizeof(back));
	h.iovec_count = 2;
	h.dxferp = halves;
	EXPECT(ERR(ioctl(fd, SG_IO, &h)), 0);
	EXPECT(memcmp(there, back, sizeof(back)), 0);
}

static void disc(int fd, uint64_t bytes)
{
	struct cdrom_generic_command cgc = { .cmd = { 0x44 },
					     .data_direction = CGC_DATA_NONE };
	struct cdrom_tocentry entry = { .cdte_track = CDROM_LEADOUT,
					.cdte_format = CDROM_LBA };
	struct cdrom_multisession session = { .addr_format = CDROM_LBA };
	long last = 0;

	EXPECT(ERR(ioctl(fd, CDROM_DRIVE_STATUS, CDSL_CURRENT)), CDS_DISC_OK);
	EXPECT(ioctl(fd, CDROM_GET_CAPABILITY, 0) & CDC_GENERIC_PACKET,
	       CDC_GENERIC_PACKET);
	EXPECT(ERR(ioctl(fd, CDROM_LAST_WRITTEN, &last)), 0);
	EXPECT((uint64_t)last, bytes / 2048);
	EXPECT(ERR(ioctl(fd, CDROMREADTOCENTRY, &entry)), 0);
	/* The kernel asks for a time, which ends at 255:59:74. */
	EXPECT((uint64_t)entry.cdte_addr.lba,
	       bytes / 2048 < 1151849 ? bytes / 2048 : 1151849);
	EXPECT(ERR(ioctl(fd, CDROMMULTISESSION, &session)), 0);
	EXPECT(session.addr.lba, 0);
	EXPECT(ERR(ioctl(fd, CDROM_SEND_PACKET, &cgc)), -EIO);
	EXPECT(ERR(ioctl(fd, CDROM_LOCKDOOR, 1)), 0);
	EXPECT(ERR(ioctl(fd, CDROMEJECT, 0)), -EIO);
	EXPECT(ERR(ioctl(fd, CDROM_LOCKDOOR, 0)), 0);
	EXPECT(ERR(ioctl(fd, CDROMEJECT, 0)), 0);
	EXPECT(ERR(ioctl(fd, CDROM_DRIVE_STATUS, CDSL_CURRENT)), CDS_TRAY_OPEN);
	EXPECT(ERR(ioctl(fd, CDROM_LAST_WRITTEN, &last)), -ENOMEDIUM);
	EXPECT(ERR(ioctl(fd, CDROMCLOSETRAY, 0)), 0);
	EXPECT(ERR(ioctl(fd, CDROM_MEDIA_CHANGED, CDSL_CURRENT)), 1);
	EXPECT(ERR(ioctl(fd, CDROM_DRIVE_STATUS, CDSL_CURRENT)), CDS_DISC_OK);
	EXPECT(ERR(ioctl(fd, CDROM_MEDIA_CHANGED, CDSL_CURRENT)), 0);
	commands(fd, bytes);
}

int main(int argc, char **argv)
{
	int fd = open(path_argument(argc, argv), O_RDWR);
	uint64_t bytes = 0;
	int block = 0;

	EXPECT(ERR(ioctl(fd, BLKGETSIZE64, &bytes)), 0);
	EXPECT(ERR(ioctl(fd, BLKSSZGET, &block)), 0);
	table(fd, block == 2048);
	if (block == 2048)
		disc(fd, bytes);
	else
		disk(fd, bytes);
	if (block == 2048)
		blocks(fd);
	return verdict();
}
