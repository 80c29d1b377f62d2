/* POSIX AIO: aio_read and its relatives, one layout for both widths. */
#include "posix_aio.h"

#include <string.h>

#include "shim.h"

_Static_assert(sizeof(struct aiocb) == sizeof(struct aiocb64),
	       "one struct aiocb on 64-bit");

#define DEFINE_AIO(name, type, opcode)                                      \
	EXPORT int name(type *cb)                                           \
	{                                                                   \
		struct open_file file;                                      \
									    \
		if (!fd_find(cb->aio_fildes, &file))                        \
			return REAL(name)(cb);                              \
		return (int)answer(posix_aio_start(&file, (void *)cb,       \
						   opcode));                \
	}

#define DEFINE_AIO_FSYNC(name, type)                                        \
	EXPORT int name(int operation, type *cb)                            \
	{                                                                   \
		struct open_file file;                                      \
									    \
		if (!fd_find(cb->aio_fildes, &file))                        \
			return REAL(name)(operation, cb);                   \
		return (int)answer(posix_aio_start(&file, (void *)cb,       \
						   LIO_NOP));               \
	}

#define DEFINE_AIO_CANCEL(name, type)                                       \
	EXPORT int name(int fd, type *cb)                                   \
	{                                                                   \
		struct open_file file;                                      \
									    \
		if (!fd_find(fd, &file))                                    \
			return REAL(name)(fd, cb);                          \
		if (cb ? posix_aio_in_progress((void *)cb)                  \
		       : posix_aio_busy(fd))                                \
			return AIO_NOTCANCELED;                             \
		return AIO_ALLDONE;                                         \
	}

static bool any_ours(const struct aiocb *const list[], int count)
{
	struct open_file file;
	int i;

	for (i = 0; i < count; i++)
		if (list[i] && fd_find(list[i]->aio_fildes, &file))
			return true;
	return false;
}

#define DEFINE_AIO_SUSPEND(name, type)                                      \
	EXPORT int name(const type *const list[], int count,                \
			const struct timespec *timeout)                     \
	{                                                                   \
		const struct aiocb *const *same = (const void *)list;       \
									    \
		if (!any_ours(same, count))                                 \
			return REAL(name)(list, count, timeout);            \
		return (int)answer(posix_aio_suspend(same, count, timeout)); \
	}

#define DEFINE_LIO_LISTIO(name, type)                                       \
	EXPORT int name(int mode, type *const list[], int count,            \
			struct sigevent *event)                             \
	{                                                                   \
		if (!any_ours((const void *)list, count))                   \
			return REAL(name)(mode, list, count, event);        \
		return (int)answer(posix_aio_list(mode, (void *)list, count, \
						  event));                  \
	}

DEFINE_AIO(aio_read, struct aiocb, LIO_READ)
DEFINE_AIO(aio_read64, struct aiocb64, LIO_READ)
DEFINE_AIO(aio_write, struct aiocb, LIO_WRITE)
DEFINE_AIO(aio_write64, struct aiocb64, LIO_WRITE)
DEFINE_AIO_FSYNC(aio_fsync, struct aiocb)
DEFINE_AIO_FSYNC(aio_fsync64, struct aiocb64)
DEFINE_AIO_CANCEL(aio_cancel, struct aiocb)
DEFINE_AIO_CANCEL(aio_cancel64, struct aiocb64)
DEFINE_AIO_SUSPEND(aio_suspend, struct aiocb)
DEFINE_AIO_SUSPEND(aio_suspend64, struct aiocb64)
DEFINE_LIO_LISTIO(lio_listio, struct aiocb)
DEFINE_LIO_LISTIO(lio_listio64, struct aiocb64)
