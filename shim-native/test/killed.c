/*
 * A process is killed by SIGKILL as soon as it has submitted its writes: every
 * one of them lands, as the kernel carries out what it has taken.
 */
#include "test.h"

#define WRITES 64
#define WRITE_BYTES (64 * KIB)
#define PATIENCE_MS 20000

static char pattern_of(int i)
{
	return (char)(i + 1);
}

static void submit_and_die(const char *path, char *buffer)
{
	struct iocb iocbs[WRITES], *list[WRITES];
	int fd = open_direct(path, O_RDWR), i;
	aio_context_t id = 0;

	if (fd < 0 || setup(WRITES, &id) < 0)
		_exit(FAIL);
	for (i = 0; i < WRITES; i++) {
		memset(buffer + i * WRITE_BYTES, pattern_of(i), WRITE_BYTES);
		iocbs[i] = make(fd, IOCB_CMD_PWRITE, buffer + i * WRITE_BYTES,
				WRITE_BYTES, (int64_t)i * 2 * WRITE_BYTES);
		list[i] = &iocbs[i];
	}
	if (submit(id, WRITES, list) != WRITES)
		_exit(FAIL);
	kill(getpid(), SIGKILL);
}

static bool has_landed(int fd, char *buffer, int i)
{
	int at;

	if (pread(fd, buffer, WRITE_BYTES, (int64_t)i * 2 * WRITE_BYTES) !=
	    WRITE_BYTES)
		return false;
	for (at = 0; at < WRITE_BYTES; at++)
		if (buffer[at] != pattern_of(i))
			return false;
	return true;
}

int main(int argc, char **argv)
{
	const char *path = path_argument(argc, argv);
	char *buffer = pages(WRITES * WRITE_BYTES);
	int64_t start = now_ms();
	int fd, i, status = 0;
	pid_t child;

	fd = open_direct(path, O_RDWR);
	for (i = 0; i < WRITES; i++)
		EXPECT(ERR(pwrite(fd, buffer, WRITE_BYTES,
				  (int64_t)i * 2 * WRITE_BYTES)), WRITE_BYTES);
	child = fork();
	if (child == 0)
		submit_and_die(path, buffer);
	EXPECT(waitpid(child, &status, 0), child);
	EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
	/* What the daemon has yet to read of a dead client's socket comes later. */
	for (i = 0; i < WRITES && now_ms() - start < PATIENCE_MS;)
		i += has_landed(fd, buffer, i);
	EXPECT(i, WRITES);
	return verdict();
}
