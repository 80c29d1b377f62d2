/*
 * The memory shared with the daemon for one device, as this process sees it.
 * See channel.c.
 */
#ifndef SPINDLE_CHANNEL_H
#define SPINDLE_CHANNEL_H

#include "connection.h"
#include "pool.h"
#include "shm_layout.h"

#define ARENA_PAGES_MAX ((1u << 30) / ARENA_PAGE_BYTES)
#define ARENA_WORDS (ARENA_PAGES_MAX / 64)

/* Which pages are taken; under the connection's lock. */
struct arena {
	uint32_t pages;		/* that may be used now */
	uint32_t used;
	uint32_t from;		/* the first word that may have a free page */
	uint64_t taken[ARENA_WORDS];
};

struct channel {
	struct connection *connection;
	struct channel_file *file;
	size_t file_bytes;
	char *data;
	struct pool_file *pool;
	uint32_t submitted;	/* under the connection's lock */
	bool asked_to_grow;	/* under the connection's lock */
	struct arena arena;
	pthread_mutex_t reap_lock;
	_Atomic uint32_t reaped;	/* changed under reap_lock */
	pthread_mutex_t pool_lock[DIRECTIONS];
	uint64_t credits[DIRECTIONS];	/* ever taken; under pool_lock */
	uint64_t cells_used[DIRECTIONS];	/* under pool_lock */
	/* helper.c */
	_Atomic uint32_t inline_waits;
	_Atomic uint32_t inline_parked;
	_Atomic uint32_t signalled;	/* requests under way with an eventfd */
	_Atomic uint32_t helper_calls;	/* futex */
	_Atomic bool helper_dozes;
	_Atomic bool helper_sleeps;
};

/* attach.c: the socket's fd, c->channel and c->flags; or -errno, having said why. */
int channel_attach(struct connection *c, const struct device *d);
/* Lets go of the memory shared with a daemon that is dead. */
void channel_detach(struct channel *channel);

/* Under the connection's lock; the page, or -EAGAIN: wait, then try again. */
int64_t arena_take(struct channel *channel, uint32_t bytes);
void arena_free(struct channel *channel, uint32_t page, uint32_t bytes);

/*
 * Takes slot and arena and copies the data of a write there; nothing that can
 * fail comes after. Returns 0 or -errno.
 */
int channel_prepare(struct connection *c, struct io *io, uint16_t command,
		    size_t at, uint32_t length, struct slot **slot);
void channel_publish(struct connection *c, const struct io *io,
		     struct slot *slot);
/* Tells the daemon, if it does not look by itself. */
void channel_ring(struct connection *c);

/* Delivers what has been completed; true when that was anything. */
bool channel_reap(struct connection *c);
/* Something is there to be reaped. */
static inline bool channel_has_completions(struct channel *channel)
{
	return atomic_load_explicit(&channel->file->completion_tail,
				    memory_order_acquire) !=
	       atomic_load_explicit(&channel->reaped, memory_order_acquire);
}

/*
 * Waits for completions, or until *word is no longer seen: first looking, for
 * SPIN_NS, then asleep. 0, -EINTR, or -ETIMEDOUT at the limit (NULL: none).
 */
int channel_wait(struct connection *c, _Atomic uint32_t *word, uint32_t seen,
		 const struct timespec *limit);
/* Asleep only, at most so long; for who has another way to learn of it. */
int channel_park(struct channel *channel, _Atomic uint32_t *word, uint32_t seen,
		 int64_t limit_ns);
/* Wakes who sleeps in either. */
void channel_kick(struct channel *channel);
/* False, and the connection failed, when the daemon is there no longer. */
bool channel_check_life(struct connection *c);
bool channel_is_open(const struct channel *channel);
void channel_say(struct connection *c, char letter);

/* helper.c: starts the thread unless it runs; under the connection's lock. */
int helper_start(struct connection *c);
/* A request with an eventfd is under way: its event must not wait. */
void helper_expect_signal(struct channel *channel);
void helper_signal_done(struct channel *channel);
/* A thread that slept here and did the reaping goes away. */
void helper_takes_over(struct channel *channel);

/* shared_pool.c; like pool_try_get and pool_get, which see. */
bool shared_pool_try_get(struct device *d, enum direction direction);
int shared_pool_get(struct device *d, enum direction direction);

#endif
