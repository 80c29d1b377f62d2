/*
 * The checked spellings that _FORTIFY_SOURCE makes of open and read when it
 * cannot see their arguments.
 */
#undef _FORTIFY_SOURCE
#define _FORTIFY_SOURCE 2
#include "test.h"

int main(int argc, char **argv)
{
	static char page[8192] __attribute__((aligned(4096)));
	const char *path = path_argument(argc, argv);
	volatile int flags = O_RDWR | O_DIRECT;
	volatile size_t length = 4096;
	int a = open(path, flags), b = openat(AT_FDCWD, path, flags);

	if (a < 0 && errno == EINVAL)
		skip("no O_DIRECT here");
	EXPECT_TRUE(a >= 0);
	EXPECT_TRUE(b >= 0);
	EXPECT(ERR(read(a, page, length)), 4096);
	EXPECT(ERR(pread(b, page, length, 4096)), 4096);
	EXPECT(fcntl(b, F_GETFL) & O_DIRECT, O_DIRECT);
	return verdict();
}
