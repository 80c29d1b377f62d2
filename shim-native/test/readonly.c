/* A write-protected device: reads are served, everything else is EPERM. */
#include <linux/fs.h>

#include "test.h"

int main(int argc, char **argv)
{
	const char *path = path_argument(argc, argv);
	char *buffer = pages(MIB);
	uint64_t range[2] = { 0, 65536 };
	aio_context_t id = 0;
	int fd, protected = 0;

	if (!is_block(path))
		skip("needs a device");
	fd = open_direct(path, O_RDWR);
	EXPECT(ioctl(fd, BLKROGET, &protected), 0);
	if (!protected)
		skip("the device is not write-protected");
	EXPECT(setup(8, &id), 0);
	EXPECT(run_io(id, fd, IOCB_CMD_PREAD, buffer, MIB, 0), MIB);
	EXPECT(run_io(id, fd, IOCB_CMD_PWRITE, buffer, 4096, 0), -EPERM);
	EXPECT(ERR(pread(fd, buffer, 4096, 0)), 4096);
	EXPECT(ERR(pwrite(fd, buffer, 4096, 0)), -EPERM);
	EXPECT(ERR(write(fd, buffer, 4096)), -EPERM);
	EXPECT(ERR(ioctl(fd, BLKDISCARD, range)), -EPERM);
	EXPECT(ERR(ioctl(fd, BLKZEROOUT, range)), -EPERM);
	EXPECT(ERR(fallocate(fd, FALLOC_FL_ZERO_RANGE, 0, 65536)), -EPERM);
	EXPECT(destroy(id), 0);
	return verdict();
}
