/*
 * The threads that take calls and answer them. Each answers one at a time and
 * may sleep over it, for a free request or an event, so there is always one
 * more that waits for the next call, up to WORKERS_MAX.
 */
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>

#include "static.h"

#define WORKERS_MAX 4096
#define WORKER_STACK_BYTES (256 * 1024)

static int the_listener;
static pthread_mutex_t workers_lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned workers, idle;

bool call_is_waiting(const struct call *call)
{
	return raw(SYS_ioctl, call->listener, SECCOMP_IOCTL_NOTIF_ID_VALID,
		   &call->id) == 0;
}

static int64_t handle(const struct call *call)
{
	int64_t result;

	switch (call->number) {
	case SYS_io_setup:
	case SYS_io_destroy:
	case SYS_io_submit:
	case SYS_io_cancel:
	case SYS_io_getevents:
	case SYS_io_pgetevents:
		return call_on_context(call);
	case SYS_execve:
	case SYS_execveat:
	case SYS_exit_group:
		contexts_settle(call);
		return LEFT_TO_KERNEL;
#ifdef SYS_open
	case SYS_open:
	case SYS_creat:
	case SYS_stat:
	case SYS_lstat:
	case SYS_access:
	case SYS_readlink:
#endif
	case SYS_openat:
	case SYS_openat2:
	case SYS_newfstatat:
	case SYS_statx:
	case SYS_readlinkat:
	case SYS_faccessat:
#ifdef SYS_faccessat2
	case SYS_faccessat2:
#endif
		result = call_on_path(call);
		return result == LEFT_TO_KERNEL ? call_on_sysfs(call) : result;
	default:
		result = call_on_file(call);
		return result == LEFT_TO_KERNEL ? call_on_attribute(call)
						: result;
	}
}

static void answer_call(const struct call *call)
{
	struct seccomp_notif_resp response = { .id = call->id };
	int64_t result = handle(call);

	if (result == ALREADY_ANSWERED)
		return;
	if (result == LEFT_TO_KERNEL)
		response.flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
	else if (result < 0)
		response.error = (int)result;
	else
		response.val = result;
	/* It fails when the program has been killed meanwhile. */
	raw(SYS_ioctl, call->listener, SECCOMP_IOCTL_NOTIF_SEND, &response);
}

static int start_worker(void);

static void no_longer_idle(void)
{
	bool more;

	pthread_mutex_lock(&workers_lock);
	idle--;
	more = idle == 0 && workers < WORKERS_MAX;
	if (more) {
		workers++;
		idle++;
	}
	pthread_mutex_unlock(&workers_lock);
	if (more && start_worker() < 0) {
		pthread_mutex_lock(&workers_lock);
		workers--;
		idle--;
		pthread_mutex_unlock(&workers_lock);
	}
}

static void *worker(void *unused)
{
	(void)unused;
	for (;;) {
		/* The kernel wants it zeroed. */
		struct seccomp_notif notif = { 0 };
		long result = raw(SYS_ioctl, the_listener,
				  SECCOMP_IOCTL_NOTIF_RECV, &notif);
		long a[6];
		struct call call = { the_listener, notif.id, (pid_t)notif.pid,
				     notif.data.nr, a };

		if (result == -EINTR || result == -ENOENT)
			continue;
		if (result < 0)
			return NULL;
		memcpy(a, notif.data.args, sizeof(a));
		no_longer_idle();
		answer_call(&call);
		pthread_mutex_lock(&workers_lock);
		idle++;
		pthread_mutex_unlock(&workers_lock);
	}
}

static int start_worker(void)
{
	pthread_attr_t attributes;
	pthread_t thread;
	int result;

	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, WORKER_STACK_BYTES);
	pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
	result = pthread_create(&thread, &attributes, worker, NULL);
	pthread_attr_destroy(&attributes);
	return -result;
}

int serve_start(int listener)
{
	the_listener = listener;
	workers = idle = 1;
	return start_worker();
}
