/*
 * The counters of `spindle run --report`. They lie in a file that all processes
 * of the run map, so they outlive every one of them, SIGKILL included, and
 * nothing has to be written when a process ends.
 *
 * A process takes a record for its calls, and one for each device it does I/O
 * on; a forked child and a program after exec take their own. Nobody gives one
 * back. Who comes when all are taken shares one of the last, by device.
 *
 * Without a report each of these costs a load and a branch. With one, a request
 * costs two readings of the clock, one more where it waits for the pool, and
 * some thirty atomic additions.
 */
#include "report.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "io.h"
#include "process.h"

struct report_file *_Atomic report_file;

/* Whose record it is: the process's own in [0], then those of its devices. */
static struct {
	_Atomic pid_t pid;
	struct report_record *_Atomic record;
	struct report_timeline *_Atomic timeline;
} mine[1 + DEVICES_MAX];

static __thread int64_t slept_ns __attribute__((tls_model("initial-exec")));

static int64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000LL + now.tv_nsec;
}

int64_t report_now(void)
{
	return report_on() ? now_ns() : 0;
}

int64_t report_call_now(void)
{
	slept_ns = 0;
	return report_now();
}

static int map_file(const char *path)
{
	struct stat st;
	long address;
	int result, fd = raw_open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW);

	if (fd < 0)
		return fd;
	result = raw_fstat(fd, &st);
	if (result == 0 && (!S_ISREG(st.st_mode) ||
			    st.st_size < (off_t)sizeof(struct report_file)))
		result = -EINVAL;
	if (result < 0)
		goto out;
	address = raw(SYS_mmap, NULL, sizeof(struct report_file),
		      PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	result = address < 0 && address > -4096 ? (int)address : 0;
	if (result == 0 &&
	    memcmp(((struct report_file *)address)->magic, REPORT_MAGIC, 8)) {
		raw(SYS_munmap, address, sizeof(struct report_file));
		result = -EINVAL;
	}
	if (result == 0)
		atomic_store(&report_file, (struct report_file *)address);
out:
	raw_close(fd);
	return result;
}

void report_start(void)
{
	const char *path = getenv("SPINDLE_SHIM_REPORT");
	int result;

	if (!path || !*path)
		return;
	result = map_file(path);
	if (result < 0)
		say("report %s: cannot be mapped (errno %d); what this process does is not counted",
		    path, -result);
}

static void raise_to(_Atomic uint64_t *max, uint64_t value)
{
	uint64_t seen = atomic_load_explicit(max, memory_order_relaxed);

	while (seen < value && !atomic_compare_exchange_weak(max, &seen, value))
		;
}

static void add(_Atomic uint64_t *counter, uint64_t amount)
{
	atomic_fetch_add_explicit(counter, amount, memory_order_relaxed);
}

static void copy_name(char *to, const char *from)
{
	size_t length = strlen(from);

	if (length > REPORT_NAME_BYTES - 1)
		length = REPORT_NAME_BYTES - 1;
	memcpy(to, from, length);
	to[length] = '\0';
}

/* The time of the run begins with its first request or call. */
static void begin_time(struct report_file *file)
{
	uint64_t none = 0;

	atomic_compare_exchange_strong(&file->began_ns, &none,
				       (uint64_t)now_ns());
}

static struct report_record *take_record(struct report_file *file, pid_t pid,
					 const struct device *d)
{
	uint32_t index = atomic_fetch_add(&file->records_taken, 1);
	bool is_shared = index >= REPORT_RECORDS - REPORT_SHARED;
	struct report_record *record;

	if (is_shared) {
		atomic_fetch_sub(&file->records_taken, 1);
		index = REPORT_RECORDS - REPORT_SHARED;
		if (d)
			index += 1 + d->index % (REPORT_SHARED - 1);
	}
	record = &file->record[index];
	record->pid = is_shared ? 0 : pid;
	copy_name(record->program,
		  is_shared ? "(others)" : program_invocation_short_name);
	copy_name(record->device, d ? d->name : "");
	atomic_store_explicit(&record->kind,
			      d ? RECORD_DEVICE : RECORD_PROCESS,
			      memory_order_release);
	return record;
}

/* One for all processes: the first to take it writes its name. */
static struct report_timeline *timeline_of(struct report_file *file,
					   const struct device *d)
{
	unsigned i;

	for (i = 0; i < REPORT_TIMELINES; i++) {
		struct report_timeline *timeline = &file->timeline[i];
		uint32_t none = 0;

		if (atomic_compare_exchange_strong(&timeline->kind, &none, 1)) {
			copy_name(timeline->device, d->name);
			atomic_store(&timeline->kind, 2);
			return timeline;
		}
		while (atomic_load(&timeline->kind) == 1)
			raw(SYS_sched_yield);
		if (strcmp(timeline->device, d->name) == 0)
			return timeline;
	}
	return NULL;
}

static struct report_record *record_of(struct report_file *file,
				       const struct device *d)
{
	unsigned index = d ? 1 + d->index : 0;
	pid_t pid = process_id();

	if (atomic_load_explicit(&mine[index].pid, memory_order_acquire) != pid) {
		begin_time(file);
		atomic_store(&mine[index].record, take_record(file, pid, d));
		if (d)
			atomic_store(&mine[index].timeline, timeline_of(file, d));
		atomic_store_explicit(&mine[index].pid, pid,
				      memory_order_release);
	}
	return atomic_load_explicit(&mine[index].record, memory_order_relaxed);
}

static enum report_op op_of(const struct io *io)
{
	switch (io->command) {
	case NBD_CMD_READ:
		return OP_READ;
	case NBD_CMD_WRITE:
		return OP_WRITE;
	case NBD_CMD_FLUSH:
		return OP_FLUSH;
	default:
		return OP_ERASE;
	}
}

static unsigned bucket_of(uint64_t ns)
{
	unsigned top;

	if (ns >= 1ull << REPORT_TOP_BITS)
		return REPORT_BUCKETS - 1;
	if (ns < 1u << REPORT_SUB_BITS)
		return (unsigned)ns;
	top = 63 - (unsigned)__builtin_clzll(ns);
	return ((top - REPORT_SUB_BITS + 1) << REPORT_SUB_BITS) +
	       (unsigned)((ns >> (top - REPORT_SUB_BITS)) &
			  ((1u << REPORT_SUB_BITS) - 1));
}

static struct report_span *span_at(struct report_timeline *timeline,
				   unsigned level, uint64_t since_began)
{
	uint64_t index = since_began / report_span_ns[level];

	return index < REPORT_SPANS ? &timeline->spans[level][index] : NULL;
}

static uint64_t since_began(struct report_file *file, uint64_t at_ns)
{
	uint64_t began = atomic_load_explicit(&file->began_ns,
					      memory_order_relaxed);

	return at_ns > began ? at_ns - began : 0;
}

static void line_begin(struct report_file *file, const struct io *io)
{
	struct report_timeline *timeline =
		atomic_load(&mine[1 + io->device->index].timeline);
	uint64_t at = since_began(file, (uint64_t)io->began_ns);
	unsigned level;

	for (level = 0; timeline && level < REPORT_LEVELS; level++) {
		struct report_span *span = span_at(timeline, level, at);

		if (span)
			atomic_fetch_add(&span->started, 1);
	}
}

static void line_end(struct report_file *file, const struct io *io,
		     uint64_t end_ns, uint64_t bytes)
{
	struct report_timeline *timeline =
		atomic_load(&mine[1 + io->device->index].timeline);
	uint64_t at = since_began(file, end_ns);
	unsigned level;

	for (level = 0; timeline && level < REPORT_LEVELS; level++) {
		struct report_span *span = span_at(timeline, level, at);

		if (!span)
			continue;
		atomic_fetch_add(&span->ended, 1);
		if (io->command == NBD_CMD_READ)
			add(&span->read_bytes, bytes);
		else if (io->command == NBD_CMD_WRITE)
			add(&span->written_bytes, bytes);
	}
}

static void note_depth(struct report_record *record)
{
	uint32_t depth = (uint32_t)atomic_fetch_add(&record->in_flight, 1) + 1;
	uint32_t seen = atomic_load_explicit(&record->max_depth,
					     memory_order_relaxed);
	unsigned power = 31 - (unsigned)__builtin_clz(depth | 1);

	while (seen < depth &&
	       !atomic_compare_exchange_weak(&record->max_depth, &seen, depth))
		;
	add(&record->depths[power < REPORT_DEPTHS ? power : REPORT_DEPTHS - 1],
	    1);
}

void report_begin(struct io *io)
{
	struct report_file *file = atomic_load(&report_file);
	struct report_record *record;

	if (!file)
		return;
	record = record_of(file, io->device);
	io->report = record;
	io->began_ns = now_ns();
	add(&record->requests[op_of(io)].started, 1);
	note_depth(record);
	if (queue_is_congested(atomic_load(&io->device->queue), io->direction))
		add(&record->congested[io->direction], 1);
	line_begin(file, io);
}

void report_cut(struct io *io, uint32_t pieces)
{
	struct report_requests *requests;

	if (!io->report)
		return;
	requests = &io->report->requests[op_of(io)];
	add(&requests->pieces, pieces);
	if (pieces > 1)
		add(&requests->split, 1);
}

void report_completed(struct io *io, uint64_t at_ns)
{
	int64_t seen;

	if (!io->report || at_ns == 0)
		return;
	seen = atomic_load(&io->ended_ns);
	while (seen < (int64_t)at_ns &&
	       !atomic_compare_exchange_weak(&io->ended_ns, &seen,
					     (int64_t)at_ns))
		;
}

void report_end(struct io *io, int error)
{
	struct report_record *record = io->report;
	enum report_op op = op_of(io);
	int64_t now, ended;
	uint64_t took;

	if (!record)
		return;
	now = now_ns();
	ended = atomic_load(&io->ended_ns);
	if (ended < io->began_ns || ended > now)
		ended = now;
	took = (uint64_t)(ended - io->began_ns);
	add(&record->requests[op].ended, 1);
	add(error ? &record->requests[op].errors : &record->requests[op].bytes,
	    error ? 1 : io->length);
	add(&record->requests[op].ns, took);
	raise_to(&record->requests[op].max_ns, took);
	add(&record->latency[op][bucket_of(took)], 1);
	atomic_fetch_sub(&record->in_flight, 1);
	raise_to(&atomic_load(&report_file)->last_ns, (uint64_t)ended);
	line_end(atomic_load(&report_file), io, (uint64_t)ended,
		 error ? 0 : io->length);
}

void report_slept(const struct io *io, int64_t since_ns)
{
	struct report_pool *pool;
	uint64_t took;

	if (!io->report)
		return;
	took = (uint64_t)(now_ns() - since_ns);
	slept_ns += (int64_t)took;
	pool = &io->report->pool[io->direction];
	add(&pool->waits, 1);
	add(&pool->ns, took);
	raise_to(&pool->max_ns, took);
}

void report_call(enum report_call_kind kind, int64_t since_ns, long result)
{
	struct report_file *file = atomic_load(&report_file);
	struct report_call *call;
	uint64_t took;

	if (!file || since_ns == 0)
		return;
	took = (uint64_t)(now_ns() - since_ns);
	call = &record_of(file, NULL)->calls[kind];
	add(&call->count, 1);
	add(&call->items, result > 0 ? (uint64_t)result : 0);
	add(&call->ns, took);
	add(&call->slept_ns, (uint64_t)slept_ns);
	raise_to(&call->max_ns, took);
}
