/*
 * Streams. stdio reads by libc's own internal calls, which no preload reaches,
 * so a stream on a device is made of cookie functions that come back to us.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "device.h"
#include "fdtab.h"

static ssize_t stream_read(void *cookie, char *buffer, size_t length)
{
	return read((int)(intptr_t)cookie, buffer, length);
}

static ssize_t stream_write(void *cookie, const char *buffer, size_t length)
{
	ssize_t wrote = write((int)(intptr_t)cookie, buffer, length);

	return wrote < 0 ? 0 : wrote;
}

static int stream_seek(void *cookie, off64_t *offset, int whence)
{
	off64_t at = lseek64((int)(intptr_t)cookie, *offset, whence);

	if (at < 0)
		return -1;
	*offset = at;
	return 0;
}

static int stream_close(void *cookie)
{
	return close((int)(intptr_t)cookie);
}

static int flags_of_mode(const char *mode)
{
	int flags = *mode == 'r' ? O_RDONLY : O_WRONLY;

	if (strchr(mode, '+'))
		flags = O_RDWR;
	return strchr(mode, 'e') ? flags | O_CLOEXEC : flags;
}

static FILE *stream_on(int fd, const char *mode)
{
	const cookie_io_functions_t functions = {
		stream_read, stream_write, stream_seek, stream_close
	};

	return fopencookie((void *)(intptr_t)fd, mode, functions);
}

static FILE *open_stream(struct device *d, const char *mode)
{
	int fd = (int)answer(fd_open_device(d, flags_of_mode(mode)));
	FILE *stream;

	if (fd < 0)
		return NULL;
	stream = stream_on(fd, mode);
	if (!stream)
		close(fd);
	return stream;
}

/* The standard streams are variables: those can be made to point elsewhere. */
static FILE *reopen_stream(struct device *d, const char *mode, FILE *old)
{
	FILE **variable = old == stdin	  ? &stdin
			  : old == stdout ? &stdout
			  : old == stderr ? &stderr
					  : NULL;
	FILE *stream = open_stream(d, mode);

	if (!stream)
		return NULL;
	fclose(old);
	if (variable)
		*variable = stream;
	return stream;
}

#define DEFINE_FOPEN(name)                                                 \
	EXPORT FILE *name(const char *path, const char *mode)              \
	{                                                                  \
		struct device *d = device_by_path(AT_FDCWD, path);         \
									   \
		return d ? open_stream(d, mode) : REAL(name)(path, mode);  \
	}

#define DEFINE_FREOPEN(name)                                               \
	EXPORT FILE *name(const char *path, const char *mode, FILE *old)   \
	{                                                                  \
		struct device *d = device_by_path(AT_FDCWD, path);         \
									   \
		return d ? reopen_stream(d, mode, old)                     \
			 : REAL(name)(path, mode, old);                    \
	}

DEFINE_FOPEN(fopen)
DEFINE_FOPEN(fopen64)
DEFINE_FREOPEN(freopen)
DEFINE_FREOPEN(freopen64)

EXPORT FILE *fdopen(int fd, const char *mode)
{
	struct open_file file;

	if (!fd_find(fd, &file))
		return REAL(fdopen)(fd, mode);
	return stream_on(fd, mode);
}
