/*
 * orphaned PATH FOLDER: kills spindle-static, its parent, and then uses the
 * device. The call fails at once with ENOSYS, as every call does that was to be
 * looked at; so success is said by making FOLDER, which is none of these.
 */
#include "test.h"

int main(int argc, char **argv)
{
	int fd = open_direct(path_argument(argc, argv), O_RDONLY);
	char *buffer = pages(4096);

	EXPECT(ERR(pread(fd, buffer, 4096, 0)), 4096);
	kill(getppid(), SIGKILL);
	/* Until the kernel has closed its descriptors. */
	while (pread(fd, buffer, 4096, 0) >= 0)
		;
	EXPECT(errno, ENOSYS);
	if (verdict() == PASS && argc > 2)
		mkdir(argv[2], 0700);
	return verdict();
}
