/*
 * A byte array is a perfect disk. Random reads and writes, synchronous and
 * asynchronous, direct and buffered, aligned and not, over fork as well, must
 * leave PATH and the array alike. The seed comes first; SPINDLE_TEST_SEED
 * replays it.
 */
#include "test.h"

#define STEPS 3000
#define MODEL_BYTES (4 * MIB)
#define LONGEST (300 * KIB)
#define BLOCK 4096

static uint64_t state;
static char *model, *buffer;
static int direct, buffered;
static aio_context_t id;

static uint64_t random_number(uint64_t below)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state % below;
}

static long transfer(bool write, bool aligned, size_t length, off_t offset)
{
	struct iovec cut[3] = { { buffer, length / 3 / BLOCK * BLOCK }, { 0 },
				{ 0 } };
	int fd = aligned ? direct : buffered;

	cut[1].iov_base = buffer + cut[0].iov_len;
	cut[1].iov_len = cut[0].iov_len;
	cut[2].iov_base = buffer + 2 * cut[0].iov_len;
	cut[2].iov_len = length - 2 * cut[0].iov_len;
	switch (random_number(4)) {
	case 0:
		return run_io(id, fd, write ? IOCB_CMD_PWRITE : IOCB_CMD_PREAD,
			      buffer, length, offset);
	case 1:
		return run_io(id, fd, write ? IOCB_CMD_PWRITEV
					    : IOCB_CMD_PREADV, cut, 3, offset);
	case 2:
		return write ? pwritev(fd, cut, 3, offset)
			     : preadv(fd, cut, 3, offset);
	default:
		return write ? pwrite(fd, buffer, length, offset)
			     : pread(fd, buffer, length, offset);
	}
}

static void step(void)
{
	bool write = random_number(2), aligned = random_number(2);
	size_t length = 1 + random_number(LONGEST);
	off_t offset = (off_t)random_number(MODEL_BYTES - LONGEST);
	size_t i;

	if (aligned) {
		length = (length + BLOCK - 1) / BLOCK * BLOCK;
		offset = offset / BLOCK * BLOCK;
	}
	for (i = 0; write && i < length; i += 8)
		*(uint64_t *)(buffer + i) = random_number(UINT64_MAX);
	if (!write)
		memset(buffer, 0xee, length);
	EXPECT(transfer(write, aligned, length, offset), length);
	if (write)
		memcpy(model + offset, buffer, length);
	else
		EXPECT(memcmp(model + offset, buffer, length), 0);
}

int main(int argc, char **argv)
{
	const char *seed = getenv("SPINDLE_TEST_SEED");
	const char *path = path_argument(argc, argv);
	int i;

	state = seed ? strtoull(seed, NULL, 0) : (uint64_t)time(NULL) | 1;
	printf("SPINDLE_TEST_SEED=%llu\n", (unsigned long long)state);
	direct = open_direct(path, O_RDWR);
	buffered = open(path, O_RDWR);
	model = pages(MODEL_BYTES);
	buffer = pages(LONGEST + 2 * BLOCK);
	EXPECT(setup(8, &id), 0);
	EXPECT(ERR(pread(buffered, model, MODEL_BYTES, 0)), MODEL_BYTES);
	for (i = 0; i < STEPS && !failures; i++)
		step();
	EXPECT(ERR(fsync(buffered)), 0);
	return verdict();
}
