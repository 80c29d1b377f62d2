/*
 * liburing's way in. A ring of the kernel's cannot reach a drive that the
 * kernel does not have, so under the shim there is none, as in a kernel built
 * without: programs then take what else they have, most often AIO. liburing
 * makes its system calls by itself, so its functions are what can be refused;
 * they answer -errno, and set errno as well, where some programs look for it.
 * syscall(2) is refused in sym_syscall.c.
 *
 * With SPINDLE_SHIM_IO_URING=allow rings are the kernel's. On ordinary files they
 * work; on a device the placeholder has the kernel say EBADF to reads and EPERM to
 * writes.
 */
#include "shim.h"

struct io_uring;
struct io_uring_params;

int io_uring_setup(unsigned entries, struct io_uring_params *params);
int io_uring_queue_init(unsigned entries, struct io_uring *ring,
			unsigned flags);
int io_uring_queue_init_params(unsigned entries, struct io_uring *ring,
			       struct io_uring_params *params);
int io_uring_queue_init_mem(unsigned entries, struct io_uring *ring,
			    struct io_uring_params *params, void *memory,
			    size_t bytes);

static int refused(void)
{
	answer(-ENOSYS);
	return -ENOSYS;
}

EXPORT int io_uring_setup(unsigned entries, struct io_uring_params *params)
{
	return rings_are_refused() ? refused()
				   : REAL(io_uring_setup)(entries, params);
}

EXPORT int io_uring_queue_init(unsigned entries, struct io_uring *ring,
			       unsigned flags)
{
	return rings_are_refused()
		       ? refused()
		       : REAL(io_uring_queue_init)(entries, ring, flags);
}

EXPORT int io_uring_queue_init_params(unsigned entries, struct io_uring *ring,
				      struct io_uring_params *params)
{
	return rings_are_refused() ? refused()
				   : REAL(io_uring_queue_init_params)(
					     entries, ring, params);
}

EXPORT int io_uring_queue_init_mem(unsigned entries, struct io_uring *ring,
				   struct io_uring_params *params,
				   void *memory, size_t bytes)
{
	return rings_are_refused() ? refused()
				   : REAL(io_uring_queue_init_mem)(
					     entries, ring, params, memory,
					     bytes);
}
