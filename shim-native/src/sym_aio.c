/*
 * libaio's symbols, at the versions libaio gives them. They answer -errno and
 * leave errno alone. In an inert shim the kernel serves them.
 */
#include "native_aio.h"

int io_setup(int nr, aio_context_t *id);
int io_destroy(aio_context_t id);
int io_submit(aio_context_t id, long nr, struct iocb **iocbs);
int io_cancel(aio_context_t id, struct iocb *iocb, struct io_event *event);
int spindle_getevents_0_1(aio_context_t id, long nr, struct io_event *events,
			  const struct timespec *timeout);
int spindle_getevents_0_4(aio_context_t id, long min_nr, long nr,
			  struct io_event *events, struct timespec *timeout);
int io_pgetevents(aio_context_t id, long min_nr, long nr,
		  struct io_event *events, struct timespec *timeout,
		  sigset_t *mask);

EXPORT int io_setup(int nr, aio_context_t *id)
{
	if (!shim_active())
		return (int)raw(SYS_io_setup, nr, id);
	return (int)shim_io_setup((unsigned)nr, id);
}

EXPORT int io_destroy(aio_context_t id)
{
	if (!shim_active())
		return (int)raw(SYS_io_destroy, id);
	return (int)shim_io_destroy(id);
}

EXPORT int io_submit(aio_context_t id, long nr, struct iocb **iocbs)
{
	if (!shim_active())
		return (int)raw(SYS_io_submit, id, nr, iocbs);
	return (int)shim_io_submit(id, nr, iocbs);
}

EXPORT int io_cancel(aio_context_t id, struct iocb *iocb,
		     struct io_event *event)
{
	if (!shim_active())
		return (int)raw(SYS_io_cancel, id, iocb, event);
	return (int)shim_io_cancel(id, iocb, event);
}

EXPORT int spindle_getevents_0_4(aio_context_t id, long min_nr, long nr,
				 struct io_event *events,
				 struct timespec *timeout)
{
	if (!shim_active())
		return (int)raw(SYS_io_getevents, id, min_nr, nr, events,
				timeout);
	return (int)shim_io_getevents(id, min_nr, nr, events, timeout);
}

/* Before 0.4 there was no min_nr: one event was waited for at most. */
EXPORT int spindle_getevents_0_1(aio_context_t id, long nr,
				 struct io_event *events,
				 const struct timespec *timeout)
{
	long min_nr = nr > 0 ? 1 : 0;

	if (!shim_active())
		return (int)raw(SYS_io_getevents, id, min_nr, nr, events,
				timeout);
	return (int)shim_io_getevents(id, min_nr, nr, events, timeout);
}

EXPORT int io_pgetevents(aio_context_t id, long min_nr, long nr,
			 struct io_event *events, struct timespec *timeout,
			 sigset_t *mask)
{
	struct {
		const sigset_t *mask;
		size_t size;
	} given = { mask, sizeof(uint64_t) };

	if (!shim_active())
		return (int)raw(SYS_io_pgetevents, id, min_nr, nr, events,
				timeout, &given);
	return (int)shim_io_pgetevents(id, min_nr, nr, events, timeout, &given);
}

__asm__(".symver spindle_getevents_0_1, io_getevents@LIBAIO_0.1");
__asm__(".symver spindle_getevents_0_4, io_getevents@@LIBAIO_0.4");
