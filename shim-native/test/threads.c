/*
 * Many threads on one device: some share a context, some read and write
 * synchronously, some use POSIX AIO, while the program forks. Each thread owns
 * a region and knows what is in it.
 */
#include <aio.h>
#include <pthread.h>

#include "test.h"

#define THREADS 8
#define ROUNDS 150
#define BATCH 8
#define REGION (512 * KIB)
#define CHUNK (16 * KIB)

static aio_context_t shared;
static int fd;
static const char *path;

static void fill(char *to, int thread, int round)
{
	size_t i;

	for (i = 0; i < CHUNK * BATCH; i += 8)
		*(uint64_t *)(to + i) = (uint64_t)thread << 56 |
					(uint64_t)round << 32 | i;
}

/* Events of a shared context reach any of its users: count what comes. */
static _Atomic long shared_done;

static void reap_shared(long until)
{
	struct io_event events[BATCH];
	struct timespec wait = { .tv_nsec = 1000000 };

	while (shared_done < until) {
		long i, got = getevents(shared, 1, BATCH, events, &wait);

		for (i = 0; i < got; i++)
			EXPECT(events[i].res, CHUNK);
		EXPECT_TRUE(got >= 0);
		shared_done += got > 0 ? got : 0;
	}
}

static void round_native(aio_context_t id, char *buffer, off_t at, int opcode)
{
	struct iocb iocbs[BATCH], *list[BATCH];
	struct io_event events[BATCH];
	int i;

	for (i = 0; i < BATCH; i++) {
		iocbs[i] = make(fd, opcode, buffer + i * CHUNK, CHUNK,
				at + i * CHUNK);
		list[i] = &iocbs[i];
	}
	EXPECT(submit(id, BATCH, list), BATCH);
	EXPECT(getevents(id, BATCH, BATCH, events, NULL), BATCH);
	for (i = 0; i < BATCH; i++)
		EXPECT(events[i].res, CHUNK);
}

static void round_posix(char *buffer, off_t at, bool write)
{
	struct aiocb cbs[BATCH] = { 0 };
	const struct aiocb *one[1];
	int i;

	for (i = 0; i < BATCH; i++) {
		cbs[i].aio_fildes = fd;
		cbs[i].aio_buf = buffer + i * CHUNK;
		cbs[i].aio_nbytes = CHUNK;
		cbs[i].aio_offset = at + i * CHUNK;
		EXPECT(write ? aio_write(&cbs[i]) : aio_read(&cbs[i]), 0);
	}
	for (i = 0; i < BATCH; i++) {
		one[0] = &cbs[i];
		while (aio_error(&cbs[i]) == EINPROGRESS)
			aio_suspend(one, 1, NULL);
		EXPECT(aio_error(&cbs[i]), 0);
		EXPECT(aio_return(&cbs[i]), CHUNK);
	}
}

static void *native_thread(void *argument)
{
	int self = (int)(intptr_t)argument, round;
	char *out = pages(BATCH * CHUNK), *back = pages(BATCH * CHUNK);
	off_t at = (off_t)self * REGION;
	aio_context_t id = 0;

	EXPECT(setup(BATCH, &id), 0);
	for (round = 0; round < ROUNDS; round++) {
		fill(out, self, round);
		if (self % 3 == 0)
			round_native(id, out, at, IOCB_CMD_PWRITE);
		else if (self % 3 == 1)
			EXPECT(ERR(pwrite(fd, out, BATCH * CHUNK, at)),
			       BATCH * CHUNK);
		else
			round_posix(out, at, true);
		memset(back, 0, BATCH * CHUNK);
		if (round % 3 == 0)
			round_native(id, back, at, IOCB_CMD_PREAD);
		else if (round % 3 == 1)
			EXPECT(ERR(pread(fd, back, BATCH * CHUNK, at)),
			       BATCH * CHUNK);
		else
			round_posix(back, at, false);
		EXPECT(memcmp(out, back, BATCH * CHUNK), 0);
	}
	EXPECT(destroy(id), 0);
	return NULL;
}

static void *shared_thread(void *unused)
{
	static struct iocb iocbs[2][ROUNDS];
	static _Atomic int next;
	static char buffer[CHUNK] __attribute__((aligned(4096)));
	int self = next++, i;

	(void)unused;
	for (i = 0; i < ROUNDS; i++) {
		struct iocb *list[1] = { &iocbs[self][i] };
		long result;

		iocbs[self][i] = make(fd, IOCB_CMD_PREAD, buffer, CHUNK, 0);
		while ((result = submit(shared, 1, list)) == -EAGAIN)
			reap_shared(shared_done + 1);
		EXPECT(result, 1);
	}
	return NULL;
}

static void *forking_thread(void *unused)
{
	char *page = pages(4096);
	int i, status;

	(void)unused;
	/* A sanitizer's allocator does not survive a fork among threads. */
	if (getenv("SPINDLE_TEST_NO_FORK"))
		return NULL;
	for (i = 0; i < 10; i++) {
		pid_t child = fork();

		if (child == 0)
			_exit(pread(fd, page, 4096, TEST_BYTES - 4096) != 4096);
		waitpid(child, &status, 0);
		EXPECT(status, 0);
	}
	return NULL;
}

/* Writes submitted before _exit all land. */
static void lands_after_exit(void)
{
	char *out = pages(BATCH * CHUNK), *back = pages(BATCH * CHUNK);
	int status;
	pid_t child;

	fill(out, 99, 1);
	child = fork();
	if (child == 0) {
		struct iocb iocbs[BATCH], *list[BATCH];
		aio_context_t id = 0;
		int i;

		setup(BATCH, &id);
		for (i = 0; i < BATCH; i++) {
			iocbs[i] = make(fd, IOCB_CMD_PWRITE, out + i * CHUNK,
					CHUNK, 8 * MIB + i * CHUNK);
			list[i] = &iocbs[i];
		}
		_exit(submit(id, BATCH, list) != BATCH);
	}
	waitpid(child, &status, 0);
	EXPECT(status, 0);
	EXPECT(ERR(pread(fd, back, BATCH * CHUNK, 8 * MIB)), BATCH * CHUNK);
	EXPECT(memcmp(out, back, BATCH * CHUNK), 0);
}

int main(int argc, char **argv)
{
	pthread_t threads[THREADS], others[3];
	int i;

	path = path_argument(argc, argv);
	fd = open_direct(path, O_RDWR);
	EXPECT(setup(32, &shared), 0);
	for (i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, native_thread,
			       (void *)(intptr_t)(i + 1));
	pthread_create(&others[0], NULL, shared_thread, NULL);
	pthread_create(&others[1], NULL, shared_thread, NULL);
	pthread_create(&others[2], NULL, forking_thread, NULL);
	for (i = 0; i < 3; i++)
		pthread_join(others[i], NULL);
	reap_shared(2 * ROUNDS);
	for (i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	EXPECT(destroy(shared), 0);
	lands_after_exit();
	return verdict();
}
