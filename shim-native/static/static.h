/*
 * spindle-static: devices for programs that no preload reaches. See main.c for
 * the whole, and the file named above each part.
 */
#ifndef SPINDLE_STATIC_H
#define SPINDLE_STATIC_H

#include <linux/seccomp.h>
#include <sys/stat.h>
#include <sys/uio.h>

#include "../src/control.h"
#include "../src/device.h"
#include "../src/fdtab.h"
#include "../src/native_aio.h"
#include "../src/transfer.h"

/* What a handler answers when the kernel itself is to carry the call out. */
#define LEFT_TO_KERNEL INT64_MIN
/* The descriptor has been put into the program by the answer itself. */
#define ALREADY_ANSWERED (INT64_MIN + 1)

/* One system call of one thread, which sleeps until it is answered. */
struct call {
	int listener;
	uint64_t id;
	pid_t tid;
	int number;
	const long *a;
};

/* filter.c: installs the filter in this thread; its listener or -errno. */
int filter_install(void);

/* serve.c: takes calls and answers them, on threads of its own. */
int serve_start(int listener);
/* False once the thread that called is gone, or has been interrupted. */
bool call_is_waiting(const struct call *call);

/*
 * target.c: another process's memory, descriptors and place. Lengths and
 * results as of the system calls beneath.
 */
ssize_t target_read(pid_t tid, void *to, uint64_t from, size_t bytes);
ssize_t target_write(pid_t tid, uint64_t to, const void *from, size_t bytes);
/* All of it, or -EFAULT. */
int target_fetch(pid_t tid, void *to, uint64_t from, size_t bytes);
int target_store(pid_t tid, uint64_t to, const void *from, size_t bytes);
/* A string, ended, of less than room bytes; its length or -errno. */
int target_string(pid_t tid, char *to, uint64_t from, size_t room);
/* The process a thread belongs to, or -errno. */
pid_t target_process(pid_t tid);
/* A duplicate of its descriptor, of the same description; or -errno. */
int target_descriptor(pid_t tid, int fd);
/* The same if it is a device, and *file filled; else -EBADF. */
int target_device(pid_t tid, int fd, struct open_file *file);
void target_release(const struct open_file *file);
/* True when a signal waits that the thread would take now, or under a mask. */
bool target_has_signal(pid_t tid, const uint64_t *mask);
/* The device a path of the program's leads to, or NULL. */
/* A path made absolute, as we may name it; out has room for 2 * PATH_MAX. */
bool target_path(pid_t tid, int dirfd, uint64_t path, char *out);
bool target_link_begins(pid_t tid, int fd, const char *with);
struct device *target_place(pid_t tid, int dirfd, uint64_t path, bool follow);

/*
 * buffer.c: memory of ours in the place of the program's, as badly aligned as
 * that is, so that the device finds the same fault with it.
 */
struct buffer {
	char *memory;
	size_t bytes;
	struct iovec *local;	/* ours, segment by segment */
	struct iovec *remote;	/* the program's */
	size_t segments;
	size_t length;
	struct iovec one[2];
};

/* A single stretch, or a vector that lies in the program's memory. */
int buffer_single(struct buffer *b, uint64_t address, uint64_t length);
int buffer_vector(struct buffer *b, pid_t tid, uint64_t vector, long count);
int buffer_fill(const struct buffer *b, pid_t tid);
int buffer_empty(const struct buffer *b, pid_t tid, size_t bytes);
void buffer_free(struct buffer *b);

/* ioctls.c: one on a device. */
int64_t call_ioctl(const struct call *call, const struct open_file *file);

/* calls.c and contexts.c: one call each; the result, -errno, or as above. */
int64_t call_on_file(const struct call *call);
int64_t call_on_path(const struct call *call);
/* Puts ours into the program as the call's answer, or answers -errno. */
int64_t answer_descriptor(const struct call *call, int fd, int flags);
/* sysfs_calls.c: those of the two above that are on /sys of the devices. */
int64_t call_on_sysfs(const struct call *call);
int64_t call_on_attribute(const struct call *call);
int64_t call_on_context(const struct call *call);
/* exec and exit: they wait for what the process has in flight. */
void contexts_settle(const struct call *call);
/* Lets the contexts of processes go that are gone. */
void contexts_of_dead(void);

#endif
