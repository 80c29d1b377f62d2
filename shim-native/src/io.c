/*
 * A struct io is what a bio was in 2.6 to its submitter: it is cut by
 * max_sectors_kb, each piece waits for a credit in the thread that submits it,
 * and it is finished when its last piece is. Headers gather in the submitter's
 * plug and go out together: when the plug is full, before the submitter
 * sleeps, and at the end. pending starts at one, held by the submitter, so an
 * io cannot finish while pieces are still being added.
 *
 * Any piece's error is the error of the whole, as for a block device's bios.
 */
#include "channel.h"
#include "io.h"

#include <linux/futex.h>

static uint32_t piece_limit(const struct io *io)
{
	const struct queue_file *queue = atomic_load(&io->device->queue);
	uint32_t block = queue_block_bytes(queue);
	uint64_t limit;

	if (io->command != NBD_CMD_READ && io->command != NBD_CMD_WRITE)
		return RANGE_BYTES_MAX;
	limit = (uint64_t)queue_max_sectors_kb(queue) * 1024 / block * block;
	if (limit == 0)
		return block;
	return limit < PIECE_BYTES_MAX ? (uint32_t)limit : PIECE_BYTES_MAX;
}

void io_piece_done(struct io *io, int error)
{
	int none = 0;

	if (error)
		atomic_compare_exchange_strong(&io->error, &none, error);
	if (atomic_fetch_sub(&io->pending, 1) != 1)
		return;
	report_end(io, atomic_load(&io->error));
	if (io->expected)
		helper_signal_done(io->device->connection.channel_memory);
	io->finished(io);
}

static int take_credit(struct io *io, struct plug *plug)
{
	struct device *d = io->device;
	const struct queue_file *queue = atomic_load(&d->queue);
	int64_t since;
	int result = 0;

	if (d->connection.channel ? shared_pool_try_get(d, io->direction)
				  : pool_try_get(&d->pool, queue, io->direction))
		return 0;
	if (io->nowait)
		return -EAGAIN;
	plug_flush(plug);
	since = report_now();
	if (d->connection.channel)
		result = shared_pool_get(d, io->direction);
	else
		pool_get(&d->pool, queue, io->direction);
	report_slept(io, since);
	return result;
}

/* Nothing fails after the credit is taken: it is the daemon that gives it back. */
static int share_piece(struct io *io, struct plug *plug, size_t at,
		       uint32_t length)
{
	struct connection *c = &io->device->connection;
	struct slot *slot;
	int result;

	plug_for(plug, c);
	atomic_fetch_add(&io->pending, 1);
	result = channel_prepare(c, io, io->command, at, length, &slot);
	if (result == 0) {
		result = take_credit(io, plug);
		if (result < 0 && !slot_cancel(c, slot, io))
			return 0;
	}
	if (result < 0) {
		atomic_fetch_sub(&io->pending, 1);
		return result;
	}
	channel_publish(c, io, slot);
	plug->headers++;
	return 0;
}

static int send_piece(struct io *io, struct plug *plug, size_t at,
		      uint32_t length)
{
	struct connection *c = &io->device->connection;
	int result;

	if (c->channel)
		return share_piece(io, plug, at, length);
	result = take_credit(io, plug);
	if (result < 0)
		return result;
	atomic_fetch_add(&io->pending, 1);
	if (io->command == NBD_CMD_WRITE) {
		plug_flush(plug);
		result = connection_send_write(c, io, at, length);
	} else {
		result = connection_send(c, plug, io, io->command, at, length);
	}
	if (result < 0) {
		atomic_fetch_sub(&io->pending, 1);
		pool_put(&io->device->pool, atomic_load(&io->device->queue),
			 io->direction);
	}
	return result;
}

void io_submit_pieces(struct io *io, struct plug *plug)
{
	int error = device_connected(io->device);
	uint64_t at = 0;
	uint32_t pieces = 0;

	atomic_store(&io->pending, 1);
	atomic_store(&io->error, 0);
	report_begin(io);
	io->expected = io->unattended && io->device->connection.channel;
	if (io->expected)
		helper_expect_signal(io->device->connection.channel);
	do {
		uint32_t limit = error ? 0 : piece_limit(io);
		uint64_t left = io->length - at;
		uint32_t length = left < limit ? (uint32_t)left : limit;

		if (!error)
			error = send_piece(io, plug, at, length);
		pieces += !error;
		at += length;
	} while (!error && at < io->length);
	report_cut(io, pieces);
	io_piece_done(io, error);
}

struct run {
	struct io io;
	_Atomic uint32_t done;
};

/*
 * The runner may return as soon as done is set, taking its stack with it. The
 * wake-up that follows is then of an address nobody waits on: harmless.
 */
static void wake_runner(struct io *io)
{
	struct run *run = (struct run *)io;

	atomic_store_explicit(&run->done, 1, memory_order_release);
	raw(SYS_futex, &run->done, FUTEX_WAKE_PRIVATE, 1);
}

static void await_run(struct connection *c, _Atomic uint32_t *done)
{
	if (!c->channel)
		raw(SYS_futex, done, FUTEX_WAIT_PRIVATE, 0, NULL);
	else if (!channel_reap(c))
		channel_wait(c, done, 0, NULL);
}

int io_run(const struct io *io)
{
	struct plug plug = { .connection = NULL };
	struct run run = { .io = *io };

	run.io.finished = wake_runner;
	run.io.awaited = true;
	io_submit_pieces(&run.io, &plug);
	plug_flush(&plug);
	while (!atomic_load_explicit(&run.done, memory_order_acquire))
		await_run(&io->device->connection, &run.done);
	return atomic_load(&run.io.error);
}
