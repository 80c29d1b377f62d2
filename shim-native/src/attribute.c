/*
 * An attribute's descriptor is a memfd named "spindle.sys:PATH" that holds the
 * text the daemon gave when it was opened, sealed against every change and
 * opened again as the program asked. So reading works even by calls the shim
 * does not see, and a write it does not see fails with EPERM, loud instead of
 * lost. dup, fork and exec need no help: the name is the identity, and the
 * table of descriptors (fdtab.c) finds it.
 *
 * A read at the start asks anew, as the kernel does, for a program that keeps
 * the file open to look again: is the text another by now, a new memfd takes
 * the old one's place. A write is one store: up to a page goes to the daemon as
 * it is, whatever the offset (fs/kernfs/file.c, fs/sysfs/file.c).
 */
#include "attribute.h"

#include <limits.h>
#include <linux/memfd.h>
#include <stdio.h>
#include <string.h>

#include "ask.h"
#include "device.h"
#include "fdtab.h"
#include "sysfs.h"
#include "usercopy.h"

/* What one store takes, and what one show gives. */
#define PAGE_BYTES 4096
/* Each byte may become six, and beside them names of devices stand. */
#define QUESTION_BYTES (128 * 1024)
/* The names of all devices, too. */
#define ANSWER_BYTES (80 * 1024)
#define NAME_BYTES 250
/* Of the link that shows it: that, and what the kernel puts around it. */
#define LINK_BYTES 320
#define NAME_PREFIX "spindle.sys:"
#define BLOCK_DEVICES "devices/virtual/block/"
#define PACKET_CLASS "class/pktcdvd/"

_Static_assert(ANSWER_BYTES >= DEVICES_MAX * (DEVICE_NAME_MAX + 1),
	       "room for the names of all devices");

/* Both at once, since a thread's stack may be small. */
struct exchange {
	char question[QUESTION_BYTES];
	char answer[ANSWER_BYTES];
	char text[ANSWER_BYTES];
};

static int errno_of(const char *name)
{
	static const struct {
		const char *name;
		int number;
	} known[] = {
		{ "EACCES", EACCES }, { "EINVAL", EINVAL },
		{ "ENOENT", ENOENT }, { "ERANGE", ERANGE },
	};
	size_t i;

	for (i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (strcmp(known[i].name, name) == 0)
			return known[i].number;
	return EIO;
}

/* The number the program knows the path's device by. */
static void add_minor(struct question *q, const char *path)
{
	const char *name = path + sizeof(BLOCK_DEVICES) - 1;
	const struct device *d = NULL;
	char text[16];

	if (strncmp(path, BLOCK_DEVICES, sizeof(BLOCK_DEVICES) - 1) == 0)
		d = device_by_name(name, strcspn(name, "/"));
	if (!d)
		return;
	snprintf(text, sizeof(text), "%u", d->index);
	question_add_text(q, "minor", text);
}

/* For what speaks of several: all by their numbers, put together in names. */
static void add_devices(struct question *q, const char *path, char *names)
{
	size_t length = 0;
	unsigned i;

	if (strncmp(path, PACKET_CLASS, sizeof(PACKET_CLASS) - 1) != 0)
		return;
	for (i = 0; i < device_count(); i++) {
		const char *name = device_at(i)->name;

		if (i > 0)
			names[length++] = ',';
		strcpy(names + length, name);
		length += strlen(name);
	}
	question_add(q, "devices", names, length);
}

/* Its text goes to exchange->text; the text's length, 0 for a store, -errno. */
static long ask_daemon(struct exchange *x, const char *path, const void *value,
		       size_t length)
{
	struct question q;
	char name[32];
	long result;

	question_begin(&q, x->question, sizeof(x->question), "attribute");
	question_add_text(&q, "path", path);
	add_minor(&q, path);
	add_devices(&q, path, x->answer);
	if (value)
		question_add(&q, "value", value, length);
	result = question_ask(&q, x->answer, sizeof(x->answer));
	/* As of a device that has gone. */
	if (result < 0)
		return -ENODEV;
	if (!answer_is_ok(x->answer)) {
		result = answer_field(x->answer, "errno", name, sizeof(name));
		return result < 0 ? -EIO : -errno_of(name);
	}
	if (value)
		return 0;
	result = answer_field(x->answer, "text", x->text, sizeof(x->text));
	return result < 0 ? -EIO : result;
}

static struct exchange *exchange_begin(void)
{
	return raw_map(sizeof(struct exchange));
}

static void exchange_end(struct exchange *x)
{
	raw(SYS_munmap, x, sizeof(*x));
}

static int name_of(char *name, const char *path)
{
	int length = snprintf(name, NAME_BYTES, NAME_PREFIX "%s", path);

	return length < NAME_BYTES ? 0 : -ENAMETOOLONG;
}

int text_open(const char *name, const char *text, size_t length, mode_t mode,
	      int flags)
{
	const int seals = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE |
			  F_SEAL_SEAL;
	char path[64];
	int fd, memfd = (int)raw(SYS_memfd_create, name,
				 MFD_CLOEXEC | MFD_ALLOW_SEALING);
	long result = 0;

	if (memfd < 0)
		return memfd;
	if (length > 0)
		result = raw(SYS_pwrite64, memfd, text, length, 0);
	if (result == (long)length)
		result = raw_fcntl(memfd, F_ADD_SEALS, seals);
	if (result < 0) {
		raw_close(memfd);
		return (int)result;
	}
	snprintf(path, sizeof(path), "/proc/self/fd/%d", memfd);
	fd = raw_open(path, flags & (O_ACCMODE | O_CLOEXEC | O_APPEND |
				     O_NONBLOCK));
	raw_close(memfd);
	if (fd >= 0)
		raw(SYS_fchmod, fd, mode & 0777);
	return fd < 0 ? fd : fd_lowest(fd, flags);
}

static int permitted(mode_t mode, int flags)
{
	int access = flags & O_ACCMODE;

	if ((flags & O_CREAT) && (flags & O_EXCL))
		return -EEXIST;
	if ((flags & O_DIRECTORY) == O_DIRECTORY)
		return -ENOTDIR;
	if (access == O_ACCMODE)
		return -EINVAL;
	/* Root's rights do not count here (fs/kernfs/file.c). */
	if ((access != O_WRONLY && !(mode & 0444)) ||
	    (access != O_RDONLY && !(mode & 0222)))
		return -EACCES;
	return 0;
}

int attribute_open(const char *path, mode_t mode, int flags)
{
	int fd, result = permitted(mode, flags);
	char name[NAME_BYTES];
	struct exchange *x;
	long length = 0;

	if (result == 0)
		result = name_of(name, path);
	if (result < 0)
		return result;
	x = exchange_begin();
	if (!x)
		return -ENOMEM;
	if ((flags & O_ACCMODE) != O_WRONLY)
		length = ask_daemon(x, path, NULL, 0);
	fd = length < 0 ? (int)length
			: text_open(name, x->text, (size_t)length, mode, flags);
	exchange_end(x);
	if (fd >= 0)
		fd_note_attribute(fd);
	return fd;
}

/* The path below /sys that a descriptor's name tells. */
static int path_of(int fd, char *path)
{
	static const char deleted[] = " (deleted)";
	char link[64];
	long length;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	length = raw(SYS_readlinkat, AT_FDCWD, link, path, LINK_BYTES - 1);
	if (length < 0)
		return (int)length;
	path[length] = '\0';
	if (strncmp(path, ATTRIBUTE_LINK, sizeof(ATTRIBUTE_LINK) - 1) != 0)
		return -EBADF;
	length -= (long)sizeof(deleted) - 1;
	if (length > 0 && strcmp(path + length, deleted) == 0)
		path[length] = '\0';
	memmove(path, path + sizeof(ATTRIBUTE_LINK) - 1,
		strlen(path + sizeof(ATTRIBUTE_LINK) - 1) + 1);
	return 0;
}

bool attribute_place(int fd, char *place, size_t room)
{
	char path[LINK_BYTES];

	return path_of(fd, path) == 0 &&
	       (size_t)snprintf(place, room, "%s/%s", sysfs_root(), path) < room;
}

int attribute_stat(int fd, struct stat *st)
{
	char place[PLACE_MAX];

	if (!attribute_place(fd, place, sizeof(place)))
		return -EBADF;
	return (int)raw(SYS_newfstatat, AT_FDCWD, place, st, 0);
}

/* Puts a file with the new text in the descriptor's place. */
static int replace(int fd, const char *path, const char *text, size_t length)
{
	int flags = raw_fcntl(fd, F_GETFL, 0);
	int close = raw_fcntl(fd, F_GETFD, 0) & FD_CLOEXEC ? O_CLOEXEC : 0;
	char name[NAME_BYTES];
	struct stat st;
	int fresh, result = raw_fstat(fd, &st);

	if (result == 0)
		result = name_of(name, path);
	if (result < 0 || flags < 0)
		return result < 0 ? result : flags;
	fresh = text_open(name, text, length, st.st_mode, flags | O_CLOEXEC);
	if (fresh < 0)
		return fresh;
	result = (int)raw(SYS_dup3, fresh, fd, close);
	raw_close(fresh);
	if (result >= 0)
		fd_note_attribute(fd);
	return result < 0 ? result : 0;
}

int attribute_refresh(int fd, int64_t offset)
{
	char path[LINK_BYTES];
	struct exchange *x;
	long length, had;
	int result;

	if (offset == -1)
		offset = raw(SYS_lseek, fd, 0, SEEK_CUR);
	if (offset != 0 || (raw_fcntl(fd, F_GETFL, 0) & O_ACCMODE) == O_WRONLY)
		return 0;
	result = path_of(fd, path);
	if (result < 0)
		return result;
	x = exchange_begin();
	if (!x)
		return -ENOMEM;
	length = ask_daemon(x, path, NULL, 0);
	if (length < 0)
		result = (int)length;
	else {
		had = raw(SYS_pread64, fd, x->answer, sizeof(x->answer), 0);
		if (had != length || memcmp(x->answer, x->text, (size_t)had))
			result = replace(fd, path, x->text, (size_t)length);
	}
	exchange_end(x);
	return result;
}

static long store(int fd, struct exchange *x, size_t length)
{
	char path[LINK_BYTES];
	long result = path_of(fd, path);

	if (result == 0)
		result = ask_daemon(x, path, x->text, length);
	if (result < 0)
		return result;
	raw(SYS_lseek, fd, length, SEEK_CUR);
	return (long)length;
}

long attribute_writev(int fd, const struct iovec *vector, int count)
{
	int flags = raw_fcntl(fd, F_GETFL, 0);
	struct exchange *x;
	size_t length = 0;
	long result = 0;
	int i;

	if (flags < 0)
		return flags;
	if ((flags & O_ACCMODE) == O_RDONLY)
		return -EBADF;
	if (count < 0 || count > IOV_MAX)
		return -EINVAL;
	x = exchange_begin();
	if (!x)
		return -ENOMEM;
	for (i = 0; i < count && result == 0 && length < PAGE_BYTES; i++) {
		struct iovec piece;
		size_t part = PAGE_BYTES - length;

		result = copy_from_user(&piece, &vector[i], sizeof(piece));
		if (result == 0 && piece.iov_len < part)
			part = piece.iov_len;
		if (result == 0)
			result = copy_from_user(x->text + length,
						piece.iov_base, part);
		length += part;
	}
	if (result == 0 && length > 0)
		result = store(fd, x, length);
	exchange_end(x);
	return result;
}

long attribute_write(int fd, const void *bytes, size_t length)
{
	const struct iovec piece = { (void *)bytes, length };

	return attribute_writev(fd, &piece, 1);
}
