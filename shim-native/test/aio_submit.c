/* io_submit: what fails the call, what fails in the event, what passes. */
#include "test.h"

#ifndef IOCB_FLAG_IOPRIO
#define IOCB_FLAG_IOPRIO 2
#endif

static aio_context_t id;
static int fd;
static char *buffer;
static bool block;

static struct iocb good(void)
{
	return make(fd, IOCB_CMD_PREAD, buffer, 4096, 0);
}

/* A good iocb with one field spoilt. */
#define SPOILT(field, value)                 \
	__extension__({                      \
		struct iocb spoilt_ = good(); \
		spoilt_.field = (value);     \
		run_iocb(id, spoilt_);       \
	})

static void refused(void)
{
	struct iocb one = good(), *list[1] = { &one }, *null_list[1] = { NULL };
	struct iocb *wild[1] = { (struct iocb *)16 };

	EXPECT(submit(id, -1, list), -EINVAL);
	EXPECT(submit(0, 1, list), -EINVAL);
	EXPECT(submit(0x5000, 1, list), -EINVAL);
	EXPECT(submit(id, 0, list), 0);
	EXPECT(submit(id, 1, NULL), -EFAULT);
	EXPECT(submit(id, 1, null_list), -EFAULT);
	EXPECT(submit(id, 1, wild), -EFAULT);
	EXPECT(SPOILT(aio_fildes, 9999), -EBADF);
	EXPECT(SPOILT(aio_fildes, (uint32_t)-1), -EBADF);
	EXPECT(SPOILT(aio_reserved2, 1), -EINVAL);
	EXPECT(SPOILT(aio_lio_opcode, 4), -EINVAL);
	EXPECT(SPOILT(aio_lio_opcode, 6), -EINVAL);
	EXPECT(SPOILT(aio_lio_opcode, 9), -EINVAL);
	EXPECT(SPOILT(aio_offset, -4096), -EINVAL);
	EXPECT(SPOILT(aio_nbytes, (uint64_t)-1), -EINVAL);
	EXPECT(SPOILT(aio_rw_flags, 0x10000), -EOPNOTSUPP);
	EXPECT(SPOILT(aio_flags, 1 << 20), 4096);
}

static void read_only_iocb(void)
{
	struct iocb *page = pages(4096), *list[1] = { page };

	*page = good();
	mprotect(page, 4096, PROT_READ);
	EXPECT(submit(id, 1, list), -EFAULT);
	munmap(page, 4096);
}

static void access_mode(const char *path)
{
	int reader = open_direct(path, O_RDONLY);
	int writer = open_direct(path, O_WRONLY);

	EXPECT(run_io(id, reader, IOCB_CMD_PWRITE, buffer, 4096, 0), -EBADF);
	EXPECT(run_io(id, writer, IOCB_CMD_PREAD, buffer, 4096, 0), -EBADF);
	EXPECT(run_io(id, reader, IOCB_CMD_FSYNC, NULL, 0, 0), 0);
	close(reader);
	close(writer);
}

static void misaligned(void)
{
	EXPECT(run_io(id, fd, IOCB_CMD_PREAD, buffer + 1, 4096, 0), -EINVAL);
	EXPECT(run_io(id, fd, IOCB_CMD_PREAD, buffer, 4095, 0), -EINVAL);
	EXPECT(run_io(id, fd, IOCB_CMD_PREAD, buffer, 4096, 1), -EINVAL);
	EXPECT(run_io(id, fd, IOCB_CMD_PWRITE, buffer, 100, 0), -EINVAL);
	fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_DIRECT);
	EXPECT(run_io(id, fd, IOCB_CMD_PREAD, buffer, 4095, 1), 4095);
	fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_DIRECT);
	EXPECT(run_io(id, fd, IOCB_CMD_PREAD, buffer, 4095, 1), -EINVAL);
}

static void vectors(void)
{
	struct iovec parts[3] = { { buffer, 4096 },
				  { buffer + 3 * 4096, 8192 },
				  { buffer + 8 * 4096, 4096 } };
	struct iovec *many = calloc(1025, sizeof(*many));
	char *expected = pages(16384);
	int i;

	for (i = 0; i < 16384; i++)
		expected[i] = (char)(i * 7 + i / 512);
	memcpy(buffer, expected, 4096);
	memcpy(buffer + 3 * 4096, expected + 4096, 8192);
	memcpy(buffer + 8 * 4096, expected + 12288, 4096);
	EXPECT(run_io(id, fd, IOCB_CMD_PWRITEV, parts, 3, 65536), 16384);
	memset(buffer, 0, 16 * 4096);
	EXPECT(run_io(id, fd, IOCB_CMD_PREAD, buffer, 16384, 65536), 16384);
	EXPECT(memcmp(buffer, expected, 16384), 0);
	memset(buffer, 0, 16 * 4096);
	EXPECT(run_io(id, fd, IOCB_CMD_PREADV, parts, 3, 65536), 16384);
	EXPECT(memcmp(buffer + 3 * 4096, expected + 4096, 8192), 0);
	EXPECT(memcmp(buffer + 8 * 4096, expected + 12288, 4096), 0);
	EXPECT(run_io(id, fd, IOCB_CMD_PREADV, NULL, 1, 0), -EFAULT);
	for (i = 0; i < 1025; i++)
		many[i] = (struct iovec){ buffer, 512 };
	EXPECT(run_io(id, fd, IOCB_CMD_PREADV, many, 1025, 0), -EINVAL);
	for (i = 0; i < 1024; i++)
		many[i] = (struct iovec){ buffer + 4096 * (i % 16), 4096 };
	EXPECT(run_io(id, fd, IOCB_CMD_PREADV, many, 1024, 0), 1024 * 4096);
	free(many);
}

static void partial(void)
{
	struct iocb four[4], *list[4];
	struct io_event events[8];
	struct timespec soon = { .tv_nsec = 50000000 };
	int i;

	for (i = 0; i < 4; i++) {
		four[i] = make(i == 2 ? 9999 : fd, IOCB_CMD_PREAD,
			       buffer + i * 4096, 4096, i * 4096);
		list[i] = &four[i];
	}
	EXPECT(submit(id, 4, list), 2);
	EXPECT(getevents(id, 2, 8, events, NULL), 2);
	EXPECT(getevents(id, 1, 8, events, &soon), 0);
	list[1] = list[0];
	EXPECT(submit(id, 2, list), 2);
	EXPECT(getevents(id, 2, 8, events, NULL), 2);
	EXPECT(events[0].obj, events[1].obj);
}

static void copied(void)
{
	struct iocb *one = pages(4096), *list[1] = { one };
	struct iovec *parts = pages(4096);
	struct io_event event;

	parts[0] = (struct iovec){ buffer, 1 << 20 };
	*one = make(fd, IOCB_CMD_PREADV, parts, 1, 0);
	EXPECT(submit(id, 1, list), 1);
	munmap(one, 4096);
	munmap(parts, 4096);
	EXPECT(getevents(id, 1, 1, &event, NULL), 1);
	EXPECT(event.res, 1 << 20);
	EXPECT(event.obj, (uintptr_t)one);
}

static void sync_and_poll(void)
{
	EXPECT(run_io(id, fd, IOCB_CMD_FSYNC, NULL, 0, 0), 0);
	EXPECT(run_io(id, fd, IOCB_CMD_FDSYNC, NULL, 0, 0), 0);
	EXPECT(run_io(id, fd, IOCB_CMD_FSYNC, buffer, 0, 0), -EINVAL);
	EXPECT(run_io(id, fd, IOCB_CMD_FDSYNC, NULL, 1, 0), -EINVAL);
	EXPECT(run_io(id, fd, IOCB_CMD_FDSYNC, NULL, 0, 512), -EINVAL);
	EXPECT(run_io(id, fd, IOCB_CMD_POLL, (void *)1, 0, 0), 1);
	EXPECT(run_io(id, fd, IOCB_CMD_POLL, (void *)1, 1, 0), -EINVAL);
}

static void flags(void)
{
	struct iocb one = good();

	one.aio_rw_flags = 0x2 | 0x4;
	one.aio_lio_opcode = IOCB_CMD_PWRITE;
	EXPECT(run_iocb(id, one), 4096);
	one = good();
	one.aio_flags = IOCB_FLAG_IOPRIO;
	one.aio_reqprio = 2 << 13 | 3;
	EXPECT(run_iocb(id, one), 4096);
	one.aio_reqprio = 4;
	EXPECT(run_iocb(id, one), -EINVAL);
	one.aio_reqprio = (int16_t)(4u << 13);
	EXPECT(run_iocb(id, one), -EINVAL);
	one.aio_flags = 0;
	EXPECT(run_iocb(id, one), 4096);
}

static void device_end(void)
{
	int64_t size = lseek(fd, 0, SEEK_END);

	EXPECT_TRUE(size >= TEST_BYTES);
	EXPECT(run_io(id, fd, IOCB_CMD_PREAD, buffer, 8192, size - 4096), 4096);
	EXPECT(run_io(id, fd, IOCB_CMD_PREAD, buffer, 4096, size), 0);
	EXPECT(run_io(id, fd, IOCB_CMD_PREAD, buffer, 4096, size + 4096), 0);
	EXPECT(run_io(id, fd, IOCB_CMD_PREAD, buffer, 0, 0), 0);
	EXPECT(run_io(id, fd, IOCB_CMD_PWRITE, buffer, 0, 0), 0);
	if (!block)
		return;
	EXPECT(run_io(id, fd, IOCB_CMD_PWRITE, buffer, 8192, size - 4096),
	       4096);
	EXPECT(run_io(id, fd, IOCB_CMD_PWRITE, buffer, 4096, size), -ENOSPC);
	EXPECT(run_io(id, fd, IOCB_CMD_PWRITE, buffer, 4096, size + 4096),
	       -ENOSPC);
	EXPECT(ERR(pwrite(fd, buffer, 4096, size)), -ENOSPC);
}

/* Slots come back when events are reaped, not when the I/O has ended. */
static void capacity(void)
{
	aio_context_t small = 0;
	struct iocb one = good(), *list[1] = { &one };
	struct io_event events[16];
	long accepted = 0, result, reaped = 0;
	struct timespec now = { 0 };

	EXPECT(setup(1, &small), 0);
	while ((result = submit(small, 1, list)) == 1 && accepted < 100000)
		accepted++;
	EXPECT(result, -EAGAIN);
	EXPECT_TRUE(accepted >= 1);
	usleep(100000);
	EXPECT(submit(small, 1, list), -EAGAIN);
	while (reaped < accepted) {
		result = getevents(small, 1, 16, events, NULL);
		if (result <= 0)
			break;
		reaped += result;
	}
	EXPECT(reaped, accepted);
	EXPECT(getevents(small, 0, 16, events, &now), 0);
	EXPECT(submit(small, 1, list), 1);
	EXPECT(destroy(small), 0);
}

int main(int argc, char **argv)
{
	const char *path = path_argument(argc, argv);

	block = is_block(path);
	fd = open_direct(path, O_RDWR);
	buffer = pages(MIB);
	EXPECT(setup(128, &id), 0);
	refused();
	read_only_iocb();
	access_mode(path);
	misaligned();
	vectors();
	partial();
	copied();
	sync_and_poll();
	flags();
	device_end();
	capacity();
	EXPECT(destroy(id), 0);
	return verdict();
}
