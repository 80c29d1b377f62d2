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

#include "contexts.h"

#define PENDING_MAX 4096
#define COMPAT_KERNEL 1u
#define PUMP_STACK_BYTES (256 * 1024)

static struct {
	pid_t process;
	unsigned nr;
	uint32_t slots;
} pending[PENDING_MAX];
static unsigned pending_next;
static pthread_mutex_t table_lock = PTHREAD_MUTEX_INITIALIZER;
static struct context *table[CONTEXTS_MAX];
static uint32_t last_mark;

static int start_pump(struct context *context)
{
	pthread_attr_t attributes;
	int result;

	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, PUMP_STACK_BYTES);
	result = pthread_create(&context->pump, &attributes, context_pump,
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
	if (!context->events || shim_io_setup_uncounted(nr, &context->local) < 0)
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

/*
 * An io_setup that makes a ring of so many slots; -1: none. Whether it is the one
 * is all the same: what failed meanwhile has asked for as much.
 */
static int pending_find(pid_t process, uint32_t slots)
{
	int i;

	for (i = 0; i < PENDING_MAX; i++)
		if (pending[i].process == process &&
		    pending[i].slots == slots)
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
	struct request *request;
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
	for (request = context->polls; request; request = request->next_poll)
		shim_io_cancel(context->local, &request->iocb, NULL);
	while (context->outstanding > 0)
		pthread_cond_wait(&context->changed, &context->lock);
	pthread_mutex_unlock(&context->lock);
	shim_io_destroy(context->local);
	pthread_join(context->pump, NULL);
	context_release(context);
}

/* Polls may wait for ever: they are not waited for. */
static bool is_busy(const struct context *context)
{
	const struct request *poll = context->polls;
	uint32_t left = context->outstanding;

	for (; poll && left > 0; poll = poll->next_poll)
		left--;
	return left > 0;
}

static void settle(struct context *context, const struct call *call)
{
	struct timespec soon;

	pthread_mutex_lock(&context->lock);
	while (is_busy(context) && call_is_waiting(call)) {
		clock_gettime(CLOCK_MONOTONIC, &soon);
		soon.tv_sec++;
		pthread_cond_timedwait(&context->changed, &context->lock,
				       &soon);
	}
	pthread_mutex_unlock(&context->lock);
}

void contexts_settle(const struct call *call)
{
	pid_t process = target_process(call->tid);
	struct context *context;
	int i;

	for (i = 0; i < CONTEXTS_MAX; i++) {
		pthread_mutex_lock(&table_lock);
		context = table[i];
		if (context && context->process == process)
			context->refs++;
		else
			context = NULL;
		pthread_mutex_unlock(&table_lock);
		if (context) {
			settle(context, call);
			context_release(context);
		}
	}
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
	unsigned nr = (unsigned)call->a[0], at;

	if (nr == 0 || nr > SETUP_NR_MAX)
		return LEFT_TO_KERNEL;
	pthread_mutex_lock(&table_lock);
	at = pending_next++ % PENDING_MAX;
	pending[at].process = process;
	pending[at].nr = nr;
	pending[at].slots = aio_ring_slots(nr);
	pthread_mutex_unlock(&table_lock);
	return LEFT_TO_KERNEL;
}

/* Only a poll can be; its event comes like any other. */
static int64_t cancel(struct context *context, const struct call *call)
{
	struct request *request;
	struct iocb iocb;
	int64_t result = -EINVAL;

	if (target_fetch(call->tid, &iocb, (uint64_t)call->a[1],
			 sizeof(iocb)) < 0)
		return -EFAULT;
	pthread_mutex_lock(&context->lock);
	for (request = context->polls; request; request = request->next_poll)
		if (request->object == (uint64_t)call->a[1])
			break;
	if (request && iocb.aio_key == 0)
		result = shim_io_cancel(context->local, &request->iocb, NULL);
	pthread_mutex_unlock(&context->lock);
	return result;
}

static int64_t call_on_found(struct context *context, const struct call *call)
{
	switch (call->number) {
	case SYS_io_submit:
		return call->a[1] < 0 ? LEFT_TO_KERNEL : context_submit(context, call);
	case SYS_io_cancel:
		return cancel(context, call);
	case SYS_io_destroy:
		end(context);
		return LEFT_TO_KERNEL;
	default:
		return context_events(context, call);
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
