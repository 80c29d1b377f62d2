/* POSIX AIO: results, errors, lists, and each way of being told. */
#include <aio.h>
#include <pthread.h>

#include "test.h"

static char *buffer;
static int fd;
static _Atomic int told;

static struct aiocb control_block(size_t bytes, off_t offset)
{
	struct aiocb cb = { .aio_fildes = fd, .aio_buf = buffer,
			    .aio_nbytes = bytes, .aio_offset = offset };

	cb.aio_sigevent.sigev_notify = SIGEV_NONE;
	return cb;
}

static void wait_for(struct aiocb *cb)
{
	const struct aiocb *list[2] = { NULL, cb };

	while (aio_error(cb) == EINPROGRESS)
		aio_suspend(list, 2, NULL);
}

static void results(void)
{
	struct aiocb cb = control_block(8192, 4096);

	memset(buffer, 'p', 8192);
	EXPECT(aio_write(&cb), 0);
	wait_for(&cb);
	EXPECT(aio_error(&cb), 0);
	EXPECT(aio_return(&cb), 8192);
	memset(buffer, 0, 8192);
	EXPECT(aio_read(&cb), 0);
	wait_for(&cb);
	EXPECT(aio_return(&cb), 8192);
	EXPECT(buffer[8191], 'p');
	EXPECT(aio_cancel(fd, NULL), AIO_ALLDONE);
	EXPECT(aio_fsync(O_SYNC, &cb), 0);
	wait_for(&cb);
	EXPECT(aio_error(&cb), 0);
	cb = control_block(100, 1);
	EXPECT(aio_read(&cb), 0);
	wait_for(&cb);
	EXPECT(aio_error(&cb), EINVAL);
	EXPECT(aio_return(&cb), -1);
	cb = control_block(4096, lseek(fd, 0, SEEK_END));
	EXPECT(aio_read(&cb), 0);
	wait_for(&cb);
	EXPECT(aio_return(&cb), 0);
}

static void on_signal(int number, siginfo_t *info, void *context)
{
	(void)number;
	(void)context;
	told += info->si_value.sival_int;
}

static void on_thread(union sigval value)
{
	told += value.sival_int;
}

static void expect_told(int value)
{
	int i;

	for (i = 0; i < 200 && told != value; i++)
		usleep(5000);
	EXPECT(told, value);
	told = 0;
}

static void notifications(void)
{
	struct sigaction action = { .sa_sigaction = on_signal,
				    .sa_flags = SA_SIGINFO };
	struct aiocb cb = control_block(4096, 0);

	sigaction(SIGUSR1, &action, NULL);
	cb.aio_sigevent.sigev_notify = SIGEV_SIGNAL;
	cb.aio_sigevent.sigev_signo = SIGUSR1;
	cb.aio_sigevent.sigev_value.sival_int = 7;
	EXPECT(aio_read(&cb), 0);
	wait_for(&cb);
	expect_told(7);
	cb.aio_sigevent.sigev_notify = SIGEV_THREAD;
	cb.aio_sigevent.sigev_notify_function = on_thread;
	cb.aio_sigevent.sigev_notify_attributes = NULL;
	cb.aio_sigevent.sigev_value.sival_int = 9;
	EXPECT(aio_read(&cb), 0);
	wait_for(&cb);
	expect_told(9);
}

static void lists(void)
{
	struct aiocb cbs[4], *list[5];
	struct sigevent event = { .sigev_notify = SIGEV_THREAD };
	int i;

	for (i = 0; i < 4; i++) {
		cbs[i] = control_block(4096, 4096 * i);
		cbs[i].aio_buf = buffer + 4096 * i;
		cbs[i].aio_lio_opcode = i % 2 ? LIO_READ : LIO_WRITE;
		list[i] = &cbs[i];
	}
	list[4] = NULL;
	EXPECT(lio_listio(LIO_WAIT, list, 5, NULL), 0);
	for (i = 0; i < 4; i++)
		EXPECT(aio_return(&cbs[i]), 4096);
	event.sigev_notify_function = on_thread;
	event.sigev_value.sival_int = 5;
	EXPECT(lio_listio(LIO_NOWAIT, list, 5, &event), 0);
	expect_told(5);
	for (i = 0; i < 4; i++) {
		wait_for(&cbs[i]);
		EXPECT(aio_return(&cbs[i]), 4096);
	}
	cbs[1].aio_nbytes = 77;
	EXPECT(ERR(lio_listio(LIO_WAIT, list, 5, NULL)), -EIO);
	EXPECT(aio_error(&cbs[1]), EINVAL);
	EXPECT(aio_error(&cbs[2]), 0);
}

int main(int argc, char **argv)
{
	fd = open_direct(path_argument(argc, argv), O_RDWR);
	buffer = pages(MIB);
	results();
	notifications();
	lists();
	return verdict();
}
