/*
 * The program closes every descriptor but PATH's, past all wrappers, by an
 * instruction of its own, and opens others in their place. The device's I/O
 * may fail with EIO then; nothing may hang, and nothing of it may come out of
 * the program's new descriptors.
 */
#include <sys/socket.h>

#include "test.h"

static long unseen(long number, long a, long b)
{
#if defined(__x86_64__)
	long result;

	__asm__ volatile("syscall"
			 : "=a"(result)
			 : "a"(number), "D"(a), "S"(b)
			 : "rcx", "r11", "memory");
	return result;
#else
	(void)number;
	(void)a;
	(void)b;
	skip("knows x86-64 only");
	return -1;
#endif
}

int main(int argc, char **argv)
{
	int fd = open_direct(path_argument(argc, argv), O_RDWR), pair[2];
	char *buffer = pages(MIB), byte;
	long result, i, last = sysconf(_SC_OPEN_MAX);
	long long later;
	aio_context_t id = 0;

	alarm(20);
	EXPECT(setup(8, &id), 0);
	EXPECT(run_io(id, fd, IOCB_CMD_PWRITE, buffer, 4096, 0), 4096);
	for (i = 3; i < last; i++)
		if (i != fd)
			unseen(SYS_close, i, 0);
	EXPECT(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, pair), 0);
	for (i = fd + 3; i < last; i++)
		if (unseen(SYS_dup2, pair[0], i) < 0)
			break;
	result = run_io(id, fd, IOCB_CMD_PWRITE, buffer, 4096, 0);
	EXPECT_TRUE(result == 4096 || result == -EIO);
	later = ERR(pread(fd, buffer, 4096, 0));
	EXPECT_TRUE(later == 4096 || later == -EIO);
	EXPECT(ERR(recv(pair[1], &byte, 1, 0)), -EAGAIN);
	return verdict();
}
