#include "bench.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/resource.h>

#define FILL_BYTES (1 << 20)

void bench_fail(const char *what, int error)
{
	fprintf(stderr, "%s: %s: %s\n", program_invocation_short_name, what,
		strerror(error));
	exit(1);
}

void bench_usage(const char *text, bool asked)
{
	fputs(text, asked ? stdout : stderr);
	exit(asked ? 0 : 2);
}

int64_t bench_number(const char *what, const char *text, int64_t max)
{
	static const char suffixes[] = "kmg";
	const char *suffix;
	int64_t value;
	char *end;
	int shift = 0;

	errno = 0;
	value = strtoll(text, &end, 10);
	suffix = *end ? strchr(suffixes, *end | 0x20) : NULL;
	if (suffix) {
		shift = 10 * (int)(suffix - suffixes + 1);
		end++;
	}
	if (errno || end == text || *end || value < 1 || value > max >> shift) {
		fprintf(stderr, "%s: bad %s: %s\n",
			program_invocation_short_name, what, text);
		exit(2);
	}
	return value << shift;
}

void *bench_buffer(size_t bytes)
{
	void *buffer;
	int error = posix_memalign(&buffer, BENCH_ALIGNMENT, bytes);

	if (error)
		bench_fail("memory", error);
	memset(buffer, 0, bytes);
	return buffer;
}

static double seconds(const struct timeval *t)
{
	return t->tv_sec + t->tv_usec / 1e6;
}

void bench_times(struct bench_times *times)
{
	static const int whose[] = { RUSAGE_SELF, RUSAGE_CHILDREN };
	struct rusage usage;
	struct timespec now;
	int i;

	clock_gettime(CLOCK_MONOTONIC, &now);
	*times = (struct bench_times){ .wall_s = now.tv_sec + now.tv_nsec / 1e9 };
	for (i = 0; i < 2; i++) {
		getrusage(whose[i], &usage);
		times->user_s += seconds(&usage.ru_utime);
		times->system_s += seconds(&usage.ru_stime);
		times->switches += usage.ru_nvcsw + usage.ru_nivcsw;
	}
}

int64_t bench_result(ssize_t result)
{
	return result < 0 ? -errno : result;
}

void bench_full(const char *path, const char *verb, int64_t offset, int64_t got,
		int64_t wanted)
{
	if (got == wanted)
		return;
	fprintf(stderr, "%s: %s of %s at %lld: ", program_invocation_short_name,
		verb, path, (long long)offset);
	if (got < 0)
		fprintf(stderr, "%s\n", strerror((int)-got));
	else
		fprintf(stderr, "%lld bytes of %lld\n", (long long)got,
			(long long)wanted);
	exit(1);
}

static uint64_t name_of(const char *path)
{
	uint64_t hash = 1469598103934665603ull;

	for (; *path; path++)
		hash = (hash ^ (unsigned char)*path) * 1099511628211ull;
	return hash;
}

void bench_pattern(const char *path, void *buffer, int64_t bytes,
		   int64_t offset)
{
	uint64_t name = name_of(path), *word = buffer;
	int64_t at;

	for (at = 0; at < bytes; at += sizeof(*word))
		*word++ = (name ^ (uint64_t)(offset + at)) *
			  0x9e3779b97f4a7c15ull;
}

void bench_compare(const char *path, const void *buffer, int64_t bytes,
		   int64_t offset)
{
	static char wanted[BENCH_BLOCK];
	int64_t at;

	for (at = 0; at < bytes; at += BENCH_BLOCK) {
		bench_pattern(path, wanted, BENCH_BLOCK, offset + at);
		if (memcmp(wanted, (const char *)buffer + at, BENCH_BLOCK)) {
			fprintf(stderr, "%s: %s has other data at %lld\n",
				program_invocation_short_name, path,
				(long long)(offset + at));
			exit(1);
		}
	}
}

void bench_fill(const char *path, int64_t bytes)
{
	int fd = open(path, O_WRONLY | O_DIRECT);
	char *buffer = bench_buffer(FILL_BYTES);
	int64_t at;

	if (fd < 0)
		bench_fail(path, errno);
	for (at = 0; at < bytes; at += FILL_BYTES) {
		int64_t length = bytes - at < FILL_BYTES ? bytes - at
							 : FILL_BYTES;

		bench_pattern(path, buffer, length, at);
		bench_full(path, "write", at,
			   bench_result(pwrite(fd, buffer, (size_t)length, at)),
			   length);
	}
	if (fsync(fd) < 0)
		bench_fail(path, errno);
	close(fd);
	free(buffer);
}

void bench_report(bool json, const char *mode, int depth, int64_t bytes,
		  int64_t requests, const struct bench_times *start,
		  const struct bench_times *end)
{
	double wall = end->wall_s - start->wall_s;
	double user = end->user_s - start->user_s;
	double system = end->system_s - start->system_s;
	long switches = end->switches - start->switches;

	if (wall <= 0)
		wall = 1e-9;
	if (json)
		printf("{\"mode\": \"%s\", \"depth\": %d, \"bytes\": %lld, \"requests\": %lld, "
		       "\"real_s\": %.6f, \"user_s\": %.6f, \"system_s\": %.6f, "
		       "\"mb_per_s\": %.3f, \"kib_per_s\": %.1f, \"switches\": %ld}\n",
		       mode, depth, (long long)bytes, (long long)requests, wall,
		       user, system, bytes / 1e6 / wall, bytes / 1024.0 / wall,
		       switches);
	else
		printf("%s, depth %d: %lld requests, %lld bytes\n"
		       "real %.3f s  user %.3f s  system %.3f s  %.2f MB/s  %ld context switches\n",
		       mode, depth, (long long)requests, (long long)bytes, wall,
		       user, system, bytes / 1e6 / wall, switches);
}
