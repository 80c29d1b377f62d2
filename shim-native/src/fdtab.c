/*
 * A device needs a descriptor that is a real one: poll, select, lseek, dup,
 * fork, exec and sendmsg must work on it without our help. open therefore
 * makes a placeholder: a memfd named "spindle:<device>:<access>", truncated to
 * the drive's size, sealed against writing and resizing, and opened again
 * write-only through /proc/self/fd. A call the shim misses fails loudly then,
 * read(2) with EBADF and write(2) with EPERM, instead of moving wrong data.
 *
 * Each open(2) has a memfd of its own, so the inode is the identity of the
 * open file description, and everything that belongs to the description is
 * kept inside the kernel's description, where dup, fork, exec and SCM_RIGHTS
 * share it with no work of ours:
 *
 *   device, access mode   the memfd's name, seen in /proc/self/fd
 *   file offset           its own; lseek(2) is native
 *   O_APPEND O_SYNC ...   its own status flags
 *   O_DIRECT              the F_SETSIG number, DIRECT_MARK or 0, which nothing
 *                         uses on a memfd (tmpfs takes O_DIRECT itself only
 *                         since Linux 6.6)
 *
 * The table here is only a hint: which numbers are probably devices, and of
 * which inode. The kernel is asked (fstat) before each use, so a number that
 * was closed behind our back (by stdio, by a vfork child, by inline assembly)
 * and now names a socket is never mistaken. Numbers that arrive from outside
 * are found at start-up by a scan of /proc/self/fd, and in recvmsg.
 *
 * A vfork child shares this memory but not the descriptors; its pid differs
 * from the one noted, and then nothing is forgotten on its account.
 */
#include "fdtab.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/uio.h>

#include "attribute.h"
#include "device.h"
#include "sysfs.h"

#define NAME_PREFIX "spindle:"
#define LINK_PREFIX "/memfd:" NAME_PREFIX
#define LINK_BYTES 320
#define DIRECT_MARK 1
#define PRIVATE_HEADROOM 256

/* A tag: 0, or device index + 1, the access mode and a mark for private. */
#define TAG_DEVICE 0xffffu
#define TAG_ACCESS_SHIFT 16
#define TAG_ACCESS (3u << TAG_ACCESS_SHIFT)
#define TAG_PRIVATE (1u << 31)

/* Flags the placeholder can carry for us. */
#define NATIVE_OPEN_FLAGS \
	(O_CLOEXEC | O_APPEND | O_NONBLOCK | O_SYNC | O_DSYNC)
#define NATIVE_SET_FLAGS (O_APPEND | O_NONBLOCK | O_NOATIME)

_Atomic uint32_t fdtab_tags[FDTAB_MAX];
static _Atomic uint64_t inodes[FDTAB_MAX];
static _Atomic uint64_t placeholder_dev;
static _Atomic pid_t owner_pid;
static _Atomic int private_count;

bool fdtab_is_ours(void)
{
	pid_t owner = atomic_load(&owner_pid);

	return owner == 0 || owner == raw_getpid();
}

static void fd_note(int fd, uint32_t tag, ino_t inode)
{
	if ((unsigned)fd >= FDTAB_MAX)
		return;
	atomic_store_explicit(&inodes[fd], inode, memory_order_relaxed);
	atomic_store_explicit(&fdtab_tags[fd], tag, memory_order_release);
}

void fd_forget(int fd)
{
	if ((unsigned)fd < FDTAB_MAX && atomic_load(&fdtab_tags[fd]) &&
	    fdtab_is_ours())
		atomic_store_explicit(&fdtab_tags[fd], 0, memory_order_release);
}

bool fd_prove(int fd, struct open_file *file)
{
	uint32_t tag = atomic_load_explicit(&fdtab_tags[fd],
					    memory_order_acquire);
	struct stat st;

	if (!(tag & TAG_DEVICE))
		return false;
	if (raw_fstat(fd, &st) < 0 ||
	    st.st_ino != atomic_load_explicit(&inodes[fd],
					      memory_order_relaxed) ||
	    st.st_dev != atomic_load(&placeholder_dev)) {
		fd_forget(fd);
		return false;
	}
	file->device = device_at((tag & TAG_DEVICE) - 1);
	file->fd = fd;
	file->access = (int)((tag & TAG_ACCESS) >> TAG_ACCESS_SHIFT);
	file->inode = st.st_ino;
	return true;
}

void fd_note_attribute(int fd)
{
	struct stat st;

	if (raw_fstat(fd, &st) == 0)
		fd_note(fd, TAG_ATTRIBUTE, st.st_ino);
}

bool fd_prove_attribute(int fd)
{
	struct stat st;

	if (raw_fstat(fd, &st) == 0 &&
	    st.st_ino == atomic_load_explicit(&inodes[fd],
					      memory_order_relaxed))
		return true;
	fd_forget(fd);
	return false;
}

void fd_copied(int oldfd, int newfd)
{
	struct open_file file;

	if (newfd < 0 || oldfd == newfd)
		return;
	if (fd_is_attribute(oldfd)) {
		fd_note_attribute(newfd);
		return;
	}
	if (!fd_find(oldfd, &file)) {
		fd_forget(newfd);
		return;
	}
	fd_note(newfd, atomic_load(&fdtab_tags[oldfd]), file.inode);
}

/* Parses "/memfd:spindle:<device>:<access> (deleted)". */
static uint32_t tag_from_link(const char *link)
{
	const char *name = link + sizeof(LINK_PREFIX) - 1;
	const char *colon;
	struct device *d;

	if (strncmp(link, LINK_PREFIX, sizeof(LINK_PREFIX) - 1) != 0)
		return 0;
	colon = strchr(name, ':');
	if (!colon || colon[1] < '0' || colon[1] > '2')
		return 0;
	d = device_by_name(name, (size_t)(colon - name));
	if (!d)
		return 0;
	return (d->index + 1) |
	       ((uint32_t)(colon[1] - '0') << TAG_ACCESS_SHIFT);
}

struct device *device_by_descriptor_link(const char *link)
{
	uint32_t tag = tag_from_link(link);

	return tag ? device_at((tag & TAG_DEVICE) - 1) : NULL;
}

void fd_adopt(int fd)
{
	char path[64], link[LINK_BYTES];
	struct stat st;
	uint32_t tag;
	long length;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	length = raw(SYS_readlinkat, AT_FDCWD, path, link, sizeof(link) - 1);
	if (length <= 0)
		return;
	link[length] = '\0';
	if (strncmp(link, ATTRIBUTE_LINK, sizeof(ATTRIBUTE_LINK) - 1) == 0)
		fd_note_attribute(fd);
	sysfs_note_directory(link);
	tag = tag_from_link(link);
	if (!tag || device_queue(device_at((tag & TAG_DEVICE) - 1)) < 0 ||
	    raw_fstat(fd, &st) < 0)
		return;
	atomic_store(&placeholder_dev, st.st_dev);
	fd_note(fd, tag, st.st_ino);
	say_debug("descriptor %d inherited: %s", fd, link);
}

void fdtab_adopt_inherited(void)
{
	char buffer[4096] __attribute__((aligned(8)));
	int directory = raw_open("/proc/self/fd",
				 O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	long got;

	atomic_store(&owner_pid, raw_getpid());
	if (directory < 0)
		return;
	while ((got = raw(SYS_getdents64, directory, buffer,
			  sizeof(buffer))) > 0) {
		long at = 0;

		while (at < got) {
			struct dirent64 *entry = (void *)(buffer + at);

			if (entry->d_name[0] != '.')
				fd_adopt(atoi(entry->d_name));
			at += entry->d_reclen;
		}
	}
	raw_close(directory);
}

/* What the shim kept for itself was the parent's. */
void fdtab_forget_after_fork(void)
{
	int fd = 0;

	if (!atomic_exchange(&private_count, 0))
		fd = FDTAB_MAX;
	for (; fd < FDTAB_MAX; fd++)
		if (atomic_load(&fdtab_tags[fd]) & TAG_PRIVATE) {
			atomic_store(&fdtab_tags[fd], 0);
			raw_close(fd);
		}
	atomic_store(&owner_pid, raw_getpid());
}

static int placeholder_open(struct device *d, int flags)
{
	const int seals = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE |
			  F_SEAL_SEAL;
	char name[DEVICE_NAME_MAX + 16], path[64];
	int memfd, fd;
	long result;

	snprintf(name, sizeof(name), NAME_PREFIX "%s:%d", d->name,
		 flags & O_ACCMODE);
	memfd = (int)raw(SYS_memfd_create, name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
	if (memfd < 0)
		return memfd;
	result = raw(SYS_ftruncate, memfd,
		     queue_capacity_bytes(atomic_load(&d->queue)));
	if (result == 0)
		result = raw_fcntl(memfd, F_ADD_SEALS, seals);
	if (result < 0) {
		fd = (int)result;
		goto out;
	}
	snprintf(path, sizeof(path), "/proc/self/fd/%d", memfd);
	fd = raw_open(path, O_WRONLY | (flags & NATIVE_OPEN_FLAGS));
	if (fd >= 0 && (flags & O_NOATIME))
		raw_fcntl(fd, F_SETFL, raw_fcntl(fd, F_GETFL, 0) | O_NOATIME);
out:
	raw_close(memfd);
	return fd;
}

/* Of two equal lowest numbers open(2) promises the lower: move down to it. */
int fd_lowest(int fd, int flags)
{
	int lower = raw_fcntl(fd, (flags & O_CLOEXEC) ? F_DUPFD_CLOEXEC : F_DUPFD,
			      0);

	if (lower < 0 || lower > fd) {
		if (lower >= 0)
			raw_close(lower);
		return fd;
	}
	raw_close(fd);
	return lower;
}

int fd_open_device(struct device *d, int flags)
{
	struct stat st;
	int fd, result;

	if ((flags & O_CREAT) && (flags & O_EXCL))
		return -EEXIST;
	if ((flags & O_DIRECTORY) == O_DIRECTORY)
		return -ENOTDIR;
	if ((flags & O_ACCMODE) == O_ACCMODE)
		return -EINVAL;
	result = device_ready(d);
	if (result < 0)
		return result;
	fd = placeholder_open(d, flags);
	if (fd < 0)
		return fd;
	fd = fd_lowest(fd, flags);
	if (fd >= FDTAB_MAX) {
		raw_close(fd);
		return -EMFILE;
	}
	if (flags & O_DIRECT)
		raw_fcntl(fd, F_SETSIG, DIRECT_MARK);
	result = raw_fstat(fd, &st);
	if (result < 0) {
		raw_close(fd);
		return result;
	}
	atomic_store(&placeholder_dev, st.st_dev);
	fd_note(fd, (d->index + 1) |
	       ((uint32_t)(flags & O_ACCMODE) << TAG_ACCESS_SHIFT), st.st_ino);
	say_debug("open %s flags 0%o: descriptor %d", d->path, flags, fd);
	return fd;
}

bool fd_is_direct(const struct open_file *file)
{
	return raw_fcntl(file->fd, F_GETSIG, 0) == DIRECT_MARK;
}

int fd_flags(const struct open_file *file)
{
	int flags = raw_fcntl(file->fd, F_GETFL, 0);

	if (flags < 0)
		return flags;
	flags = (flags & ~(O_ACCMODE | O_DIRECT)) | file->access;
	return fd_is_direct(file) ? flags | O_DIRECT : flags;
}

int fd_set_flags(const struct open_file *file, int flags)
{
	int result = raw_fcntl(file->fd, F_SETFL, flags & NATIVE_SET_FLAGS);

	if (result < 0)
		return result;
	return raw_fcntl(file->fd, F_SETSIG,
			 (flags & O_DIRECT) ? DIRECT_MARK : 0);
}

int fd_keep_private(int fd)
{
	struct rlimit limit;
	long floor = FDTAB_MAX;
	int high;

	if (raw(SYS_prlimit64, 0, RLIMIT_NOFILE, NULL, &limit) == 0 &&
	    limit.rlim_cur < FDTAB_MAX)
		floor = (long)limit.rlim_cur;
	floor = floor > 2 * PRIVATE_HEADROOM ? floor - PRIVATE_HEADROOM
					     : floor / 2;
	high = raw_fcntl(fd, F_DUPFD_CLOEXEC, floor);
	if (high < 0)
		high = raw_fcntl(fd, F_DUPFD_CLOEXEC, 3);
	raw_close(fd);
	if (high >= FDTAB_MAX) {
		raw_close(high);
		return -EMFILE;
	}
	if (high >= 0) {
		fd_note(high, TAG_PRIVATE, 0);
		atomic_fetch_add(&private_count, 1);
	}
	return high;
}

void fd_close_private(int fd)
{
	if (fd < 0)
		return;
	fd_forget(fd);
	atomic_fetch_sub(&private_count, 1);
	raw_close(fd);
}

bool fd_is_private(int fd)
{
	return (unsigned)fd < FDTAB_MAX &&
	       (atomic_load(&fdtab_tags[fd]) & TAG_PRIVATE) && fdtab_is_ours();
}
