/*
 * Every ioctl of a table on a device: a disk's or, where its blocks are those
 * of a disc, a disc's.
 */
#include <linux/cdrom.h>
#include <linux/fs.h>
#include <linux/hdreg.h>
#include <scsi/sg.h>

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
	ROW(CDROM_LAST_WRITTEN, -ENOTTY, -ENOTTY),
	ROW(CDROMMULTISESSION, -ENOTTY, -ENOTTY),
	ROW(CDROM_DRIVE_STATUS, -ENOTTY, -ENOTTY),
	ROW(CDROM_DISC_STATUS, -ENOTTY, -ENOTTY),
	ROW(CDROM_GET_CAPABILITY, -ENOTTY, -ENOTTY),
	ROW(SG_GET_VERSION_NUM, -ENOTTY, -ENOTTY),
	ROW(SG_IO, -EINVAL, -ENOTTY),
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

/* What drives of that time said when Linux found them ("CHS=65535/16/63"). */
static void geometry(int fd, uint64_t bytes)
{
	uint64_t sectors = bytes / 512;
	unsigned heads = sectors > 1u << 28 ? 255 : 16;
	uint64_t cylinders = sectors / (heads * 63);
	struct hd_geometry said;

	EXPECT(ERR(ioctl(fd, HDIO_GETGEO, &said)), 0);
	EXPECT(said.heads, heads);
	EXPECT(said.sectors, 63);
	EXPECT(said.cylinders, cylinders < 65535 ? cylinders : 65535);
	EXPECT(said.start, 0);
}

static void disk(int fd, uint64_t bytes)
{
	unsigned char check_power[4] = { WIN_CHECKPOWERMODE1 };
	unsigned char flush[4] = { WIN_FLUSH_CACHE };

	geometry(fd, bytes);
	EXPECT(ERR(ioctl(fd, HDIO_GETGEO, 8)), -EFAULT);
	EXPECT(ERR(ioctl(fd, HDIO_DRIVE_CMD, NULL)), 0);
	EXPECT(ERR(ioctl(fd, HDIO_DRIVE_CMD, 8)), -EFAULT);
	EXPECT(ERR(ioctl(fd, HDIO_DRIVE_CMD, check_power)), 0);
	EXPECT(check_power[2], 0xff);
	EXPECT(ERR(ioctl(fd, HDIO_DRIVE_CMD, flush)), 0);
}

int main(int argc, char **argv)
{
	int fd = open(path_argument(argc, argv), O_RDWR);
	uint64_t bytes = 0;
	int block = 0;

	EXPECT(ERR(ioctl(fd, BLKGETSIZE64, &bytes)), 0);
	EXPECT(ERR(ioctl(fd, BLKSSZGET, &block)), 0);
	table(fd, block == 2048);
	if (block != 2048)
		disk(fd, bytes);
	return verdict();
}
