/*
 * Memory the program pointed at. It may be bad; the answer is -EFAULT, not a
 * signal. What another thread unmaps in the middle of a copy is another matter:
 * see probe.c.
 */
#ifndef SPINDLE_USERCOPY_H
#define SPINDLE_USERCOPY_H

#include <sys/uio.h>

#include "shim.h"

/* 0, or -EFAULT with an unspecified part copied. */
int copy_from_user(void *to, const void *from, size_t bytes);
int copy_to_user(void *to, const void *from, size_t bytes);
/* From the program's pieces into one block; returns how many bytes came over. */
size_t gather_from_user(void *to, const struct iovec *from, size_t pieces);

/* Bytes [at, at + bytes) of a vector, cut out into at most room pieces. */
size_t vector_cut(const struct iovec *vector, size_t segments, size_t at,
		  size_t bytes, struct iovec *out, size_t room);
/* The same ranges copied whole; 0 or -EFAULT. */
int copy_from_vector(void *to, const struct iovec *vector, size_t segments,
		     size_t at, size_t bytes);
int copy_to_vector(const struct iovec *vector, size_t segments, size_t at,
		   const void *from, size_t bytes);

#endif
