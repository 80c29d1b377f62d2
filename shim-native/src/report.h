/*
 * What this process does, counted in a file that `spindle run --report` made
 * and reads when the program has ended. See report.c.
 */
#ifndef SPINDLE_REPORT_H
#define SPINDLE_REPORT_H

#include "report_layout.h"
#include "shim.h"

struct device;
struct io;

extern struct report_file *_Atomic report_file;

/* Maps the file that SPINDLE_SHIM_REPORT names, if any; once. */
void report_start(void);

static inline bool report_on(void)
{
	return __builtin_expect(atomic_load_explicit(&report_file,
						     memory_order_relaxed) !=
				NULL, 0);
}

/* Now, where a report is asked for; else 0, and what takes it does nothing. */
int64_t report_now(void);
/* The same, as a call begins: it has not slept yet. */
int64_t report_call_now(void);

/* An io begins; it has been cut into so many pieces; it has ended. */
void report_begin(struct io *io);
void report_cut(struct io *io, uint32_t pieces);
void report_end(struct io *io, int error);
/* The daemon's word of when a piece ended: it may be reaped much later. */
void report_completed(struct io *io, uint64_t at_ns);

/* A request of the pool was waited for, from then until now. */
void report_slept(const struct io *io, int64_t since_ns);

/* A call that returns now and began then; how many iocbs or events it moved. */
void report_call(enum report_call_kind kind, int64_t since_ns, long result);

#endif
