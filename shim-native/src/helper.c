/*
 * A thread per channel that delivers completions where nobody waits for them
 * in a call of ours: programs that read the ring of their context themselves,
 * eventfds, submitters that never reap. It also notices the daemon's death.
 *
 * Where somebody does wait, waking this thread as well would cost two switches
 * for every completion. So it watches: as long as threads wait for themselves
 * it only dozes, a moment at a time, and is not among those the daemon wakes;
 * when a moment has gone by in which none did, it sleeps where they would.
 * A request with an eventfd keeps it there.
 */
#include "channel.h"

#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <sys/prctl.h>

#include "device.h"

#define HELPER_STACK_BYTES (256 * 1024)
#define DOZE_NS 2000000LL
#define DOZE_LONGEST_NS 64000000LL
#define LIFE_NS 100000000LL
#define IDLE_LIFE_NS 400000000LL

struct watch {
	uint32_t waits;		/* inline_waits when last looked at */
	int64_t doze_ns;
};

static void call(struct channel *channel)
{
	atomic_fetch_add(&channel->helper_calls, 1);
	raw(SYS_futex, &channel->helper_calls, FUTEX_WAKE_PRIVATE, 1);
}

void helper_expect_signal(struct channel *channel)
{
	atomic_fetch_add(&channel->signalled, 1);
	if (atomic_load(&channel->helper_dozes))
		call(channel);
}

void helper_signal_done(struct channel *channel)
{
	atomic_fetch_sub(&channel->signalled, 1);
}

void helper_takes_over(struct channel *channel)
{
	if (atomic_load_explicit(&channel->helper_sleeps, memory_order_relaxed))
		call(channel);
}

/* Nobody else delivers, as far as can be seen. */
static bool is_alone(struct channel *channel, struct watch *watch)
{
	uint32_t waits = atomic_load(&channel->inline_waits);
	bool moved = waits != watch->waits;

	watch->waits = waits;
	if (moved)
		watch->doze_ns = DOZE_NS;
	if (atomic_load(&channel->signalled) > 0)
		return true;
	return !moved && atomic_load(&channel->inline_parked) == 0;
}

static void doze(struct channel *channel, struct watch *watch)
{
	struct timespec moment = { .tv_nsec = watch->doze_ns };
	uint32_t calls = atomic_load(&channel->helper_calls);

	atomic_store(&channel->helper_dozes, true);
	atomic_store(&channel->helper_sleeps, watch->doze_ns > DOZE_NS);
	if (atomic_load(&channel->signalled) == 0)
		raw(SYS_futex, &channel->helper_calls, FUTEX_WAIT_PRIVATE,
		    calls, &moment);
	atomic_store(&channel->helper_sleeps, false);
	atomic_store(&channel->helper_dozes, false);
	if (watch->doze_ns < DOZE_LONGEST_NS)
		watch->doze_ns *= 2;
}

static void helper_run(struct connection *c)
{
	struct channel *channel = c->channel;
	struct watch watch = { .doze_ns = DOZE_NS };

	raw(SYS_prctl, PR_SET_NAME, "spindle-reap");
	while (connection_usable(c)) {
		uint32_t calls = atomic_load(&channel->helper_calls);
		bool idle = atomic_load(&c->in_flight) == 0;

		if (channel_reap(c))
			continue;
		if (!is_alone(channel, &watch))
			doze(channel, &watch);
		else if (channel_park(channel, &channel->helper_calls, calls,
				      idle ? IDLE_LIFE_NS : LIFE_NS) ==
			 -ETIMEDOUT)
			channel_check_life(c);
	}
}

static void *helper_thread(void *argument)
{
	struct connection *c = argument;

	helper_run(c);
	pthread_mutex_lock(&c->lock);
	c->receiver_running = false;
	pthread_mutex_unlock(&c->lock);
	return NULL;
}

int helper_start(struct connection *c)
{
	return thread_start(c, helper_thread, HELPER_STACK_BYTES);
}
