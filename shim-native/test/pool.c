/*
 * The request pool: with a few credits io_submit sleeps, is not disturbed by
 * signals, and goes on when nr_requests is raised. Needs a device that takes
 * milliseconds per request, and its queue file in SPINDLE_TEST_QUEUE.
 */
#include <pthread.h>

#include "../src/queue_file.h"
#include "test.h"

#define READS 40
#define READ_BYTES (256 * KIB)

static struct queue_file *queue;
static aio_context_t id;
static int fd;
static char *buffer;
static _Atomic int alarms;

static void set(_Atomic uint32_t *field, uint32_t value)
{
	queue->generation++;
	*field = value;
	queue->generation++;
}

/* Submits READS reads one by one; how long that took, and the longest one. */
static int64_t submit_all(int64_t *longest)
{
	static struct iocb iocbs[READS];
	int64_t start = now_ms();
	int i;

	*longest = 0;
	for (i = 0; i < READS; i++) {
		struct iocb *list[1] = { &iocbs[i] };
		int64_t before = now_ms();

		iocbs[i] = make(fd, IOCB_CMD_PREAD, buffer, READ_BYTES,
				(int64_t)READ_BYTES * i);
		EXPECT(submit(id, 1, list), 1);
		if (now_ms() - before > *longest)
			*longest = now_ms() - before;
	}
	return now_ms() - start;
}

static void reap_all(void)
{
	struct io_event events[READS];
	int i;

	EXPECT(getevents(id, READS, READS, events, NULL), READS);
	for (i = 0; i < READS; i++)
		EXPECT(events[i].res, READ_BYTES);
}

static void on_alarm(int number)
{
	(void)number;
	alarms++;
}

static void blocks_when_small(void)
{
	struct itimerspec every = { { 0, 2000000 }, { 0, 2000000 } };
	int64_t small, large, longest;
	timer_t timer;

	signal(SIGALRM, on_alarm);
	timer_create(CLOCK_MONOTONIC, NULL, &timer);
	set(&queue->max_sectors_kb, 64);
	set(&queue->nr_requests, 1024);
	large = submit_all(&longest);
	reap_all();
	set(&queue->nr_requests, 4);
	set(&queue->hard_cap, 1);
	timer_settime(timer, 0, &every, NULL);
	small = submit_all(&longest);
	timer_delete(timer);
	reap_all();
	printf("submitting: nr_requests 1024 %lld ms, 4 %lld ms, %d signals\n",
	       (long long)large, (long long)small, alarms);
	EXPECT_TRUE(small > 4 * (large + 1));
	EXPECT_TRUE(alarms > 0);
}

static void *raise_nr(void *unused)
{
	(void)unused;
	usleep(30000);
	set(&queue->nr_requests, 4096);
	return NULL;
}

static void wakes_when_raised(void)
{
	pthread_t thread;
	int64_t took, longest;

	set(&queue->nr_requests, 1);
	set(&queue->hard_cap, 1);
	pthread_create(&thread, NULL, raise_nr, NULL);
	took = submit_all(&longest);
	pthread_join(thread, NULL);
	printf("raised after 30 ms: submitting took %lld ms\n",
	       (long long)took);
	EXPECT_TRUE(took < 200);
	reap_all();
}

static void *synchronous_reader(void *result)
{
	static char page[4096] __attribute__((aligned(4096)));

	*(long *)result = pread(fd, page, sizeof(page), 0);
	return NULL;
}

/* Synchronous I/O waits in the same queue and is served in its turn. */
static void synchronous_too(void)
{
	pthread_t thread;
	int64_t longest;
	long result = 0;

	set(&queue->nr_requests, 2);
	pthread_create(&thread, NULL, synchronous_reader, &result);
	submit_all(&longest);
	pthread_join(thread, NULL);
	EXPECT(result, 4096);
	reap_all();
}

static void nowait(void)
{
	struct iocb iocbs[8], *list[8];
	struct io_event events[8];
	int i, refused = 0;

	set(&queue->nr_requests, 1);
	for (i = 0; i < 8; i++) {
		iocbs[i] = make(fd, IOCB_CMD_PREAD, buffer + 4096 * i, 4096, 0);
		iocbs[i].aio_rw_flags = 8;
		list[i] = &iocbs[i];
	}
	/* This thread is a batcher no longer: 20 ms have gone by. */
	usleep(30000);
	EXPECT(submit(id, 8, list), 8);
	EXPECT(getevents(id, 8, 8, events, NULL), 8);
	for (i = 0; i < 8; i++)
		refused += events[i].res == -EAGAIN;
	EXPECT_TRUE(refused > 0 && refused < 8);
}

int main(int argc, char **argv)
{
	const char *file = getenv("SPINDLE_TEST_QUEUE");
	int queue_fd;

	fd = open_direct(path_argument(argc, argv), O_RDWR);
	if (!file || !is_block(argv[1]))
		skip("needs a device and SPINDLE_TEST_QUEUE");
	queue_fd = open(file, O_RDWR);
	queue = mmap(NULL, QUEUE_FILE_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED,
		     queue_fd, 0);
	if (queue == MAP_FAILED) {
		perror(file);
		return FAIL;
	}
	buffer = pages(MIB);
	EXPECT(setup(128, &id), 0);
	blocks_when_small();
	wakes_when_raised();
	synchronous_too();
	nowait();
	set(&queue->hard_cap, 0);
	set(&queue->nr_requests, 128);
	set(&queue->max_sectors_kb, 128);
	EXPECT(destroy(id), 0);
	return verdict();
}
