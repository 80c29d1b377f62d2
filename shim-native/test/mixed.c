/*
 * One context for PATH, an ordinary file and a pipe: all events come, in one
 * ring, with what was asked for.
 */
#include <poll.h>

#include "test.h"

static aio_context_t id;
static int device, file, pipe_ends[2];
static char *buffer;

static void both(void)
{
	struct iocb iocbs[32], *list[32];
	struct io_event events[32];
	char *back = pages(32 * 4096);
	uint64_t value = 0, seen = 0;
	int i, efd = eventfd(0, 0);

	for (i = 0; i < 32; i++) {
		memset(buffer + 4096 * i, 'A' + i, 4096);
		iocbs[i] = make(i % 2 ? device : file, IOCB_CMD_PWRITE,
				buffer + 4096 * i, 4096, 4096 * i);
		iocbs[i].aio_data = (uint64_t)i;
		iocbs[i].aio_flags = IOCB_FLAG_RESFD;
		iocbs[i].aio_resfd = (uint32_t)efd;
		list[i] = &iocbs[i];
	}
	EXPECT(submit(id, 32, list), 32);
	EXPECT(getevents(id, 32, 32, events, NULL), 32);
	for (i = 0; i < 32; i++) {
		EXPECT(events[i].res, 4096);
		EXPECT(events[i].obj, (uintptr_t)&iocbs[events[i].data]);
		seen |= 1ull << events[i].data;
	}
	EXPECT(seen, 0xffffffffull);
	usleep(20000);
	EXPECT(read(efd, &value, 8), 8);
	EXPECT(value, 32);
	for (i = 0; i < 32; i++) {
		iocbs[i].aio_lio_opcode = IOCB_CMD_PREAD;
		iocbs[i].aio_buf = (uintptr_t)(back + 4096 * i);
		iocbs[i].aio_flags = 0;
	}
	EXPECT(submit(id, 32, list), 32);
	EXPECT(getevents(id, 32, 32, events, NULL), 32);
	EXPECT(memcmp(back, buffer, 32 * 4096), 0);
	close(efd);
	munmap(back, 32 * 4096);
}

/* The third of four has a bad descriptor: two go in, two events come. */
static void stops_between(void)
{
	struct iocb iocbs[4], *list[4];
	struct io_event events[8];
	struct timespec soon = { .tv_nsec = 50000000 };
	int i;

	for (i = 0; i < 4; i++) {
		iocbs[i] = make(i == 2 ? -1 : i % 2 ? device : file,
				IOCB_CMD_PREAD, buffer + 4096 * i, 4096, 0);
		list[i] = &iocbs[i];
	}
	EXPECT(submit(id, 4, list), 2);
	EXPECT(getevents(id, 2, 8, events, NULL), 2);
	EXPECT(getevents(id, 1, 8, events, &soon), 0);
}

static void polls(void)
{
	struct iocb wait = make(pipe_ends[0], IOCB_CMD_POLL,
				(void *)(uintptr_t)POLLIN, 0, 0);
	struct iocb *list[1] = { &wait };
	struct iocb reading = make(device, IOCB_CMD_PREAD, buffer, 4096, 0);
	struct io_event event;
	struct timespec zero = { 0 };

	EXPECT(submit(id, 1, list), 1);
	EXPECT(run_iocb(id, reading), 4096);
	EXPECT(getevents(id, 0, 1, &event, &zero), 0);
	EXPECT(write(pipe_ends[1], "x", 1), 1);
	EXPECT(getevents(id, 1, 1, &event, NULL), 1);
	EXPECT(event.obj, (uintptr_t)&wait);
	EXPECT(event.res & POLLIN, POLLIN);
	EXPECT(read(pipe_ends[0], buffer, 1), 1);

	EXPECT(submit(id, 1, list), 1);
	EXPECT(ERR(syscall(SYS_io_cancel, id, &wait, &event)), -EINPROGRESS);
	EXPECT(getevents(id, 1, 1, &event, NULL), 1);
	EXPECT(event.obj, (uintptr_t)&wait);
	EXPECT(event.res, 0);
}

static void cancels_nothing_else(void)
{
	struct iocb one = make(device, IOCB_CMD_PREAD, buffer, 4096, 0);
	struct iocb *list[1] = { &one };
	struct io_event event;

	EXPECT(submit(id, 1, list), 1);
	EXPECT(ERR(syscall(SYS_io_cancel, id, &one, &event)), -EINVAL);
	EXPECT(getevents(id, 1, 1, &event, NULL), 1);
	EXPECT(event.res, 4096);
}

/* A poll that never fires does not keep io_destroy. */
static void destroyed_under_poll(void)
{
	struct iocb wait = make(pipe_ends[0], IOCB_CMD_POLL,
				(void *)(uintptr_t)POLLIN, 0, 0);
	struct iocb reading = make(device, IOCB_CMD_PREAD, buffer, MIB / 2, 0);
	struct iocb *list[2] = { &wait, &reading };

	EXPECT(submit(id, 2, list), 2);
	EXPECT(destroy(id), 0);
}

static int threads(void)
{
	char line[128];
	int count = -1;
	FILE *status = fopen("/proc/self/status", "r");

	while (status && fgets(line, sizeof(line), status))
		if (sscanf(line, "Threads: %d", &count) == 1)
			break;
	if (status)
		fclose(status);
	return count;
}

/* I/O through the page cache has ended when io_submit returns: no thread waits. */
static void cached_file_costs_no_thread(void)
{
	int before = threads(), i;
	struct iocb iocb, *one = &iocb;
	struct io_event event;
	aio_context_t own = 0;
	char data[512] = "cached";

	EXPECT(setup(4, &own), 0);
	for (i = 0; i < 100; i++) {
		iocb = (struct iocb){ .aio_fildes = (uint32_t)file,
				      .aio_lio_opcode = IOCB_CMD_PWRITE,
				      .aio_buf = (uintptr_t)data,
				      .aio_nbytes = sizeof(data),
				      .aio_offset = i * 512 };
		EXPECT(submit(own, 1, &one), 1);
		EXPECT(getevents(own, 1, 1, &event, NULL), 1);
		EXPECT(event.res, 512);
	}
	EXPECT(threads(), before);
	EXPECT(destroy(own), 0);
}

int main(int argc, char **argv)
{
	char name[] = "mixed.XXXXXX";

	device = open_direct(path_argument(argc, argv), O_RDWR);
	file = mkstemp(name);
	if (file < 0 || unlink(name) < 0 || pipe(pipe_ends) < 0) {
		perror("scratch file");
		return FAIL;
	}
	buffer = pages(MIB);
	cached_file_costs_no_thread();
	EXPECT(setup(64, &id), 0);
	both();
	stops_between();
	polls();
	cancels_nothing_else();
	destroyed_under_poll();
	return verdict();
}
