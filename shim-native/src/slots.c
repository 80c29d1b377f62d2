/*
 * Each request on the wire has a slot. Its index and generation are the NBD
 * cookie, so a reply nobody waits for is recognised and breaks the connection
 * instead of completing a stranger. Slots are mapped once, never allocated on
 * the way of a request; when all are taken a submitter waits for a reply.
 *
 * A slot is finished by exactly one: the receiver, which marks it receiving
 * when its reply has come, or whoever breaks the connection, who takes all
 * that are not so marked.
 */
#include <linux/futex.h>

#include "channel.h"
#include "device.h"
#include "io.h"

#define NO_SLOT UINT32_MAX
#define SLOT_RECHECK_MS 20
/* A daemon that answers nothing for so long does not keep a program from exit. */
#define DRAIN_PATIENCE_MS 30000

int slots_prepare(struct connection *c)
{
	uint32_t i;

	if (!c->slots)
		c->slots = raw_map(SLOTS_MAX * sizeof(struct slot));
	if (!c->slots)
		return -ENOMEM;
	for (i = 0; i < SLOTS_MAX; i++) {
		c->slots[i].io = NULL;
		c->slots[i].receiving = false;
		c->slots[i].next = i + 1 < SLOTS_MAX ? i + 1 : NO_SLOT;
	}
	c->first_free = 0;
	return 0;
}

/* Until another reply is in, or a moment has gone by. */
static void await_reply(struct connection *c, uint32_t replies)
{
	const struct timespec recheck = { .tv_nsec = SLOT_RECHECK_MS * 1000000L };

	if (c->channel) {
		channel_ring(c);
		if (!channel_reap(c) &&
		    channel_park(c->channel, &c->replies, replies,
				 recheck.tv_nsec) == -ETIMEDOUT)
			channel_check_life(c);
		return;
	}
	atomic_fetch_add(&c->reply_waiters, 1);
	raw(SYS_futex, &c->replies, FUTEX_WAIT_PRIVATE, replies, &recheck);
	atomic_fetch_sub(&c->reply_waiters, 1);
}

/* True with the pages a transfer through shared memory needs in *page. */
static bool has_room(struct connection *c, uint16_t command, uint32_t length,
		     uint32_t *page)
{
	int64_t taken;

	*page = 0;
	if (c->first_free == NO_SLOT)
		return false;
	if (!c->channel || (command != NBD_CMD_READ && command != NBD_CMD_WRITE))
		return true;
	taken = arena_take(c->channel, length);
	*page = (uint32_t)taken;
	return taken >= 0;
}

static void free_pages(struct connection *c, const struct slot *slot)
{
	if (c->channel && (slot->command == NBD_CMD_READ ||
			   slot->command == NBD_CMD_WRITE))
		arena_free(c->channel, slot->page, slot->length);
}

int slot_take(struct connection *c, struct io *io, uint16_t command,
	      size_t at, uint32_t length, struct slot **taken)
{
	struct slot *slot;
	uint32_t page = 0;
	int result;

	pthread_mutex_lock(&c->lock);
	while (atomic_load(&c->state) == CONNECTION_OPEN &&
	       !has_room(c, command, length, &page)) {
		uint32_t replies = atomic_load(&c->replies);

		pthread_mutex_unlock(&c->lock);
		await_reply(c, replies);
		pthread_mutex_lock(&c->lock);
	}
	if (atomic_load(&c->state) != CONNECTION_OPEN)
		result = -EIO;
	else
		result = c->channel ? helper_start(c) : receiver_start(c);
	if (result < 0)
		goto out;
	slot = &c->slots[c->first_free];
	c->first_free = slot->next;
	slot->io = io;
	slot->at = at;
	slot->length = length;
	slot->page = page;
	slot->command = command;
	slot->generation++;
	atomic_fetch_add(&c->in_flight, 1);
	*taken = slot;
out:
	pthread_mutex_unlock(&c->lock);
	return result;
}

uint64_t slot_cookie(const struct connection *c, const struct slot *slot)
{
	return (uint64_t)slot->generation << 32 | (uint64_t)(slot - c->slots);
}

/* Under c->lock. */
static void slot_free(struct connection *c, struct slot *slot)
{
	free_pages(c, slot);
	slot->io = NULL;
	slot->receiving = false;
	slot->next = c->first_free;
	c->first_free = (uint32_t)(slot - c->slots);
}

bool slot_cancel(struct connection *c, struct slot *slot, const struct io *io)
{
	bool ours;

	pthread_mutex_lock(&c->lock);
	ours = slot->io == io && !slot->receiving;
	if (ours) {
		slot_free(c, slot);
		atomic_fetch_sub(&c->in_flight, 1);
	}
	pthread_mutex_unlock(&c->lock);
	return ours;
}

/* Under c->lock. */
static struct slot *begin(struct connection *c, uint32_t index)
{
	if (index >= SLOTS_MAX || !c->slots[index].io ||
	    c->slots[index].receiving)
		return NULL;
	c->slots[index].receiving = true;
	return &c->slots[index];
}

struct slot *slot_begin(struct connection *c, uint32_t index)
{
	struct slot *slot;

	pthread_mutex_lock(&c->lock);
	slot = begin(c, index);
	pthread_mutex_unlock(&c->lock);
	return slot;
}

struct slot *slot_begin_reply(struct connection *c, uint64_t cookie)
{
	uint32_t index = (uint32_t)cookie;
	struct slot *slot = NULL;

	pthread_mutex_lock(&c->lock);
	if (index < SLOTS_MAX &&
	    c->slots[index].generation == (uint32_t)(cookie >> 32))
		slot = begin(c, index);
	pthread_mutex_unlock(&c->lock);
	return slot;
}

void slot_finish(struct connection *c, struct slot *slot, int error)
{
	struct device *d = c->device;
	struct io *io = slot->io;
	enum direction direction = io->direction;

	pthread_mutex_lock(&c->lock);
	slot_free(c, slot);
	pthread_mutex_unlock(&c->lock);
	io_piece_done(io, error);
	if (!c->channel)
		pool_put(&d->pool, atomic_load(&d->queue), direction);
	atomic_fetch_add(&c->replies, 1);
	atomic_fetch_sub(&c->in_flight, 1);
	if (atomic_load(&c->reply_waiters))
		raw(SYS_futex, &c->replies, FUTEX_WAKE_PRIVATE, INT32_MAX);
}

void slots_fail(struct connection *c)
{
	uint32_t i;

	for (i = 0; i < SLOTS_MAX; i++) {
		struct slot *slot = &c->slots[i];
		bool ours;

		pthread_mutex_lock(&c->lock);
		ours = slot->io && !slot->receiving;
		slot->receiving |= ours;
		pthread_mutex_unlock(&c->lock);
		if (ours)
			slot_finish(c, slot, -EIO);
	}
}

static bool slot_is_busy(struct connection *c, uint32_t index,
			 uint32_t generation)
{
	bool busy;

	pthread_mutex_lock(&c->lock);
	busy = c->slots[index].io && c->slots[index].generation == generation;
	pthread_mutex_unlock(&c->lock);
	return busy;
}

/* Waits for what is in flight now; other threads may go on adding to it. */
void connection_drain(struct connection *c)
{
	uint32_t i, idle_ms = 0;

	for (i = 0; connection_usable(c) && i < SLOTS_MAX; i++) {
		uint32_t generation = c->slots[i].generation;

		if (atomic_load(&c->in_flight) == 0)
			return;
		while (connection_usable(c) && slot_is_busy(c, i, generation)) {
			uint32_t replies = atomic_load(&c->replies);

			await_reply(c, replies);
			idle_ms += SLOT_RECHECK_MS;
			if (atomic_load(&c->replies) != replies)
				idle_ms = 0;
			if (idle_ms > DRAIN_PATIENCE_MS)
				return;
		}
	}
}
