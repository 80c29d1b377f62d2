/*
 * exec with requests in flight: it waits until the writes have landed, the old context is gone, and
 * the new program gets one of its own, perhaps at the same address, in which
 * nothing but its own events turns up.
 */
#include "test.h"

#define REQUESTS 32
/* Few, so that a server of many threads would let the reads overtake them. */
#define WRITES 4
#define BYTES (64 * KIB)

static char *buffer;

static aio_context_t submit_all(int fd, int opcode, char *from, int count)
{
	struct iocb iocbs[REQUESTS], *list[REQUESTS];
	aio_context_t id = 0;
	int i;

	EXPECT(setup(REQUESTS, &id), 0);
	for (i = 0; i < count; i++) {
		iocbs[i] = make(fd, opcode, from + i * BYTES, BYTES,
				(int64_t)i * BYTES);
		iocbs[i].aio_data = (uint64_t)i + 1;
		list[i] = &iocbs[i];
	}
	EXPECT(submit(id, count, list), count);
	return id;
}

static void second_life(int fd)
{
	struct io_event events[REQUESTS];
	aio_context_t id = submit_all(fd, IOCB_CMD_PREAD, buffer, REQUESTS / 2);
	struct timespec soon = { .tv_nsec = 50000000 };
	int i;

	EXPECT(getevents(id, REQUESTS / 2, REQUESTS, events, NULL),
	       REQUESTS / 2);
	for (i = 0; i < REQUESTS / 2; i++) {
		EXPECT(events[i].res, BYTES);
		EXPECT_TRUE(events[i].data >= 1 &&
			    events[i].data <= REQUESTS / 2);
	}
	EXPECT(getevents(id, 1, 1, events, &soon), 0);
	for (i = 0; i < REQUESTS / 2; i++)
		EXPECT(buffer[i * BYTES], i < WRITES ? 'n' : 'o');
	EXPECT(destroy(id), 0);
}

int main(int argc, char **argv)
{
	const char *path = path_argument(argc, argv);
	int fd = open_direct(path, O_RDWR);
	char *fresh = pages(WRITES * BYTES);

	buffer = pages(REQUESTS * BYTES);
	if (argc > 2) {
		second_life(fd);
		return verdict();
	}
	memset(buffer, 'o', REQUESTS * BYTES);
	EXPECT(pwrite(fd, buffer, REQUESTS * BYTES, 0), REQUESTS * BYTES);
	submit_all(fd, IOCB_CMD_PREAD, buffer, REQUESTS);
	memset(fresh, 'n', WRITES * BYTES);
	submit_all(fd, IOCB_CMD_PWRITE, fresh, WRITES);
	if (verdict() == PASS)
		execv("/proc/self/exe",
		      (char *[]){ argv[0], (char *)path, "again", NULL });
	return FAIL;
}
