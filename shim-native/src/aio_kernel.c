/*
 * Iocbs on ordinary files. They go, as copies, to a kernel context that exists
 * beside ours, and by which the kernel counts ours in aio-nr. What has ended
 * by the time io_submit returns, which is all I/O through the page cache, is
 * taken from there at once and stored as events of the shim's ring; for what
 * has not, a pump thread waits there and does the same. It sleeps while
 * nothing is outstanding, and a program that never leaves anything outstanding
 * never has one. RESFD is taken out of the copy and signalled by us, since the
 * signal must follow the event into the ring that the program reads. The
 * iovecs stay the program's: the kernel reads them during the submit.
 */
#include <linux/futex.h>
#include <string.h>

#include "native_aio.h"

#define PUMP_EVENTS 64
#define PUMP_STACK_BYTES (256 * 1024)

/* Carries events over: at least so many, or as many as there are. */
static long carry(struct aio_context *context, long at_least)
{
	const struct timespec no_time = { 0 };
	struct io_event events[PUMP_EVENTS];
	long i, got = raw(SYS_io_getevents, context->kernel_id, at_least,
			  PUMP_EVENTS, events, at_least ? NULL : &no_time);

	for (i = 0; i < got; i++) {
		struct iocb *iocb = (void *)(uintptr_t)events[i].obj;
		struct aio_request *request = (void *)(
			(char *)iocb - offsetof(struct aio_request,
						kernel_iocb));

		request_complete(request, events[i].res);
	}
	return got;
}

/* Where it waits for events, the submitter may take them: it waits on then. */
static void *pump_thread(void *argument)
{
	struct aio_context *context = argument;
	long got = 0;

	while (got >= 0 || got == -EINTR) {
		uint32_t calls = atomic_load(&context->pump_calls);

		if (atomic_load(&context->dead))
			break;
		if (atomic_load(&context->kernel_outstanding) > 0)
			got = carry(context, 1);
		else
			raw(SYS_futex, &context->pump_calls,
			    FUTEX_WAIT_PRIVATE, calls, NULL);
	}
	return NULL;
}

static void call_pump(struct aio_context *context)
{
	atomic_fetch_add(&context->pump_calls, 1);
	raw(SYS_futex, &context->pump_calls, FUTEX_WAKE_PRIVATE, 1);
}

int kernel_open(struct aio_context *context)
{
	int result = 0;

	pthread_mutex_lock(&context->kernel_lock);
	if (!context->kernel_id) {
		result = (int)raw(SYS_io_setup, context->nr_given,
				  &context->kernel_id);
		if (result == 0)
			context_counted_by_kernel(context);
	}
	pthread_mutex_unlock(&context->kernel_lock);
	return result;
}

static int start_pump(struct aio_context *context)
{
	pthread_attr_t attributes;
	sigset_t all, before;
	int result = 0;

	pthread_mutex_lock(&context->kernel_lock);
	if (context->pump_running)
		goto out;
	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, PUMP_STACK_BYTES);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	result = pthread_create(&context->pump, &attributes, pump_thread,
				context);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	pthread_attr_destroy(&attributes);
	if (result == 0)
		context->pump_running = true;
out:
	pthread_mutex_unlock(&context->kernel_lock);
	return -result;
}

/*
 * What the submitter owes after the submit: events that are there, and a pump
 * for those that are not. Without a thread to be had, it waits itself.
 */
static void see_to_events(struct aio_context *context)
{
	carry(context, 0);
	if (atomic_load(&context->kernel_outstanding) == 0)
		return;
	if (start_pump(context) == 0) {
		call_pump(context);
		return;
	}
	while (atomic_load(&context->kernel_outstanding) > 0)
		carry(context, 1);
}

static long submit_copy(struct aio_context *context,
			struct aio_request *request, struct iocb *copy)
{
	long result;

	if (atomic_load(&context->dead))
		return -EINVAL;
	result = kernel_open(context);
	/* A POLL may be outstanding for ever: nobody can wait for it here. */
	if (result == 0 && copy->aio_lio_opcode == IOCB_CMD_POLL)
		result = start_pump(context);
	if (result < 0)
		return result;
	pthread_mutex_lock(&context->completion_lock);
	request->in_kernel = true;
	context->kernel_outstanding++;
	pthread_mutex_unlock(&context->completion_lock);
	result = raw(SYS_io_submit, context->kernel_id, 1, &copy);
	if (result == 1) {
		see_to_events(context);
		return 0;
	}
	pthread_mutex_lock(&context->completion_lock);
	request->in_kernel = false;
	context->kernel_outstanding--;
	pthread_mutex_unlock(&context->completion_lock);
	return result;
}

/* While the gate is held shared, kernel_destroy does not look for leftovers. */
long kernel_submit(struct aio_context *context, struct aio_request *request,
		   const struct iocb *iocb)
{
	long result;

	request->kernel_iocb = *iocb;
	request->kernel_iocb.aio_flags &= ~(uint32_t)IOCB_FLAG_RESFD;
	pthread_rwlock_rdlock(&context->kernel_gate);
	result = submit_copy(context, request, &request->kernel_iocb);
	pthread_rwlock_unlock(&context->kernel_gate);
	return result;
}

/* Only a POLL cancels; its event comes through the pump like any other. */
long kernel_cancel(struct aio_context *context, uint64_t object)
{
	struct io_event unused;
	long result = -EINVAL;
	uint32_t i;

	pthread_mutex_lock(&context->completion_lock);
	for (i = 0; i < context->usable && context->kernel_outstanding; i++) {
		struct aio_request *request = &context->requests[i];

		if (!request->in_kernel || request->object != object)
			continue;
		result = raw(SYS_io_cancel, context->kernel_id,
			     &request->kernel_iocb, &unused);
		if (result != -EINVAL)
			break;
	}
	pthread_mutex_unlock(&context->completion_lock);
	return result;
}

void kernel_destroy(struct aio_context *context)
{
	uint32_t i;

	pthread_rwlock_wrlock(&context->kernel_gate);
	if (context->kernel_id)
		raw(SYS_io_destroy, context->kernel_id);
	call_pump(context);
	if (context->pump_running)
		pthread_join(context->pump, NULL);
	/* Events dropped with the kernel's ring: no one completes these. */
	for (i = 0; i < context->usable && context->kernel_outstanding; i++)
		if (context->requests[i].in_kernel)
			request_give_back(&context->requests[i]);
	pthread_rwlock_unlock(&context->kernel_gate);
}
