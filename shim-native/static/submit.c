/*
 * io_submit: each iocb is brought over here with its buffers and descriptors,
 * given to the shim, and finished by the pump. The checks are the shim's.
 */
#include <stdlib.h>

#include "contexts.h"

#define BATCH 32
/* Aligned as the device wants it, and never mapped. */
#define NOWHERE 4096ul

/* Under the context's lock. */
static void poll_forget(struct context *context, struct request *request)
{
	struct request **at = &context->polls;

	while (*at && *at != request)
		at = &(*at)->next_poll;
	if (*at)
		*at = request->next_poll;
	request->polls = false;
}

static void request_free(struct request *request)
{
	if (request->polls) {
		pthread_mutex_lock(&request->context->lock);
		poll_forget(request->context, request);
		pthread_mutex_unlock(&request->context->lock);
	}
	if (request->buffered)
		buffer_free(&request->buffer);
	if (request->resfd >= 0)
		raw_close(request->resfd);
	free(request);
}

static void give_slot_back(struct context *context)
{
	pthread_mutex_lock(&context->lock);
	context->outstanding--;
	pthread_cond_broadcast(&context->changed);
	pthread_mutex_unlock(&context->lock);
}

static void finish(struct request *request, int64_t result)
{
	struct context *context = request->context;
	pid_t tid = ring_reach(context);
	const uint64_t one = 1;

	if (result > 0 && request->reads && request->buffered &&
	    (tid == 0 ||
	     buffer_empty(&request->buffer, tid, (size_t)result) < 0))
		result = -EFAULT;
	pthread_mutex_lock(&context->lock);
	if (request->polls)
		poll_forget(context, request);
	ring_store(context, tid,
		    &(struct io_event){ request->data, request->object, result,
					0 });
	context->stored++;
	pthread_mutex_unlock(&context->lock);
	if (request->resfd >= 0)
		raw(SYS_write, request->resfd, &one, sizeof(one));
	request_free(request);
	pthread_mutex_lock(&context->lock);
	context->stored--;
	context->outstanding--;
	pthread_cond_broadcast(&context->changed);
	pthread_mutex_unlock(&context->lock);
}

void *context_pump(void *argument)
{
	struct context *context = argument;
	struct io_event events[BATCH];
	long i, got = 0;

	while (got >= 0 || got == -EINTR) {
		got = shim_io_getevents(context->local, 1, BATCH, events, NULL);
		for (i = 0; i < got; i++)
			finish((void *)(uintptr_t)events[i].data, events[i].res);
	}
	return NULL;
}

static int take_slot(struct context *context, pid_t tid)
{
	int result = 0;
	uint32_t head;

	pthread_mutex_lock(&context->lock);
	if (context->dead)
		result = -EINVAL;
	else if (context->outstanding - context->stored +
			 ring_count(context, tid, &head) >=
		 context->usable)
		result = -EAGAIN;
	else
		context->outstanding++;
	pthread_mutex_unlock(&context->lock);
	return result;
}

static int take_resfd(struct request *request, pid_t tid)
{
	if (!(request->iocb.aio_flags & IOCB_FLAG_RESFD))
		return 0;
	request->iocb.aio_flags &= ~(uint32_t)IOCB_FLAG_RESFD;
	request->resfd = target_descriptor(tid, (int)request->iocb.aio_resfd);
	return request->resfd < 0 ? -EBADF : signal_kind(request->resfd);
}

/* Bad memory is left bad, so that the shim finds it in its own order. */
static void spoil(struct request *request, bool vectored)
{
	struct buffer *b = &request->buffer;
	size_t i;

	if (!vectored) {
		request->iocb.aio_buf = NOWHERE + (request->iocb.aio_buf & 511);
		return;
	}
	for (i = 0; i < b->segments; i++)
		b->local[i].iov_base =
			(char *)NOWHERE + ((uintptr_t)b->local[i].iov_base & 511);
}

static int take_buffer(struct request *request, pid_t tid)
{
	struct iocb *iocb = &request->iocb;
	bool vectored = iocb->aio_lio_opcode == IOCB_CMD_PREADV ||
			iocb->aio_lio_opcode == IOCB_CMD_PWRITEV;
	int result;

	request->reads = iocb->aio_lio_opcode == IOCB_CMD_PREAD ||
			 iocb->aio_lio_opcode == IOCB_CMD_PREADV;
	if (!vectored && !request->reads &&
	    iocb->aio_lio_opcode != IOCB_CMD_PWRITE)
		return 0;
	result = vectored ? buffer_vector(&request->buffer, tid, iocb->aio_buf,
					  (long)iocb->aio_nbytes)
			  : buffer_single(&request->buffer, iocb->aio_buf,
					  iocb->aio_nbytes);
	if (result == -ENOMEM)
		return result;
	if (result < 0) {	/* an array that is not there, or too long */
		iocb->aio_buf = NOWHERE;
		return 0;
	}
	request->buffered = true;
	iocb->aio_buf = vectored ? (uintptr_t)request->buffer.local
				 : (uintptr_t)request->buffer.local->iov_base;
	if (!request->reads && buffer_fill(&request->buffer, tid) < 0)
		spoil(request, vectored);
	return 0;
}

/* The descriptor in our own table, a device's or another; or -errno. */
static int take_descriptor(struct request *request, pid_t tid)
{
	struct open_file file;
	int fd = target_descriptor(tid, (int)request->iocb.aio_fildes);

	if (fd < 0)
		return -EBADF;
	fd_adopt(fd);
	request->iocb.aio_fildes = (uint32_t)fd;
	request->polls = !fd_find(fd, &file) &&
			 request->iocb.aio_lio_opcode == IOCB_CMD_POLL;
	if (request->polls) {
		pthread_mutex_lock(&request->context->lock);
		request->next_poll = request->context->polls;
		request->context->polls = request;
		pthread_mutex_unlock(&request->context->lock);
	}
	return 0;
}

static void give_descriptor(const struct request *request)
{
	fd_forget((int)request->iocb.aio_fildes);
	raw_close((int)request->iocb.aio_fildes);
}

/* Everything of one iocb brought over here; the checks are the shim's. */
static int bring(struct context *context, pid_t tid, uint64_t user,
		 struct request *request)
{
	const uint32_t key = 0;
	int result = target_fetch(tid, &request->iocb, user,
				  sizeof(request->iocb));

	request->context = context;
	request->object = user;
	request->data = request->iocb.aio_data;
	request->resfd = -1;
	if (result < 0)
		return result;
	if (request->iocb.aio_reserved2 || (int64_t)request->iocb.aio_nbytes < 0)
		return -EINVAL;
	result = take_slot(context, tid);
	if (result < 0)
		return result;
	result = take_descriptor(request, tid);
	if (result == 0) {
		result = take_resfd(request, tid);
		if (result == 0)
			result = target_store(
				tid, user + offsetof(struct iocb, aio_key),
				&key, sizeof(key));
		if (result == 0)
			result = take_buffer(request, tid);
		if (result < 0)
			give_descriptor(request);
	}
	if (result < 0)
		give_slot_back(context);
	request->iocb.aio_data = (uintptr_t)request;
	return result;
}

static int bring_new(struct context *context, pid_t tid, uint64_t list,
		     struct request **out)
{
	struct request *request = calloc(1, sizeof(*request));
	uint64_t user;
	int result;

	if (!request)
		return -ENOMEM;
	request->resfd = -1;
	result = target_fetch(tid, &user, list, sizeof(user));
	if (result == 0)
		result = bring(context, tid, user, request);
	if (result < 0)
		request_free(request);
	else
		*out = request;
	return result;
}

/* Up to BATCH of them; how many were taken, and why not more. */
static long submit_batch(struct context *context, const struct call *call,
			 uint64_t list, long nr, int *error)
{
	struct request *requests[BATCH];
	struct iocb *iocbs[BATCH];
	int fds[BATCH];
	long count = 0, taken = 0, i;

	while (count < nr && count < BATCH) {
		*error = bring_new(context, call->tid,
				   list + (uint64_t)count * sizeof(uint64_t),
				   &requests[count]);
		if (*error < 0)
			break;
		iocbs[count] = &requests[count]->iocb;
		fds[count] = (int)iocbs[count]->aio_fildes;
		count++;
	}
	/* A killed program's may not follow what others write after its death. */
	if (count > 0)
		taken = call_is_waiting(call)
				? shim_io_submit(context->local, count, iocbs)
				: -EINTR;
	if (taken < 0) {
		*error = (int)taken;
		taken = 0;
	} else if (taken < count) {
		*error = -EAGAIN;	/* only that there was one matters */
	}
	for (i = 0; i < count; i++) {
		fd_forget(fds[i]);
		raw_close(fds[i]);
		if (i >= taken) {
			request_free(requests[i]);
			give_slot_back(context);
		}
	}
	return taken;
}

int64_t context_submit(struct context *context, const struct call *call)
{
	long nr = call->a[1], done = 0;
	int error = 0;

	if (nr > (long)context->slots)
		nr = context->slots;
	while (done < nr && !error)
		done += submit_batch(context, call,
				     (uint64_t)call->a[2] +
					     (uint64_t)done * sizeof(uint64_t),
				     nr - done, &error);
	return done ? done : error;
}
