/*
 * The request pool of one device in one process. See pool.c.
 */
#ifndef SPINDLE_POOL_H
#define SPINDLE_POOL_H

#include <pthread.h>

#include "queue_file.h"
#include "shim.h"

enum direction { DIRECTION_READ, DIRECTION_WRITE, DIRECTIONS };

struct pool_waiter;

struct pool_side {
	unsigned count;
	bool full;
	struct pool_waiter *first, *last;
};

struct pool {
	pthread_mutex_t lock;
	struct pool_side side[DIRECTIONS];
};

void pool_reset(struct pool *pool);
/* True when a credit was free; never sleeps. */
bool pool_try_get(struct pool *pool, const struct queue_file *queue,
		  enum direction direction);
/* Sleeps until a credit is free, through any signal. */
void pool_get(struct pool *pool, const struct queue_file *queue,
	      enum direction direction);
/* What 2.6 kept in the io_context of a thread; see pool.c. */
#define POOL_RECHECK_MS 20
bool pool_is_batching(const struct queue_file *queue);
void pool_become_batcher(const struct queue_file *queue);
void pool_use_batch(const struct queue_file *queue);

void pool_put(struct pool *pool, const struct queue_file *queue,
	      enum direction direction);

#endif
