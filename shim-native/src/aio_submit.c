/*
 * io_submit. The iocbs are fetched in runs, one copy for the pointers and one
 * for what they point at, and taken one after the other; the first that fails
 * ends the call, and its error shows only when none went before it. The checks
 * stand in the kernel's order, since that decides which of two errors a
 * program sees.
 *
 * What is wrong with a request as such (its descriptor, its opcode) fails the
 * submit. What the device finds wrong (alignment, a bad buffer, the end of the
 * drive) comes in the event. Without O_DIRECT the I/O is done before io_submit
 * returns, as through the page cache.
 */
#include <poll.h>
#include <string.h>

#include "native_aio.h"
#include "usercopy.h"

#define FETCH_RUN 32
#define IOPRIO_CLASS_SHIFT 13
#define IOPRIO_LEVEL_MASK ((1u << IOPRIO_CLASS_SHIFT) - 1)
#define IOPRIO_CLASSES 4
/* What a file without a poll method always answers. */
#define ALWAYS_READY (POLLIN | POLLOUT | POLLRDNORM | POLLWRNORM)

static struct aio_request *request_of(struct io *io)
{
	return (struct aio_request *)((char *)io -
				      offsetof(struct aio_request, io));
}

static void io_finished(struct io *io)
{
	struct aio_request *request = request_of(io);
	int error = atomic_load(&io->error);

	request_complete(request, error ? error : request->length);
}

static int check_ioprio(const struct iocb *iocb)
{
	unsigned prio = (uint16_t)iocb->aio_reqprio;
	unsigned class = prio >> IOPRIO_CLASS_SHIFT;

	if (!(iocb->aio_flags & IOCB_FLAG_IOPRIO))
		return 0;
	if (class >= IOPRIO_CLASSES)
		return -EINVAL;
	return class == 0 && (prio & IOPRIO_LEVEL_MASK) ? -EINVAL : 0;
}

static int import_buffers(struct aio_request *request, const struct iocb *iocb,
			  bool vectored)
{
	void *base = (void *)(uintptr_t)iocb->aio_buf;

	if (vectored)
		return vector_import(&request->vector, base,
				     (long)iocb->aio_nbytes);
	vector_single(&request->vector, base, iocb->aio_nbytes);
	return 0;
}

static void run_transfer(struct aio_request *request,
			 const struct open_file *file,
			 enum direction direction, const struct iocb *iocb,
			 struct plug *plug, uint16_t nbd_flags, bool nowait)
{
	bool direct = fd_is_direct(file);
	const struct connection *c = &file->device->connection;

	if (device_connected(file->device) < 0) {
		request_complete(request, -EIO);
		return;
	}
	if (!direct || (nbd_flags && !(c->flags & NBD_FLAG_SEND_FUA))) {
		plug_flush(plug);
		request_complete(request,
				 transfer_run(file, direction, &request->vector,
					      iocb->aio_offset,
					      iocb->aio_rw_flags));
		return;
	}
	request->length = transfer_admit(file, direction, direct,
					 &request->vector, iocb->aio_offset);
	if (request->length <= 0) {
		request_complete(request, request->length);
		return;
	}
	transfer_io(&request->io, file, direction, &request->vector,
		    iocb->aio_offset, (uint64_t)request->length, nbd_flags);
	request->io.nowait = nowait;
	request->io.unattended = request->signal != NULL;
	request->io.finished = io_finished;
	context_uses(request->context, &file->device->connection);
	io_submit_pieces(&request->io, plug);
}

static int submit_transfer(struct aio_request *request,
			   const struct open_file *file,
			   const struct iocb *iocb, struct plug *plug)
{
	unsigned opcode = iocb->aio_lio_opcode;
	bool vectored = opcode == IOCB_CMD_PREADV || opcode == IOCB_CMD_PWRITEV;
	enum direction direction = opcode == IOCB_CMD_PREAD ||
						   opcode == IOCB_CMD_PREADV
					   ? DIRECTION_READ
					   : DIRECTION_WRITE;
	uint16_t nbd_flags;
	bool nowait;
	int result = check_ioprio(iocb);

	if (result == 0)
		result = transfer_flags(file, direction, iocb->aio_rw_flags,
					&nbd_flags, &nowait);
	if (result == 0 && !access_allows(file, direction))
		result = -EBADF;
	if (result == 0)
		result = import_buffers(request, iocb, vectored);
	if (result == 0 && iocb->aio_offset < 0)
		result = -EINVAL;
	if (result == 0)
		run_transfer(request, file, direction, iocb, plug, nbd_flags,
			     nowait);
	return result;
}

static int submit_fsync(struct aio_request *request,
			const struct open_file *file, const struct iocb *iocb,
			struct plug *plug)
{
	struct io *io = &request->io;

	if (iocb->aio_buf || iocb->aio_offset || iocb->aio_nbytes ||
	    iocb->aio_rw_flags)
		return -EINVAL;
	request->length = 0;
	if (device_connected(file->device) < 0) {
		request_complete(request, -EIO);
		return 0;
	}
	if (!(file->device->connection.flags & NBD_FLAG_SEND_FLUSH)) {
		request_complete(request, 0);
		return 0;
	}
	transfer_io(io, file, DIRECTION_WRITE, &request->vector, 0, 0, 0);
	io->command = NBD_CMD_FLUSH;
	io->unattended = request->signal != NULL;
	io->finished = io_finished;
	context_uses(request->context, &file->device->connection);
	io_submit_pieces(io, plug);
	return 0;
}

static int submit_poll(struct aio_request *request, const struct iocb *iocb)
{
	unsigned ready = (unsigned)iocb->aio_buf & ALWAYS_READY;

	if ((uint16_t)iocb->aio_buf != iocb->aio_buf || iocb->aio_offset ||
	    iocb->aio_nbytes || iocb->aio_rw_flags || !ready)
		return -EINVAL;
	request_complete(request, ready);
	return 0;
}

static int submit_to_device(struct aio_request *request,
			    const struct open_file *file,
			    const struct iocb *iocb, struct plug *plug)
{
	switch (iocb->aio_lio_opcode) {
	case IOCB_CMD_PREAD:
	case IOCB_CMD_PWRITE:
	case IOCB_CMD_PREADV:
	case IOCB_CMD_PWRITEV:
		return submit_transfer(request, file, iocb, plug);
	case IOCB_CMD_FSYNC:
	case IOCB_CMD_FDSYNC:
		return submit_fsync(request, file, iocb, plug);
	case IOCB_CMD_POLL:
		return submit_poll(request, iocb);
	default:
		return -EINVAL;
	}
}

static int submit_one(struct aio_context *context, struct iocb *user,
		      const struct iocb *iocb, struct plug *plug)
{
	const uint32_t key = 0;
	struct aio_request *request;
	struct open_file file;
	bool ours;
	int result = 0;

	if (iocb->aio_reserved2 || (int64_t)iocb->aio_nbytes < 0)
		return -EINVAL;
	request = request_take(context);
	if (!request)
		return -EAGAIN;
	request->data = iocb->aio_data;
	request->object = (uintptr_t)user;
	ours = fd_find((int)iocb->aio_fildes, &file);
	if (!ours)
		result = raw_fcntl((int)iocb->aio_fildes, F_GETFD, 0);
	if (result >= 0 && (iocb->aio_flags & IOCB_FLAG_RESFD))
		result = signal_take(context, (int)iocb->aio_resfd,
				     &request->signal);
	if (result >= 0)
		result = copy_to_user(&user->aio_key, &key, sizeof(key));
	if (result >= 0 && ours)
		result = submit_to_device(request, &file, iocb, plug);
	else if (result >= 0)
		result = (int)kernel_submit(context, request, iocb);
	if (result < 0)
		request_give_back(request);
	return result;
}

/* Fetches up to FETCH_RUN iocbs; fewer when one of them is not there. */
static long fetch(struct iocb **from, long nr, struct iocb **pointers,
		  struct iocb *iocbs)
{
	struct iovec pieces[FETCH_RUN] = {
		{ from, (size_t)(nr < FETCH_RUN ? nr : FETCH_RUN) *
				sizeof(*from) },
	};
	long i, count = (long)(gather_from_user(pointers, pieces, 1) /
			       sizeof(*from));

	for (i = 0; i < count; i++)
		pieces[i] = (struct iovec){ pointers[i], sizeof(*iocbs) };
	return (long)(gather_from_user(iocbs, pieces, (size_t)count) /
		      sizeof(*iocbs));
}

static long submit_all(struct aio_context *context, long nr,
		       struct iocb **user)
{
	struct plug plug = { .connection = NULL };
	struct iocb *pointers[FETCH_RUN];
	struct iocb iocbs[FETCH_RUN];
	long done = 0;
	int error = 0;

	while (done < nr && !error) {
		long i, count = fetch(user + done, nr - done, pointers, iocbs);

		if (count == 0)
			error = -EFAULT;
		for (i = 0; i < count && !error; i++) {
			error = submit_one(context, pointers[i], &iocbs[i],
					   &plug);
			error = error < 0 ? error : 0;
			done += !error;
		}
	}
	plug_flush(&plug);
	return done ? done : error;
}

long shim_io_submit(aio_context_t id, long nr, struct iocb **iocbs)
{
	int64_t since = report_call_now();
	struct aio_context *context;
	long result;

	if (nr < 0)
		return -EINVAL;
	context = context_get(id);
	if (!context)
		return -EINVAL;
	if (nr > context->ring_slots)
		nr = context->ring_slots;
	result = submit_all(context, nr, iocbs);
	context_put(context);
	report_call(CALL_SUBMIT, since, result);
	return result;
}

long shim_io_cancel(aio_context_t id, struct iocb *iocb, struct io_event *unused)
{
	struct aio_context *context;
	struct iocb copy;
	long result;

	(void)unused;
	if (copy_from_user(&copy, iocb, sizeof(copy)) < 0)
		return -EFAULT;
	if (copy.aio_key != 0)
		return -EINVAL;
	context = context_get(id);
	if (!context)
		return -EINVAL;
	result = kernel_cancel(context, (uintptr_t)iocb);
	context_put(context);
	return result;
}
