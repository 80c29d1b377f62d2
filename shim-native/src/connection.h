/*
 * The NBD connection of one device in one process. See connection.c.
 */
#ifndef SPINDLE_CONNECTION_H
#define SPINDLE_CONNECTION_H

#include <pthread.h>

#include "nbd_wire.h"
#include "shim.h"

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
/* Waits for what is in flight: what exit does. */
void connection_drain(struct connection *c);

bool connection_socket_intact(const struct connection *c);

/* slots.c: all free again; under the device's lock. */
int slots_prepare(struct connection *c);
/* Takes a slot and fills the header; waits while all slots are taken. */
int slot_take(struct connection *c, struct io *io, uint16_t command, size_t at,
	      uint32_t length, struct nbd_request *header);
/* The slot a reply is for, now the receiver's; NULL when there is none. */
struct slot *slot_begin_reply(struct connection *c, uint64_t cookie);
void slot_finish(struct connection *c, struct slot *slot, int error);
/* Finishes all the receiver is not busy with, with -EIO. */
void slots_fail(struct connection *c);

/* receiver.c: starts the thread unless it runs; under c->lock. */
int receiver_start(struct connection *c);

/* Makes the socket and speaks the handshake. Returns the fd or -errno. */
int handshake(const struct device *d, uint64_t *size, uint16_t *flags);

#endif
