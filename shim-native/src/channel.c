/*
 * Shared memory instead of a socket: requests go into a ring that the daemon
 * looks at, completions come back in another, data passes through the arena.
 *
 * Submitting. A thread takes a slot and pages, copies the data of a write into
 * them (a bad pointer is EFAULT and nothing has happened), waits for a credit
 * of the pool, and publishes the entry; from then on the daemon carries the
 * request out, whatever becomes of this process. The daemon is rung only when
 * it says that it does not look.
 *
 * Completing. Whoever waits does the work: it looks for SPIN_NS, then sleeps on
 * the event word, having counted itself in waiters. Completions are delivered
 * under reap_lock, those of other threads and contexts too. A helper thread
 * (helper.c) does it where nobody waits.
 *
 * No wake-up is lost: a waiter counts itself, then looks once more, then
 * sleeps; the daemon publishes, then looks at the count. Both with a full
 * fence between. The event word moves with every wake-up.
 */
#include "channel.h"

#include <linux/futex.h>
#include <poll.h>
#include <sched.h>
#include <string.h>
#include <sys/socket.h>

#include "device.h"
#include "io.h"
#include "usercopy.h"

#define SPIN_NS 5000
#define SPIN_LOOKS 16
/* How often who sleeps makes sure that the daemon lives. */
#define LIFE_NS 100000000LL
#define SECOND_NS 1000000000LL

static void relax(void)
{
#if defined(__x86_64__)
	__builtin_ia32_pause();
#else
	__asm__ volatile("yield");
#endif
}

static int64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * SECOND_NS + now.tv_nsec;
}

/* With one processor the daemon cannot run while we look. */
static int64_t spin_ns(void)
{
	static _Atomic int64_t known = -1;
	int64_t ns = atomic_load_explicit(&known, memory_order_relaxed);
	cpu_set_t cpus;

	if (ns >= 0)
		return ns;
	ns = sched_getaffinity(0, sizeof(cpus), &cpus) == 0 &&
			     CPU_COUNT(&cpus) < 2
		     ? 0
		     : SPIN_NS;
	atomic_store(&known, ns);
	return ns;
}

bool channel_is_open(const struct channel *channel)
{
	return atomic_load(&channel->file->state) == CHANNEL_OPEN;
}

int channel_prepare(struct connection *c, struct io *io, uint16_t command,
		    size_t at, uint32_t length, struct slot **slot)
{
	int result = slot_take(c, io, command, at, length, slot);

	if (result < 0 || command != NBD_CMD_WRITE)
		return result;
	result = copy_from_vector(c->channel->data + (size_t)(*slot)->page *
							     ARENA_PAGE_BYTES,
				  io->vector, io->segments, at, length);
	if (result < 0 && !slot_cancel(c, *slot, io))
		result = 0;
	return result;
}

void channel_publish(struct connection *c, const struct io *io,
		     struct slot *slot)
{
	struct channel *channel = c->channel;
	uint32_t index = (uint32_t)(slot - c->slots);
	bool is_last = slot->at + slot->length >= io->length;
	struct submission *entry;

	pthread_mutex_lock(&c->lock);
	/* A connection that has failed meanwhile has finished it already. */
	if (atomic_load(&c->state) == CONNECTION_OPEN && slot->io == io) {
		entry = &channel->file->submissions[channel->submitted++ %
						    CHANNEL_SLOTS];
		*entry = (struct submission){
			.offset = io->offset + slot->at,
			.length = slot->length,
			.slot = index,
			.command = slot->command,
			.flags = io->flags | (io->awaited && is_last ?
						      SUBMISSION_AWAITED : 0),
			.page = slot->page,
		};
		atomic_store_explicit(&channel->file->submission_tail,
				      channel->submitted, memory_order_release);
	}
	pthread_mutex_unlock(&c->lock);
}

void channel_ring(struct connection *c)
{
	struct channel_file *file = c->channel->file;

	atomic_thread_fence(memory_order_seq_cst);
	if (atomic_load_explicit(&file->parked, memory_order_relaxed) &&
	    atomic_exchange(&file->parked, 0))
		channel_say(c, ATTACH_BELL);
	if (!channel_is_open(c->channel))
		connection_fail(c, "the daemon has ended it");
}

/* A full socket holds enough of them already. */
void channel_say(struct connection *c, char letter)
{
	if (connection_socket_intact(c))
		raw(SYS_sendto, c->fd, &letter, 1, MSG_DONTWAIT | MSG_NOSIGNAL,
		    NULL, 0);
}

static void deliver(struct connection *c, struct completion completion,
		    uint64_t completed_ns)
{
	struct slot *slot = slot_begin(c, completion.slot);
	int error = error_from_nbd(completion.error);
	struct io *io;

	if (!slot) {
		connection_fail(c, "a completion of nothing");
		return;
	}
	io = slot->io;
	if (!error && slot->command == NBD_CMD_READ)
		error = copy_to_vector(io->vector, io->segments, slot->at,
				       c->channel->data + (size_t)slot->page *
							  ARENA_PAGE_BYTES,
				       slot->length);
	report_completed(io, completed_ns);
	slot_finish(c, slot, error);
}

bool channel_reap(struct connection *c)
{
	struct channel *channel = c->channel;
	bool any = false;

	if (!channel_has_completions(channel))
		return false;
	pthread_mutex_lock(&channel->reap_lock);
	while (channel_has_completions(channel)) {
		uint32_t at = atomic_load_explicit(&channel->reaped,
						   memory_order_relaxed);

		deliver(c, channel->file->completions[at % CHANNEL_SLOTS],
			channel->file->completion_ns[at % CHANNEL_SLOTS]);
		/* After: who sees nothing to reap sees what was delivered. */
		atomic_store_explicit(&channel->reaped, at + 1,
				      memory_order_release);
		any = true;
	}
	pthread_mutex_unlock(&channel->reap_lock);
	return any;
}

static bool is_over(struct channel *channel, _Atomic uint32_t *word,
		    uint32_t seen)
{
	return channel_has_completions(channel) ||
	       atomic_load_explicit(word, memory_order_acquire) != seen;
}

static bool spin(struct channel *channel, _Atomic uint32_t *word,
		 uint32_t seen)
{
	int64_t end = spin_ns();
	int i;

	if (end == 0)
		return is_over(channel, word, seen);
	end += now_ns();
	do {
		for (i = 0; i < SPIN_LOOKS; i++) {
			if (is_over(channel, word, seen))
				return true;
			relax();
		}
	} while (now_ns() < end);
	return false;
}

int channel_park(struct channel *channel, _Atomic uint32_t *word, uint32_t seen,
		 int64_t limit_ns)
{
	struct channel_file *file = channel->file;
	struct timespec limit = { limit_ns / SECOND_NS, limit_ns % SECOND_NS };
	uint32_t event = atomic_load(&file->event);
	long result = 0;

	atomic_fetch_add(&file->waiters, 1);
	if (!is_over(channel, word, seen))
		result = raw(SYS_futex, &file->event, FUTEX_WAIT, event, &limit);
	atomic_fetch_sub(&file->waiters, 1);
	return result == -EINTR || result == -ETIMEDOUT ? (int)result : 0;
}

int channel_wait(struct connection *c, _Atomic uint32_t *word, uint32_t seen,
		 const struct timespec *limit)
{
	struct channel *channel = c->channel;
	int64_t left = LIFE_NS;
	int result;

	atomic_fetch_add(&channel->inline_waits, 1);
	if (spin(channel, word, seen))
		return 0;
	if (limit && limit->tv_sec == 0 && limit->tv_nsec < LIFE_NS)
		left = limit->tv_nsec;
	atomic_fetch_add(&channel->inline_parked, 1);
	result = channel_park(channel, word, seen, left);
	atomic_fetch_sub(&channel->inline_parked, 1);
	if (result == -ETIMEDOUT && left == LIFE_NS) {
		channel_check_life(c);
		result = 0;
	}
	helper_takes_over(channel);
	return result;
}

void channel_kick(struct channel *channel)
{
	atomic_fetch_add(&channel->file->event, 1);
	raw(SYS_futex, &channel->file->event, FUTEX_WAKE, INT32_MAX);
}

bool channel_check_life(struct connection *c)
{
	struct pollfd p = { .fd = c->fd, .events = POLLIN | POLLRDHUP };
	struct timespec now = { 0 };
	const char *why = NULL;

	if (!connection_usable(c))
		return false;
	if (!connection_socket_intact(c))
		why = "the program closed its socket";
	else if (!channel_is_open(c->channel))
		why = "the daemon has ended it";
	else if (raw(SYS_ppoll, &p, 1, &now, NULL, 0) > 0)
		why = "the daemon closed it";
	if (why)
		connection_fail(c, why);
	return !why;
}
