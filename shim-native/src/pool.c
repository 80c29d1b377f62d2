/*
 * get_request, get_request_wait and freed_request of the 2.6 block layer
 * (ll_rw_blk.c), in user space. Each piece on the wire holds one credit of its
 * direction from before it is sent until its reply is in.
 *
 *   getting   When the credit asked for would be the last (count + 1 >= nr)
 *             and the direction is not marked full, it is marked full and the
 *             caller becomes a batcher. When it is already full, only a
 *             batcher passes. With hard_cap nobody passes at 3 * nr / 2.
 *   waiting   First come, first served; each waiter is woken alone. Who has
 *             slept becomes a batcher, so that a woken thread queues a run of
 *             neighbouring requests and not one per wake-up.
 *   batcher   A property of the thread: 32 more requests, within 20 ms of
 *             becoming one, by the device's time (time_scale); the first of
 *             them at any time.
 *   putting   At count + 1 <= nr the mark goes and one waiter is woken.
 *
 * nr_requests is read from the queue file at every step, so a change counts at
 * once. Raising it wakes nobody by itself (the daemon cannot reach our
 * waiters); hence a waiter also looks again every POOL_RECHECK_MS. Sleeping is
 * uninterruptible, as in the kernel: a signal is handled and the wait goes on.
 */
#include "pool.h"

#include <linux/futex.h>

#define BATCH_REQUESTS 32
#define BATCH_NS (20 * 1000000LL)

struct pool_waiter {
	struct pool_waiter *next;
	_Atomic uint32_t woken;
	bool queued;
};

/* The io_context of 2.6: one per thread, whatever the device. */
static __thread int batch_left __attribute__((tls_model("initial-exec")));
static __thread int64_t batch_since_ns
	__attribute__((tls_model("initial-exec")));

static int64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000LL + now.tv_nsec;
}

/* 20 ms of the device's time, as the wall's clock measures them. */
static int64_t batch_ns(const struct queue_file *queue)
{
	return BATCH_NS * QUEUE_TIME_SCALE_REAL / queue_time_scale(queue);
}

bool pool_is_batching(const struct queue_file *queue)
{
	return batch_left == BATCH_REQUESTS ||
	       (batch_left > 0 && now_ns() - batch_since_ns < batch_ns(queue));
}

void pool_become_batcher(const struct queue_file *queue)
{
	if (pool_is_batching(queue))
		return;
	batch_left = BATCH_REQUESTS;
	batch_since_ns = now_ns();
}

void pool_use_batch(const struct queue_file *queue)
{
	if (pool_is_batching(queue))
		batch_left--;
}

void pool_reset(struct pool *pool)
{
	int i;

	pthread_mutex_init(&pool->lock, NULL);
	for (i = 0; i < DIRECTIONS; i++)
		pool->side[i] = (struct pool_side){ 0 };
}

static bool get_locked(struct pool_side *side, const struct queue_file *queue,
		       enum direction direction)
{
	uint32_t nr = queue_nr_requests(queue);

	if (!queue_has_pool(queue)) {
		if (!queue_lets_in(queue, direction == DIRECTION_WRITE))
			return false;
		side->count++;
		return true;
	}
	if (side->count + 1 >= nr) {
		if (!side->full) {
			pool_become_batcher(queue);
			side->full = true;
		} else if (!pool_is_batching(queue)) {
			return false;
		}
	}
	if (queue_hard_cap(queue) && side->count >= (uint64_t)nr * 3 / 2)
		return false;
	side->count++;
	pool_use_batch(queue);
	return true;
}

static void append(struct pool_side *side, struct pool_waiter *waiter)
{
	waiter->next = NULL;
	waiter->queued = true;
	atomic_store(&waiter->woken, 0);
	if (side->last)
		side->last->next = waiter;
	else
		side->first = waiter;
	side->last = waiter;
}

static void take_off(struct pool_side *side, struct pool_waiter *waiter)
{
	struct pool_waiter **at = &side->first, *before = NULL;

	while (*at && *at != waiter) {
		before = *at;
		at = &before->next;
	}
	if (!*at)
		return;
	*at = waiter->next;
	if (side->last == waiter)
		side->last = before;
	waiter->queued = false;
}

static void wake_first(struct pool_side *side)
{
	struct pool_waiter *waiter = side->first;

	if (!waiter)
		return;
	take_off(side, waiter);
	atomic_store(&waiter->woken, 1);
	raw(SYS_futex, &waiter->woken, FUTEX_WAKE_PRIVATE, 1);
}

/* What a change of nr_requests does in the kernel's queue_requests_store. */
static void refresh(struct pool_side *side, const struct queue_file *queue)
{
	if (side->full && side->count + 1 <= queue_nr_requests(queue))
		side->full = false;
}

bool pool_try_get(struct pool *pool, const struct queue_file *queue,
		  enum direction direction)
{
	struct pool_side *side = &pool->side[direction];
	bool got;

	pthread_mutex_lock(&pool->lock);
	got = get_locked(side, queue, direction);
	pthread_mutex_unlock(&pool->lock);
	return got;
}

void pool_get(struct pool *pool, const struct queue_file *queue,
	      enum direction direction)
{
	const struct timespec recheck = { .tv_nsec = POOL_RECHECK_MS * 1000000L };
	struct pool_side *side = &pool->side[direction];
	struct pool_waiter self = { .queued = false };

	pthread_mutex_lock(&pool->lock);
	while (!get_locked(side, queue, direction)) {
		if (!self.queued)
			append(side, &self);
		pthread_mutex_unlock(&pool->lock);
		raw(SYS_futex, &self.woken, FUTEX_WAIT_PRIVATE, 0, &recheck);
		pthread_mutex_lock(&pool->lock);
		if (!self.queued)
			pool_become_batcher(queue);
		else
			refresh(side, queue);
	}
	if (self.queued)
		take_off(side, &self);
	pthread_mutex_unlock(&pool->lock);
}

void pool_put(struct pool *pool, const struct queue_file *queue,
	      enum direction direction)
{
	struct pool_side *side = &pool->side[direction];

	pthread_mutex_lock(&pool->lock);
	side->count--;
	if (!queue_has_pool(queue) ||
	    side->count + 1 <= queue_nr_requests(queue)) {
		wake_first(side);
		side->full = false;
	}
	pthread_mutex_unlock(&pool->lock);
}
