#include "close.h"

#include <linux/close_range.h>
#include <string.h>

/* Sets nothing for CLOEXEC alone: those descriptors stay what they are. */
static void forget_range(unsigned first, unsigned last, unsigned flags)
{
	if (flags & CLOSE_RANGE_CLOEXEC)
		return;
	for (; first <= last && first < FDTAB_MAX; first++)
		fd_forget((int)first);
}

int shim_close_range(unsigned first, unsigned last, unsigned flags)
{
	unsigned at;
	long result = 0;

	if (first > last)
		return -EINVAL;
	for (at = first; at < FDTAB_MAX && at <= last; at++) {
		if (!fd_is_private((int)at))
			continue;
		if (at > first) {
			forget_range(first, at - 1, flags);
			result = raw(SYS_close_range, first, at - 1, flags);
			if (result < 0)
				return (int)result;
		}
		first = at + 1;
	}
	if (first > last)
		return 0;
	forget_range(first, last, flags);
	return (int)raw(SYS_close_range, first, last, flags);
}

void shim_adopt_message(struct msghdr *message)
{
	struct cmsghdr *c;

	for (c = CMSG_FIRSTHDR(message); c; c = CMSG_NXTHDR(message, c)) {
		size_t i, count = (c->cmsg_len - CMSG_LEN(0)) / sizeof(int);
		int fd;

		if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS)
			continue;
		for (i = 0; i < count; i++) {
			memcpy(&fd, CMSG_DATA(c) + i * sizeof(int),
			       sizeof(fd));
			fd_forget(fd);
			fd_adopt(fd);
		}
	}
}
