/*
 * A program is killed by SIGKILL at random moments, 200 times (SPINDLE_TEST_KILLS),
 * while several of its threads write: each write whose io_submit had returned
 * lands, and the next program is served. SPINDLE_TEST_SEED repeats a run.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <sys/prctl.h>

#include "test.h"

#define WRITERS 3
#define SLOTS_EACH 64
#define SLOT_BYTES 8192
#define LONGEST_LIFE_US 15000
#define PATIENCE_MS 20000

/* How many writes each thread's io_submit has accepted; shared with the parent. */
struct ledger {
	_Atomic uint64_t accepted[WRITERS];
};

static struct ledger *ledger;
static const char *path;
static uint64_t stamp_base;

static uint64_t next_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

static int64_t place_of(int writer, uint64_t number)
{
	return (int64_t)(writer * SLOTS_EACH + number % SLOTS_EACH) * SLOT_BYTES;
}

/* A round of SLOTS_EACH writes is reaped before the places are used again. */
static void *writer(void *argument)
{
	int self = (int)(intptr_t)argument, fd = open_direct(path, O_RDWR);
	char *buffer = pages(SLOTS_EACH * SLOT_BYTES);
	struct io_event events[SLOTS_EACH];
	struct iocb iocbs[SLOTS_EACH];
	aio_context_t id = 0;
	uint64_t number = 0;

	if (fd < 0 || setup(SLOTS_EACH, &id) < 0)
		_exit(FAIL);
	for (;;) {
		int i = (int)(number % SLOTS_EACH);
		struct iocb *list[1] = { &iocbs[i] };
		uint64_t *data = (uint64_t *)(buffer + i * SLOT_BYTES);

		data[0] = stamp_base + number;
		data[SLOT_BYTES / 8 - 1] = stamp_base + number;
		iocbs[i] = make(fd, IOCB_CMD_PWRITE, data, SLOT_BYTES,
				place_of(self, number));
		if (submit(id, 1, list) != 1)
			_exit(FAIL);
		number++;
		atomic_store(&ledger->accepted[self], number);
		if (number % SLOTS_EACH == 0 &&
		    getevents(id, SLOTS_EACH, SLOTS_EACH, events, NULL) !=
			    SLOTS_EACH)
			_exit(FAIL);
	}
	return NULL;
}

static void live(void)
{
	pthread_t thread;
	int i;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (i = 1; i < WRITERS; i++)
		pthread_create(&thread, NULL, writer, (void *)(intptr_t)i);
	writer(NULL);
}

/* What was looked at last, for who has to find out why it was wrong. */
static struct found {
	int writer;
	uint64_t number, first, last;
} found;

/* The last accepted write of each place, or the one that was on its way. */
static bool all_landed(int fd, uint64_t *data)
{
	int writer, i;

	for (writer = 0; writer < WRITERS; writer++) {
		uint64_t accepted = atomic_load(&ledger->accepted[writer]);

		for (i = 0; i < SLOTS_EACH && (uint64_t)i < accepted; i++) {
			uint64_t number = accepted - 1 - (uint64_t)i;

			if (pread(fd, data, SLOT_BYTES,
				  place_of(writer, number)) != SLOT_BYTES)
				return false;
			found = (struct found){ writer, number, data[0],
						data[SLOT_BYTES / 8 - 1] };
			if (data[0] != stamp_base + number &&
			    data[0] != stamp_base + number + SLOTS_EACH)
				return false;
			if (data[SLOT_BYTES / 8 - 1] != data[0])
				return false;
		}
	}
	return true;
}

/* Every other program is left alone until it is at work. */
static void await_first_write(void)
{
	int64_t start = now_ms();

	while (atomic_load(&ledger->accepted[0]) == 0 &&
	       now_ms() - start < PATIENCE_MS)
		usleep(100);
}

int main(int argc, char **argv)
{
	const char *seed_text = getenv("SPINDLE_TEST_SEED");
	const char *kills_text = getenv("SPINDLE_TEST_KILLS");
	uint64_t seed = seed_text ? strtoull(seed_text, NULL, 0) : (uint64_t)time(NULL);
	int kills = kills_text ? atoi(kills_text) : 200, i;
	uint64_t state = seed * 2654435761u + 1, written = 0;
	uint64_t *data = (uint64_t *)pages(SLOT_BYTES);
	int fd;

	path = path_argument(argc, argv);
	fd = open_direct(path, O_RDWR);
	printf("SPINDLE_TEST_SEED=%llu, %d kills\n", (unsigned long long)seed, kills);
	fflush(stdout);
	ledger = mmap(NULL, sizeof(*ledger), PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	for (i = 0; i < kills; i++) {
		int64_t start;
		int status = 0, w;
		pid_t child;

		memset(ledger, 0, sizeof(*ledger));
		stamp_base = (uint64_t)(i + 1) << 32;
		child = fork();
		if (child == 0)
			live();
		if (i % 2)
			await_first_write();
		usleep((useconds_t)(next_random(&state) % LONGEST_LIFE_US));
		kill(child, SIGKILL);
		EXPECT(waitpid(child, &status, 0), child);
		EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
		for (w = 0; w < WRITERS; w++)
			written += atomic_load(&ledger->accepted[w]);
		start = now_ms();
		while (!all_landed(fd, data) && now_ms() - start < PATIENCE_MS)
			;
		if (!all_landed(fd, data)) {
			fprintf(stderr, "kill %d: writer %d, write %#llx has not "
				"landed: its place has %#llx to %#llx\n", i,
				found.writer,
				(unsigned long long)(stamp_base + found.number),
				(unsigned long long)found.first,
				(unsigned long long)found.last);
			failures++;
		}
	}
	printf("%llu writes accepted before the kills\n", (unsigned long long)written);
	return verdict();
}
