/*
 * One socket to the daemon, many requests on it, replies in any order.
 *
 * Each request on the wire has a slot (slots.c).
 *
 * Sending is done by the submitting threads under send_lock. The data of a
 * write is first copied out of the program into stage, where it can be refused
 * with EFAULT before a single byte of the request is on the wire; the stream
 * is therefore never left in the middle of a request. Receiving is one thread's
 * (receiver.c), started with the first request.
 *
 * The socket lives in the program's own descriptor table, and programs close
 * what they do not know. The usual ways are answered EBADF (fdtab.c); for the
 * rest the socket's inode is checked before each use, and when the number has
 * become something else the connection is dead: EIO, and nothing sent astray.
 *
 *     CLOSED --open--> OPEN --any fault--> DEAD --open(2) again--> OPEN
 *
 * DEAD completes everything outstanding with -EIO at once. Only a new open(2)
 * of the device tries the daemon again. A forked child starts at CLOSED.
 */
#include "channel.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>

#include "device.h"
#include "fdtab.h"
#include "io.h"
#include "process.h"
#include "usercopy.h"

#define STAGE_BYTES (sizeof(struct nbd_request) + PIECE_BYTES_MAX)

void connection_reset(struct connection *c)
{
	pthread_mutex_init(&c->lock, NULL);
	pthread_mutex_init(&c->send_lock, NULL);
	c->fd = -1;
	c->channel = NULL;
	c->receiver_running = false;
	atomic_store(&c->in_flight, 0);
	atomic_store(&c->state, CONNECTION_CLOSED);
}

void connection_abandon(struct connection *c)
{
	if (c->fd >= 0 && connection_socket_intact(c))
		fd_close_private(c->fd);
	connection_reset(c);
}

bool connection_socket_intact(const struct connection *c)
{
	struct stat st;

	return raw_fstat(c->fd, &st) == 0 && S_ISSOCK(st.st_mode) &&
	       st.st_ino == c->inode;
}

bool connection_usable(struct connection *c)
{
	return atomic_load(&c->state) == CONNECTION_OPEN &&
	       atomic_load(&c->pid) == process_id();
}

static int prepare_memory(struct connection *c)
{
	if (!c->stage && !c->channel)
		c->stage = raw_map(STAGE_BYTES);
	return c->stage || c->channel ? slots_prepare(c) : -ENOMEM;
}

static bool may_open(struct connection *c, bool again)
{
	bool may;

	if (atomic_load(&c->state) != CONNECTION_DEAD)
		return true;
	if (!again)
		return false;
	pthread_mutex_lock(&c->lock);
	may = !c->receiver_running;
	pthread_mutex_unlock(&c->lock);
	return may && atomic_load(&c->in_flight) == 0;
}

static int reach_nbd(struct connection *c, struct device *d)
{
	uint64_t size;
	int fd = handshake(d, &size, &c->flags);

	if (fd < 0) {
		say("%s: no NBD export \"%s\" at %s: %s", d->path, d->name,
		    d->socket, strerror(-fd));
		return -ENODEV;
	}
	if (size < queue_capacity_bytes(atomic_load(&d->queue)))
		say("%s: the export has %llu bytes, the queue file says %llu",
		    d->path, (unsigned long long)size,
		    (unsigned long long)queue_capacity_bytes(
			    atomic_load(&d->queue)));
	return fd;
}

/* By shared memory where the daemon offers it, else by NBD; the fd or -errno. */
static int reach(struct connection *c, struct device *d)
{
	int fd = -1;

	if (c->channel)
		channel_detach(c->channel);
	c->channel = NULL;
	if (d->shm_socket[0])
		fd = channel_attach(c, d);
	return fd < 0 ? reach_nbd(c, d) : fd;
}

int connection_open(struct connection *c, struct device *d, bool again)
{
	struct stat st;
	int fd, result;

	if (connection_usable(c))
		return 0;
	if (atomic_load(&c->state) != CONNECTION_CLOSED &&
	    atomic_load(&c->pid) != process_id())
		connection_abandon(c);
	if (!may_open(c, again))
		return -EIO;
	if (c->fd >= 0 && connection_socket_intact(c))
		fd_close_private(c->fd);
	c->fd = -1;
	fd = reach(c, d);
	if (fd < 0)
		return fd;
	result = prepare_memory(c);
	if (result < 0) {
		fd_close_private(fd);
		return result;
	}
	raw_fstat(fd, &st);
	pthread_mutex_lock(&c->send_lock);
	pthread_mutex_lock(&c->lock);
	c->device = d;
	c->fd = fd;
	c->inode = st.st_ino;
	c->epoch++;
	atomic_store(&c->pid, process_id());
	atomic_store(&c->state, CONNECTION_OPEN);
	pthread_mutex_unlock(&c->lock);
	pthread_mutex_unlock(&c->send_lock);
	say_debug("connected to %s for %s: descriptor %d",
		  c->channel ? d->shm_socket : d->socket, d->path, fd);
	return 0;
}

void connection_fail(struct connection *c, const char *why)
{
	int open = CONNECTION_OPEN;

	if (!atomic_compare_exchange_strong(&c->state, &open, CONNECTION_DEAD))
		return;
	say("%s: connection lost (%s); its I/O fails with EIO",
	    c->device->path, why);
	if (connection_socket_intact(c))
		raw(SYS_shutdown, c->fd, SHUT_RDWR);
	slots_fail(c);
	if (c->channel)
		channel_kick(c->channel);
}

/* Under send_lock. */
static void send_all(struct connection *c, const void *from, size_t bytes)
{
	if (atomic_load(&c->state) != CONNECTION_OPEN)
		return;
	if (!connection_socket_intact(c)) {
		connection_fail(c, "the program closed its socket");
		return;
	}
	while (bytes > 0) {
		long sent = raw(SYS_sendto, c->fd, from, bytes, MSG_NOSIGNAL,
				NULL, 0);

		if (sent == -EINTR)
			continue;
		if (sent < 0) {
			connection_fail(c, strerror((int)-sent));
			return;
		}
		from = (const char *)from + sent;
		bytes -= (size_t)sent;
	}
}

void plug_flush(struct plug *plug)
{
	struct connection *c = plug->connection;

	if (!c || plug->headers == 0)
		return;
	if (c->channel) {
		plug->headers = 0;
		channel_ring(c);
		return;
	}
	pthread_mutex_lock(&c->send_lock);
	if (c->epoch == plug->epoch)
		send_all(c, plug->header,
			 plug->headers * sizeof(plug->header[0]));
	pthread_mutex_unlock(&c->send_lock);
	plug->headers = 0;
}

void plug_for(struct plug *plug, struct connection *c)
{
	uint32_t epoch = c->epoch;

	if (plug->connection != c || plug->epoch != epoch ||
	    plug->headers == PLUG_HEADERS) {
		plug_flush(plug);
		plug->connection = c;
		plug->epoch = epoch;
	}
}

static struct nbd_request header_of(const struct connection *c,
				    const struct slot *slot, const struct io *io)
{
	return (struct nbd_request){
		.magic = htobe32(NBD_REQUEST_MAGIC),
		.flags = htobe16(io->flags),
		.type = htobe16(slot->command),
		.cookie = htobe64(slot_cookie(c, slot)),
		.offset = htobe64(io->offset + slot->at),
		.length = htobe32(slot->length),
	};
}

int connection_send(struct connection *c, struct plug *plug, struct io *io,
		    uint16_t command, size_t at, uint32_t length)
{
	struct slot *slot;
	int result;

	plug_for(plug, c);
	result = slot_take(c, io, command, at, length, &slot);
	if (result == 0)
		plug->header[plug->headers++] = header_of(c, slot, io);
	return result;
}

int connection_send_write(struct connection *c, struct io *io, size_t at,
			  uint32_t length)
{
	struct nbd_request header;
	struct slot *slot;
	int result;

	pthread_mutex_lock(&c->send_lock);
	result = copy_from_vector(c->stage + sizeof(header), io->vector,
				  io->segments, at, length);
	if (result == 0)
		result = slot_take(c, io, NBD_CMD_WRITE, at, length, &slot);
	if (result == 0) {
		header = header_of(c, slot, io);
		memcpy(c->stage, &header, sizeof(header));
		send_all(c, c->stage, sizeof(header) + length);
	}
	pthread_mutex_unlock(&c->send_lock);
	return result;
}

