/*
 * IOCB_FLAG_RESFD. The kernel holds the eventfd itself from io_submit on, so
 * the program may close its number at once; we hold a duplicate. Making one
 * for each iocb costs three system calls, so duplicates are kept, and kcmp(2)
 * tells whether the program's number is a file we already hold. Where kcmp is
 * refused nothing is kept.
 */
#include <linux/kcmp.h>
#include <stdio.h>
#include <string.h>

#include "native_aio.h"
#include "fdtab.h"

static _Atomic bool kcmp_refused;

int signal_kind(int fd)
{
	static const char kind[] = "anon_inode:[eventfd]";
	char path[64], link[sizeof(kind)];
	long length;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	length = raw(SYS_readlinkat, AT_FDCWD, path, link, sizeof(link));
	if (length < 0)
		return -EBADF;
	return length == sizeof(kind) - 1 && memcmp(link, kind, length) == 0
		       ? 0
		       : -EINVAL;
}

static bool same_file(int a, int b)
{
	pid_t self = raw_getpid();
	long result;

	if (atomic_load(&kcmp_refused))
		return false;
	result = raw(SYS_kcmp, self, self, KCMP_FILE, a, b);
	if (result == -ENOSYS || result == -EPERM)
		atomic_store(&kcmp_refused, true);
	return result == 0;
}

static int signal_find(struct aio_context *context, int fd,
		       struct aio_signal **out)
{
	struct aio_signal *unused = NULL;
	int i, result;

	for (i = 0; i < SIGNALS_MAX; i++) {
		struct aio_signal *s = &context->signals[i];

		if (s->fd >= 0 && same_file(fd, s->fd)) {
			*out = s;
			return 0;
		}
		if (s->users == 0 && (!unused || s->fd < 0))
			unused = s;
	}
	if (!unused)
		return -EAGAIN;
	result = signal_kind(fd);
	if (result < 0)
		return result;
	fd_close_private(unused->fd);
	unused->fd = -1;
	fd = raw_fcntl(fd, F_DUPFD_CLOEXEC, 0);
	if (fd >= 0)
		fd = fd_keep_private(fd);
	if (fd < 0)
		return fd;
	unused->fd = fd;
	*out = unused;
	return 0;
}

int signal_take(struct aio_context *context, int fd, struct aio_signal **out)
{
	int result = raw_fcntl(fd, F_GETFD, 0);

	if (result < 0)
		return result;
	pthread_mutex_lock(&context->completion_lock);
	result = signal_find(context, fd, out);
	if (result == 0)
		(*out)->users++;
	pthread_mutex_unlock(&context->completion_lock);
	return result;
}

void signal_drop(struct aio_context *context, struct aio_signal *signal)
{
	pthread_mutex_lock(&context->completion_lock);
	if (--signal->users == 0 && atomic_load(&kcmp_refused)) {
		fd_close_private(signal->fd);
		signal->fd = -1;
	}
	pthread_mutex_unlock(&context->completion_lock);
}

void signals_close(struct aio_context *context)
{
	int i;

	for (i = 0; i < SIGNALS_MAX; i++)
		fd_close_private(context->signals[i].fd);
}
