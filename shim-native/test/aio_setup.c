/* io_setup and io_destroy: arguments, limits, and the ring that appears. */
#include "test.h"

struct ring {
	uint32_t id, nr, head, tail, magic, compat, incompat, header;
};

static unsigned long number_in(const char *path, unsigned long otherwise)
{
	FILE *f = fopen(path, "r");
	unsigned long value = otherwise;

	if (f) {
		if (fscanf(f, "%lu", &value) != 1)
			value = otherwise;
		fclose(f);
	}
	return value;
}

static unsigned long aio_nr(void)
{
	return number_in("/proc/sys/fs/aio-nr", 0);
}

static void arguments(void)
{
	const aio_context_t *read_only = mmap(NULL, 4096, PROT_READ,
					      MAP_PRIVATE | MAP_ANONYMOUS, -1,
					      0);
	aio_context_t id = 0;
	int i;

	EXPECT(setup(0, &id), -EINVAL);
	EXPECT(setup(8, NULL), -EFAULT);
	EXPECT(setup(8, (aio_context_t *)8), -EFAULT);
	/* Over and over: what fails must not use up aio-max-nr. */
	for (i = 0; i < 100; i++)
		EXPECT(setup(2000, (aio_context_t *)read_only), -EFAULT);
	id = 1;
	EXPECT(setup(8, &id), -EINVAL);
	id = 0;
	EXPECT(setup(-1u, &id), -EINVAL);
	EXPECT(setup(0x400001, &id), -EINVAL);
	EXPECT(id, 0);
	EXPECT(destroy(0), -EINVAL);
	EXPECT(destroy(0x1000), -EINVAL);
}

/* The number is the whole machine's: others may change it meanwhile. */
static void limit(void)
{
	unsigned long before, after;
	aio_context_t id = 0;
	int tries = 0;

	do {
		before = aio_nr();
		EXPECT(setup(81920, &id), -EAGAIN);
		EXPECT(id, 0);
		after = aio_nr();
	} while (after != before && ++tries < 100);
	EXPECT(after, before);
}

/* Others may make contexts meanwhile, though not as large. */
static void counted(void)
{
	unsigned long before = aio_nr();
	aio_context_t id = 0, other = 0;

	EXPECT(setup(20000, &id), 0);
	EXPECT_TRUE(aio_nr() >= before + 10000);
	/* Seen by every process. */
	EXPECT(system("test $(cat /proc/sys/fs/aio-nr) -ge 20000"), 0);
	EXPECT(setup(60000, &other), -EAGAIN);
	EXPECT(destroy(id), 0);
	EXPECT_TRUE(aio_nr() < before + 10000);
	EXPECT(setup(60000, &other), 0);
	EXPECT(destroy(other), 0);
}

static void ring(void)
{
	aio_context_t id = 0;
	const struct ring *r;

	EXPECT(setup(64, &id), 0);
	r = (const struct ring *)id;
	EXPECT(r->magic, 0xa10a10a1u);
	EXPECT(r->compat, 1);
	EXPECT(r->incompat, 0);
	EXPECT(r->header, 32);
	EXPECT(r->head, 0);
	EXPECT(r->tail, 0);
	EXPECT_TRUE(r->nr > 64);
	EXPECT(((uintptr_t)r->nr * 32 + 32) % 4096, 0);
	EXPECT(destroy(id), 0);
	EXPECT(destroy(id), -EINVAL);
}

static void many(void)
{
	aio_context_t ids[32] = { 0 };
	int i, round;

	for (round = 0; round < 3; round++) {
		for (i = 0; i < 32; i++) {
			ids[i] = 0;
			EXPECT(setup(100, &ids[i]), 0);
		}
		for (i = 0; i < 32; i++)
			EXPECT(destroy(ids[i]), 0);
	}
}

/* Others on this machine may use much of it for a moment. */
static void setup_when_possible(unsigned nr, aio_context_t *id)
{
	long result = -EAGAIN;
	int tries;

	for (tries = 0; tries < 100 && result == -EAGAIN; tries++) {
		if (tries > 0)
			usleep(50000);
		*id = 0;
		result = setup(nr, id);
	}
	EXPECT(result, 0);
}

/* Each context counts once, however many there are behind it. */
static void counted_once(const char *path)
{
	unsigned long max = number_in("/proc/sys/fs/aio-max-nr", 65536);
	aio_context_t first = 0, second = 0;
	char *buffer = pages(4096), name[] = "counted.XXXXXX";
	int fd = open_direct(path, O_RDWR), other = mkstemp(name);

	unlink(name);
	setup_when_possible((unsigned)(max / 10 * 6), &first);
	EXPECT(run_io(first, fd, IOCB_CMD_PREAD, buffer, 4096, 0), 4096);
	/* A static program's takes a second one of the kernel's. */
	if (getenv("LD_PRELOAD") || !is_block(path))
		EXPECT(run_io(first, other, IOCB_CMD_PWRITE, buffer, 4096, 0),
		       4096);
	setup_when_possible((unsigned)(max / 10 * 2), &second);
	EXPECT(run_io(second, fd, IOCB_CMD_PREAD, buffer, 4096, 0), 4096);
	EXPECT(destroy(first), 0);
	EXPECT(destroy(second), 0);
	close(other);
	close(fd);
}

int main(int argc, char **argv)
{
	const char *path = path_argument(argc, argv);

	arguments();
	limit();
	counted();
	ring();
	many();
	counted_once(path);
	return verdict();
}
