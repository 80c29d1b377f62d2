/*
 * What can be probed (probe.c) is moved by ourselves. Else process_vm_readv on
 * ourselves copies with the kernel's own fault handling; a sandbox may refuse
 * it, and then the bytes go through a pipe, whose write and read have the same
 * property at a higher price.
 */
#include "usercopy.h"

#include "probe.h"
#include "process.h"

#include <string.h>

/* Pieces handed to the kernel in one call. */
#define PIECES_A_CALL 64
/* A pipe takes this much without blocking. */
#define PIPE_CHUNK 4096

static _Atomic bool vm_calls_refused;

static bool is_refusal(long result)
{
	return result == -ENOSYS || result == -EPERM;
}

/* Moves one chunk from a to b, of which one is the program's, by a pipe. */
static int pipe_chunk(const int ends[2], void *to, const void *from,
		      size_t bytes)
{
	long wrote = raw(SYS_write, ends[1], from, bytes);
	size_t have = 0;

	if (wrote != (long)bytes)
		return -EFAULT;
	while (have < bytes) {
		long got = raw(SYS_read, ends[0], (char *)to + have,
			       bytes - have);

		if (got == -EINTR)
			continue;
		if (got <= 0)
			return -EFAULT;
		have += (size_t)got;
	}
	return 0;
}

static size_t pipe_copy(void *to, const void *from, size_t bytes)
{
	size_t done = 0;
	int ends[2];

	if (raw(SYS_pipe2, ends, O_CLOEXEC) < 0)
		return 0;
	while (done < bytes) {
		size_t chunk = bytes - done < PIPE_CHUNK ? bytes - done
							 : PIPE_CHUNK;

		if (pipe_chunk(ends, (char *)to + done,
			       (const char *)from + done, chunk) < 0)
			break;
		done += chunk;
	}
	raw_close(ends[0]);
	raw_close(ends[1]);
	return done;
}

static bool gather_probed(char *to, const struct iovec *from, size_t pieces)
{
	size_t i;

	for (i = 0; i < pieces; i++) {
		if (!probe_read(from[i].iov_base, from[i].iov_len))
			return false;
		probe_move(to, from[i].iov_base, from[i].iov_len);
		to += from[i].iov_len;
	}
	return true;
}

/* What the probes did not find good is found out here, to the byte. */
static size_t gather_slowly(void *to, const struct iovec *from, size_t pieces,
			    size_t total)
{
	struct iovec local = { to, total };
	size_t i, done = 0;
	long got;

	if (!atomic_load_explicit(&vm_calls_refused, memory_order_relaxed)) {
		got = raw(SYS_process_vm_readv, process_id(), &local, 1, from,
			  pieces, 0);
		if (got >= 0)
			return (size_t)got;
		if (!is_refusal(got))
			return 0;
		atomic_store(&vm_calls_refused, true);
	}
	for (i = 0; i < pieces; i++) {
		size_t came = pipe_copy((char *)to + done, from[i].iov_base,
					from[i].iov_len);

		done += came;
		if (came < from[i].iov_len)
			break;
	}
	return done;
}

size_t gather_from_user(void *to, const struct iovec *from, size_t pieces)
{
	size_t i, total = 0;

	for (i = 0; i < pieces; i++)
		total += from[i].iov_len;
	if (gather_probed(to, from, pieces))
		return total;
	return gather_slowly(to, from, pieces, total);
}

int copy_from_user(void *to, const void *from, size_t bytes)
{
	struct iovec remote = { (void *)from, bytes };

	return gather_from_user(to, &remote, 1) == bytes ? 0 : -EFAULT;
}

/* By readv too: its local side, here the program's, may be as bad. */
int copy_to_user(void *to, const void *from, size_t bytes)
{
	struct iovec local = { to, bytes };
	struct iovec remote = { (void *)from, bytes };
	long got;

	if (probe_write(to, bytes)) {
		probe_move(to, from, bytes);
		return 0;
	}
	if (!atomic_load_explicit(&vm_calls_refused, memory_order_relaxed)) {
		got = raw(SYS_process_vm_readv, process_id(), &local, 1,
			  &remote, 1, 0);
		if (!is_refusal(got))
			return got == (long)bytes ? 0 : -EFAULT;
		atomic_store(&vm_calls_refused, true);
	}
	return pipe_copy(to, from, bytes) == bytes ? 0 : -EFAULT;
}

size_t vector_cut(const struct iovec *vector, size_t segments, size_t at,
		  size_t bytes, struct iovec *out, size_t room)
{
	size_t i, used = 0;

	for (i = 0; i < segments && bytes > 0 && used < room; i++) {
		size_t length = vector[i].iov_len;

		if (at >= length) {
			at -= length;
			continue;
		}
		length -= at;
		if (length > bytes)
			length = bytes;
		out[used].iov_base = (char *)vector[i].iov_base + at;
		out[used++].iov_len = length;
		bytes -= length;
		at = 0;
	}
	return used;
}

int copy_from_vector(void *to, const struct iovec *vector, size_t segments,
		     size_t at, size_t bytes)
{
	struct iovec cut[PIECES_A_CALL];

	while (bytes > 0) {
		size_t pieces = vector_cut(vector, segments, at, bytes, cut,
					   PIECES_A_CALL);
		size_t i, want = 0;

		for (i = 0; i < pieces; i++)
			want += cut[i].iov_len;
		if (want == 0 || gather_from_user(to, cut, pieces) != want)
			return -EFAULT;
		to = (char *)to + want;
		at += want;
		bytes -= want;
	}
	return 0;
}

int copy_to_vector(const struct iovec *vector, size_t segments, size_t at,
		   const void *from, size_t bytes)
{
	while (bytes > 0) {
		struct iovec cut;

		if (vector_cut(vector, segments, at, bytes, &cut, 1) == 0 ||
		    copy_to_user(cut.iov_base, from, cut.iov_len) < 0)
			return -EFAULT;
		from = (const char *)from + cut.iov_len;
		at += cut.iov_len;
		bytes -= cut.iov_len;
	}
	return 0;
}
