/*
 * stdin, stdout and stderr, where their number is a device: "sort < /dev/hda",
 * "echo x > /dev/hda" in a shell; and where it is an attribute of /sys. stdio
 * reads and writes by libc's own internal calls, so there the variable points
 * at a stream of ours (sym_stdio.c) instead of libc's, which it has back as
 * soon as the number is something else. Nothing is flushed at a change: what
 * lies in either buffer goes out when the program flushes it, or at exit, to
 * where the number then points, as it always does.
 *
 * A vfork child changes its descriptors, but these variables are its parent's.
 */
#include "standard.h"

#include "fdtab.h"

#define STREAMS 3

static FILE *libcs[STREAMS], *ours[STREAMS];

static FILE **variable_of(int fd)
{
	return fd == 0 ? &stdin : fd == 1 ? &stdout : &stderr;
}

/* Made once for each number and kept: it reads and writes whatever that is. */
static FILE *make(int fd)
{
	FILE *stream = stream_on(fd, fd == 0 ? "r" : "w");

	if (stream && fd == 2)
		setvbuf(stream, NULL, _IONBF, 0);
	return stream;
}

void standard_stream_moved(int fd)
{
	FILE **variable = variable_of(fd);
	struct open_file file;

	if (!shim_active() || !fdtab_is_ours())
		return;
	if (!fd_find(fd, &file) && !fd_is_attribute(fd)) {
		if (ours[fd] && *variable == ours[fd])
			*variable = libcs[fd];
		return;
	}
	if (stream_descriptor(*variable) == fd)
		return;
	/* The program may have closed the last one. */
	if (!ours[fd] || stream_descriptor(ours[fd]) != fd)
		ours[fd] = make(fd);
	if (!ours[fd])
		return;
	libcs[fd] = *variable;
	*variable = ours[fd];
}

void standard_streams_start(void)
{
	int fd;

	for (fd = 0; fd < STREAMS; fd++)
		standard_stream_moved(fd);
}
