/* Everything by syscall(2), as programs without wrappers do it. */
#include <linux/openat2.h>

#include "test.h"

#define CALL(...) ERR(syscall(__VA_ARGS__))

int main(int argc, char **argv)
{
	const char *path = path_argument(argc, argv);
	struct open_how how = { .flags = O_RDONLY };
	char *buffer = pages(8192);
	struct iovec two[2] = { { buffer, 4096 }, { buffer + 4096, 4096 } };
	struct stat st, by_fd;
	struct statx x;
	long fd, other;

	close(open_direct(path, O_RDWR));
	fd = CALL(SYS_openat, AT_FDCWD, path, O_RDWR | O_DIRECT, 0);
	EXPECT_TRUE(fd >= 0);
	memset(buffer, 'r', 8192);
	EXPECT(CALL(SYS_pwrite64, fd, buffer, 8192L, 4096L), 8192);
	EXPECT(CALL(SYS_pread64, fd, buffer, 4096L, 8192L), 4096);
	EXPECT(buffer[4095], 'r');
	EXPECT(CALL(SYS_lseek, fd, 8192L, SEEK_SET), 8192);
	EXPECT(CALL(SYS_read, fd, buffer, 4096L), 4096);
	EXPECT(CALL(SYS_write, fd, buffer, 4096L), 4096);
	EXPECT(CALL(SYS_lseek, fd, 0L, SEEK_CUR), 16384);
	EXPECT(CALL(SYS_preadv, fd, two, 2L, 4096L, 0L), 8192);
	EXPECT(CALL(SYS_pwritev2, fd, two, 2L, 4096L, 0L, 0L), 8192);
	EXPECT(CALL(SYS_preadv2, fd, two, 2L, 0L, 0L, 1L << 20), -EOPNOTSUPP);
	EXPECT(CALL(SYS_fsync, fd), 0);
	EXPECT(CALL(SYS_fcntl, fd, F_GETFL) & O_DIRECT, O_DIRECT);
	EXPECT(CALL(SYS_pread64, fd, buffer, 100L, 1L), -EINVAL);
	EXPECT(CALL(SYS_pread64, 9999L, buffer, 100L, 1L), -EBADF);
	EXPECT(CALL(SYS_newfstatat, AT_FDCWD, path, &st, 0), 0);
	EXPECT(CALL(SYS_fstat, fd, &by_fd), 0);
	EXPECT(st.st_mode, by_fd.st_mode);
	EXPECT(st.st_ino, by_fd.st_ino);
	EXPECT(CALL(SYS_statx, fd, "", AT_EMPTY_PATH, STATX_BASIC_STATS, &x), 0);
	EXPECT(x.stx_ino, st.st_ino);
	EXPECT(CALL(SYS_faccessat, AT_FDCWD, path, R_OK | W_OK), 0);
	other = CALL(SYS_dup, fd);
	EXPECT(CALL(SYS_close, fd), 0);
	EXPECT(CALL(SYS_pread64, other, buffer, 4096L, 4096L), 4096);
	EXPECT(CALL(SYS_close, other), 0);
	EXPECT(CALL(SYS_close, other), -EBADF);
	fd = CALL(SYS_openat2, AT_FDCWD, path, &how, sizeof(how));
	EXPECT_TRUE(fd >= 0 || fd == -ENOSYS);
	if (fd >= 0)
		EXPECT(CALL(SYS_pread64, fd, buffer, 100L, 1L), 100);
	EXPECT(CALL(SYS_getpid), getpid());
	EXPECT(CALL(-1L), -ENOSYS);
	EXPECT(CALL(SYS_openat, AT_FDCWD, "/nonexistent", O_RDONLY), -ENOENT);
	return verdict();
}
