/*
 * Which descriptors of this process are devices. See fdtab.c.
 */
#ifndef SPINDLE_FDTAB_H
#define SPINDLE_FDTAB_H

#include "shim.h"

struct device;

/* Descriptors from here on are never ours; open answers EMFILE instead. */
#define FDTAB_MAX 65536

/* A descriptor proved to be a device, for the length of one call. */
struct open_file {
	struct device *device;
	int fd;
	int access;	/* O_RDONLY, O_WRONLY or O_RDWR */
	ino_t inode;	/* one per open(2): the identity of the description */
};

extern _Atomic uint32_t fdtab_tags[FDTAB_MAX];

bool fd_prove(int fd, struct open_file *file);

/* True, and *file filled, when fd is a device. A load and a branch when not. */
static inline bool fd_find(int fd, struct open_file *file)
{
	if ((unsigned)fd >= FDTAB_MAX)
		return false;
	if (__builtin_expect(!atomic_load_explicit(&fdtab_tags[fd],
						   memory_order_acquire), 1))
		return false;
	return fd_prove(fd, file);
}

/* Marks one that says of the tag that it is an attribute's (attribute.c). */
#define TAG_ATTRIBUTE (1u << 30)

bool fd_prove_attribute(int fd);
void fd_note_attribute(int fd);

static inline bool fd_is_attribute(int fd)
{
	return (unsigned)fd < FDTAB_MAX &&
	       __builtin_expect(atomic_load_explicit(&fdtab_tags[fd],
						     memory_order_acquire) &
					TAG_ATTRIBUTE, 0) &&
	       fd_prove_attribute(fd);
}

/* Moves a new descriptor to the lowest number, which open(2) promises. */
int fd_lowest(int fd, int flags);

/* Opens a device as the program asked; returns the descriptor or -errno. */
int fd_open_device(struct device *d, int flags);
/* newfd has become a duplicate of oldfd, or a stranger's. */
void fd_copied(int oldfd, int newfd);
void fd_forget(int fd);
/* Looks at a descriptor that came from elsewhere (exec, SCM_RIGHTS). */
void fd_adopt(int fd);
void fdtab_adopt_inherited(void);
void fdtab_forget_after_fork(void);
/* False in a vfork child, which shares this memory but not the descriptors. */
bool fdtab_is_ours(void);

/* The status flags fcntl(F_GETFL) shows, and their change by F_SETFL. */
int fd_flags(const struct open_file *file);
int fd_set_flags(const struct open_file *file, int flags);
bool fd_is_direct(const struct open_file *file);

/*
 * Descriptors the shim keeps for itself sit high, close on exec, and are
 * answered EBADF when the program means to close everything it does not know.
 */
int fd_keep_private(int fd);	/* moves it; returns the new one or -errno */
void fd_close_private(int fd);
bool fd_is_private(int fd);

#endif
