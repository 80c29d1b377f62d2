/*
 * Reads or writes a file or device by native AIO at a fixed depth for a while
 * and says how fast that was:
 *
 *   aiobench [--write] [--depth N] [--bytes N] [--seconds S] PATH
 *
 * One thread, O_DIRECT, blocks in random order within the first 64 MiB, each
 * submitted again as soon as its event is reaped. Prints one line of JSON:
 * requests, seconds, requests a second, MB a second. Any error ends it with
 * status 1.
 */
#include <fcntl.h>
#include <getopt.h>
#include <linux/aio_abi.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define SPAN_BYTES (64ll << 20)
#define DEPTH_MAX 1024

struct job {
	const char *path;
	bool write;
	int depth;
	long bytes;
	double seconds;
};

static double now_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec + now.tv_nsec / 1e9;
}

static void fail(const char *what)
{
	perror(what);
	exit(1);
}

static uint64_t next_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

static void start(aio_context_t id, struct iocb *iocb, uint64_t *state,
		  const struct job *job)
{
	struct iocb *list[1] = { iocb };

	iocb->aio_offset = (int64_t)(next_random(state) %
				     (uint64_t)(SPAN_BYTES / job->bytes)) *
			   job->bytes;
	if (syscall(SYS_io_submit, id, 1, list) != 1)
		fail("io_submit");
}

static void run(const struct job *job)
{
	static struct iocb iocbs[DEPTH_MAX];
	static struct io_event events[DEPTH_MAX];
	uint64_t state = 88172645463325252ull;
	aio_context_t id = 0;
	double began, ended;
	long done = 0;
	int i, got, fd = open(job->path, O_RDWR | O_DIRECT);

	if (fd < 0)
		fail(job->path);
	if (syscall(SYS_io_setup, job->depth, &id) < 0)
		fail("io_setup");
	for (i = 0; i < job->depth; i++) {
		void *buffer;

		if (posix_memalign(&buffer, 4096, (size_t)job->bytes))
			fail("posix_memalign");
		memset(buffer, i, (size_t)job->bytes);
		iocbs[i].aio_fildes = (uint32_t)fd;
		iocbs[i].aio_lio_opcode = job->write ? IOCB_CMD_PWRITE
						     : IOCB_CMD_PREAD;
		iocbs[i].aio_buf = (uintptr_t)buffer;
		iocbs[i].aio_nbytes = (uint64_t)job->bytes;
	}
	began = now_s();
	for (i = 0; i < job->depth; i++)
		start(id, &iocbs[i], &state, job);
	do {
		got = (int)syscall(SYS_io_getevents, id, 1, job->depth, events,
				   NULL);
		if (got < 0)
			fail("io_getevents");
		ended = now_s();
		for (i = 0; i < got; i++) {
			if (events[i].res != job->bytes) {
				fprintf(stderr, "%s: a request ended with %lld\n",
					job->path, (long long)events[i].res);
				exit(1);
			}
			start(id, (struct iocb *)(uintptr_t)events[i].obj, &state,
			      job);
		}
		done += got;
	} while (ended - began < job->seconds);
	printf("{\"requests\": %ld, \"seconds\": %.3f, \"per_second\": %.0f, \"mb_per_second\": %.1f}\n",
	       done, ended - began, done / (ended - began),
	       done * (double)job->bytes / (ended - began) / 1e6);
}

int main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "write", no_argument, NULL, 'w' },
		{ "depth", required_argument, NULL, 'd' },
		{ "bytes", required_argument, NULL, 'b' },
		{ "seconds", required_argument, NULL, 's' },
		{ NULL, 0, NULL, 0 },
	};
	struct job job = { .depth = 1, .bytes = 4096, .seconds = 3 };
	int option;

	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (option == 'w')
			job.write = true;
		else if (option == 'd')
			job.depth = atoi(optarg);
		else if (option == 'b')
			job.bytes = atol(optarg);
		else if (option == 's')
			job.seconds = atof(optarg);
		else
			return 2;
	}
	if (optind + 1 != argc || job.depth < 1 || job.depth > DEPTH_MAX ||
	    job.bytes < 512 || job.bytes > SPAN_BYTES || job.bytes % 512) {
		fprintf(stderr, "usage: aiobench [--write] [--depth 1..%d] [--bytes N] [--seconds S] PATH\n",
			DEPTH_MAX);
		return 2;
	}
	job.path = argv[optind];
	run(&job);
	return 0;
}
