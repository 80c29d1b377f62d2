/*
 * glibc's aio_read runs pread in threads of its own, by internal calls that no
 * preload reaches. So for a device the request is started here. Its state is
 * kept where glibc keeps it, in the aiocb's __error_code and __return_value,
 * and aio_error and aio_return are glibc's own. The error code is stored last,
 * with release, since it is what programs poll.
 *
 * Requests come from a fixed table under one lock. Without O_DIRECT, or where
 * the device refuses at once, the request is finished before the call returns.
 */
#include "posix_aio.h"

#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

#include "transfer.h"

#define SUSPEND_RECHECK_MS 10
#define NOTIFY_STACK_BYTES (256 * 1024)

/* The entries of one lio_listio that share a notification at the end. */
struct group {
	_Atomic int left;
	struct sigevent event;
};

struct posix_request {
	struct io io;
	struct aiocb *cb;	/* NULL: free */
	struct group *group;
	struct vector vector;
	int64_t length;
};

static struct posix_request requests[POSIX_AIO_MAX];
static pthread_mutex_t requests_lock = PTHREAD_MUTEX_INITIALIZER;
static _Atomic uint32_t completions;	/* futex of aio_suspend */

static void *call_function(void *argument)
{
	struct sigevent *event = argument;
	void (*function)(union sigval) = event->sigev_notify_function;
	union sigval value = event->sigev_value;

	free(event);
	function(value);
	return NULL;
}

static void notify_by_thread(const struct sigevent *event)
{
	struct sigevent *copy = malloc(sizeof(*copy));
	pthread_attr_t attributes;
	pthread_t thread;

	if (!copy)
		return;
	*copy = *event;
	pthread_attr_init(&attributes);
	pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
	pthread_attr_setstacksize(&attributes, NOTIFY_STACK_BYTES);
	if (pthread_create(&thread, &attributes, call_function, copy))
		free(copy);
	pthread_attr_destroy(&attributes);
}

static void notify(const struct sigevent *event)
{
	siginfo_t info = { .si_signo = event->sigev_signo,
			   .si_code = SI_ASYNCIO };

	if (event->sigev_notify == SIGEV_THREAD)
		notify_by_thread(event);
	if (event->sigev_notify != SIGEV_SIGNAL)
		return;
	info.si_value = event->sigev_value;
	info.si_pid = raw_getpid();
	raw(SYS_rt_sigqueueinfo, raw_getpid(), event->sigev_signo, &info);
}

static void group_drop(struct group *group)
{
	if (!group || atomic_fetch_sub(&group->left, 1) != 1)
		return;
	notify(&group->event);
	free(group);
}

static void complete(struct aiocb *cb, int64_t result, struct group *group)
{
	struct sigevent event = cb->aio_sigevent;

	cb->__return_value = result < 0 ? -1 : result;
	__atomic_store_n(&cb->__error_code, result < 0 ? (int)-result : 0,
			 __ATOMIC_RELEASE);
	/* cb may be reused by the program from here on. */
	notify(&event);
	group_drop(group);
	atomic_fetch_add(&completions, 1);
	raw(SYS_futex, &completions, FUTEX_WAKE_PRIVATE, INT32_MAX);
}

static void request_finished(struct io *io)
{
	struct posix_request *request = (struct posix_request *)io;
	struct aiocb *cb = request->cb;
	struct group *group = request->group;
	int error = atomic_load(&io->error);
	int64_t result = error ? error : request->length;

	pthread_mutex_lock(&requests_lock);
	request->cb = NULL;
	pthread_mutex_unlock(&requests_lock);
	complete(cb, result, group);
}

static struct posix_request *request_for(struct aiocb *cb, struct group *group)
{
	struct posix_request *request = NULL;
	int i;

	pthread_mutex_lock(&requests_lock);
	for (i = 0; i < POSIX_AIO_MAX && !request; i++)
		if (!requests[i].cb)
			request = &requests[i];
	if (request) {
		request->cb = cb;
		request->group = group;
	}
	pthread_mutex_unlock(&requests_lock);
	return request;
}

/* 1: the io is filled and to be submitted; else the result, at once. */
static int64_t prepare(const struct open_file *file,
		       struct posix_request *request, int opcode, bool *ready)
{
	enum direction direction = opcode == LIO_READ ? DIRECTION_READ
						      : DIRECTION_WRITE;
	struct aiocb *cb = request->cb;
	struct vector *v = &request->vector;
	uint16_t nbd_flags;
	bool nowait;

	*ready = false;
	if (opcode == LIO_NOP)
		return shim_flush(file);
	vector_single(v, (void *)cb->aio_buf, cb->aio_nbytes);
	if (!fd_is_direct(file))
		return transfer_run(file, direction, v, cb->aio_offset, 0);
	if (!access_allows(file, direction))
		return -EBADF;
	if (cb->aio_offset < 0)
		return -EINVAL;
	if (device_connected(file->device) < 0)
		return -EIO;
	transfer_flags(file, direction, 0, &nbd_flags, &nowait);
	if (nbd_flags && !(file->device->connection.flags & NBD_FLAG_SEND_FUA))
		return transfer_run(file, direction, v, cb->aio_offset, 0);
	request->length = transfer_admit(file, direction, true, v,
					 cb->aio_offset);
	if (request->length <= 0)
		return request->length;
	transfer_io(&request->io, file, direction, v, cb->aio_offset,
		    (uint64_t)request->length, nbd_flags);
	request->io.finished = request_finished;
	request->io.unattended = true;
	*ready = true;
	return 0;
}

static int start(const struct open_file *file, struct aiocb *cb, int opcode,
		 struct group *group)
{
	struct plug plug = { .connection = NULL };
	struct posix_request *request = request_for(cb, group);
	int64_t since = report_call_now();
	int64_t result;
	bool ready;

	if (!request)
		return -EAGAIN;
	cb->__error_code = EINPROGRESS;
	cb->__return_value = 0;
	result = prepare(file, request, opcode, &ready);
	if (ready) {
		io_submit_pieces(&request->io, &plug);
		plug_flush(&plug);
		report_call(CALL_POSIX, since, 1);
		return 0;
	}
	pthread_mutex_lock(&requests_lock);
	request->cb = NULL;
	pthread_mutex_unlock(&requests_lock);
	complete(cb, result, group);
	return 0;
}

int posix_aio_start(const struct open_file *file, struct aiocb *cb, int opcode)
{
	return start(file, cb, opcode, NULL);
}

bool posix_aio_in_progress(const struct aiocb *cb)
{
	return cb && __atomic_load_n(&cb->__error_code, __ATOMIC_ACQUIRE) ==
			     EINPROGRESS;
}

bool posix_aio_busy(int fd)
{
	bool busy = false;
	int i;

	pthread_mutex_lock(&requests_lock);
	for (i = 0; i < POSIX_AIO_MAX && !busy; i++)
		busy = requests[i].cb && requests[i].cb->aio_fildes == fd;
	pthread_mutex_unlock(&requests_lock);
	return busy;
}

/* glibc's own requests in the list finish unheard: look again now and then. */
static int suspend(const struct aiocb *const list[], int count,
		   const struct timespec *timeout)
{
	struct timespec now, end, wait = { .tv_nsec = SUSPEND_RECHECK_MS *
						      1000000L };

	clock_gettime(CLOCK_MONOTONIC, &end);
	if (timeout) {
		end.tv_sec += timeout->tv_sec +
			      (end.tv_nsec + timeout->tv_nsec) / 1000000000L;
		end.tv_nsec = (end.tv_nsec + timeout->tv_nsec) % 1000000000L;
	}
	for (;;) {
		uint32_t seen = atomic_load(&completions);
		bool all = true;
		int i;

		for (i = 0; i < count; i++)
			if (list[i] && !posix_aio_in_progress(list[i]))
				return 0;
			else
				all &= !list[i];
		if (all)
			return 0;
		clock_gettime(CLOCK_MONOTONIC, &now);
		if (timeout && (now.tv_sec > end.tv_sec ||
				(now.tv_sec == end.tv_sec &&
				 now.tv_nsec >= end.tv_nsec)))
			return -EAGAIN;
		if (raw(SYS_futex, &completions, FUTEX_WAIT_PRIVATE, seen,
			&wait) == -EINTR)
			return -EINTR;
	}
}

int posix_aio_suspend(const struct aiocb *const list[], int count,
		      const struct timespec *timeout)
{
	int64_t since = report_call_now();
	int result = suspend(list, count, timeout);

	report_call(CALL_SUSPEND, since, result == 0);
	return result;
}

/* An entry on an ordinary file, among ours: done here and now. */
static void run_elsewhere(struct aiocb *cb, struct group *group)
{
	long number = cb->aio_lio_opcode == LIO_READ ? SYS_pread64
						     : SYS_pwrite64;

	complete(cb, raw(number, cb->aio_fildes, cb->aio_buf, cb->aio_nbytes,
			 cb->aio_offset), group);
}

static int wait_for_all(struct aiocb *const list[], int count)
{
	int i, result = 0;

	for (i = 0; i < count; i++) {
		const struct aiocb *one[1] = { list[i] };

		while (posix_aio_in_progress(list[i]))
			if (posix_aio_suspend(one, 1, NULL) == -EINTR)
				return -EINTR;
		if (list[i] && list[i]->__error_code)
			result = -EIO;
	}
	return result;
}

int posix_aio_list(int mode, struct aiocb *const list[], int count,
		   struct sigevent *event)
{
	struct group *group = NULL;
	int i, result = 0;

	if (mode == LIO_NOWAIT && event && event->sigev_notify != SIGEV_NONE) {
		group = malloc(sizeof(*group));
		if (!group)
			return -EAGAIN;
		atomic_init(&group->left, count + 1);
		group->event = *event;
	}
	for (i = 0; i < count; i++) {
		struct open_file file;
		int error = 0;

		if (!list[i] || list[i]->aio_lio_opcode == LIO_NOP)
			group_drop(group);
		else if (!fd_find(list[i]->aio_fildes, &file))
			run_elsewhere(list[i], group);
		else
			error = start(&file, list[i], list[i]->aio_lio_opcode,
				      group);
		if (error < 0) {
			list[i]->__error_code = -error;
			group_drop(group);
			result = -EIO;
		}
	}
	group_drop(group);
	if (mode == LIO_WAIT && result == 0)
		result = wait_for_all(list, count);
	return result;
}

void posix_aio_forget_after_fork(void)
{
	int i;

	pthread_mutex_init(&requests_lock, NULL);
	for (i = 0; i < POSIX_AIO_MAX; i++)
		requests[i].cb = NULL;
}
