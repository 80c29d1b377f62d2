/*
 * Bad memory: EFAULT where the kernel says so, in the call or in the event,
 * never a signal, and the next good request is served.
 */
#include "test.h"

static aio_context_t id;
static int fd;
static char *buffer;

static void still_works(char mark)
{
	char *back = pages(65536);

	memset(buffer, mark, 65536);
	EXPECT(run_io(id, fd, IOCB_CMD_PWRITE, buffer, 65536, MIB), 65536);
	EXPECT(run_io(id, fd, IOCB_CMD_PREAD, back, 65536, MIB), 65536);
	EXPECT(memcmp(back, buffer, 65536), 0);
	munmap(back, 65536);
}

/* -EFAULT, or a short count where part of the buffer was good. */
static void expect_fault(long long result)
{
	EXPECT_TRUE(result == -EFAULT || (result > 0 && result < 262144));
}

static void bad_buffers(int opcode)
{
	char *hole = pages(262144);
	const char *read_only = mmap(NULL, 262144, PROT_READ,
				     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	munmap(hole + 131072, 131072);
	EXPECT(run_io(id, fd, opcode, NULL, 4096, 0), -EFAULT);
	EXPECT(run_io(id, fd, opcode, (void *)0x1000, 4096, 0), -EFAULT);
	expect_fault(run_io(id, fd, opcode, hole, 262144, 0));
	if (opcode == IOCB_CMD_PREAD)
		expect_fault(run_io(id, fd, opcode, (void *)read_only, 262144,
				    0));
	still_works((char)opcode);
	munmap(hole, 131072);
}

static void many_bad_in_flight(void)
{
	struct iocb iocbs[32], *list[32];
	struct io_event events[32];
	char *gone = pages(4096);
	int i, bad = 0;

	munmap(gone, 4096);
	for (i = 0; i < 32; i++) {
		iocbs[i] = make(fd, i % 4 < 2 ? IOCB_CMD_PREAD : IOCB_CMD_PWRITE,
				i % 2 ? buffer + 4096 * i : gone, 4096,
				2 * MIB + 4096 * i);
		list[i] = &iocbs[i];
	}
	EXPECT(submit(id, 32, list), 32);
	EXPECT(getevents(id, 32, 32, events, NULL), 32);
	for (i = 0; i < 32; i++) {
		const struct iocb *one = (void *)(uintptr_t)events[i].obj;

		bad += events[i].res == -EFAULT;
		EXPECT(events[i].res, one->aio_buf == (uintptr_t)gone
					      ? -EFAULT
					      : 4096);
	}
	EXPECT(bad, 16);
	still_works('m');
}

static void synchronous(void)
{
	struct iovec wild = { NULL, 4096 };

	EXPECT(ERR(pread(fd, (void *)0x1000, 4096, 0)), -EFAULT);
	EXPECT(ERR(pwrite(fd, (void *)0x1000, 4096, 0)), -EFAULT);
	EXPECT(ERR(preadv(fd, (void *)0x1000, 1, 0)), -EFAULT);
	EXPECT(ERR(pwritev(fd, &wild, 1, 0)), -EFAULT);
	fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_DIRECT);
	EXPECT(ERR(pread(fd, (void *)0x1000, 100, 10)), -EFAULT);
	EXPECT(ERR(pwrite(fd, (void *)0x1000, 100, 10)), -EFAULT);
	fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_DIRECT);
	still_works('s');
}

static void events_kept(void)
{
	struct iocb one = make(fd, IOCB_CMD_PREAD, buffer, 4096, 0);
	struct iocb *list[1] = { &one };
	struct io_event event = { 0 };

	EXPECT(submit(id, 1, list), 1);
	EXPECT(getevents(id, 1, 1, (void *)8, NULL), -EFAULT);
	EXPECT(getevents(id, 1, 1, &event, NULL), 1);
	EXPECT(event.res, 4096);
	EXPECT(getevents(id, 0, 1, &event, (void *)8), -EFAULT);
	EXPECT(ERR(syscall(SYS_io_cancel, id, NULL, &event)), -EFAULT);
}

int main(int argc, char **argv)
{
	fd = open_direct(path_argument(argc, argv), O_RDWR);
	buffer = pages(MIB);
	EXPECT(setup(64, &id), 0);
	bad_buffers(IOCB_CMD_PREAD);
	bad_buffers(IOCB_CMD_PWRITE);
	many_bad_in_flight();
	synchronous();
	events_kept();
	EXPECT(destroy(id), 0);
	return verdict();
}
