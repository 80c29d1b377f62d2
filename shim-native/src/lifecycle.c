/*
 * Birth, fork and death of the process.
 *
 * fork keeps one thread. Whatever the others held, the child starts from
 * scratch: locks are made anew, connections are forgotten (it makes its own
 * when it needs one), contexts are gone. Its devices' descriptors stay good.
 *
 * The kernel waits at exit for the AIO in flight; so do we, in a destructor
 * and in _exit (and for exec in sym_exec.c). Writes are on the socket before io_submit returns, and the
 * daemon carries out what a process has sent, however it ends.
 */
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "native_aio.h"
#include "device.h"
#include "fdtab.h"
#include "posix_aio.h"
#include "standard.h"

static void in_forked_child(void)
{
	fdtab_forget_after_fork();
	devices_forget_after_fork();
	transfers_forget_after_fork();
	aio_forget_after_fork();
	posix_aio_forget_after_fork();
}

void devices_drain(void)
{
	unsigned i;

	for (i = 0; i < device_count(); i++)
		connection_drain(&device_at(i)->connection);
}

__attribute__((constructor)) static void shim_start(void)
{
	if (!shim_active())
		return;
	aio_contexts_are_the_programs = true;
	pthread_atfork(NULL, NULL, in_forked_child);
	standard_streams_start();
}

__attribute__((destructor)) static void shim_end(void)
{
	if (shim_active())
		devices_drain();
}

EXPORT void _exit(int status)
{
	if (shim_active())
		devices_drain();
	for (;;)
		raw(SYS_exit_group, status);
}

EXPORT void _Exit(int status) __attribute__((alias("_exit"), noreturn));
