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
#include "partitions.h"
#include "place.h"
#include "standard.h"
#include "sysfs.h"

/* More streams on devices than this at one time: EMFILE. */
#define STREAMS_MAX 64

struct stream {
	FILE *_Atomic file;
	_Atomic bool taken;
	int fd;
};

static struct stream streams[STREAMS_MAX];

static ssize_t stream_read(void *cookie, char *buffer, size_t length)
{
	const struct stream *stream = cookie;

	return read(stream->fd, buffer, length);
}

static ssize_t stream_write(void *cookie, const char *buffer, size_t length)
{
	const struct stream *stream = cookie;
	ssize_t wrote = write(stream->fd, buffer, length);

	return wrote < 0 ? 0 : wrote;
}

static int stream_seek(void *cookie, off64_t *offset, int whence)
{
	const struct stream *stream = cookie;
	off64_t at = lseek64(stream->fd, *offset, whence);

	if (at < 0)
		return -1;
	*offset = at;
	return 0;
}

static int stream_close(void *cookie)
{
	struct stream *stream = cookie;
	int fd = stream->fd;

	atomic_store(&stream->file, NULL);
	atomic_store(&stream->taken, false);
	return close(fd);
}

static int flags_of_mode(const char *mode)
{
	int flags = *mode == 'r' ? O_RDONLY : O_WRONLY;

	if (strchr(mode, '+'))
		flags = O_RDWR;
	return strchr(mode, 'e') ? flags | O_CLOEXEC : flags;
}

FILE *stream_on(int fd, const char *mode)
{
	const cookie_io_functions_t functions = {
		stream_read, stream_write, stream_seek, stream_close
	};
	int i;

	for (i = 0; i < STREAMS_MAX; i++) {
		struct stream *stream = &streams[i];

		if (atomic_exchange(&stream->taken, true))
			continue;
		stream->fd = fd;
		atomic_store(&stream->file,
			     fopencookie(stream, mode, functions));
		if (!atomic_load(&stream->file))
			atomic_store(&stream->taken, false);
		return atomic_load(&stream->file);
	}
	errno = EMFILE;
	return NULL;
}

/* What a path that is given to fopen leads to; neither: not ours. */
struct target {
	struct device *device;
	bool in_tree, partitions;
	char place[PLACE_MAX];
};

static bool find_target(const char *path, struct target *target)
{
	bool readable;

	target->device = place_before_looked(AT_FDCWD, path, true, &readable);
	target->in_tree = !target->device && readable && sysfs_could_be(path) &&
			  sysfs_find(AT_FDCWD, path, target->place);
	target->partitions = readable && is_partitions(path);
	return target->device || target->in_tree || target->partitions;
}

static int open_target(const struct target *target, int flags, bool creates)
{
	if (target->partitions)
		return flags & O_ACCMODE ? -EACCES : partitions_open(flags);
	if (target->in_tree)
		return sysfs_open(target->place,
				  creates ? flags | O_CREAT : flags);
	return fd_open_device(target->device, flags);
}

static FILE *open_stream(const struct target *target, const char *mode)
{
	int fd = (int)answer(open_target(target, flags_of_mode(mode),
					 *mode != 'r'));
	FILE *stream;

	if (fd < 0)
		return NULL;
	stream = fdopen(fd, mode);
	if (!stream)
		close(fd);
	return stream;
}

/* The standard streams are variables: those can be made to point elsewhere. */
static FILE *reopen_stream(const struct target *target, const char *mode,
			   FILE *old)
{
	FILE **variable = old == stdin	  ? &stdin
			  : old == stdout ? &stdout
			  : old == stderr ? &stderr
					  : NULL;
	FILE *stream = open_stream(target, mode);

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
		struct target target;                                      \
									   \
		return find_target(path, &target)                          \
			       ? open_stream(&target, mode)                \
			       : REAL(name)(path, mode);                   \
	}

#define DEFINE_FREOPEN(name)                                               \
	EXPORT FILE *name(const char *path, const char *mode, FILE *old)   \
	{                                                                  \
		struct target target;                                      \
									   \
		return find_target(path, &target)                          \
			       ? reopen_stream(&target, mode, old)         \
			       : REAL(name)(path, mode, old);              \
	}

DEFINE_FOPEN(fopen)
DEFINE_FOPEN(fopen64)
DEFINE_FREOPEN(freopen)
DEFINE_FREOPEN(freopen64)

EXPORT FILE *fdopen(int fd, const char *mode)
{
	struct open_file file;

	if (!fd_find(fd, &file) && !fd_is_attribute(fd))
		return REAL(fdopen)(fd, mode);
	return stream_on(fd, mode);
}

/* A cookie stream has no descriptor of its own to show; ours has. */
int stream_descriptor(const FILE *file)
{
	int i;

	for (i = 0; i < STREAMS_MAX; i++)
		if (atomic_load(&streams[i].file) == file)
			return streams[i].fd;
	return -1;
}

#define DEFINE_FILENO(name)                                   \
	EXPORT int name(FILE *file)                           \
	{                                                     \
		int fd = stream_descriptor(file);                 \
							      \
		return fd >= 0 ? fd : REAL(name)(file);       \
	}

DEFINE_FILENO(fileno)
DEFINE_FILENO(fileno_unlocked)
