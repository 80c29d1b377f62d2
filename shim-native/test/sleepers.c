/*
 * Many threads wait for events at a time, each in its own context, while others
 * go on reading and writing; then each gets its event.
 */
#include <pthread.h>

#include "test.h"

#define SLEEPERS 100

struct sleeper {
	pthread_t thread;
	aio_context_t id;
	long got;
	struct io_event event;
};

static void *sleep_on(void *argument)
{
	struct sleeper *s = argument;

	s->got = getevents(s->id, 1, 1, &s->event, NULL);
	return NULL;
}

int main(int argc, char **argv)
{
	static struct sleeper sleepers[SLEEPERS];
	int fd = open_direct(path_argument(argc, argv), O_RDWR), i;
	char *buffer = pages(SLEEPERS * 4 * KIB);

	for (i = 0; i < SLEEPERS; i++) {
		EXPECT(setup(1, &sleepers[i].id), 0);
		pthread_create(&sleepers[i].thread, NULL, sleep_on,
			       &sleepers[i]);
	}
	for (i = 0; i < SLEEPERS; i++) {
		struct iocb one = make(fd, IOCB_CMD_PREAD,
				       buffer + i * 4 * KIB, 4 * KIB, 0);
		struct iocb *list[1] = { &one };

		EXPECT(pread(fd, buffer, 4 * KIB, 0), 4 * KIB);
		EXPECT(submit(sleepers[i].id, 1, list), 1);
	}
	for (i = 0; i < SLEEPERS; i++) {
		pthread_join(sleepers[i].thread, NULL);
		EXPECT(sleepers[i].got, 1);
		EXPECT(sleepers[i].event.res, 4 * KIB);
		EXPECT(destroy(sleepers[i].id), 0);
	}
	return verdict();
}
