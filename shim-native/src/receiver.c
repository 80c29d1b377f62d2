/*
 * The receiving side: a thread per connection that takes replies and puts the
 * data of reads straight into the program's buffers. recvmsg reports a buffer
 * that is not there as EFAULT and leaves the stream where it was, so the rest
 * of that reply is drained elsewhere and only that request fails.
 */
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>

#include "device.h"
#include "io.h"
#include "usercopy.h"

#define RECEIVE_PIECES 64
#define DRAIN_BYTES 16384
#define RECEIVER_STACK_BYTES (256 * 1024)

int error_from_nbd(uint32_t error)
{
	switch (error) {
	case 0:
		return 0;
	case EPERM:
	case ENOSPC:
	case EOPNOTSUPP:
		return -(int)error;
	default:
		return -EIO;
	}
}

static int receive_exactly(struct connection *c, void *to, size_t bytes)
{
	while (bytes > 0) {
		long got;

		if (!connection_socket_intact(c))
			return -EBADF;
		got = raw(SYS_recvfrom, c->fd, to, bytes, MSG_WAITALL, NULL,
			  NULL);
		if (got == -EINTR)
			continue;
		if (got <= 0)
			return got < 0 ? (int)got : -ECONNRESET;
		to = (char *)to + got;
		bytes -= (size_t)got;
	}
	return 0;
}

static int drain(struct connection *c, size_t bytes)
{
	char scratch[DRAIN_BYTES];
	int result = 0;

	while (bytes > 0 && result == 0) {
		size_t part = bytes < sizeof(scratch) ? bytes : sizeof(scratch);

		result = receive_exactly(c, scratch, part);
		bytes -= part;
	}
	return result;
}

/* 0; a stream error < 0; or in *error the fault of this one request. */
static int receive_data(struct connection *c, const struct slot *slot,
			int *error)
{
	const struct io *io = slot->io;
	size_t done = 0;

	while (done < slot->length) {
		struct iovec cut[RECEIVE_PIECES];
		struct msghdr message = { .msg_iov = cut };
		long got;

		message.msg_iovlen = vector_cut(io->vector, io->segments,
						slot->at + done,
						slot->length - done, cut,
						RECEIVE_PIECES);
		if (!connection_socket_intact(c))
			return -EBADF;
		got = raw(SYS_recvmsg, c->fd, &message, MSG_WAITALL);
		if (got == -EINTR)
			continue;
		if (got == -EFAULT) {
			*error = -EFAULT;
			return drain(c, slot->length - done);
		}
		if (got <= 0)
			return got < 0 ? (int)got : -ECONNRESET;
		done += (size_t)got;
	}
	return 0;
}

static int receive_reply(struct connection *c)
{
	struct nbd_reply reply;
	struct slot *slot;
	int error, result = receive_exactly(c, &reply, sizeof(reply));

	if (result < 0)
		return result;
	if (be32toh(reply.magic) != NBD_SIMPLE_REPLY_MAGIC)
		return -EPROTO;
	slot = slot_begin_reply(c, be64toh(reply.cookie));
	if (!slot)
		return -EPROTO;
	error = error_from_nbd(be32toh(reply.error));
	if (!error && slot->command == NBD_CMD_READ)
		result = receive_data(c, slot, &error);
	slot_finish(c, slot, result < 0 ? -EIO : error);
	return result;
}

static void receiver_run(struct connection *c)
{
	int result = 0;

	raw(SYS_prctl, PR_SET_NAME, "spindle-recv");
	while (result == 0)
		result = receive_reply(c);
	connection_fail(c, result == -ECONNRESET ? "the daemon closed it"
						 : strerror(-result));
}

static void *receiver_thread(void *argument)
{
	struct connection *c = argument;

	receiver_run(c);
	pthread_mutex_lock(&c->lock);
	c->receiver_running = false;
	pthread_mutex_unlock(&c->lock);
	return NULL;
}

/* The thread takes no signal: they are the program's. */
int thread_start(struct connection *c, void *(*run)(void *), size_t stack_bytes)
{
	pthread_attr_t attributes;
	sigset_t all, before;
	pthread_t thread;
	int result;

	if (c->receiver_running)
		return 0;
	pthread_attr_init(&attributes);
	pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
	pthread_attr_setstacksize(&attributes, stack_bytes);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	result = pthread_create(&thread, &attributes, run, c);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	pthread_attr_destroy(&attributes);
	if (result)
		return -result;
	c->receiver_running = true;
	return 0;
}

int receiver_start(struct connection *c)
{
	return thread_start(c, receiver_thread, RECEIVER_STACK_BYTES);
}
