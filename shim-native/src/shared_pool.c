/*
 * The pool of pool.c, shared by all processes: count, mark and the line of
 * waiters are in memory that the daemon and every process map, and it is the
 * daemon that gives credits back, as requests end, and wakes the first in line.
 *
 * A credit is taken by one compare-and-swap of the word. The word also says who
 * took last and how many that process has taken in all; who overwrites
 * another's name first notes that number in the other's entry of taken. So
 * what a process held is known however it died, and there is no lock for it to
 * die with. pool_lock keeps the threads of this process apart, no more.
 *
 * A waiter draws a ticket, writes it into a cell of this process's channel and
 * sets the cell's bit; the daemon wakes the lowest ticket of all. A waiter looks
 * again every POOL_RECHECK_MS, as in pool.c, which also finds a dead daemon.
 */
#include <linux/futex.h>

#include "channel.h"
#include "device.h"

#define CHECKS_A_LIFE 5
#define NO_CELL (-1)

static bool is_newer(uint64_t number, uint64_t than)
{
	return (int64_t)((number - than) << POOL_SEQUENCE_SHIFT) > 0;
}

/* Notes what the process whose name stands in the word has taken. */
static void note_last(struct channel *channel, enum direction direction,
		      uint64_t word)
{
	uint32_t last = (word >> POOL_CLIENT_SHIFT) % POOL_CLIENTS;
	uint64_t number = word >> POOL_SEQUENCE_SHIFT;
	_Atomic uint64_t *taken = &channel->pool->taken[direction][last];
	uint64_t noted = atomic_load(taken);

	if (last == channel->file->client)
		return;
	while (is_newer(number, noted) &&
	       !atomic_compare_exchange_weak(taken, &noted, number))
		;
}

/* Sets the mark when the credit asked for would be the last. */
static bool may_take(const struct queue_file *queue, enum direction direction,
		     uint64_t *word)
{
	uint64_t nr = queue_nr_requests(queue);
	uint64_t count = *word & POOL_COUNT_MASK;

	if (!queue_has_pool(queue))
		return count + 1 < POOL_COUNT_MASK &&
		       queue_lets_in(queue, direction == DIRECTION_WRITE);
	if (count + 1 >= nr) {
		if (!(*word & POOL_FULL))
			pool_become_batcher(queue);
		else if (!pool_is_batching(queue))
			return false;
		*word |= POOL_FULL;
	}
	return !queue_hard_cap(queue) || count < nr * 3 / 2;
}

/* Under pool_lock. */
static bool take(struct channel *channel, const struct queue_file *queue,
		 enum direction direction)
{
	_Atomic uint64_t *at = &channel->pool->side[direction].word;
	uint64_t number = channel->credits[direction] + 1;
	uint64_t word = atomic_load(at), next;

	do {
		next = word;
		if (!may_take(queue, direction, &next)) {
			if (next != word)
				atomic_compare_exchange_strong(at, &word, next);
			return false;
		}
		note_last(channel, direction, word);
		next = ((next + 1) & (POOL_COUNT_MASK | POOL_FULL)) |
		       (uint64_t)channel->file->client << POOL_CLIENT_SHIFT |
		       number << POOL_SEQUENCE_SHIFT;
	} while (!atomic_compare_exchange_weak(at, &word, next));
	channel->credits[direction] = number;
	pool_use_batch(queue);
	return true;
}

/* As a change of nr_requests does, when the daemon's word of it was missed. */
static void refresh(struct channel *channel, const struct queue_file *queue,
		    enum direction direction)
{
	_Atomic uint64_t *at = &channel->pool->side[direction].word;
	uint64_t word = atomic_load(at);

	while ((word & POOL_FULL) &&
	       (word & POOL_COUNT_MASK) + 1 <= queue_nr_requests(queue) &&
	       !atomic_compare_exchange_weak(at, &word, word & ~POOL_FULL))
		;
}

/* The end of the line; NO_CELL when POOL_CELLS threads of ours stand in it. */
static int stand_in_line(struct channel *channel, enum direction direction)
{
	uint64_t used = channel->cells_used[direction];
	struct pool_cell *cell;
	int index;

	if (used == ~0ull)
		return NO_CELL;
	index = __builtin_ctzll(~used);
	channel->cells_used[direction] |= 1ull << index;
	cell = &channel->file->cells[direction][index];
	atomic_store(&cell->woken, 0);
	atomic_store(&cell->ticket,
		     atomic_fetch_add(&channel->pool->side[direction].tickets,
				      1));
	atomic_fetch_or(&channel->file->pool_waiters[direction], 1ull << index);
	return index;
}

static void leave_line(struct channel *channel, enum direction direction,
		       int index)
{
	atomic_fetch_and(&channel->file->pool_waiters[direction],
			 ~(1ull << index));
	channel->cells_used[direction] &= ~(1ull << index);
}

static void sleep_in_line(struct channel *channel, enum direction direction,
			  int index)
{
	const struct timespec recheck = { .tv_nsec = POOL_RECHECK_MS * 1000000L };
	_Atomic uint32_t alone = 0;
	_Atomic uint32_t *woken = &alone;

	if (index != NO_CELL)
		woken = &channel->file->cells[direction][index].woken;
	raw(SYS_futex, woken, FUTEX_WAIT, 0, &recheck);
}

bool shared_pool_try_get(struct device *d, enum direction direction)
{
	struct channel *channel = d->connection.channel;
	bool got;

	pthread_mutex_lock(&channel->pool_lock[direction]);
	got = take(channel, atomic_load(&d->queue), direction);
	pthread_mutex_unlock(&channel->pool_lock[direction]);
	return got;
}

int shared_pool_get(struct device *d, enum direction direction)
{
	struct connection *c = &d->connection;
	struct channel *channel = c->channel;
	pthread_mutex_t *lock = &channel->pool_lock[direction];
	const struct queue_file *queue = atomic_load(&d->queue);
	unsigned checks = 0;
	int cell = NO_CELL;
	bool got = false;

	pthread_mutex_lock(lock);
	while (atomic_load(&c->state) == CONNECTION_OPEN &&
	       !(got = take(channel, queue, direction))) {
		if (cell == NO_CELL) {
			cell = stand_in_line(channel, direction);
			if (cell != NO_CELL)
				continue;
		}
		pthread_mutex_unlock(lock);
		sleep_in_line(channel, direction, cell);
		if (++checks % CHECKS_A_LIFE == 0)
			channel_check_life(c);
		pthread_mutex_lock(lock);
		if (cell != NO_CELL &&
		    atomic_load(&channel->file->cells[direction][cell].woken)) {
			leave_line(channel, direction, cell);
			cell = NO_CELL;
			pool_become_batcher(queue);
		} else {
			refresh(channel, queue, direction);
		}
	}
	if (cell != NO_CELL)
		leave_line(channel, direction, cell);
	pthread_mutex_unlock(lock);
	return got ? 0 : -EIO;
}
