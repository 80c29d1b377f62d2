/*
 * A context of the program's and a request of one. See contexts.c.
 */
#ifndef SPINDLE_STATIC_CONTEXTS_H
#define SPINDLE_STATIC_CONTEXTS_H

#include "static.h"

/* Where in compat_features the mark is, and how large it gets. */
#define MARK_SHIFT 8
#define MARK_MAX 0xffffffu

struct context {
	uint32_t mark;
	pid_t process;
	_Atomic pid_t tid;	/* who called last: a thread that has the memory */
	uint64_t address;
	uint32_t slots;
	uint32_t usable;
	unsigned refs;		/* under table_lock */
	aio_context_t local;
	pthread_t pump;
	pthread_mutex_t lock;	/* all below, and the program's ring */
	pthread_cond_t changed;
	uint32_t tail;
	uint32_t outstanding;	/* requests that still need the context */
	uint32_t stored;	/* those of them whose event is in the ring */
	bool dead;
	struct request *polls;	/* of ordinary files: what may be cancelled */
	struct io_event *events;
};

struct request {
	struct iocb iocb;	/* ours */
	struct context *context;
	uint64_t object;	/* the program's iocb */
	uint64_t data;
	struct buffer buffer;
	bool buffered, reads, polls;
	int resfd;
	struct request *next_poll;
};

/*
 * events.c: the ring in the program. A thread by which it can be reached, or 0
 * when it is gone; how many events lie in it; one more of them.
 */
pid_t ring_reach(const struct context *context);
uint32_t ring_count(const struct context *context, pid_t tid, uint32_t *head);
void ring_store(struct context *context, pid_t tid,
		const struct io_event *event);
int64_t context_events(struct context *context, const struct call *call);

/* submit.c */
int64_t context_submit(struct context *context, const struct call *call);
/* The thread that takes the events of what was submitted; a struct context. */
void *context_pump(void *argument);

#endif
