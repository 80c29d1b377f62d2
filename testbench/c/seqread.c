/*
 * seqread: the sequential reader of July 2003.
 *
 * Daniel McNeil read 90 MiB of a raw disk, 32 KiB at a time, with dd and with
 * native AIO, one iocb in flight and 32, and compared the time and the
 * processor's share of it. His reader first polled: it asked io_getevents for
 * nothing, over and over, until its reads were done, and the processor was
 * busy throughout; with a patch it waited.
 *
 *   seqread --mode sync           read(2), as dd iflag=direct does
 *   seqread --mode aio  -d 32     iocbs in flight, resubmitted as they end; waits
 *   seqread --mode poll -d 1      the same, but asks with a time-out of nothing
 *
 * With --fill the range is first written so that each block of 512 bytes says
 * where it lies, and with --check each one read is compared with that.
 */
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>

#include "bench.h"

#define DEPTH_MAX 1024

enum mode { SYNC, AIO, POLL };

struct job {
	const char *path;
	enum mode mode;
	int depth;
	int64_t size;
	int64_t total;
	bool fill;
	bool check;
	bool json;
};

struct reader {
	const struct job *job;
	int fd;
	aio_context_t context;
	struct iocb iocbs[DEPTH_MAX];
	int64_t next;		/* offset of the next read */
	int64_t in_flight;
	long polls;
};

static const char usage_text[] =
	"usage: seqread [options] FILE\n"
	"  -m, --mode sync|aio|poll  read(2); AIO that waits; AIO that polls (default aio)\n"
	"  -d, --depth N             iocbs in flight, 1 to 1024 (default 32)\n"
	"  -s, --size SIZE           bytes of a read, with k or m (default 32k)\n"
	"  -t, --total SIZE          bytes in all, with k, m or g (default 90m)\n"
	"  -F, --fill                write the range first, so that it can be checked\n"
	"  -c, --check               compare each block with what --fill wrote\n"
	"      --json                the report as one JSON object\n";

static void parse(struct job *job, int argc, char **argv)
{
	static const struct option longs[] = {
		{ "mode", required_argument, NULL, 'm' },
		{ "depth", required_argument, NULL, 'd' },
		{ "size", required_argument, NULL, 's' },
		{ "total", required_argument, NULL, 't' },
		{ "fill", no_argument, NULL, 'F' },
		{ "check", no_argument, NULL, 'c' },
		{ "json", no_argument, NULL, 'j' },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 },
	};
	int c;

	while ((c = getopt_long(argc, argv, "m:d:s:t:Fch", longs, NULL)) != -1) {
		if (c == 'm' && strcmp(optarg, "sync") == 0)
			job->mode = SYNC;
		else if (c == 'm' && strcmp(optarg, "aio") == 0)
			job->mode = AIO;
		else if (c == 'm' && strcmp(optarg, "poll") == 0)
			job->mode = POLL;
		else if (c == 'd')
			job->depth = (int)bench_number("depth", optarg,
						       DEPTH_MAX);
		else if (c == 's')
			job->size = bench_number("size", optarg, 1 << 30);
		else if (c == 't')
			job->total = bench_number("total", optarg, 1ll << 40);
		else if (c == 'F')
			job->fill = true;
		else if (c == 'c')
			job->check = true;
		else if (c == 'j')
			job->json = true;
		else
			bench_usage(usage_text, c == 'h');
	}
	if (optind + 1 != argc || job->size % BENCH_BLOCK ||
	    job->total % job->size)
		bench_usage(usage_text, false);
	job->path = argv[optind];
}

static void done(const struct reader *r, const char *buffer, int64_t offset,
		 int64_t got)
{
	bench_full(r->job->path, "read", offset, got, r->job->size);
	if (r->job->check)
		bench_compare(r->job->path, buffer, r->job->size, offset);
}

static void run_sync(struct reader *r)
{
	char *buffer = bench_buffer((size_t)r->job->size);

	for (; r->next < r->job->total; r->next += r->job->size)
		done(r, buffer, r->next,
		     bench_result(read(r->fd, buffer,
				       (size_t)r->job->size)));
}

static void submit(struct reader *r, struct iocb *iocb)
{
	iocb->aio_offset = r->next;
	if (syscall(SYS_io_submit, r->context, 1L, &iocb) != 1)
		bench_fail("io_submit", errno);
	r->next += r->job->size;
	r->in_flight++;
}

static long reap(struct reader *r, struct io_event *events)
{
	struct timespec nothing = { 0, 0 };
	long got;

	do {
		got = syscall(SYS_io_getevents, r->context,
			      r->job->mode == POLL ? 0L : 1L,
			      (long)r->job->depth, events,
			      r->job->mode == POLL ? &nothing : NULL);
		r->polls++;
	} while (got == 0 || (got < 0 && errno == EINTR));
	if (got < 0)
		bench_fail("io_getevents", errno);
	return got;
}

static void run_aio(struct reader *r)
{
	static struct io_event events[DEPTH_MAX];
	long i, got;

	if (syscall(SYS_io_setup, (long)r->job->depth, &r->context) < 0)
		bench_fail("io_setup", errno);
	for (i = 0; i < r->job->depth && r->next < r->job->total; i++) {
		r->iocbs[i] = (struct iocb){
			.aio_fildes = (uint32_t)r->fd,
			.aio_lio_opcode = IOCB_CMD_PREAD,
			.aio_buf = (uintptr_t)bench_buffer((size_t)r->job->size),
			.aio_nbytes = (uint64_t)r->job->size,
		};
		submit(r, &r->iocbs[i]);
	}
	while (r->in_flight > 0) {
		got = reap(r, events);
		for (i = 0; i < got; i++) {
			struct iocb *iocb = (void *)(uintptr_t)events[i].obj;

			r->in_flight--;
			done(r, (void *)(uintptr_t)iocb->aio_buf,
			     iocb->aio_offset, events[i].res);
			if (r->next < r->job->total)
				submit(r, iocb);
		}
	}
}

int main(int argc, char **argv)
{
	static const char *const names[] = { "sync", "aio", "poll" };
	struct job job = { .mode = AIO, .depth = 32, .size = 32 << 10,
			   .total = 90ll << 20 };
	static struct reader r;
	struct bench_times start, end;

	parse(&job, argc, argv);
	r.job = &job;
	if (job.fill)
		bench_fill(job.path, job.total);
	r.fd = open(job.path, O_RDONLY | O_DIRECT);
	if (r.fd < 0)
		bench_fail(job.path, errno);
	bench_times(&start);
	if (job.mode == SYNC)
		run_sync(&r);
	else
		run_aio(&r);
	bench_times(&end);
	bench_report(job.json, names[job.mode], job.mode == SYNC ? 1 : job.depth,
		     job.total, job.total / job.size, &start, &end);
	return 0;
}
