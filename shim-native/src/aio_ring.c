/*
 * Events: stored at the tail by whoever completes a request, taken at the head
 * by io_getevents, or by the program itself from user space, which moves head
 * without telling anybody. So head is read from the ring each time.
 *
 * A waiter sleeps on a futex with a time limit even when the program gave
 * none: the kernel restarts an unlimited futex wait under SA_RESTART, and
 * io_getevents must say EINTR there.
 */
#include <linux/futex.h>
#include <poll.h>
#include <sys/eventfd.h>

#include "channel.h"
#include "native_aio.h"
#include "fdtab.h"
#include "usercopy.h"

#define FOREVER_SECONDS 86400

static uint32_t ring_count(const struct aio_context *context)
{
	uint32_t slots = context->ring_slots;
	uint32_t head = atomic_load_explicit(&context->ring->head,
					     memory_order_acquire) % slots;
	uint32_t tail = atomic_load_explicit(&context->ring->tail,
					     memory_order_acquire) % slots;

	return tail >= head ? tail - head : tail + slots - head;
}

/* A fresh request's next is 0: the free list then goes on with its neighbour. */
struct aio_request *request_take(struct aio_context *context)
{
	struct aio_request *request = NULL;
	uint32_t index;

	pthread_mutex_lock(&context->completion_lock);
	if (atomic_load(&context->dead) ||
	    atomic_load(&context->outstanding) + ring_count(context) >=
		    context->usable)
		goto out;
	index = context->first_free;
	request = &context->requests[index];
	context->first_free = request->next ? request->next - 1 : index + 1;
	atomic_fetch_add(&context->outstanding, 1);
out:
	pthread_mutex_unlock(&context->completion_lock);
	if (request) {
		request->context = context;
		request->signal = NULL;
		request->in_kernel = false;
		request->vector.iov = request->vector.inline_iov;
	}
	return request;
}

void request_give_back(struct aio_request *request)
{
	struct aio_context *context = request->context;
	uint32_t left;

	vector_release(&request->vector);
	if (request->signal)
		signal_drop(context, request->signal);
	pthread_mutex_lock(&context->completion_lock);
	request->next = context->first_free + 1;
	context->first_free = (uint32_t)(request - context->requests);
	if (request->in_kernel)
		context->kernel_outstanding--;
	request->in_kernel = false;
	left = atomic_fetch_sub(&context->outstanding, 1) - 1;
	/* The waiter of io_destroy may let the context go from here on. */
	if (left == 0 && atomic_load(&context->dead))
		raw(SYS_futex, &context->outstanding, FUTEX_WAKE_PRIVATE,
		    INT32_MAX);
	pthread_mutex_unlock(&context->completion_lock);
}

/*
 * A context whose requests all go by one connection with shared memory is
 * waited for there, by reaping; several are left to their helpers.
 */
void context_uses(struct aio_context *context, struct connection *c)
{
	struct connection *before = atomic_load_explicit(&context->channel,
							 memory_order_relaxed);

	if (before == c || !c->channel)
		return;
	if (before)
		atomic_store(&context->many_channels, true);
	else if (!atomic_compare_exchange_strong(&context->channel, &before, c) &&
		 before != c)
		atomic_store(&context->many_channels, true);
}

struct connection *context_channel(struct aio_context *context)
{
	struct connection *c = atomic_load(&context->channel);

	if (!c || atomic_load(&context->many_channels) ||
	    atomic_load(&context->kernel_outstanding) > 0 || !connection_usable(c))
		return NULL;
	return c->channel ? c : NULL;
}

void context_wake(struct aio_context *context)
{
	struct connection *c;

	raw(SYS_futex, &context->changes, FUTEX_WAKE_PRIVATE, INT32_MAX);
	if (!atomic_load(&context->channel_waiters))
		return;
	c = atomic_load(&context->channel);
	if (c->channel)
		channel_kick(c->channel);
}

static void store_event(struct aio_context *context,
			const struct aio_request *request, int64_t result)
{
	struct aio_ring *ring = context->ring;
	uint32_t tail;

	pthread_mutex_lock(&context->completion_lock);
	tail = atomic_load_explicit(&ring->tail, memory_order_relaxed) %
	       context->ring_slots;
	ring->events[tail] = (struct io_event){
		.data = request->data,
		.obj = request->object,
		.res = result,
	};
	atomic_store_explicit(&ring->tail, (tail + 1) % context->ring_slots,
			      memory_order_release);
	pthread_mutex_unlock(&context->completion_lock);
}

void request_complete(struct aio_request *request, int64_t result)
{
	struct aio_context *context = request->context;
	const uint64_t one = 1;
	int poll_fd;

	store_event(context, request, result);
	atomic_fetch_add(&context->changes, 1);
	if (atomic_load(&context->waiters))
		context_wake(context);
	poll_fd = atomic_load(&context->poll_fd);
	if (poll_fd >= 0)
		raw(SYS_write, poll_fd, &one, sizeof(one));
	if (request->signal)
		raw(SYS_write, request->signal->fd, &one, sizeof(one));
	request_give_back(request);
}

/* Takes up to nr events that are there; their count, or -EFAULT if none fits. */
static long reap(struct aio_context *context, struct io_event *events, long nr)
{
	struct aio_ring *ring = context->ring;
	uint32_t slots = context->ring_slots;
	long taken = 0;

	pthread_mutex_lock(&context->reap_lock);
	while (taken < nr) {
		uint32_t head = atomic_load(&ring->head) % slots;
		uint32_t run = ring_count(context);

		if (run == 0)
			break;
		if (run > slots - head)
			run = slots - head;
		if (run > nr - taken)
			run = (uint32_t)(nr - taken);
		if (copy_to_user(events + taken, &ring->events[head],
				 run * sizeof(*events)) < 0) {
			if (taken == 0)
				taken = -EFAULT;
			break;
		}
		taken += run;
		atomic_store_explicit(&ring->head, (head + run) % slots,
				      memory_order_release);
	}
	pthread_mutex_unlock(&context->reap_lock);
	return taken;
}

static int64_t monotonic_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000LL + now.tv_nsec;
}

/* One program's wish to wait: until when, and under which signal mask. */
struct patience {
	bool limited;
	int64_t deadline_ns;
	const void *mask;	/* of io_pgetevents; NULL: as it is */
};

/* -EINTR, -ETIMEDOUT, or 0: look again. */
static int wait_for_change(struct aio_context *context, struct connection *c,
			   uint32_t seen, const struct patience *patience)
{
	int64_t left = FOREVER_SECONDS * 1000000000LL;
	struct timespec wait;
	long result;

	if (patience->limited) {
		left = patience->deadline_ns - monotonic_ns();
		if (left <= 0)
			return -ETIMEDOUT;
	}
	wait.tv_sec = left / 1000000000LL;
	wait.tv_nsec = left % 1000000000LL;
	if (patience->mask) {
		struct pollfd p = { atomic_load(&context->poll_fd), POLLIN, 0 };
		uint64_t drained;

		if (atomic_load(&context->changes) != seen)
			return 0;
		result = raw(SYS_ppoll, &p, 1, &wait, patience->mask,
			     sizeof(uint64_t));
		raw(SYS_read, p.fd, &drained, sizeof(drained));
	} else if (c) {
		atomic_fetch_add(&context->channel_waiters, 1);
		result = channel_wait(c, &context->changes, seen, &wait);
		atomic_fetch_sub(&context->channel_waiters, 1);
	} else {
		result = raw(SYS_futex, &context->changes, FUTEX_WAIT_PRIVATE,
			     seen, &wait);
	}
	return result == -EINTR ? -EINTR : 0;
}

static long read_events(struct aio_context *context, long min_nr, long nr,
			struct io_event *events,
			const struct patience *patience)
{
	long taken = 0;

	for (;;) {
		uint32_t seen = atomic_load(&context->changes);
		struct connection *c = context_channel(context);
		long got;
		int result;

		if (c)
			channel_reap(c);
		got = reap(context, events + taken, nr - taken);

		if (got < 0)
			return taken ? taken : got;
		taken += got;
		if (taken >= min_nr)
			return taken;
		if (atomic_load(&context->dead))
			return taken ? taken : -EINVAL;
		atomic_fetch_add(&context->waiters, 1);
		result = wait_for_change(context, c, seen, patience);
		atomic_fetch_sub(&context->waiters, 1);
		if (result == -EINTR) {
			got = reap(context, events + taken, nr - taken);
			taken += got > 0 ? got : 0;
			return taken ? taken : -EINTR;
		}
		if (result == -ETIMEDOUT)
			return taken;
	}
}

static int take_timeout(const struct timespec *timeout,
			struct patience *patience)
{
	struct timespec t;

	patience->limited = false;
	if (!timeout)
		return 0;
	if (copy_from_user(&t, timeout, sizeof(t)) < 0)
		return -EFAULT;
	if (t.tv_sec < 0 || t.tv_sec > FOREVER_SECONDS * 365LL)
		return 0;
	patience->limited = true;
	patience->deadline_ns = monotonic_ns() + t.tv_sec * 1000000000LL +
				t.tv_nsec;
	return 0;
}

static int need_poll_fd(struct aio_context *context)
{
	int none = -1, fd;

	if (atomic_load(&context->poll_fd) >= 0)
		return 0;
	fd = (int)raw(SYS_eventfd2, 0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (fd >= 0)
		fd = fd_keep_private(fd);
	if (fd < 0)
		return fd;
	if (!atomic_compare_exchange_strong(&context->poll_fd, &none, fd))
		fd_close_private(fd);
	return 0;
}

static long getevents(aio_context_t id, long min_nr, long nr,
		      struct io_event *events, const struct timespec *timeout,
		      const void *mask)
{
	struct patience patience = { .mask = mask };
	int64_t since = report_call_now();
	struct aio_context *context;
	long result = take_timeout(timeout, &patience);

	if (result < 0)
		return result;
	context = context_get(id);
	if (!context)
		return -EINVAL;
	if (min_nr < 0 || min_nr > nr)
		result = -EINVAL;
	else if (mask)
		result = need_poll_fd(context);
	if (result == 0)
		result = read_events(context, min_nr, nr, events, &patience);
	context_put(context);
	report_call(CALL_GETEVENTS, since, result);
	return result;
}

long shim_io_getevents(aio_context_t id, long min_nr, long nr,
		   struct io_event *events, const struct timespec *timeout)
{
	return getevents(id, min_nr, nr, events, timeout, NULL);
}

long shim_io_pgetevents(aio_context_t id, long min_nr, long nr,
		    struct io_event *events, const struct timespec *timeout,
		    const void *mask_and_size)
{
	struct {
		const void *mask;
		size_t size;
	} given = { NULL, 0 };
	uint64_t mask;

	if (mask_and_size &&
	    copy_from_user(&given, mask_and_size, sizeof(given)) < 0)
		return -EFAULT;
	if (!given.mask)
		return getevents(id, min_nr, nr, events, timeout, NULL);
	if (given.size != sizeof(mask))
		return -EINVAL;
	if (copy_from_user(&mask, given.mask, sizeof(mask)) < 0)
		return -EFAULT;
	return getevents(id, min_nr, nr, events, timeout, &mask);
}
