/*
 * Native AIO contexts of the shim's own. See aio_context.c for the model.
 */
#ifndef SPINDLE_NATIVE_AIO_H
#define SPINDLE_NATIVE_AIO_H

#include <linux/aio_abi.h>
#include <pthread.h>
#include <signal.h>

#include "io.h"
#include "transfer.h"

#define AIO_RING_MAGIC 0xa10a10a1u
#define CONTEXTS_MAX 1024
#define SETUP_NR_MAX 0x400000u
/* Different eventfds one context may signal at a time. */
#define SIGNALS_MAX 64

/*
 * The ring as programs know it (libaio and QEMU read it themselves):
 *
 *   +0 id | +4 nr | +8 head | +12 tail | +16 magic | +20 compat_features |
 *   +24 incompat_features | +28 header_length | +32 io_events, 32 bytes each
 */
struct aio_ring {
	uint32_t id;
	uint32_t nr;
	_Atomic uint32_t head;
	_Atomic uint32_t tail;
	uint32_t magic;
	uint32_t compat_features;
	uint32_t incompat_features;
	uint32_t header_length;
	struct io_event events[];
};

_Static_assert(sizeof(struct aio_ring) == 32, "as drawn above");

struct aio_context;

/* An eventfd named by IOCB_FLAG_RESFD, held by a descriptor of our own. */
struct aio_signal {
	int fd;
	unsigned users;
};

struct aio_request {
	struct io io;
	struct aio_context *context;
	uint64_t data;
	uint64_t object;	/* the program's iocb */
	int64_t length;		/* the result when all goes well */
	struct aio_signal *signal;
	struct vector vector;
	uint32_t next;		/* in the free list */
	bool in_kernel;
	struct iocb kernel_iocb;
};

struct aio_context {
	unsigned long id;	/* where the program has the ring mapped */
	struct aio_ring *ring;	/* our own mapping of the same pages */
	size_t ring_bytes;
	uint32_t ring_slots;
	uint32_t usable;
	uint32_t nr_given;
	uint32_t nr_counted;	/* of it, what the kernel does not count */
	unsigned refs;		/* under the table's lock */
	_Atomic bool dead;
	pthread_mutex_t completion_lock;	/* tail, requests, outstanding */
	pthread_mutex_t reap_lock;		/* head */
	struct aio_request *requests;
	uint32_t first_free;
	_Atomic uint32_t outstanding;
	_Atomic uint32_t changes;	/* futex: an event, or the end */
	_Atomic uint32_t waiters;
	struct connection *_Atomic channel;	/* see context_channel */
	_Atomic bool many_channels;
	_Atomic uint32_t channel_waiters;
	_Atomic int poll_fd;		/* eventfd of io_pgetevents, or -1 */
	struct aio_signal signals[SIGNALS_MAX];	/* under completion_lock */
	pthread_rwlock_t kernel_gate;	/* shared: submitting; alone: destroying */
	pthread_mutex_t kernel_lock;	/* starting the two below */
	aio_context_t kernel_id;	/* for iocbs on ordinary files, or 0 */
	_Atomic uint32_t kernel_outstanding;	/* changed under completion_lock */
	_Atomic uint32_t pump_calls;	/* futex: something to do, or the end */
	bool pump_running;
	pthread_t pump;
};

long shim_io_setup(unsigned nr, aio_context_t *id);
/* How many the kernel's ring has that io_setup makes for nr. */
uint32_t aio_ring_slots(unsigned nr);
/* For a context that the kernel counts against aio-max-nr already. */
long shim_io_setup_uncounted(unsigned nr, aio_context_t *id);
void context_counted_by_kernel(struct aio_context *context);
long shim_io_destroy(aio_context_t id);
long shim_io_submit(aio_context_t id, long nr, struct iocb **iocbs);
long shim_io_cancel(aio_context_t id, struct iocb *iocb, struct io_event *result);
long shim_io_getevents(aio_context_t id, long min_nr, long nr,
		   struct io_event *events, const struct timespec *timeout);
long shim_io_pgetevents(aio_context_t id, long min_nr, long nr,
		    struct io_event *events, const struct timespec *timeout,
		    const void *mask_and_size);
/* The program moved a ring with mremap. */
void aio_ring_moved(void *from, void *to);
void aio_forget_after_fork(void);

/* A context held for the length of one call. */
struct aio_context *context_get(aio_context_t id);
void context_put(struct aio_context *context);

/* A request goes to shared memory by this connection. */
void context_uses(struct aio_context *context, struct connection *c);
/* The one that all the context's requests went by; NULL: none, or several. */
struct connection *context_channel(struct aio_context *context);
/* Wakes whoever waits for events, wherever. */
void context_wake(struct aio_context *context);

/* NULL when all are outstanding or their events are not reaped yet. */
struct aio_request *request_take(struct aio_context *context);
void request_give_back(struct aio_request *request);
/* Stores the event, wakes, signals, and gives the request back. */
void request_complete(struct aio_request *request, int64_t result);

/* 0, -EBADF, or -EINVAL for what is no eventfd. */
int signal_kind(int fd);
/* The signal of an eventfd, for one request more; or -errno. */
int signal_take(struct aio_context *context, int fd, struct aio_signal **out);
void signal_drop(struct aio_context *context, struct aio_signal *signal);
void signals_close(struct aio_context *context);

/* Ordinary files. */
/* Makes it, if it is not there yet: 0 or -errno. */
int kernel_open(struct aio_context *context);
long kernel_submit(struct aio_context *context, struct aio_request *request,
		   const struct iocb *iocb);
/* Set in the shim; spindle-static's contexts stand beside a program's own. */
extern bool aio_contexts_are_the_programs;
long kernel_cancel(struct aio_context *context, uint64_t object);
void kernel_destroy(struct aio_context *context);

#endif
