/*
 * What the programs of the threads have in common: errors, numbers with a
 * suffix, times, and data that says where it lies.
 */
#ifndef TESTBENCH_BENCH_H
#define TESTBENCH_BENCH_H

#include <fcntl.h>
#include <linux/aio_abi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* The unit of the data that is checked, and of what O_DIRECT asks. */
#define BENCH_BLOCK 512
#define BENCH_ALIGNMENT 4096

/* Wall, user and system time, of this process and the children waited for. */
struct bench_times {
	double wall_s;
	double user_s;
	double system_s;
	long switches;		/* voluntary and not */
};

__attribute__((noreturn)) void bench_fail(const char *what, int error);
__attribute__((noreturn)) void bench_usage(const char *text, bool asked);
int64_t bench_number(const char *what, const char *text, int64_t max);
void *bench_buffer(size_t bytes);
void bench_times(struct bench_times *times);

/* What read and write answer, as an event has it: the count or -errno. */
int64_t bench_result(ssize_t result);
/* Ends the program unless all of a request was done. */
void bench_full(const char *path, const char *verb, int64_t offset, int64_t got,
		int64_t wanted);
/* Data that says where it lies, and on which file; its comparison. */
void bench_pattern(const char *path, void *buffer, int64_t bytes,
		   int64_t offset);
void bench_compare(const char *path, const void *buffer, int64_t bytes,
		   int64_t offset);
/* Writes the first bytes of a file with the pattern. */
void bench_fill(const char *path, int64_t bytes);

void bench_report(bool json, const char *mode, int depth, int64_t bytes,
		  int64_t requests, const struct bench_times *start,
		  const struct bench_times *end);

#endif
