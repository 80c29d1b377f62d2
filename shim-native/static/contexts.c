/*
 * Native AIO. A context must be memory in the program, because libaio, QEMU and
 * fio read its ring. So io_setup is the kernel's own: the program gets a real
 * ring, and the kernel knows a context that nothing is ever submitted to. What
 * the program submits goes, with buffers of ours, to a context of the shim's in
 * this process; a pump thread takes the events there, moves the data, and
 * writes event and tail into the program's ring, as the kernel would.
 *
 * io_setup's answer passes us by. The context is met at its first use: memory
 * that has a ring's header, of a process that has called io_setup. Then it is
 * marked, in the upper bits of compat_features, which nobody reads:
 *
 *   - a ring with a mark of another process is a forked child's: EINVAL
 *   - after mremap the mark is found at the new place
 *   - after exec there is no such mark, and nothing more is written
 *
 * Errors of the kernel's (a bad context, a negative number) are left to it.
 */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "static.h"

#define BATCH 32
#define PENDING_MAX 256
#define COMPAT_KERNEL 1u
#define MARK_SHIFT 8
#define MARK_MAX 0xffffffu
#define PUMP_STACK_BYTES (256 * 1024)
#define LOOK_NS 20000000L
#define SECOND_NS 1000000000LL
#define FOREVER_SECONDS (86400LL * 365)
/* Aligned as the device wants it, and never mapped. */
#define NOWHERE 4096ul

struct context {
	uint32_t mark;
	pid_t process;
	_Atomic pid_t tid;	/* who called last: a thread that has the memory */
	uint64_t address;
	uint32_t slots;
	uint32_t usable;
	unsigned refs;		/* under table_lock */
	aio_context_t local;
	pthread_t pump;
	pthread_mutex_t lock;	/* all below, and the program's ring */
	pthread_cond_t changed;
	uint32_t tail;
	uint32_t outstanding;
	bool dead;
	struct io_event *events;
};

struct request {
	struct iocb iocb;	/* ours */
	struct context *context;
	uint64_t object;	/* the program's iocb */
	uint64_t data;
	struct buffer buffer;
	bool buffered, reads;
	int resfd;
};

static struct {
	pid_t process;
	unsigned nr;
} pending[PENDING_MAX];
static unsigned pending_next;
static pthread_mutex_t table_lock = PTHREAD_MUTEX_INITIALIZER;
static struct context *table[CONTEXTS_MAX];
static uint32_t last_mark;

static bool is_ours(const struct context *context, pid_t tid)
{
	struct aio_ring ring;

	return target_fetch(tid, &ring, context->address, sizeof(ring)) == 0 &&
	       ring.magic == AIO_RING_MAGIC &&
	       ring.compat_features >> MARK_SHIFT == context->mark;
}

/* Under the context's lock. */
static void store_event(struct context *context, pid_t tid,
			const struct io_event *event)
{
	uint32_t at = context->tail, tail = (at + 1) % context->slots;

	context->events[at] = *event;
	context->tail = tail;
	if (!is_ours(context, tid))
		return;
	target_store(tid,
		     context->address + sizeof(struct aio_ring) +
			     at * sizeof(*event),
		     event, sizeof(*event));
	target_store(tid, context->address + offsetof(struct aio_ring, tail),
		     &tail, sizeof(tail));
}

static void request_free(struct request *request)
{
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
	pid_t tid = atomic_load(&context->tid);
	const uint64_t one = 1;

	if (result > 0 && request->reads && request->buffered &&
	    (!is_ours(context, tid) ||
	     buffer_empty(&request->buffer, tid, (size_t)result) < 0))
		result = -EFAULT;
	pthread_mutex_lock(&context->lock);
	store_event(context, tid,
		    &(struct io_event){ request->data, request->object, result,
					0 });
	pthread_mutex_unlock(&context->lock);
	if (request->resfd >= 0)
		raw(SYS_write, request->resfd, &one, sizeof(one));
	request_free(request);
	give_slot_back(context);
}

static void *pump_thread(void *argument)
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

static int start_pump(struct context *context)
{
	pthread_attr_t attributes;
	int result;

	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, PUMP_STACK_BYTES);
	result = pthread_create(&context->pump, &attributes, pump_thread,
				context);
	pthread_attr_destroy(&attributes);
	return -result;
}

static void context_release(struct context *context)
{
	unsigned left;

	pthread_mutex_lock(&table_lock);
	left = --context->refs;
	pthread_mutex_unlock(&table_lock);
	if (left > 0)
		return;
	free(context->events);
	free(context);
}

static void init_locks(struct context *context)
{
	pthread_condattr_t attributes;

	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	pthread_cond_init(&context->changed, &attributes);
	pthread_condattr_destroy(&attributes);
	pthread_mutex_init(&context->lock, NULL);
}

/* A context of the shim's, of the same capacity. */
static struct context *make(unsigned nr, const struct aio_ring *ring)
{
	struct context *context = calloc(1, sizeof(*context));
	struct aio_context *local;

	if (!context)
		return NULL;
	init_locks(context);
	context->slots = ring->nr;
	context->tail = atomic_load(&ring->tail) % ring->nr;
	context->events = calloc(ring->nr, sizeof(struct io_event));
	if (!context->events || shim_io_setup(nr, &context->local) < 0)
		goto fail;
	local = context_get(context->local);
	context->usable = local->usable;
	context_put(local);
	if (context->usable >= context->slots)
		context->usable = context->slots - 1;
	if (start_pump(context) == 0)
		return context;
	shim_io_destroy(context->local);
fail:
	free(context->events);
	free(context);
	return NULL;
}

/* The io_setup that may have made a ring of so many slots; -1: none. */
static int pending_find(pid_t process, uint32_t slots)
{
	int i;

	for (i = 0; i < PENDING_MAX; i++)
		if (pending[i].process == process && pending[i].nr < slots)
			return i;
	return -1;
}

/* Under table_lock. */
static struct context *meet(pid_t tid, pid_t process, uint64_t address,
			    const struct aio_ring *ring)
{
	int free_place, found = pending_find(process, ring->nr);
	struct context *context;
	uint32_t features;

	for (free_place = 0; free_place < CONTEXTS_MAX && table[free_place];
	     free_place++)
		;
	if (found < 0 || free_place == CONTEXTS_MAX)
		return NULL;
	context = make(pending[found].nr, ring);
	if (!context)
		return NULL;
	pending[found].process = 0;
	last_mark = last_mark % MARK_MAX + 1;
	context->mark = last_mark;
	context->process = process;
	context->address = address;
	context->refs = 1;
	features = context->mark << MARK_SHIFT | COMPAT_KERNEL;
	target_store(tid, address + offsetof(struct aio_ring, compat_features),
		     &features, sizeof(features));
	table[free_place] = context;
	return context;
}

static struct context *marked(uint32_t mark, pid_t process)
{
	int i;

	for (i = 0; i < CONTEXTS_MAX; i++)
		if (table[i] && table[i]->mark == mark &&
		    table[i]->process == process)
			return table[i];
	return NULL;
}

/* NULL when there is none, which the kernel will say. */
static struct context *find(const struct call *call)
{
	uint64_t address = (uint64_t)call->a[0];
	pid_t process = target_process(call->tid);
	struct context *context = NULL;
	struct aio_ring ring;

	if (process < 0)
		return NULL;
	pthread_mutex_lock(&table_lock);
	if (target_fetch(call->tid, &ring, address, sizeof(ring)) < 0 ||
	    ring.magic != AIO_RING_MAGIC || ring.nr == 0)
		goto out;
	if (ring.compat_features == COMPAT_KERNEL)
		context = meet(call->tid, process, address, &ring);
	else
		context = marked(ring.compat_features >> MARK_SHIFT, process);
	if (context) {
		context->refs++;
		context->address = address;
		atomic_store(&context->tid, call->tid);
	}
out:
	pthread_mutex_unlock(&table_lock);
	return context;
}

/* Takes it out of the table and waits for what is in flight. */
static void end(struct context *context)
{
	int i;

	pthread_mutex_lock(&table_lock);
	for (i = 0; i < CONTEXTS_MAX && table[i] != context; i++)
		;
	if (i < CONTEXTS_MAX)
		table[i] = NULL;
	pthread_mutex_unlock(&table_lock);
	if (i == CONTEXTS_MAX)
		return;		/* another thread does it */
	pthread_mutex_lock(&context->lock);
	context->dead = true;
	pthread_cond_broadcast(&context->changed);
	while (context->outstanding > 0)
		pthread_cond_wait(&context->changed, &context->lock);
	pthread_mutex_unlock(&context->lock);
	shim_io_destroy(context->local);
	pthread_join(context->pump, NULL);
	context_release(context);
}

void contexts_of_dead(void)
{
	struct context *context;
	int i;

	for (i = 0; i < CONTEXTS_MAX; i++) {
		pthread_mutex_lock(&table_lock);
		context = table[i];
		if (context && kill(context->process, 0) < 0)
			context->refs++;
		else
			context = NULL;
		pthread_mutex_unlock(&table_lock);
		if (context) {
			end(context);
			context_release(context);
		}
	}
}

static int64_t note_setup(const struct call *call)
{
	pid_t process = target_process(call->tid);

	pthread_mutex_lock(&table_lock);
	pending[pending_next % PENDING_MAX].process = process;
	pending[pending_next++ % PENDING_MAX].nr = (unsigned)call->a[0];
	pthread_mutex_unlock(&table_lock);
	return LEFT_TO_KERNEL;
}

/* How many events lie in the ring; under the context's lock. */
static uint32_t ring_count(const struct context *context, pid_t tid,
			   uint32_t *head)
{
	if (target_fetch(tid, head,
			 context->address + offsetof(struct aio_ring, head),
			 sizeof(*head)) < 0)
		*head = context->tail;
	*head %= context->slots;
	return (context->tail + context->slots - *head) % context->slots;
}

static int take_slot(struct context *context, pid_t tid)
{
	int result = 0;
	uint32_t head;

	pthread_mutex_lock(&context->lock);
	if (context->dead)
		result = -EINVAL;
	else if (context->outstanding + ring_count(context, tid, &head) >=
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
	/* One that may be outstanding for ever would hold the context up. */
	if (!fd_find(fd, &file) &&
	    request->iocb.aio_lio_opcode == IOCB_CMD_POLL) {
		raw_close(fd);
		return -EINVAL;
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
	if (count > 0)
		taken = shim_io_submit(context->local, count, iocbs);
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

static int64_t submit(struct context *context, const struct call *call)
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

/* Under the context's lock; the count, or -EFAULT if none fits. */
static long reap(struct context *context, pid_t tid, uint64_t events, long nr)
{
	long taken = 0;

	while (taken < nr) {
		uint32_t head, run = ring_count(context, tid, &head);

		if (run == 0)
			break;
		if (run > context->slots - head)
			run = context->slots - head;
		if (run > nr - taken)
			run = (uint32_t)(nr - taken);
		if (target_store(tid,
				 events + (uint64_t)taken *
						  sizeof(struct io_event),
				 &context->events[head],
				 run * sizeof(struct io_event)) < 0)
			return taken ? taken : -EFAULT;
		head = (head + run) % context->slots;
		target_store(tid,
			     context->address + offsetof(struct aio_ring, head),
			     &head, sizeof(head));
		taken += run;
	}
	return taken;
}

static int64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * SECOND_NS + now.tv_nsec;
}

/* A moment, or less; under the context's lock. */
static void wait_a_moment(struct context *context, int64_t until)
{
	int64_t end = now_ns() + LOOK_NS;
	struct timespec at;

	if (until < end)
		end = until;
	at.tv_sec = end / SECOND_NS;
	at.tv_nsec = end % SECOND_NS;
	pthread_cond_timedwait(&context->changed, &context->lock, &at);
}

/* When to give up; INT64_MAX: never. */
static int deadline_of(const struct call *call, int64_t *until)
{
	struct timespec t;

	*until = INT64_MAX;
	if (!call->a[4])
		return 0;
	if (target_fetch(call->tid, &t, (uint64_t)call->a[4], sizeof(t)) < 0)
		return -EFAULT;
	if (t.tv_sec >= 0 && t.tv_sec <= FOREVER_SECONDS)
		*until = now_ns() + t.tv_sec * SECOND_NS + t.tv_nsec;
	return 0;
}

static int64_t get_events(struct context *context, const struct call *call)
{
	long min = call->a[1], nr = call->a[2], taken = 0, got;
	uint64_t events = (uint64_t)call->a[3];
	int64_t until, looked = now_ns();
	int result = deadline_of(call, &until);

	if (result == 0 && (min < 0 || min > nr))
		result = -EINVAL;
	if (result < 0)
		return result;
	pthread_mutex_lock(&context->lock);
	for (;;) {
		got = reap(context, call->tid,
			   events + (uint64_t)taken * sizeof(struct io_event),
			   nr - taken);
		if (got < 0 && taken == 0)
			taken = got;
		if (got < 0)
			break;
		taken += got;
		if (taken >= min || now_ns() >= until)
			break;
		if (context->dead)
			result = -EINVAL;
		else if (now_ns() - looked >= LOOK_NS) {
			looked = now_ns();
			if (!call_is_waiting(call) ||
			    target_has_signal(call->tid))
				result = -EINTR;
		}
		if (result < 0)
			break;
		wait_a_moment(context, until);
	}
	pthread_mutex_unlock(&context->lock);
	return taken ? taken : result;
}

/* What is cancelled at all, a poll, never comes here. */
static int64_t cancel(const struct call *call)
{
	struct iocb iocb;

	if (target_fetch(call->tid, &iocb, (uint64_t)call->a[1],
			 sizeof(iocb)) < 0)
		return -EFAULT;
	return -EINVAL;
}

/* io_pgetevents: a mask that is not there, or not a mask, as the kernel says. */
static int check_mask(const struct call *call)
{
	struct {
		uint64_t mask, size;
	} given;
	uint64_t mask;

	if (call->number != SYS_io_pgetevents || !call->a[5])
		return 0;
	if (target_fetch(call->tid, &given, (uint64_t)call->a[5],
			 sizeof(given)) < 0)
		return -EFAULT;
	if (!given.mask)
		return 0;
	if (given.size != sizeof(mask))
		return -EINVAL;
	return target_fetch(call->tid, &mask, given.mask, sizeof(mask));
}

static int64_t call_on_found(struct context *context, const struct call *call)
{
	int result;

	switch (call->number) {
	case SYS_io_submit:
		return call->a[1] < 0 ? LEFT_TO_KERNEL : submit(context, call);
	case SYS_io_cancel:
		return cancel(call);
	case SYS_io_destroy:
		end(context);
		return LEFT_TO_KERNEL;
	default:
		result = check_mask(call);
		return result < 0 ? result : get_events(context, call);
	}
}

int64_t call_on_context(const struct call *call)
{
	struct context *context;
	int64_t result;

	if (call->number == SYS_io_setup)
		return note_setup(call);
	context = find(call);
	if (!context)
		return LEFT_TO_KERNEL;
	result = call_on_found(context, call);
	context_release(context);
	return result;
}
