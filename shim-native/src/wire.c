/*
 * Sockets to the daemon. Until it has answered, each wait has a limit; then it
 * has none, and the descriptor moves out of the program's way.
 */
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>

#include "device.h"
#include "fdtab.h"

/* A daemon that accepts but does not speak is given this long. */
#define HANDSHAKE_SECONDS 10

int wire_take(int fd, void *to, size_t bytes)
{
	while (bytes > 0) {
		long got = raw(SYS_recvfrom, fd, to, bytes, 0, NULL, NULL);

		if (got == -EINTR)
			continue;
		if (got <= 0)
			return got < 0 ? (int)got : -ECONNRESET;
		to = (char *)to + got;
		bytes -= (size_t)got;
	}
	return 0;
}

int wire_give(int fd, const void *from, size_t bytes)
{
	while (bytes > 0) {
		long sent = raw(SYS_sendto, fd, from, bytes, MSG_NOSIGNAL, NULL,
				0);

		if (sent == -EINTR)
			continue;
		if (sent < 0)
			return (int)sent;
		from = (const char *)from + sent;
		bytes -= (size_t)sent;
	}
	return 0;
}

static void limit_waits(int fd, long seconds)
{
	struct timeval limit = { .tv_sec = seconds };

	raw(SYS_setsockopt, fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
	raw(SYS_setsockopt, fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof(limit));
}

int wire_connect(const char *path)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int result, fd;

	fd = (int)raw(SYS_socket, AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return fd;
	memcpy(address.sun_path, path, strlen(path));
	limit_waits(fd, HANDSHAKE_SECONDS);
	do {
		result = (int)raw(SYS_connect, fd, &address, sizeof(address));
	} while (result == -EINTR);
	if (result < 0) {
		raw_close(fd);
		return result == -EAGAIN ? -ETIMEDOUT : result;
	}
	return fd;
}

int wire_settle(int fd)
{
	limit_waits(fd, 0);
	return fd_keep_private(fd);
}
