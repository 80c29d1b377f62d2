/*
 * io_getevents, io_pgetevents, eventfds, and the ring as programs read it.
 */
#include <poll.h>
#include <pthread.h>

#include "test.h"

struct ring {
	uint32_t id, nr;
	_Atomic uint32_t head, tail;
	uint32_t magic, compat, incompat, header;
	struct io_event events[];
};

static aio_context_t id;
static int fd;
static char *buffer;

static void submit_reads(aio_context_t context, int count, int resfd)
{
	static struct iocb iocbs[32];
	struct iocb *list[32];
	int i;

	for (i = 0; i < count; i++) {
		iocbs[i] = make(fd, IOCB_CMD_PREAD, buffer + 4096 * i, 4096,
				4096 * i);
		if (resfd >= 0) {
			iocbs[i].aio_flags = IOCB_FLAG_RESFD;
			iocbs[i].aio_resfd = (uint32_t)resfd;
		}
		list[i] = &iocbs[i];
	}
	EXPECT(submit(context, count, list), count);
}

/* Until that many are in the ring, not yet taken. */
static void await_stored(uint32_t count)
{
	struct ring *r = (struct ring *)id;

	while ((r->tail + r->nr - r->head) % r->nr < count)
		usleep(100);
}

/* The count of an eventfd comes one by one; then there is no more. */
static void expect_count(int efd, uint64_t count)
{
	struct pollfd p = { .fd = efd, .events = POLLIN };
	uint64_t sum = 0, value;

	while (sum < count) {
		EXPECT(read(efd, &value, 8), 8);
		sum += value;
	}
	EXPECT(sum, count);
	EXPECT(poll(&p, 1, 0), 0);
}

static void on_alarm(int number)
{
	(void)number;
}

static timer_t timer;

/*
 * Again and again: a first signal that finds the program held up on its way
 * into the call it is to interrupt would leave it there for ever.
 */
static void alarm_every_ms(int ms)
{
	struct sigaction action = { .sa_handler = on_alarm,
				    .sa_flags = SA_RESTART };
	struct itimerspec when = { .it_value.tv_nsec = ms * 1000000L,
				   .it_interval.tv_nsec = ms * 1000000L };

	sigaction(SIGALRM, &action, NULL);
	timer_create(CLOCK_MONOTONIC, NULL, &timer);
	timer_settime(timer, 0, &when, NULL);
}

static void alarm_off(void)
{
	timer_delete(timer);
}

static void arguments(void)
{
	struct io_event events[4];
	struct timespec zero = { 0 }, short_time = { .tv_nsec = 30000000 };
	int64_t before;

	EXPECT(getevents(id, 2, 1, events, &zero), -EINVAL);
	EXPECT(getevents(id, -1, 1, events, &zero), -EINVAL);
	EXPECT(getevents(id, 0, -1, events, &zero), -EINVAL);
	EXPECT(getevents(0, 0, 1, events, &zero), -EINVAL);
	EXPECT(getevents(id, 0, 4, events, NULL), 0);
	EXPECT(getevents(id, 1, 4, events, &zero), 0);
	before = now_ms();
	EXPECT(getevents(id, 1, 4, events, &short_time), 0);
	EXPECT_TRUE(now_ms() - before >= 29);
	EXPECT(short_time.tv_nsec, 30000000);
}

static void signals(void)
{
	struct io_event events[4];

	alarm_every_ms(50);
	EXPECT(getevents(id, 1, 4, events, NULL), -EINTR);
	alarm_off();
	submit_reads(id, 1, -1);
	await_stored(1);
	alarm_every_ms(50);
	EXPECT(getevents(id, 2, 4, events, NULL), 1);
	alarm_off();
	submit_reads(id, 1, -1);
	EXPECT(getevents(id, 1, 1, events, NULL), 1);
}

static void with_mask(void)
{
	struct {
		const void *mask;
		size_t size;
	} given = { NULL, 8 };
	struct io_event events[4];
	struct timespec wait = { .tv_nsec = 150000000 };
	uint64_t mask = 1ull << (SIGALRM - 1), empty = 0;
	sigset_t blocked;

	submit_reads(id, 1, -1);
	EXPECT(ERR(syscall(SYS_io_pgetevents, id, 1L, 4L, events, NULL, NULL)),
	       1);
	given.mask = &mask;
	given.size = 4;
	EXPECT(ERR(syscall(SYS_io_pgetevents, id, 0L, 4L, events, NULL,
			   &given)), -EINVAL);
	given.size = 8;
	alarm_every_ms(30);
	EXPECT(ERR(syscall(SYS_io_pgetevents, id, 1L, 4L, events, &wait,
			   &given)), 0);
	alarm_off();
	submit_reads(id, 2, -1);
	EXPECT(ERR(syscall(SYS_io_pgetevents, id, 2L, 4L, events, NULL,
			   &given)), 2);
	/* Blocked outside, let in by the mask: the wait ends with EINTR. */
	sigemptyset(&blocked);
	sigaddset(&blocked, SIGALRM);
	sigprocmask(SIG_BLOCK, &blocked, NULL);
	alarm_every_ms(30);
	given.mask = &empty;
	EXPECT(ERR(syscall(SYS_io_pgetevents, id, 1L, 4L, events, NULL,
			   &given)), -EINTR);
	alarm_off();
	sigprocmask(SIG_UNBLOCK, &blocked, NULL);
}

static void eventfds(void)
{
	struct iocb one = make(fd, IOCB_CMD_PREAD, buffer, 4096, 0);
	struct io_event events[8];
	int efd = eventfd(0, 0), copy = -1;

	one.aio_flags = IOCB_FLAG_RESFD;
	one.aio_resfd = 9999;
	EXPECT(run_iocb(id, one), -EBADF);
	one.aio_resfd = (uint32_t)fd;
	EXPECT(run_iocb(id, one), -EINVAL);
	submit_reads(id, 3, efd);
	EXPECT(getevents(id, 3, 8, events, NULL), 3);
	expect_count(efd, 3);
	/* Closed at once: the context holds the file, not the number. */
	copy = dup(efd);
	submit_reads(id, 2, copy);
	close(copy);
	EXPECT(getevents(id, 2, 8, events, NULL), 2);
	expect_count(efd, 2);
	/* An event that carries an error counts too. */
	one.aio_resfd = (uint32_t)efd;
	one.aio_nbytes = 100;
	EXPECT(run_iocb(id, one), -EINVAL);
	expect_count(efd, 1);
	close(efd);
}

static void reaped_by_program(void)
{
	struct ring *r = (struct ring *)id;
	int round, i;

	for (round = 0; round < 200; round++) {
		submit_reads(id, 16, -1);
		for (i = 0; i < 16; i++) {
			uint32_t head = r->head;

			while (head == r->tail)
				usleep(10);
			EXPECT(r->events[head].res, 4096);
			r->head = (head + 1) % r->nr;
		}
	}
}

static void moved(void)
{
	struct ring *r = (struct ring *)id;
	size_t bytes = 32 + 32 * (size_t)r->nr;
	struct io_event events[32];
	void *to = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
			0);
	void *at;

	submit_reads(id, 8, -1);
	at = mremap(r, bytes, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, to);
	EXPECT_TRUE(at == to);
	EXPECT(getevents(id, 0, 1, events, NULL), -EINVAL);
	id = (aio_context_t)(uintptr_t)at;
	EXPECT(getevents(id, 8, 32, events, NULL), 8);
	submit_reads(id, 8, -1);
	EXPECT(getevents(id, 8, 32, events, NULL), 8);
}

static void after_fork(void)
{
	struct io_event event;
	int status = 0;
	pid_t child;

	submit_reads(id, 4, -1);
	child = fork();
	if (child == 0) {
		aio_context_t own = 0;

		EXPECT(getevents(id, 0, 1, &event, NULL), -EINVAL);
		EXPECT(submit(id, 0, NULL), -EINVAL);
		EXPECT(destroy(id), -EINVAL);
		EXPECT(setup(8, &own), 0);
		EXPECT(run_io(own, fd, IOCB_CMD_PREAD, buffer, 4096, 0), 4096);
		EXPECT(destroy(own), 0);
		_exit(verdict());
	}
	waitpid(child, &status, 0);
	EXPECT(status, 0);
	for (int i = 0; i < 4; i++)
		EXPECT(getevents(id, 1, 1, &event, NULL), 1);
}

static void *wait_for_ever(void *argument)
{
	struct io_event event;

	*(long *)argument = getevents(id, 1, 1, &event, NULL);
	return NULL;
}

static void destroyed(void)
{
	pthread_t thread;
	long result = 0;

	pthread_create(&thread, NULL, wait_for_ever, &result);
	usleep(50000);
	EXPECT(destroy(id), 0);
	pthread_join(thread, NULL);
	EXPECT(result, -EINVAL);
	EXPECT(destroy(id), -EINVAL);
	id = 0;
	EXPECT(setup(64, &id), 0);
	submit_reads(id, 32, -1);
	EXPECT(destroy(id), 0);
}

static void closed_in_flight(const char *path)
{
	struct io_event event;
	struct iocb one, *list[1] = { &one };

	close(fd);
	fd = open_direct(path, O_RDWR);
	id = 0;
	EXPECT(setup(8, &id), 0);
	one = make(fd, IOCB_CMD_PREAD, buffer, MIB, 0);
	EXPECT(submit(id, 1, list), 1);
	close(fd);
	EXPECT(getevents(id, 1, 1, &event, NULL), 1);
	EXPECT(event.res, MIB);
}

int main(int argc, char **argv)
{
	fd = open_direct(path_argument(argc, argv), O_RDWR);
	buffer = pages(MIB);
	EXPECT(setup(64, &id), 0);
	arguments();
	signals();
	with_mask();
	eventfds();
	reaped_by_program();
	moved();
	after_fork();
	destroyed();
	closed_in_flight(argv[1]);
	return verdict();
}
