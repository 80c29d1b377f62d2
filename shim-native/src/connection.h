/*
 * The NBD connection of one device in one process. See connection.c.
 */
#ifndef SPINDLE_CONNECTION_H
#define SPINDLE_CONNECTION_H

#include <pthread.h>

#include "nbd_wire.h"
#include "shim.h"

struct channel;
struct device;
struct io;

/* Requests on the wire at once. Past it a submitter waits for a reply. */
#define SLOTS_MAX 16384
/* The longest piece that carries data, whatever max_sectors_kb says. */
#define PIECE_BYTES_MAX (4u << 20)
/* The longest TRIM or WRITE_ZEROES. */
#define RANGE_BYTES_MAX (1u << 30)

enum connection_state { CONNECTION_CLOSED, CONNECTION_OPEN, CONNECTION_DEAD };

struct slot {
	struct io *io;
	size_t at;		/* where in the io's bytes this piece starts */
	uint32_t length;
	uint32_t generation;	/* high half of the cookie */
	uint32_t next;		/* in the free list */
	uint32_t page;		/* of the arena */
	uint16_t command;
	bool receiving;		/* the receiver is filling it: it completes it */
};

struct connection {
	_Atomic int state;
	_Atomic pid_t pid;
	struct device *device;
	int fd;
	ino_t inode;		/* of the socket: proof that fd is still it */
	uint16_t flags;		/* NBD_FLAG_* of the export */
	pthread_mutex_t lock;	/* slots, receiver_running, epoch */
	struct slot *slots;
	uint32_t first_free;
	uint32_t epoch;		/* counts connections, so old plugs are stale */
	bool receiver_running;
	_Atomic uint32_t in_flight;
	_Atomic uint32_t replies;	/* futex: moves with every reply */
	_Atomic uint32_t reply_waiters;
	pthread_mutex_t send_lock;	/* the socket's sending side, and stage */
	char *stage;
	struct channel *channel;	/* shared memory; NULL: NBD */
	struct channel *channel_memory;	/* what the above points at */
};

/* Headers collected by one submitter, sent together: the plug of 2.6. */
#define PLUG_HEADERS 64

struct plug {
	struct connection *connection;
	uint32_t epoch;
	unsigned headers;
	struct nbd_request header[PLUG_HEADERS];
};

void connection_reset(struct connection *c);
/* Under the device's lock. again: a dead connection may be made anew. */
int connection_open(struct connection *c, struct device *d, bool again);
bool connection_usable(struct connection *c);
/* In a forked child: the socket is the parent's. */
void connection_abandon(struct connection *c);
/* Breaks the connection; everything outstanding completes with -EIO. */
void connection_fail(struct connection *c, const char *why);

/* Puts a piece without data into the plug; 0 or -errno with nothing sent. */
int connection_send(struct connection *c, struct plug *plug, struct io *io,
		    uint16_t command, size_t at, uint32_t length);
/* Copies the data out of the program first, then sends; may be -EFAULT. */
int connection_send_write(struct connection *c, struct io *io, size_t at,
			  uint32_t length);
void plug_flush(struct plug *plug);
/* Makes it c's, with room for one more; what it held for another is sent. */
void plug_for(struct plug *plug, struct connection *c);
/* Waits for what is in flight: what exit does. */
void connection_drain(struct connection *c);

bool connection_socket_intact(const struct connection *c);

/* slots.c: all free again; under the device's lock. */
int slots_prepare(struct connection *c);
/* Takes a slot, with pages of the arena where it needs any; waits for them. */
int slot_take(struct connection *c, struct io *io, uint16_t command, size_t at,
	      uint32_t length, struct slot **slot);
uint64_t slot_cookie(const struct connection *c, const struct slot *slot);
/* Gives it back unused; false when the connection's end has finished it. */
bool slot_cancel(struct connection *c, struct slot *slot, const struct io *io);
/* The slot a reply is for, now the receiver's; NULL when there is none. */
struct slot *slot_begin_reply(struct connection *c, uint64_t cookie);
struct slot *slot_begin(struct connection *c, uint32_t index);
void slot_finish(struct connection *c, struct slot *slot, int error);
/* Finishes all the receiver is not busy with, with -EIO. */
void slots_fail(struct connection *c);

/* receiver.c: starts the thread unless it runs; under c->lock. */
int receiver_start(struct connection *c);
int thread_start(struct connection *c, void *(*run)(void *), size_t stack_bytes);
/* Of the errors a daemon answers, those a block device passes on to its user. */
int error_from_nbd(uint32_t error);

/* Makes the socket and speaks the handshake. Returns the fd or -errno. */
int handshake(const struct device *d, uint64_t *size, uint16_t *flags);

/* wire.c: sockets to the daemon, with a limit of time until settled. */
int wire_connect(const char *path);
int wire_take(int fd, void *to, size_t bytes);
int wire_give(int fd, const void *from, size_t bytes);
/* No limit any more, and out of the program's way; the new fd or -errno. */
int wire_settle(int fd);

#endif
