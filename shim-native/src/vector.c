#include <limits.h>
#include <stdlib.h>

#include "transfer.h"
#include "usercopy.h"

void vector_single(struct vector *v, void *base, size_t length)
{
	v->iov = v->inline_iov;
	v->segments = 1;
	v->length = length < TRANSFER_BYTES_MAX ? length : TRANSFER_BYTES_MAX;
	v->inline_iov[0] = (struct iovec){ base, v->length };
}

void vector_release(struct vector *v)
{
	if (v->iov != v->inline_iov)
		free(v->iov);
	v->iov = v->inline_iov;
}

int vector_import(struct vector *v, const struct iovec *user, long count)
{
	size_t i;
	int result;

	v->iov = v->inline_iov;
	v->length = 0;
	v->segments = (size_t)count;
	if (count < 0 || count > SEGMENTS_MAX)
		return -EINVAL;
	if (count > INLINE_SEGMENTS) {
		v->iov = malloc(v->segments * sizeof(struct iovec));
		if (!v->iov) {
			v->iov = v->inline_iov;
			return -ENOMEM;
		}
	}
	result = copy_from_user(v->iov, user, v->segments * sizeof(*user));
	for (i = 0; result == 0 && i < v->segments; i++) {
		size_t room = TRANSFER_BYTES_MAX - v->length;

		if (v->iov[i].iov_len > SSIZE_MAX)
			result = -EINVAL;
		if (v->iov[i].iov_len > room)
			v->iov[i].iov_len = room;
		v->length += v->iov[i].iov_len;
	}
	if (result < 0)
		vector_release(v);
	return result;
}
