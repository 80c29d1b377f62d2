/*
 * The daemon dies with requests outstanding: each ends with EIO within a
 * second, and so does every later one. Kills SPINDLE_TEST_SERVER, so it is
 * run last on its device.
 */
#include "test.h"

#define READS 32

int main(int argc, char **argv)
{
	const char *server = getenv("SPINDLE_TEST_SERVER");
	struct iocb iocbs[READS], *list[READS];
	struct io_event events[READS];
	struct timespec second = { .tv_sec = 1 };
	char *buffer = pages(MIB);
	aio_context_t id = 0;
	int i, fd, failed = 0;
	int64_t start;

	fd = open_direct(path_argument(argc, argv), O_RDWR);
	if (!server || !is_block(argv[1]))
		skip("needs a device and SPINDLE_TEST_SERVER");
	EXPECT(setup(READS, &id), 0);
	EXPECT(run_io(id, fd, IOCB_CMD_PREAD, buffer, 4096, 0), 4096);
	for (i = 0; i < READS; i++) {
		iocbs[i] = make(fd, IOCB_CMD_PREAD, buffer, MIB,
				(int64_t)MIB * (i % 16));
		list[i] = &iocbs[i];
	}
	EXPECT(submit(id, READS, list), READS);
	start = now_ms();
	EXPECT(kill(atoi(server), SIGKILL), 0);
	EXPECT(getevents(id, READS, READS, events, &second), READS);
	for (i = 0; i < READS; i++)
		failed += events[i].res == -EIO;
	EXPECT_TRUE(failed > 0);
	EXPECT(run_io(id, fd, IOCB_CMD_PREAD, buffer, 4096, 0), -EIO);
	EXPECT(run_io(id, fd, IOCB_CMD_PWRITE, buffer, 4096, 0), -EIO);
	EXPECT(ERR(pread(fd, buffer, 4096, 0)), -EIO);
	EXPECT(ERR(pwrite(fd, buffer, 4096, 0)), -EIO);
	EXPECT(ERR(fsync(fd)), -EIO);
	EXPECT(destroy(id), 0);
	EXPECT_TRUE(now_ms() - start < 1000);
	EXPECT_TRUE(open(argv[1], O_RDONLY) < 0);
	return verdict();
}
