/*
 * testaio: does io_submit block?
 *
 * In November 2006 Brent Baccala fired off 100 asynchronous reads of 1 MiB and
 * found that the enqueues alone took the 5.3 seconds the disk needs to read
 * 100 MiB. The answer was the request pool: each read is cut by max_sectors_kb
 * into 8 requests of 128 KiB, the queue had 128 of them, and io_submit sleeps
 * for a free one. With nr_requests at 1024 the enqueues took about a second.
 *
 * This program does the same work by the same means, raw system calls and one
 * io_submit per iocb, and measures what his reader had to guess: the time of
 * every io_submit, and the share of the whole run during which the program was
 * not running but waiting inside it,
 *
 *     blocked_share = (wall time enqueuing - CPU time enqueuing) / total time.
 *
 * The total runs from just before the first io_submit to the last event. With
 * --no-reap the program leaves without asking for its events, as his did.
 */
#include <errno.h>
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

#define DEFAULT_FILE "testfile"
#define DEFAULT_COUNT 100
#define DEFAULT_SIZE (1L << 20)
#define DEFAULT_QUEUE_LENGTH 1024
#define DEFAULT_ALIGNMENT 4096

#define COUNT_MAX 1000000
#define SIZE_MAX_BYTES (1L << 30)
#define QUEUE_LENGTH_MAX 4000000
#define EVENTS_A_CALL 64

struct options {
	const char *file;
	long count;
	long size;
	long queue_length;
	bool write;
	bool reap;
	bool json;
};

struct run {
	struct options options;
	int fd;
	aio_context_t context;
	char *buffers;
	struct iocb *iocbs;
	int64_t *submit_ns;	/* the time of each io_submit */
	int64_t start_ns;
	int64_t enqueue_ns;
	int64_t enqueue_cpu_ns;
	int64_t total_ns;
};

static const char usage_text[] =
	"usage: testaio [options] [FILE]\n"
	"  -f, --file FILE            what to read or write (default testfile)\n"
	"  -n, --count N              how many requests (default 100)\n"
	"  -s, --size SIZE            bytes of each, with k, m or g (default 1m)\n"
	"  -q, --queue-length EVENTS  asked of io_setup (default 1024)\n"
	"  -w, --write                write, where reading is the default\n"
	"      --no-reap              leave without waiting for the events\n"
	"      --json                 the report as one JSON object on stdout\n"
	"  -h, --help                 this text\n";

enum { OPTION_NO_REAP = 256, OPTION_JSON };

static int64_t clock_ns(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static void usage_error(const char *what, const char *value)
{
	fprintf(stderr, "testaio: %s: %s\n%s", what, value, usage_text);
	exit(2);
}

static int fail(const char *what, int error)
{
	fprintf(stderr, "testaio: %s: %s\n", what, strerror(error));
	return 1;
}

static long number(const char *what, const char *text, long max)
{
	char *end;
	long value;
	int shift = 0;

	errno = 0;
	value = strtol(text, &end, 10);
	if (*end == 'k' || *end == 'K')
		shift = 10;
	else if (*end == 'm' || *end == 'M')
		shift = 20;
	else if (*end == 'g' || *end == 'G')
		shift = 30;
	if (shift)
		end++;
	if (errno || end == text || *end || value < 1 || value > max >> shift)
		usage_error(what, text);
	return value << shift;
}

static struct options parse(int argc, char **argv)
{
	static const struct option longs[] = {
		{ "file", required_argument, NULL, 'f' },
		{ "count", required_argument, NULL, 'n' },
		{ "size", required_argument, NULL, 's' },
		{ "queue-length", required_argument, NULL, 'q' },
		{ "write", no_argument, NULL, 'w' },
		{ "no-reap", no_argument, NULL, OPTION_NO_REAP },
		{ "json", no_argument, NULL, OPTION_JSON },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 },
	};
	struct options o = {
		.file = DEFAULT_FILE,
		.count = DEFAULT_COUNT,
		.size = DEFAULT_SIZE,
		.queue_length = DEFAULT_QUEUE_LENGTH,
		.reap = true,
	};
	int c;

	while ((c = getopt_long(argc, argv, "f:n:s:q:wh", longs, NULL)) != -1) {
		switch (c) {
		case 'f':
			o.file = optarg;
			break;
		case 'n':
			o.count = number("bad count", optarg, COUNT_MAX);
			break;
		case 's':
			o.size = number("bad size", optarg, SIZE_MAX_BYTES);
			break;
		case 'q':
			o.queue_length = number("bad queue length", optarg,
						QUEUE_LENGTH_MAX);
			break;
		case 'w':
			o.write = true;
			break;
		case OPTION_NO_REAP:
			o.reap = false;
			break;
		case OPTION_JSON:
			o.json = true;
			break;
		case 'h':
			fputs(usage_text, stdout);
			exit(0);
		default:
			fputs(usage_text, stderr);
			exit(2);
		}
	}
	if (optind < argc)
		o.file = argv[optind++];
	if (optind < argc)
		usage_error("too many files", argv[optind]);
	return o;
}

static int prepare(struct run *r)
{
	const struct options *o = &r->options;
	long alignment;
	int error;
	long i;

	r->fd = open(o->file, (o->write ? O_WRONLY : O_RDONLY) | O_DIRECT);
	if (r->fd < 0)
		return fail(o->file, errno);
	alignment = fpathconf(r->fd, _PC_REC_XFER_ALIGN);
	if (alignment <= 0)
		alignment = DEFAULT_ALIGNMENT;
	error = posix_memalign((void **)&r->buffers, (size_t)alignment,
			       (size_t)(o->count * o->size));
	if (error)
		return fail("buffers", error);
	r->iocbs = calloc((size_t)o->count, sizeof(*r->iocbs));
	r->submit_ns = calloc((size_t)o->count, sizeof(*r->submit_ns));
	if (!r->iocbs || !r->submit_ns)
		return fail("iocbs", ENOMEM);
	if (syscall(SYS_io_setup, o->queue_length, &r->context) < 0)
		return fail("io_setup", errno);
	/* Touch what is written, so that no page fault counts as blocking. */
	for (i = 0; o->write && i < o->count; i++)
		memset(r->buffers + i * o->size, (int)(i & 0xff),
		       (size_t)o->size);
	return 0;
}

static int enqueue_one(struct run *r, long i)
{
	const struct options *o = &r->options;
	struct iocb *iocb = &r->iocbs[i];
	int64_t before;
	long result;

	iocb->aio_fildes = (uint32_t)r->fd;
	iocb->aio_lio_opcode = o->write ? IOCB_CMD_PWRITE : IOCB_CMD_PREAD;
	iocb->aio_buf = (uintptr_t)(r->buffers + i * o->size);
	iocb->aio_offset = (int64_t)i * o->size;
	iocb->aio_nbytes = (uint64_t)o->size;
	before = clock_ns(CLOCK_MONOTONIC);
	result = syscall(SYS_io_submit, r->context, 1L, &iocb);
	r->submit_ns[i] = clock_ns(CLOCK_MONOTONIC) - before;
	if (result == 1)
		return 0;
	fprintf(stderr, "testaio: io_submit at offset %lld: %s\n",
		(long long)i * o->size, strerror(result < 0 ? errno : EAGAIN));
	return 1;
}

static int enqueue(struct run *r)
{
	int64_t cpu;
	long i;

	fputs("Enqueues starting\n", stderr);
	r->start_ns = clock_ns(CLOCK_MONOTONIC);
	cpu = clock_ns(CLOCK_THREAD_CPUTIME_ID);
	for (i = 0; i < r->options.count; i++)
		if (enqueue_one(r, i))
			return 1;
	r->enqueue_cpu_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID) - cpu;
	r->enqueue_ns = clock_ns(CLOCK_MONOTONIC) - r->start_ns;
	r->total_ns = r->enqueue_ns;
	fputs("Enqueues complete\n", stderr);
	return 0;
}

static int check_event(const struct run *r, const struct io_event *event)
{
	const struct options *o = &r->options;
	const struct iocb *iocb = (const void *)(uintptr_t)event->obj;
	const char *verb = o->write ? "write" : "read";

	if (iocb < r->iocbs || iocb >= r->iocbs + o->count) {
		fprintf(stderr, "testaio: an event of no iocb of ours\n");
		return 1;
	}
	if (event->res == o->size)
		return 0;
	if (event->res < 0)
		fprintf(stderr, "testaio: %s at offset %lld: %s\n", verb,
			(long long)iocb->aio_offset,
			strerror((int)-event->res));
	else
		fprintf(stderr, "testaio: %s at offset %lld: %lld bytes of %ld\n",
			verb, (long long)iocb->aio_offset,
			(long long)event->res, o->size);
	return 1;
}

static int reap(struct run *r)
{
	struct io_event events[EVENTS_A_CALL];
	long done = 0, i;
	int bad = 0;

	while (done < r->options.count) {
		long got = syscall(SYS_io_getevents, r->context, 1L,
				   (long)EVENTS_A_CALL, events, NULL);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return fail("io_getevents", errno);
		for (i = 0; i < got; i++)
			bad |= check_event(r, &events[i]);
		done += got;
	}
	r->total_ns = clock_ns(CLOCK_MONOTONIC) - r->start_ns;
	return bad;
}

static int compare_ns(const void *a, const void *b)
{
	const int64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static void report(struct run *r)
{
	const struct options *o = &r->options;
	double enqueue_s = r->enqueue_ns / 1e9, total_s = r->total_ns / 1e9;
	double blocked = (r->enqueue_ns - r->enqueue_cpu_ns) /
			 (double)(r->total_ns ? r->total_ns : 1);
	double mb_per_s = (double)o->count * o->size / 1e6 / total_s;
	double p50, p99, max;

	if (blocked < 0)
		blocked = 0;
	qsort(r->submit_ns, (size_t)o->count, sizeof(*r->submit_ns),
	      compare_ns);
	p50 = r->submit_ns[o->count / 2] / 1e3;
	p99 = r->submit_ns[(o->count * 99 - 1) / 100] / 1e3;
	max = r->submit_ns[o->count - 1] / 1e3;
	if (o->json) {
		printf("{\"enqueue_s\":%.6f,\"total_s\":%.6f,"
		       "\"blocked_share\":%.4f,"
		       "\"submit_us\":{\"p50\":%.1f,\"p99\":%.1f,\"max\":%.1f},"
		       "\"count\":%ld,\"size_bytes\":%ld,\"mode\":\"%s\","
		       "\"reaped\":%s,\"mb_per_s\":%.2f}\n",
		       enqueue_s, total_s, blocked, p50, p99, max, o->count,
		       o->size, o->write ? "write" : "read",
		       o->reap ? "true" : "false", mb_per_s);
		return;
	}
	printf("%s %ld x %ld bytes of %s\n", o->write ? "wrote" : "read",
	       o->count, o->size, o->file);
	printf("enqueue        %10.3f s\n", enqueue_s);
	printf("total          %10.3f s%s\n", total_s,
	       o->reap ? "" : "  (events not waited for)");
	printf("blocked share  %10.3f\n", blocked);
	printf("io_submit      %10.1f us p50, %.1f us p99, %.1f us max\n", p50,
	       p99, max);
	printf("rate           %10.2f MB/s\n", mb_per_s);
}

int main(int argc, char **argv)
{
	struct run r = { .options = parse(argc, argv) };
	int result = prepare(&r);

	if (result == 0)
		result = enqueue(&r);
	if (result == 0 && r.options.reap)
		result = reap(&r);
	if (result == 0)
		report(&r);
	return result;
}
