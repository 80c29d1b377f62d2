/*
 * What the test programs share. Each takes a PATH and exits 0 pass, 1 fail, 77
 * skip; each runs on a real file without the shim and on a device with it.
 * Whether PATH is a block device decides the few answers that differ.
 */
#ifndef SPINDLE_TEST_H
#define SPINDLE_TEST_H

#include <errno.h>
#include <fcntl.h>
#include <linux/aio_abi.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define PASS 0
#define FAIL 1
#define SKIP 77
#define KIB 1024
#define MIB (1024 * KIB)
/* The tests stay inside this much of PATH. */
#define TEST_BYTES (16 * MIB)

static int failures;

/* want is what must come, got what did; a failed call's got is -errno. */
#define EXPECT(got_expression, want_expression)                             \
	do {                                                                \
		long long got_ = (long long)(got_expression);               \
		long long want_ = (long long)(want_expression);             \
		if (got_ != want_) {                                        \
			fprintf(stderr, "%s:%d: %s: got %lld, want %lld\n", \
				__FILE__, __LINE__, #got_expression, got_,  \
				want_);                                     \
			failures++;                                         \
		}                                                           \
	} while (0)

#define EXPECT_TRUE(condition) EXPECT(!!(condition), 1)

/* The value, or -errno. */
#define ERR(call)                                       \
	__extension__({                                 \
		long long r_ = (long long)(call);       \
		r_ == -1 ? -errno : r_;                 \
	})

static inline long setup(unsigned nr, aio_context_t *id)
{
	return ERR(syscall(SYS_io_setup, nr, id));
}

static inline long destroy(aio_context_t id)
{
	return ERR(syscall(SYS_io_destroy, id));
}

static inline long submit(aio_context_t id, long nr, struct iocb **iocbs)
{
	return ERR(syscall(SYS_io_submit, id, nr, iocbs));
}

static inline long getevents(aio_context_t id, long min, long nr,
			     struct io_event *events, struct timespec *timeout)
{
	return ERR(syscall(SYS_io_getevents, id, min, nr, events, timeout));
}

static inline struct iocb make(int fd, int opcode, void *buffer,
			       uint64_t bytes, int64_t offset)
{
	return (struct iocb){
		.aio_fildes = (uint32_t)fd,
		.aio_lio_opcode = (uint16_t)opcode,
		.aio_buf = (uintptr_t)buffer,
		.aio_nbytes = bytes,
		.aio_offset = offset,
	};
}

/* Submits one iocb and waits: the submit's error, or the event's result. */
static inline long long run_iocb(aio_context_t id, struct iocb iocb)
{
	struct iocb *list[1] = { &iocb };
	struct io_event event;
	long result = submit(id, 1, list);

	if (result != 1)
		return result;
	result = getevents(id, 1, 1, &event, NULL);
	if (result != 1)
		return result;
	EXPECT(event.obj, (uintptr_t)&iocb);
	EXPECT(event.data, iocb.aio_data);
	EXPECT(event.res2, 0);
	return event.res;
}

static inline long long run_io(aio_context_t id, int fd, int opcode,
			       void *buffer, uint64_t bytes, int64_t offset)
{
	return run_iocb(id, make(fd, opcode, buffer, bytes, offset));
}

static inline void *pages(size_t bytes)
{
	void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED) {
		perror("mmap");
		exit(FAIL);
	}
	return p;
}

static inline const char *path_argument(int argc, char **argv)
{
	if (argc < 2) {
		fprintf(stderr, "usage: %s PATH\n", argv[0]);
		exit(2);
	}
	return argv[1];
}

static inline bool is_block(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISBLK(st.st_mode);
}

static inline int open_direct(const char *path, int mode)
{
	int fd = open(path, mode | O_DIRECT);

	if (fd < 0) {
		fprintf(stderr, "open %s: %s\n", path, strerror(errno));
		exit(errno == EINVAL ? SKIP : FAIL);
	}
	return fd;
}

static inline int64_t now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000LL + t.tv_nsec / 1000000;
}

static inline void skip(const char *why)
{
	printf("skipped: %s\n", why);
	exit(SKIP);
}

static inline int verdict(void)
{
	return failures ? FAIL : PASS;
}

#endif
