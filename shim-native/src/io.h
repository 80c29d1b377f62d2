/*
 * One read, write or range operation on a device, cut into pieces that each
 * hold a credit of the pool. See io.c.
 */
#ifndef SPINDLE_IO_H
#define SPINDLE_IO_H

#include <sys/uio.h>

#include "connection.h"
#include "device.h"
#include "report.h"

struct io {
	struct device *device;
	enum direction direction;
	uint16_t command;	/* NBD_CMD_* */
	uint16_t flags;		/* NBD_CMD_FLAG_* */
	bool nowait;		/* -EAGAIN rather than sleep on the pool */
	bool unattended;	/* nobody waits for it in a call of ours */
	bool expected;		/* the helper knows */
	bool awaited;		/* its submitter sleeps until it has ended */
	uint64_t offset;
	uint64_t length;
	const struct iovec *vector;	/* ours; what it points at is not */
	size_t segments;
	struct report_record *report;	/* report.c; NULL: no report */
	int64_t began_ns;
	_Atomic int64_t ended_ns;
	_Atomic int pending;	/* pieces, and one while being submitted */
	_Atomic int error;	/* the first -errno */
	void (*finished)(struct io *io);
};

/* Sends every piece. finished() runs once, possibly before this returns. */
void io_submit_pieces(struct io *io, struct plug *plug);
/* Runs a copy of io and waits, through any signal. Returns 0 or -errno. */
int io_run(const struct io *io);
void io_piece_done(struct io *io, int error);

#endif
