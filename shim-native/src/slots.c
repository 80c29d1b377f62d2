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

#include "connection.h"
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

	atomic_fetch_add(&c->reply_waiters, 1);
	raw(SYS_futex, &c->replies, FUTEX_WAIT_PRIVATE, replies, &recheck);
	atomic_fetch_sub(&c->reply_waiters, 1);
}

int slot_take(struct connection *c, struct io *io, uint16_t command,
		     size_t at, uint32_t length, struct nbd_request *header)
{
	struct slot *slot;
	uint32_t index;
	int result = 0;

	pthread_mutex_lock(&c->lock);
	while (atomic_load(&c->state) == CONNECTION_OPEN &&
	       c->first_free == NO_SLOT) {
		uint32_t replies = atomic_load(&c->replies);

		pthread_mutex_unlock(&c->lock);
		await_reply(c, replies);
		pthread_mutex_lock(&c->lock);
	}
	if (atomic_load(&c->state) != CONNECTION_OPEN)
		result = -EIO;
	else
		result = receiver_start(c);
	if (result < 0)
		goto out;
	index = c->first_free;
	slot = &c->slots[index];
	c->first_free = slot->next;
	slot->io = io;
	slot->at = at;
	slot->length = length;
	slot->command = command;
	slot->generation++;
	atomic_fetch_add(&c->in_flight, 1);
	*header = (struct nbd_request){
		.magic = htobe32(NBD_REQUEST_MAGIC),
		.flags = htobe16(io->flags),
		.type = htobe16(command),
		.cookie = htobe64((uint64_t)slot->generation << 32 | index),
		.offset = htobe64(io->offset + at),
		.length = htobe32(length),
	};
out:
	pthread_mutex_unlock(&c->lock);
	return result;
}

struct slot *slot_begin_reply(struct connection *c, uint64_t cookie)
{
	uint32_t index = (uint32_t)cookie;
	struct slot *slot = NULL;

	pthread_mutex_lock(&c->lock);
	if (index < SLOTS_MAX && c->slots[index].io &&
	    c->slots[index].generation == (uint32_t)(cookie >> 32)) {
		slot = &c->slots[index];
		slot->receiving = true;
	}
	pthread_mutex_unlock(&c->lock);
	return slot;
}

void slot_finish(struct connection *c, struct slot *slot, int error)
{
	struct device *d = c->device;
	struct io *io = slot->io;
	enum direction direction = io->direction;

	pthread_mutex_lock(&c->lock);
	slot->io = NULL;
	slot->receiving = false;
	slot->next = c->first_free;
	c->first_free = (uint32_t)(slot - c->slots);
	pthread_mutex_unlock(&c->lock);
	io_piece_done(io, error);
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
