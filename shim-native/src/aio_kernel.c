/*
 * Iocbs on ordinary files. They go, as copies, to a kernel context that exists
 * beside ours from the first of them on; a pump thread waits there and stores
 * what comes as events of the shim's ring. RESFD is taken out of the copy and
 * signalled by us, since the signal must follow the event into the ring that
 * the program reads. The iovecs stay the program's: the kernel reads them
 * during the submit.
 */
#include <string.h>

#include "native_aio.h"

#define PUMP_EVENTS 64
#define PUMP_STACK_BYTES (256 * 1024)

static void *pump_thread(void *argument)
{
	struct aio_context *context = argument;
	struct io_event events[PUMP_EVENTS];
	long got;

	do {
		long i;

		got = raw(SYS_io_getevents, context->kernel_id, 1, PUMP_EVENTS,
			  events, NULL);
		for (i = 0; i < got; i++) {
			struct iocb *iocb = (void *)(uintptr_t)events[i].obj;
			struct aio_request *request = (void *)(
				(char *)iocb -
				offsetof(struct aio_request, kernel_iocb));

			request_complete(request, events[i].res);
		}
	} while (got >= 0 || got == -EINTR);
	return NULL;
}

/* Under kernel_lock. */
static int start(struct aio_context *context)
{
	pthread_attr_t attributes;
	sigset_t all, before;
	long result;

	if (context->pump_running)
		return 0;
	if (!context->kernel_id) {
		result = raw(SYS_io_setup, context->nr_given,
			     &context->kernel_id);
		if (result < 0)
			return (int)result;
	}
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
	return (int)-result;
}

static long submit_copy(struct aio_context *context,
			struct aio_request *request, struct iocb *copy)
{
	long result;

	if (atomic_load(&context->dead))
		return -EINVAL;
	pthread_mutex_lock(&context->kernel_lock);
	result = start(context);
	pthread_mutex_unlock(&context->kernel_lock);
	if (result < 0)
		return result;
	pthread_mutex_lock(&context->completion_lock);
	request->in_kernel = true;
	context->kernel_outstanding++;
	pthread_mutex_unlock(&context->completion_lock);
	result = raw(SYS_io_submit, context->kernel_id, 1, &copy);
	if (result == 1)
		return 0;
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
	if (context->pump_running)
		pthread_join(context->pump, NULL);
	/* Events dropped with the kernel's ring: no one completes these. */
	for (i = 0; i < context->usable && context->kernel_outstanding; i++)
		if (context->requests[i].in_kernel)
			request_give_back(&context->requests[i]);
	pthread_rwlock_unlock(&context->kernel_gate);
}
