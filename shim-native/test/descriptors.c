/*
 * The descriptor of a device: duplicates, flags, positions, fork, exec,
 * passing over a socket, closing in bulk, and what stat and ioctl say.
 */
#include <linux/fs.h>
#include <pthread.h>
#include <sys/socket.h>
#include <sys/sysmacros.h>
#include <sys/un.h>

#include "test.h"

static char *buffer;
static const char *path;
static const char *volatile nowhere;
static bool block;

/* Valgrind reads a path before the kernel does, and crashes on one without end. */
static bool bad_paths_may_be_passed(void)
{
	return !getenv("SPINDLE_TEST_NO_BAD_PATHS");
}

static void flags(void)
{
	int fd = open(path, O_RDWR | O_DIRECT | O_CLOEXEC | O_NOATIME);
	int got = fcntl(fd, F_GETFL);

	EXPECT(got & (O_ACCMODE | O_DIRECT | O_NOATIME),
	       O_RDWR | O_DIRECT | O_NOATIME);
	EXPECT(fcntl(fd, F_GETFD), FD_CLOEXEC);
	EXPECT(fcntl(fd, F_SETFL, got & ~O_DIRECT), 0);
	EXPECT(fcntl(fd, F_GETFL), got & ~O_DIRECT);
	EXPECT(ERR(pread(fd, buffer, 100, 1)), 100);
	EXPECT(fcntl(fd, F_SETFL, got | O_APPEND | O_NONBLOCK), 0);
	EXPECT(fcntl(fd, F_GETFL), got | O_APPEND | O_NONBLOCK);
	EXPECT(ERR(pread(fd, buffer, 100, 1)), -EINVAL);
	close(fd);
	fd = open(path, O_RDONLY);
	EXPECT(fcntl(fd, F_GETFL) & (O_ACCMODE | O_DIRECT), O_RDONLY);
	EXPECT(ERR(write(fd, buffer, 512)), -EBADF);
	close(fd);
	fd = open(path, O_WRONLY | O_SYNC);
	EXPECT(fcntl(fd, F_GETFL) & (O_ACCMODE | O_SYNC), O_WRONLY | O_SYNC);
	EXPECT(ERR(read(fd, buffer, 512)), -EBADF);
	EXPECT(ERR(pwrite(fd, buffer, 512, 0)), 512);
	close(fd);
	EXPECT(ERR(read(fd, buffer, 512)), -EBADF);
	EXPECT(ERR(open(path, O_RDWR | O_CREAT | O_EXCL, 0600)), -EEXIST);
	EXPECT(ERR(open(path, O_RDONLY | O_DIRECTORY)), -ENOTDIR);
	if (bad_paths_may_be_passed())
		EXPECT(ERR(open(nowhere, O_RDONLY)), -EFAULT);
}

static void duplicates(void)
{
	int fd = open_direct(path, O_RDWR), a, b, c, d;
	struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };

	a = dup(fd);
	b = dup2(fd, 100);
	c = dup3(fd, 101, O_CLOEXEC);
	d = fcntl(fd, F_DUPFD_CLOEXEC, 200);
	EXPECT(b, 100);
	EXPECT(c, 101);
	EXPECT_TRUE(d >= 200);
	EXPECT(close(fd), 0);
	EXPECT(lseek(a, 4096, SEEK_SET), 4096);
	EXPECT(ERR(read(b, buffer, 4096)), 4096);
	EXPECT(lseek(c, 0, SEEK_CUR), 8192);
	EXPECT(ERR(write(d, buffer, 4096)), 4096);
	EXPECT(lseek(a, 0, SEEK_CUR), 12288);
	EXPECT(fcntl(a, F_SETFL, fcntl(a, F_GETFL) & ~O_DIRECT), 0);
	EXPECT(fcntl(d, F_GETFL) & O_DIRECT, 0);
	EXPECT(ERR(fcntl(a, F_OFD_SETLK, &lock)), 0);
	EXPECT(dup2(0, 100) == 100 || errno == EBADF, 1);
	EXPECT_TRUE(lseek(100, 0, SEEK_CUR) != 12288);
	close(a);
	close(100);
	close(c);
	close(d);
	a = open("/dev/null", O_RDONLY);
	EXPECT(ERR(read(a, buffer, 100)), 0);
	close(a);
}

static void positions(void)
{
	int fd = open(path, O_RDWR);
	int64_t size = lseek(fd, 0, SEEK_END);
	struct iovec two[2] = { { buffer, 1000 }, { buffer + 8192, 3000 } };

	EXPECT_TRUE(size >= TEST_BYTES);
	EXPECT(ERR(read(fd, buffer, 10)), 0);
	EXPECT(lseek(fd, -100, SEEK_END), size - 100);
	EXPECT(ERR(read(fd, buffer, 1000)), 100);
	EXPECT(ERR(lseek(fd, -1, SEEK_SET)), -EINVAL);
	EXPECT(lseek(fd, 700, SEEK_SET), 700);
	EXPECT(ERR(readv(fd, two, 2)), 4000);
	EXPECT(lseek(fd, 0, SEEK_CUR), 4700);
	EXPECT(ERR(preadv2(fd, two, 2, -1, 0)), 4000);
	EXPECT(lseek(fd, 0, SEEK_CUR), 8700);
	EXPECT(ERR(preadv2(fd, two, 2, 0, 0x10000)), -EOPNOTSUPP);
	EXPECT(ERR(pread(fd, buffer, 10, -1)), -EINVAL);
	EXPECT(ERR(pread(fd, buffer, 10, size + 1)), 0);
	if (block) {
		EXPECT(ERR(lseek(fd, size + 1, SEEK_SET)), -EINVAL);
		EXPECT(ERR(lseek(fd, 0, SEEK_DATA)), -EINVAL);
		EXPECT(ERR(lseek(fd, 0, SEEK_HOLE)), -EINVAL);
		EXPECT(ERR(ftruncate(fd, 0)), -EINVAL);
		EXPECT_TRUE(mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0) ==
			    MAP_FAILED);
	}
	EXPECT(fsync(fd), 0);
	EXPECT(fdatasync(fd), 0);
	EXPECT(posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED), 0);
	close(fd);
}

/* Run as: descriptors PATH --child FD; FD was inherited over exec. */
static int child_of_exec(int fd)
{
	EXPECT(fcntl(fd, F_GETFL) & (O_ACCMODE | O_DIRECT), O_RDWR | O_DIRECT);
	EXPECT(lseek(fd, 0, SEEK_CUR), 4096);
	EXPECT(ERR(read(fd, buffer, 4096)), 4096);
	EXPECT(ERR(pread(fd, buffer, 100, 0)), -EINVAL);
	return verdict();
}

static void fork_and_exec(const char *self)
{
	int fd = open_direct(path, O_RDWR), status = -1;
	char number[16];
	pid_t child;

	EXPECT(ERR(read(fd, buffer, 4096)), 4096);
	child = fork();
	if (child == 0) {
		snprintf(number, sizeof(number), "%d", fd);
		execl(self, self, path, "--child", number, NULL);
		_exit(FAIL);
	}
	waitpid(child, &status, 0);
	EXPECT(status, 0);
	EXPECT(lseek(fd, 0, SEEK_CUR), 8192);
	child = fork();
	if (child == 0) {
		EXPECT(ERR(pread(fd, buffer, 4096, 0)), 4096);
		EXPECT(ERR(read(fd, buffer, 4096)), 4096);
		_exit(verdict());
	}
	waitpid(child, &status, 0);
	EXPECT(status, 0);
	EXPECT(lseek(fd, 0, SEEK_CUR), 12288);
	child = vfork();
	if (child == 0) {
		close(fd);
		_exit(0);
	}
	waitpid(child, &status, 0);
	EXPECT(ERR(pread(fd, buffer, 4096, 0)), 4096);
	close(fd);
}

static void passed_by_message(void)
{
	int fd = open_direct(path, O_RDWR), pair[2], got;
	char byte = 'x', control[CMSG_SPACE(sizeof(int))] = { 0 };
	struct iovec iov = { &byte, 1 };
	struct msghdr m = { .msg_iov = &iov, .msg_iovlen = 1,
			    .msg_control = control,
			    .msg_controllen = sizeof(control) };
	struct cmsghdr *c = CMSG_FIRSTHDR(&m);

	EXPECT(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
	c->cmsg_level = SOL_SOCKET;
	c->cmsg_type = SCM_RIGHTS;
	c->cmsg_len = CMSG_LEN(sizeof(int));
	memcpy(CMSG_DATA(c), &fd, sizeof(fd));
	EXPECT(ERR(sendmsg(pair[0], &m, 0)), 1);
	close(fd);
	EXPECT(ERR(recvmsg(pair[1], &m, 0)), 1);
	memcpy(&got, CMSG_DATA(CMSG_FIRSTHDR(&m)), sizeof(got));
	EXPECT(ERR(pread(got, buffer, 4096, 0)), 4096);
	EXPECT(fcntl(got, F_GETFL) & O_DIRECT, O_DIRECT);
	close(got);
	close(pair[0]);
	close(pair[1]);
}

/* A number closed behind the shim's back is not taken for a device again. */
static void stale_number(void)
{
	int fd = open_direct(path, O_RDWR), pipe_ends[2];
	char text[8] = { 0 };
	FILE *stream = fdopen(fd, "r+");

	EXPECT(fread(text, 1, 4, stream), 0);
	fclose(stream);
	EXPECT(pipe(pipe_ends), 0);
	EXPECT(ERR(write(pipe_ends[1], "hello", 5)), 5);
	EXPECT(ERR(read(pipe_ends[0], text, 5)), 5);
	EXPECT(memcmp(text, "hello", 5), 0);
	close(pipe_ends[0]);
	close(pipe_ends[1]);
}

static void closed_in_bulk(void)
{
	int status = -1;
	pid_t child = fork();

	if (child == 0) {
		int fd = open_direct(path, O_RDWR), i;

		EXPECT(ERR(pread(fd, buffer, 4096, 0)), 4096);
		for (i = fd + 1; i < 70000; i++)
			close(i);
		EXPECT(ERR(pread(fd, buffer, 4096, 0)), 4096);
		EXPECT(close_range((unsigned)fd + 1, ~0u, 0), 0);
		EXPECT(ERR(pread(fd, buffer, 4096, 0)), 4096);
		closefrom(fd + 1);
		EXPECT(ERR(pread(fd, buffer, 4096, 0)), 4096);
		closefrom(3);
		EXPECT(ERR(pread(fd, buffer, 4096, 0)), -EBADF);
		fd = open_direct(path, O_RDWR);
		EXPECT(fd, 3);
		EXPECT(ERR(pread(fd, buffer, 4096, 0)), 4096);
		_exit(verdict());
	}
	waitpid(child, &status, 0);
	EXPECT(status, 0);
}

static void looks_like_a_device(void)
{
	struct stat by_path, by_fd, by_link;
	struct statx x;
	uint64_t bytes = 0;
	unsigned long sectors = 0;
	int fd = open_direct(path, O_RDWR), size = 0, pipe_ends[2];

	EXPECT(stat(path, &by_path), 0);
	EXPECT(lstat(path, &by_link), 0);
	EXPECT(fstat(fd, &by_fd), 0);
	EXPECT(by_path.st_ino, by_fd.st_ino);
	EXPECT(by_path.st_dev, by_fd.st_dev);
	EXPECT(by_path.st_mode, by_fd.st_mode);
	EXPECT(by_link.st_rdev, by_fd.st_rdev);
	EXPECT(statx(fd, "", AT_EMPTY_PATH, STATX_BASIC_STATS, &x), 0);
	EXPECT(x.stx_mode, by_fd.st_mode);
	EXPECT(x.stx_ino, by_fd.st_ino);
	EXPECT(access(path, R_OK | W_OK), 0);
	EXPECT(pipe(pipe_ends), 0);
	EXPECT(ERR(ioctl(pipe_ends[0], BLKGETSIZE64, &bytes)), -ENOTTY);
	close(pipe_ends[0]);
	close(pipe_ends[1]);
	EXPECT(ERR(ioctl(fd, 0x5401, &bytes)), -ENOTTY);
	if (!block)
		goto out;
	EXPECT(by_path.st_size, 0);
	EXPECT_TRUE(major(by_path.st_rdev) != 0);
	EXPECT(ioctl(fd, BLKGETSIZE64, &bytes), 0);
	EXPECT(bytes, lseek(fd, 0, SEEK_END));
	EXPECT(ioctl(fd, BLKGETSIZE, &sectors), 0);
	EXPECT(sectors, bytes / 512);
	EXPECT(ioctl(fd, BLKSSZGET, &size), 0);
	EXPECT_TRUE(size == 512 || size == 2048 || size == 4096);
	EXPECT(ERR(ioctl(fd, BLKGETSIZE64, (void *)8)), -EFAULT);
	EXPECT(ioctl(fd, BLKFLSBUF, 0), 0);
out:
	close(fd);
}

static void other_spellings(void)
{
	char spelling[4200], directory[4096];
	const char *slash = strrchr(path, '/');
	int fd, dirfd;

	if (!slash || slash == path)
		return;
	snprintf(directory, sizeof(directory), "%.*s", (int)(slash - path),
		 path);
	snprintf(spelling, sizeof(spelling), "/%s/.//./%s", directory,
		 slash + 1);
	fd = open(spelling, O_RDONLY);
	EXPECT_TRUE(fd >= 0);
	close(fd);
	dirfd = open(directory, O_RDONLY | O_DIRECTORY);
	if (dirfd < 0)
		return;
	fd = openat(dirfd, slash + 1, O_RDONLY);
	EXPECT_TRUE(fd >= 0);
	close(fd);
	close(dirfd);
	if (chdir(directory) == 0) {
		fd = open(slash + 1, O_RDONLY);
		EXPECT_TRUE(fd >= 0);
		close(fd);
	}
}

static bool is_same(const char *name)
{
	struct stat there, here;

	return stat(name, &there) == 0 && stat(path, &here) == 0 &&
	       there.st_ino == here.st_ino && there.st_dev == here.st_dev &&
	       there.st_mode == here.st_mode;
}

/* Writes through the name and reads it back by the path. */
static void works_by(const char *name, int flags)
{
	int fd = open(name, O_RDWR | flags, 0600), by_path = open_direct(path,
									 O_RDONLY);

	EXPECT_TRUE(is_same(name));
	EXPECT_TRUE(fd >= 0);
	memset(buffer, (int)strlen(name), 4096);
	EXPECT(ERR(pwrite(fd, buffer, 4096, 8192)), 4096);
	EXPECT(fsync(fd), 0);
	memset(buffer, 0, 4096);
	EXPECT(ERR(pread(by_path, buffer, 4096, 8192)), 4096);
	EXPECT(buffer[0], (char)strlen(name));
	EXPECT(buffer[4095], (char)strlen(name));
	close(by_path);
	close(fd);
}

/* Symbolic links at the end of a path and on the way, and those of /proc. */
static void by_links(void)
{
	char folder[] = "/tmp/spindle-links-XXXXXX";
	char link[64], chain[64], directory[4096], through[8300], name[64];
	char resolved[PATH_MAX];
	const char *slash = strrchr(path, '/');
	struct stat st;
	int fd;

	EXPECT_TRUE(mkdtemp(folder) != NULL);
	snprintf(link, sizeof(link), "%s/testfile", folder);
	snprintf(chain, sizeof(chain), "%s/chain", folder);
	EXPECT(symlink(path, link), 0);
	EXPECT(symlink("testfile", chain), 0);
	works_by(link, 0);
	works_by(chain, 0);
	works_by(chain, O_CREAT);
	EXPECT(access(link, R_OK | W_OK), 0);
	EXPECT(lstat(link, &st), 0);
	EXPECT_TRUE(S_ISLNK(st.st_mode));
	EXPECT(ERR(open(link, O_RDONLY | O_NOFOLLOW)), -ELOOP);
	EXPECT_TRUE(realpath(chain, resolved) && is_same(resolved));

	snprintf(directory, sizeof(directory), "%.*s", (int)(slash - path),
		 path);
	unlink(chain);
	EXPECT(symlink(directory, chain), 0);
	snprintf(through, sizeof(through), "%s/%s", chain, slash + 1);
	works_by(through, 0);

	fd = open(path, O_RDWR);
	snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
	works_by(name, 0);
	snprintf(name, sizeof(name), "/dev/fd/%d", fd);
	works_by(name, 0);
	close(fd);
	unlink(link);
	unlink(chain);
	rmdir(folder);
}

/* printf and getchar where 1 and 0 are PATH, for a while and from the start. */
static void standard_streams(void)
{
	int keep_in = dup(0), keep_out = dup(1), status = -1;
	int fd = open(path, O_RDWR);
	char line[64] = "";
	pid_t child;

	EXPECT(dup2(fd, 1), 1);
	EXPECT(printf("a line for %s\n", "stdout"), 18);
	EXPECT(fflush(stdout), 0);
	EXPECT(dup2(keep_out, 1), 1);
	EXPECT(lseek(fd, 0, SEEK_SET), 0);
	EXPECT(dup2(fd, 0), 0);
	EXPECT_TRUE(fgets(line, sizeof(line), stdin) != NULL);
	EXPECT(strcmp(line, "a line for stdout\n"), 0);
	EXPECT(fileno(stdin), 0);
	EXPECT(lseek(fd, 0, SEEK_SET), 0);
	child = fork();
	if (child == 0) {
		execlp("awk", "awk", "NR == 1 { exit !/a line for stdout/ }",
		       NULL);
		_exit(9);
	}
	EXPECT(waitpid(child, &status, 0), child);
	EXPECT(status, 0);
	EXPECT(dup2(keep_in, 0), 0);
	child = fork();
	if (child == 0) {
		fd = open(path, O_RDWR);
		dup2(fd, 1);
		execlp("sh", "sh", "-c", "echo from a shell", NULL);
		_exit(9);
	}
	EXPECT(waitpid(child, &status, 0), child);
	EXPECT(status, 0);
	EXPECT(ERR(pread(fd, line, 12, 0)), 12);
	EXPECT(memcmp(line, "from a shell", 12), 0);
	close(keep_in);
	close(keep_out);
	close(fd);
}

static void bad_pointers(void)
{
	char *edge = mmap(NULL, 8192, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	const char *bad[] = { (char *)8, edge + 4092 };
	struct statx x;
	struct stat st;
	size_t i;

	memset(edge, 'a', 4096);
	mprotect(edge + 4096, 4096, PROT_NONE);
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		EXPECT(ERR(open(bad[i], O_RDONLY)), -EFAULT);
		EXPECT(ERR(open(bad[i], O_RDWR | O_CREAT, 0600)), -EFAULT);
		EXPECT(ERR(openat(AT_FDCWD, bad[i], O_RDONLY)), -EFAULT);
		EXPECT(ERR(stat(bad[i], &st)), -EFAULT);
		EXPECT(ERR(lstat(bad[i], &st)), -EFAULT);
		EXPECT(ERR(fstatat(AT_FDCWD, bad[i], &st, 1 << 30)), -EINVAL);
		EXPECT(ERR(statx(AT_FDCWD, bad[i], 0, 0, &x)), -EFAULT);
		EXPECT(ERR(access(bad[i], R_OK)), -EFAULT);
		EXPECT(ERR(access(bad[i], 1 << 10)), -EINVAL);
	}
	EXPECT(ERR(stat(path, (struct stat *)8)), -EFAULT);
	EXPECT(ERR(open("", O_RDONLY)), -ENOENT);
	munmap(edge, 8192);
}

int main(int argc, char **argv)
{
	path = path_argument(argc, argv);
	block = is_block(path);
	buffer = pages(MIB);
	if (argc == 4)
		return child_of_exec(atoi(argv[3]));
	flags();
	duplicates();
	positions();
	fork_and_exec(argv[0]);
	passed_by_message();
	stale_number();
	closed_in_bulk();
	looks_like_a_device();
	by_links();
	standard_streams();
	if (bad_paths_may_be_passed())
		bad_pointers();
	other_spellings();
	return verdict();
}
