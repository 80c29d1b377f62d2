/*
 * POSIX AIO on devices. See posix_aio.c.
 */
#ifndef SPINDLE_POSIX_AIO_H
#define SPINDLE_POSIX_AIO_H

#include <aio.h>

#include "fdtab.h"

/* Requests in progress in one process; more are refused with EAGAIN. */
#define POSIX_AIO_MAX 1024

/* opcode: LIO_READ, LIO_WRITE, or LIO_NOP for a flush. */
int posix_aio_start(const struct open_file *file, struct aiocb *cb, int opcode);
bool posix_aio_in_progress(const struct aiocb *cb);
/* Whether any in progress is on this descriptor. */
bool posix_aio_busy(int fd);
int posix_aio_suspend(const struct aiocb *const list[], int count,
		      const struct timespec *timeout);
int posix_aio_list(int mode, struct aiocb *const list[], int count,
		   struct sigevent *event);
void posix_aio_forget_after_fork(void);

#endif
