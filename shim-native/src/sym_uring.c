/*
 * liburing's way in. A ring of the kernel's cannot reach a drive that the
 * kernel does not have, so under the shim there is none, as in a kernel built
 * without: programs then take what else they have, most often AIO. liburing
 * makes its system calls by itself, so its functions are what can be refused;
 * they answer -errno. syscall(2) is refused in sym_syscall.c.
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

EXPORT int io_uring_setup(unsigned entries, struct io_uring_params *params)
{
	if (!shim_active())
		return REAL(io_uring_setup)(entries, params);
	return -ENOSYS;
}

EXPORT int io_uring_queue_init(unsigned entries, struct io_uring *ring,
			       unsigned flags)
{
	if (!shim_active())
		return REAL(io_uring_queue_init)(entries, ring, flags);
	return -ENOSYS;
}

EXPORT int io_uring_queue_init_params(unsigned entries, struct io_uring *ring,
				      struct io_uring_params *params)
{
	if (!shim_active())
		return REAL(io_uring_queue_init_params)(entries, ring, params);
	return -ENOSYS;
}

EXPORT int io_uring_queue_init_mem(unsigned entries, struct io_uring *ring,
				   struct io_uring_params *params,
				   void *memory, size_t bytes)
{
	if (!shim_active())
		return REAL(io_uring_queue_init_mem)(entries, ring, params,
						     memory, bytes);
	return -ENOSYS;
}
