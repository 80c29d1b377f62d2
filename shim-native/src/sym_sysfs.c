/* Directories and links below /sys: what only our part of it needs. */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "device.h"
#include "place.h"
#include "sysfs.h"

ssize_t __readlink_chk(const char *path, char *to, size_t length, size_t room);
ssize_t __readlinkat_chk(int dirfd, const char *path, char *to, size_t length,
			 size_t room);
char *__getcwd_chk(char *to, size_t size, size_t room);

/* Before a call that changes something, or reads the path inside libc. */
static bool find_before(const char *path, char *place)
{
	bool readable;

	place_before_looked(AT_FDCWD, path, false, &readable);
	return readable && sysfs_could_be(path) &&
	       sysfs_find(AT_FDCWD, path, place);
}

/* Relative paths may matter from now on. */
static void note_current_directory(const char *path)
{
	char now[PATH_MAX];

	if (strstr(path, "sys") && raw(SYS_getcwd, now, sizeof(now)) > 0)
		sysfs_note_directory(now);
}

EXPORT int chdir(const char *path)
{
	char place[PLACE_MAX];
	int result;

	if (shim_active() && find_before(path, place)) {
		result = (int)answer(raw(SYS_chdir, place));
		if (result == 0)
			atomic_store(&sysfs_entered, true);
		return result;
	}
	result = REAL(chdir)(path);
	if (result == 0 && shim_active() && !atomic_load(&sysfs_entered))
		note_current_directory(path);
	return result;
}

EXPORT DIR *opendir(const char *path)
{
	DIR *directory = REAL(opendir)(path);
	char place[PLACE_MAX];

	if (!sysfs_after(directory ? 0 : -1, AT_FDCWD, path, place)) {
		if (directory && path[0] == '/' && path[1] == 's')
			sysfs_note_directory(path);
		return directory;
	}
	if (directory)
		closedir(directory);
	atomic_store(&sysfs_entered, true);
	return REAL(opendir)(place);
}

#define DEFINE_SCANDIR(name, entry)                                         \
	EXPORT int name(const char *path, struct entry ***list,             \
			int (*wanted)(const struct entry *),                \
			int (*order)(const struct entry **,                 \
				     const struct entry **))                \
	{                                                                   \
		char place[PLACE_MAX];                                      \
									    \
		if (find_before(path, place))                               \
			path = place;                                       \
		return REAL(name)(path, list, wanted, order);               \
	}

DEFINE_SCANDIR(scandir, dirent)
DEFINE_SCANDIR(scandir64, dirent64)

EXPORT ssize_t readlinkat(int dirfd, const char *path, char *to, size_t length)
{
	ssize_t result = REAL(readlinkat)(dirfd, path, to, length);
	char place[PLACE_MAX];

	if (!sysfs_after(result, dirfd, path, place))
		return result;
	return REAL(readlinkat)(AT_FDCWD, place, to, length);
}

EXPORT ssize_t readlink(const char *path, char *to, size_t length)
{
	ssize_t result = REAL(readlink)(path, to, length);
	char place[PLACE_MAX];

	if (!sysfs_after(result, AT_FDCWD, path, place))
		return result;
	return REAL(readlink)(place, to, length);
}

EXPORT ssize_t __readlink_chk(const char *path, char *to, size_t length,
			      size_t room)
{
	if (length > room)
		return REAL(__readlink_chk)(path, to, length, room);
	return readlink(path, to, length);
}

EXPORT ssize_t __readlinkat_chk(int dirfd, const char *path, char *to,
				size_t length, size_t room)
{
	if (length > room)
		return REAL(__readlinkat_chk)(dirfd, path, to, length, room);
	return readlinkat(dirfd, path, to, length);
}

/* The daemon's tree is /sys for the program. */
static char *as_seen(char *path)
{
	if (path && atomic_load(&sysfs_entered))
		sysfs_from_tree(path);
	return path;
}

EXPORT char *getcwd(char *to, size_t size)
{
	return as_seen(REAL(getcwd)(to, size));
}

EXPORT char *__getcwd_chk(char *to, size_t size, size_t room)
{
	return as_seen(REAL(__getcwd_chk)(to, size, room));
}

EXPORT char *get_current_dir_name(void)
{
	return as_seen(REAL(get_current_dir_name)());
}
