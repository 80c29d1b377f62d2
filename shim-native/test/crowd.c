/*
 * More threads than a thousand wait for events of one context while another
 * goes on reading; then each gets one.
 */
#include <pthread.h>

#include "test.h"

#define WAITERS 1100

static aio_context_t id;
static _Atomic int waiting;

static void *wait_for_one(void *result)
{
	struct io_event event = { 0 };

	waiting++;
	*(long *)result = getevents(id, 1, 1, &event, NULL);
	EXPECT(event.res, 4 * KIB);
	return NULL;
}

int main(int argc, char **argv)
{
	static pthread_t threads[WAITERS];
	static long results[WAITERS];
	static struct iocb iocbs[WAITERS], *list[WAITERS];
	int fd = open_direct(path_argument(argc, argv), O_RDWR), i;
	char *buffer = pages(4 * KIB), *other = pages(4 * KIB);
	pthread_attr_t attributes;

	EXPECT(setup(WAITERS, &id), 0);
	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, 64 * KIB);
	for (i = 0; i < WAITERS; i++)
		EXPECT(pthread_create(&threads[i], &attributes, wait_for_one,
				      &results[i]), 0);
	while (waiting < WAITERS)
		usleep(1000);
	EXPECT(pread(fd, other, 4 * KIB, 0), 4 * KIB);
	for (i = 0; i < WAITERS; i++) {
		iocbs[i] = make(fd, IOCB_CMD_PREAD, buffer, 4 * KIB, 0);
		list[i] = &iocbs[i];
	}
	EXPECT(submit(id, WAITERS, list), WAITERS);
	for (i = 0; i < WAITERS; i++) {
		EXPECT(pthread_join(threads[i], NULL), 0);
		EXPECT(results[i], 1);
	}
	EXPECT(destroy(id), 0);
	return verdict();
}
