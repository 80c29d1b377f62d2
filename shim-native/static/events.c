/*
 * Events: written into the program's ring as the kernel writes them, and taken
 * out of it again for io_getevents, unless the program has done so by itself.
 */
#include "contexts.h"

/* How often a waiter looks for signals; all together at most so often. */
#define LOOK_NS 20000000L
#define LOOK_APART_NS 250000L
#define SECOND_NS 1000000000LL
#define FOREVER_SECONDS (86400LL * 365)

static bool is_ours(const struct context *context, pid_t tid)
{
	struct aio_ring ring;

	return target_fetch(tid, &ring, context->address, sizeof(ring)) == 0 &&
	       ring.magic == AIO_RING_MAGIC &&
	       ring.compat_features >> MARK_SHIFT == context->mark;
}

/*
 * A thread by which its memory can be reached: the first one, unless that has
 * ended before the others; 0 when the memory or the ring is gone.
 */
pid_t ring_reach(const struct context *context)
{
	pid_t last = atomic_load(&context->tid);

	if (is_ours(context, context->process))
		return context->process;
	return is_ours(context, last) ? last : 0;
}

/* Under the context's lock; tid 0: where nobody will look for it. */
void ring_store(struct context *context, pid_t tid,
		const struct io_event *event)
{
	uint32_t at = context->tail, tail = (at + 1) % context->slots;

	context->events[at] = *event;
	context->tail = tail;
	if (tid == 0)
		return;
	target_store(tid,
		     context->address + sizeof(struct aio_ring) +
			     at * sizeof(*event),
		     event, sizeof(*event));
	target_store(tid, context->address + offsetof(struct aio_ring, tail),
		     &tail, sizeof(tail));
}

/* How many events lie in the ring; under the context's lock. */
uint32_t ring_count(const struct context *context, pid_t tid,
			   uint32_t *head)
{
	if (target_fetch(tid, head,
			 context->address + offsetof(struct aio_ring, head),
			 sizeof(*head)) < 0)
		*head = context->tail;
	*head %= context->slots;
	return (context->tail + context->slots - *head) % context->slots;
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

static _Atomic unsigned waiters;

static int64_t look_ns(void)
{
	return LOOK_NS + waiters * LOOK_APART_NS;
}

/* A moment, or less; under the context's lock. */
static void wait_a_moment(struct context *context, int64_t until)
{
	int64_t end = now_ns() + look_ns();
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

/* Which signals io_pgetevents is to be deaf to; NULL in *mask: as the thread is. */
static int mask_of(const struct call *call, uint64_t *space, uint64_t **mask)
{
	struct {
		uint64_t mask, size;
	} given;

	*mask = NULL;
	if (call->number != SYS_io_pgetevents || !call->a[5])
		return 0;
	if (target_fetch(call->tid, &given, (uint64_t)call->a[5],
			 sizeof(given)) < 0)
		return -EFAULT;
	if (!given.mask)
		return 0;
	if (given.size != sizeof(*space))
		return -EINVAL;
	*mask = space;
	return target_fetch(call->tid, space, given.mask, sizeof(*space));
}

int64_t context_events(struct context *context, const struct call *call)
{
	long min = call->a[1], nr = call->a[2], taken = 0, got;
	uint64_t events = (uint64_t)call->a[3];
	int64_t until = INT64_MAX, looked = now_ns();
	uint64_t space, *mask;
	int result = mask_of(call, &space, &mask);

	if (result == 0)
		result = deadline_of(call, &until);
	if (result == 0 && (min < 0 || min > nr))
		result = -EINVAL;
	if (result < 0)
		return result;
	waiters++;
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
		else if (now_ns() - looked >= look_ns()) {
			looked = now_ns();
			if (!call_is_waiting(call) ||
			    target_has_signal(call->tid, mask))
				result = -EINTR;
		}
		if (result < 0)
			break;
		wait_a_moment(context, until);
	}
	pthread_mutex_unlock(&context->lock);
	waiters--;
	return taken ? taken : result;
}
