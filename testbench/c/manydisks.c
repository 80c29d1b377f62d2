/*
 * manydisks: the test of September 2002.
 *
 * Mingming Cao read and wrote forty raw disks, 4000 requests of 256 KiB each,
 * synchronously with a process for each disk, and asynchronously from one
 * process with one context, 1 or 4 iocbs in flight on each disk, refilled as
 * they end.
 *
 *   manydisks --mode sync           /dev/d0 /dev/d1 ...   a process for each
 *   manydisks --mode aio --depth 4  /dev/d0 /dev/d1 ...   one process for all
 *
 * --write writes, where reading is the default. With --check what is written
 * says where it lies and is read back and compared when the time has been
 * taken; what is read is compared, after --fill wrote it. Time is taken from when
 * all disks are open: 4000 requests hide what that costs, a hundred do not.
 */
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <sys/wait.h>

#include "bench.h"

#define DISKS_MAX 256
#define DEPTH_MAX 64

struct job {
	char **paths;
	int disks;
	bool async;
	bool write;
	bool fill;
	bool check;
	bool json;
	int depth;
	int64_t size;
	int64_t requests;
};

struct disk {
	const char *path;
	int fd;
	int64_t next;		/* number of its next request */
};

static const char usage_text[] =
	"usage: manydisks [options] FILE...\n"
	"  -m, --mode sync|aio  a process for each file, or one with AIO (default aio)\n"
	"  -d, --depth N        iocbs in flight on each file, 1 to 64 (default 1)\n"
	"  -s, --size SIZE      bytes of a request, with k or m (default 256k)\n"
	"  -n, --requests N     of each file (default 4000)\n"
	"  -w, --write          write, where reading is the default\n"
	"  -F, --fill           write all first, so that reads can be checked\n"
	"  -c, --check          compare the data\n"
	"      --json           the report as one JSON object\n";

static void parse(struct job *job, int argc, char **argv)
{
	static const struct option longs[] = {
		{ "mode", required_argument, NULL, 'm' },
		{ "depth", required_argument, NULL, 'd' },
		{ "size", required_argument, NULL, 's' },
		{ "requests", required_argument, NULL, 'n' },
		{ "write", no_argument, NULL, 'w' },
		{ "fill", no_argument, NULL, 'F' },
		{ "check", no_argument, NULL, 'c' },
		{ "json", no_argument, NULL, 'j' },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 },
	};
	int c;

	while ((c = getopt_long(argc, argv, "m:d:s:n:wFch", longs, NULL)) != -1) {
		if (c == 'm' && strcmp(optarg, "sync") == 0)
			job->async = false;
		else if (c == 'm' && strcmp(optarg, "aio") == 0)
			job->async = true;
		else if (c == 'd')
			job->depth = (int)bench_number("depth", optarg,
						       DEPTH_MAX);
		else if (c == 's')
			job->size = bench_number("size", optarg, 1 << 30);
		else if (c == 'n')
			job->requests = bench_number("requests", optarg,
						     1 << 24);
		else if (c == 'w')
			job->write = true;
		else if (c == 'F')
			job->fill = true;
		else if (c == 'c')
			job->check = true;
		else if (c == 'j')
			job->json = true;
		else
			bench_usage(usage_text, c == 'h');
	}
	job->paths = argv + optind;
	job->disks = argc - optind;
	if (job->disks < 1 || job->disks > DISKS_MAX || job->size % BENCH_BLOCK)
		bench_usage(usage_text, false);
}

static void open_disk(const struct job *job, struct disk *disk, int number)
{
	disk->path = job->paths[number];
	disk->fd = open(disk->path,
			(job->write ? O_RDWR : O_RDONLY) | O_DIRECT);
	if (disk->fd < 0)
		bench_fail(disk->path, errno);
}

static void ended(const struct job *job, const struct disk *disk,
		  const char *buffer, int64_t offset, int64_t got)
{
	bench_full(disk->path, job->write ? "write" : "read", offset, got,
		   job->size);
	if (!job->write && job->check)
		bench_compare(disk->path, buffer, job->size, offset);
}

/* Says that its disk is open, and waits until all are. */
static void await_start(int ready, int go)
{
	char none = 0;

	if (write(ready, &none, 1) != 1 || read(go, &none, 1) != 0)
		bench_fail("start", EPIPE);
}

/* The whole work of the process of one disk. */
static void run_one(const struct job *job, int number, int ready, int go)
{
	char *buffer = bench_buffer((size_t)job->size);
	struct disk disk = { 0 };

	open_disk(job, &disk, number);
	await_start(ready, go);
	for (; disk.next < job->requests; disk.next++) {
		int64_t offset = disk.next * job->size;
		ssize_t got;

		if (job->write && job->check)
			bench_pattern(disk.path, buffer, job->size, offset);
		got = job->write ? pwrite(disk.fd, buffer, (size_t)job->size,
					  offset)
				 : pread(disk.fd, buffer, (size_t)job->size,
					 offset);
		ended(job, &disk, buffer, offset, bench_result(got));
	}
}

/* Time is taken from when all disks are open. */
static void run_sync(const struct job *job, struct bench_times *start)
{
	int i, status, bad = 0, ready[2], go[2];
	char none;

	if (pipe(ready) < 0 || pipe(go) < 0)
		bench_fail("pipe", errno);
	for (i = 0; i < job->disks; i++) {
		pid_t pid = fork();

		if (pid < 0)
			bench_fail("fork", errno);
		if (pid == 0) {
			close(ready[0]);
			close(go[1]);
			run_one(job, i, ready[1], go[0]);
			exit(0);
		}
	}
	/* Ends early where a child did: then nobody can write. */
	close(ready[1]);
	for (i = 0; i < job->disks && read(ready[0], &none, 1) == 1; i++)
		;
	bench_times(start);
	close(go[1]);
	close(go[0]);
	close(ready[0]);
	for (i = 0; i < job->disks; i++)
		if (wait(&status) < 0 || status != 0)
			bad = 1;
	if (bad)
		exit(1);
}

static void submit(const struct job *job, aio_context_t context,
		   struct iocb *iocb, struct disk *disk)
{
	iocb->aio_offset = disk->next * job->size;
	if (job->write && job->check)
		bench_pattern(disk->path, (void *)(uintptr_t)iocb->aio_buf,
			      job->size, iocb->aio_offset);
	disk->next++;
	if (syscall(SYS_io_submit, context, 1L, &iocb) != 1)
		bench_fail("io_submit", errno);
}

static long start_all(const struct job *job, aio_context_t context,
		      struct disk *disks, struct iocb *iocbs)
{
	long i, started = 0;

	for (i = 0; i < (long)job->disks * job->depth; i++) {
		struct disk *disk = &disks[i % job->disks];

		if (disk->next == job->requests)
			continue;
		iocbs[i] = (struct iocb){
			.aio_fildes = (uint32_t)disk->fd,
			.aio_lio_opcode = job->write ? IOCB_CMD_PWRITE
						     : IOCB_CMD_PREAD,
			.aio_buf = (uintptr_t)bench_buffer((size_t)job->size),
			.aio_nbytes = (uint64_t)job->size,
			.aio_data = (uintptr_t)disk,
		};
		submit(job, context, &iocbs[i], disk);
		started++;
	}
	return started;
}

static void run_async(const struct job *job, struct bench_times *start)
{
	static struct io_event events[DISKS_MAX];
	static struct iocb iocbs[DISKS_MAX * DEPTH_MAX];
	static struct disk disks[DISKS_MAX];
	aio_context_t context = 0;
	long i, got, in_flight;

	for (i = 0; i < job->disks; i++)
		open_disk(job, &disks[i], (int)i);
	if (syscall(SYS_io_setup, (long)job->disks * job->depth, &context) < 0)
		bench_fail("io_setup", errno);
	bench_times(start);
	in_flight = start_all(job, context, disks, iocbs);
	while (in_flight > 0) {
		got = syscall(SYS_io_getevents, context, 1L, (long)DISKS_MAX,
			      events, NULL);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			bench_fail("io_getevents", errno);
		for (i = 0; i < got; i++) {
			struct iocb *iocb = (void *)(uintptr_t)events[i].obj;
			struct disk *disk = (void *)(uintptr_t)events[i].data;

			in_flight--;
			ended(job, disk, (void *)(uintptr_t)iocb->aio_buf,
			      iocb->aio_offset, events[i].res);
			if (disk->next < job->requests) {
				submit(job, context, iocb, disk);
				in_flight++;
			}
		}
	}
}

/* What the time was not taken of: is all of it there? */
static void verify(const struct job *job)
{
	struct job again = *job;
	struct bench_times unused;

	again.write = false;
	run_sync(&again, &unused);
}

int main(int argc, char **argv)
{
	struct job job = { .async = true, .depth = 1, .size = 256 << 10,
			   .requests = 4000 };
	struct bench_times start, end;
	int i;

	parse(&job, argc, argv);
	for (i = 0; job.fill && i < job.disks; i++)
		bench_fill(job.paths[i], job.requests * job.size);
	if (job.async)
		run_async(&job, &start);
	else
		run_sync(&job, &start);
	bench_times(&end);
	if (job.write && job.check)
		verify(&job);
	bench_report(job.json, job.async ? "aio" : "sync",
		     job.async ? job.depth : 1,
		     job.disks * job.requests * job.size,
		     job.disks * job.requests, &start, &end);
	return 0;
}
