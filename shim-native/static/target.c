/*
 * The program's memory, descriptors and place in the file system, as another
 * process may reach them: process_vm_readv and writev, pidfd_getfd, /proc. All
 * are allowed to an ancestor of the same user, which we are.
 *
 * A duplicate got by pidfd_getfd is of the program's own open file description:
 * its offset and flags are the program's, so what the shim does to its own
 * descriptors it does to these (fdtab.c).
 *
 * The kernel names the calling thread; descriptors are asked for by process.
 * Which process a thread belongs to is kept, and proved before each use: the
 * process still lives (its pidfd says so) and still has the thread.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "static.h"
#include "../src/place.h"

#define KNOWN 256
#define STATUS_BYTES 4096

struct known {
	pid_t tid;
	pid_t process;
	int pidfd;
};

static pthread_mutex_t known_lock = PTHREAD_MUTEX_INITIALIZER;
static struct known known[KNOWN];

ssize_t target_read(pid_t tid, void *to, uint64_t from, size_t bytes)
{
	struct iovec local = { to, bytes };
	struct iovec remote = { (void *)(uintptr_t)from, bytes };

	return raw(SYS_process_vm_readv, tid, &local, 1, &remote, 1, 0);
}

ssize_t target_write(pid_t tid, uint64_t to, const void *from, size_t bytes)
{
	struct iovec local = { (void *)from, bytes };
	struct iovec remote = { (void *)(uintptr_t)to, bytes };

	return raw(SYS_process_vm_writev, tid, &local, 1, &remote, 1, 0);
}

int target_fetch(pid_t tid, void *to, uint64_t from, size_t bytes)
{
	return target_read(tid, to, from, bytes) == (ssize_t)bytes ? 0 : -EFAULT;
}

int target_store(pid_t tid, uint64_t to, const void *from, size_t bytes)
{
	return target_write(tid, to, from, bytes) == (ssize_t)bytes ? 0
								    : -EFAULT;
}

/* Page by page, since the next one may not be there. */
int target_string(pid_t tid, char *to, uint64_t from, size_t room)
{
	size_t have = 0;

	while (have < room) {
		size_t want = 4096 - ((from + have) & 4095);
		ssize_t got;
		char *end;

		if (want > room - have)
			want = room - have;
		got = target_read(tid, to + have, from + have, want);
		if (got <= 0)
			return -EFAULT;
		end = memchr(to + have, '\0', (size_t)got);
		if (end)
			return (int)(end - to);
		have += (size_t)got;
	}
	return -ENAMETOOLONG;
}

static long read_small(const char *path, char *text, size_t room)
{
	int fd = raw_open(path, O_RDONLY | O_CLOEXEC);
	long got;

	if (fd < 0)
		return fd;
	got = raw(SYS_read, fd, text, room - 1);
	raw_close(fd);
	text[got > 0 ? got : 0] = '\0';
	return got;
}

/* The number behind "name:" in the status text of /proc; base 10 or 16. */
static uint64_t status_number(const char *text, const char *name, int base)
{
	const char *at = strstr(text, name);

	return at ? strtoull(at + strlen(name), NULL, base) : 0;
}

static long read_status(pid_t tid, char *text)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/status", tid);
	return read_small(path, text, STATUS_BYTES);
}

/* Under the lock. */
static bool still_holds(const struct known *k)
{
	char path[64];

	if (raw(SYS_pidfd_send_signal, k->pidfd, 0, NULL, 0) < 0)
		return false;
	snprintf(path, sizeof(path), "/proc/%d/task/%d", k->process, k->tid);
	return raw(SYS_faccessat, AT_FDCWD, path, F_OK) == 0;
}

static int learn(struct known *k, pid_t tid)
{
	char text[STATUS_BYTES];
	pid_t process;
	int fd;

	if (read_status(tid, text) <= 0)
		return -ESRCH;
	process = (pid_t)status_number(text, "\nTgid:", 10);
	fd = (int)raw(SYS_pidfd_open, process, 0);
	if (fd < 0)
		return fd;
	if (k->tid)
		raw_close(k->pidfd);
	*k = (struct known){ tid, process, fd };
	return 0;
}

/* Holds the lock when it returns 0. */
static int know(pid_t tid, struct known **out)
{
	struct known *k = &known[tid % KNOWN];
	int result = 0;

	pthread_mutex_lock(&known_lock);
	if (k->tid != tid || !still_holds(k))
		result = learn(k, tid);
	if (result < 0)
		pthread_mutex_unlock(&known_lock);
	*out = k;
	return result;
}

pid_t target_process(pid_t tid)
{
	struct known *k;
	int result = know(tid, &k);

	if (result < 0)
		return result;
	result = k->process;
	pthread_mutex_unlock(&known_lock);
	return result;
}

int target_descriptor(pid_t tid, int fd)
{
	struct known *k;
	int result = know(tid, &k);

	if (result < 0)
		return result;
	result = (int)raw(SYS_pidfd_getfd, k->pidfd, fd, 0);
	pthread_mutex_unlock(&known_lock);
	return result;
}

static bool read_link_of(pid_t tid, int fd, char *link)
{
	char path[64];
	long length;

	if (fd < 0)
		return false;
	snprintf(path, sizeof(path), "/proc/%d/fd/%d", tid, fd);
	length = raw(SYS_readlinkat, AT_FDCWD, path, link, PATH_MAX - 1);
	if (length <= 0)
		return false;
	link[length] = '\0';
	return true;
}

bool target_link_begins(pid_t tid, int fd, const char *with)
{
	char link[PATH_MAX];

	return read_link_of(tid, fd, link) &&
	       strncmp(link, with, strlen(with)) == 0;
}

/* The link tells in one system call what is no device, as most are not. */
int target_device(pid_t tid, int fd, struct open_file *file)
{
	char link[PATH_MAX];
	int copy;

	if (!read_link_of(tid, fd, link) || !device_by_descriptor_link(link))
		return -EBADF;
	copy = target_descriptor(tid, fd);
	if (copy < 0)
		return -EBADF;
	fd_adopt(copy);
	if (fd_find(copy, file))
		return 0;
	raw_close(copy);
	return -EBADF;
}

void target_release(const struct open_file *file)
{
	fd_forget(file->fd);
	raw_close(file->fd);
}

bool target_has_signal(pid_t tid, const uint64_t *mask)
{
	char text[STATUS_BYTES];
	uint64_t pending, blocked;

	if (read_status(tid, text) <= 0)
		return true;
	pending = status_number(text, "\nSigPnd:", 16) |
		  status_number(text, "\nShdPnd:", 16);
	blocked = (mask ? *mask : status_number(text, "\nSigBlk:", 16)) |
		  status_number(text, "\nSigIgn:", 16);
	return (pending & ~blocked) != 0;
}

/* A path that speaks of "self" means the program, not us. */
static bool as_of_target(pid_t tid, const char *path, char *out, size_t room)
{
	static const struct {
		const char *from, *to;
	} names[] = {
		{ "/proc/self/", "" },	   { "/proc/thread-self/", "" },
		{ "/dev/fd/", "fd/" },	   { "/dev/stdin", "fd/0" },
		{ "/dev/stdout", "fd/1" }, { "/dev/stderr", "fd/2" },
	};
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		size_t length = strlen(names[i].from);

		if (strncmp(path, names[i].from, length) == 0)
			return (size_t)snprintf(out, room, "/proc/%d/%s%s", tid,
						names[i].to, path + length) <
			       room;
	}
	return (size_t)snprintf(out, room, "%s", path) < room;
}

/* Where a relative path starts, in front of it. */
static bool make_absolute(pid_t tid, int dirfd, const char *path, char *out,
			  size_t room)
{
	char link[64];
	long length;

	if (*path == '/')
		return as_of_target(tid, path, out, room);
	if (dirfd == AT_FDCWD)
		snprintf(link, sizeof(link), "/proc/%d/cwd", tid);
	else
		snprintf(link, sizeof(link), "/proc/%d/fd/%d", tid, dirfd);
	length = raw(SYS_readlinkat, AT_FDCWD, link, out, room);
	if (length <= 0 || out[0] != '/' ||
	    (size_t)length + strlen(path) + 2 > room)
		return false;
	out[length] = '/';
	strcpy(out + length + 1, path);
	return true;
}

bool target_path(pid_t tid, int dirfd, uint64_t path, char *out)
{
	char given[PATH_MAX];

	return target_string(tid, given, path, sizeof(given)) > 0 &&
	       make_absolute(tid, dirfd, given, out, 2 * PATH_MAX);
}

struct device *target_place(pid_t tid, int dirfd, uint64_t path, bool follow)
{
	char full[2 * PATH_MAX];

	return target_path(tid, dirfd, path, full)
		       ? place_before(AT_FDCWD, full, follow)
		       : NULL;
}
