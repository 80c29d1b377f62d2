/* read, write and their relatives. */
#include <sys/uio.h>
#include <unistd.h>

#include "attribute.h"
#include "transfer.h"

ssize_t __read_chk(int fd, void *buffer, size_t length, size_t room);
ssize_t __pread_chk(int fd, void *buffer, size_t length, off_t offset,
		    size_t room);
ssize_t __pread64_chk(int fd, void *buffer, size_t length, off64_t offset,
		      size_t room);

/* An attribute's text is asked for anew where it is read from its start. */
#define REFRESH(fd, offset)                                                  \
	do {                                                                 \
		int refreshed = fd_is_attribute(fd)                          \
					? attribute_refresh(fd, offset)      \
					: 0;                                 \
									     \
		if (refreshed < 0)                                           \
			return answer(refreshed);                            \
	} while (0)

EXPORT ssize_t read(int fd, void *buffer, size_t length)
{
	struct open_file file;

	if (!fd_find(fd, &file)) {
		REFRESH(fd, -1);
		return REAL(read)(fd, buffer, length);
	}
	return answer(shim_io(&file, DIRECTION_READ, buffer, length));
}

EXPORT ssize_t write(int fd, const void *buffer, size_t length)
{
	struct open_file file;

	if (!fd_find(fd, &file))
		return fd_is_attribute(fd)
			       ? answer(attribute_write(fd, buffer, length))
			       : REAL(write)(fd, buffer, length);
	return answer(shim_io(&file, DIRECTION_WRITE, (void *)buffer, length));
}

EXPORT ssize_t __read_chk(int fd, void *buffer, size_t length, size_t room)
{
	struct open_file file;

	if (!fd_find(fd, &file) || length > room) {
		REFRESH(fd, -1);
		return REAL(__read_chk)(fd, buffer, length, room);
	}
	return answer(shim_io(&file, DIRECTION_READ, buffer, length));
}

EXPORT ssize_t readv(int fd, const struct iovec *iov, int count)
{
	struct open_file file;

	if (!fd_find(fd, &file)) {
		REFRESH(fd, -1);
		return REAL(readv)(fd, iov, count);
	}
	return answer(shim_iov(&file, DIRECTION_READ, iov, count, 0));
}

EXPORT ssize_t writev(int fd, const struct iovec *iov, int count)
{
	struct open_file file;

	if (!fd_find(fd, &file))
		return fd_is_attribute(fd)
			       ? answer(attribute_writev(fd, iov, count))
			       : REAL(writev)(fd, iov, count);
	return answer(shim_iov(&file, DIRECTION_WRITE, iov, count, 0));
}

#define DEFINE_PREAD(name, offset_type)                                      \
	EXPORT ssize_t name(int fd, void *buffer, size_t length,             \
			    offset_type offset)                              \
	{                                                                    \
		struct open_file file;                                       \
									     \
		if (!fd_find(fd, &file)) {                                   \
			REFRESH(fd, offset);                                 \
			return REAL(name)(fd, buffer, length, offset);       \
		}                                                            \
		return answer(shim_pio(&file, DIRECTION_READ, buffer, length, \
				       offset));                             \
	}

#define DEFINE_PREAD_CHK(name, offset_type)                                  \
	EXPORT ssize_t name(int fd, void *buffer, size_t length,             \
			    offset_type offset, size_t room)                 \
	{                                                                    \
		struct open_file file;                                       \
									     \
		if (!fd_find(fd, &file) || length > room) {                  \
			REFRESH(fd, offset);                                 \
			return REAL(name)(fd, buffer, length, offset, room); \
		}                                                            \
		return answer(shim_pio(&file, DIRECTION_READ, buffer, length, \
				       offset));                             \
	}

#define DEFINE_PWRITE(name, offset_type)                                     \
	EXPORT ssize_t name(int fd, const void *buffer, size_t length,       \
			    offset_type offset)                              \
	{                                                                    \
		struct open_file file;                                       \
									     \
		if (!fd_find(fd, &file))                                     \
			return fd_is_attribute(fd) && offset >= 0            \
				       ? answer(attribute_write(fd, buffer,  \
								length))     \
				       : REAL(name)(fd, buffer, length,      \
						    offset);                 \
		return answer(shim_pio(&file, DIRECTION_WRITE,               \
				       (void *)buffer, length, offset));     \
	}

#define DEFINE_PVECTOR(name, direction, offset_type)                         \
	EXPORT ssize_t name(int fd, const struct iovec *iov, int count,      \
			    offset_type offset)                              \
	{                                                                    \
		struct open_file file;                                       \
									     \
		if (!fd_find(fd, &file))                                     \
			return REAL(name)(fd, iov, count, offset);           \
		return answer(shim_piov(&file, direction, iov, count, offset, \
					0));                                 \
	}

/* With flags an offset of -1 means the file's own. */
#define DEFINE_PVECTOR2(name, direction, offset_type)                        \
	EXPORT ssize_t name(int fd, const struct iovec *iov, int count,      \
			    offset_type offset, int flags)                   \
	{                                                                    \
		struct open_file file;                                       \
									     \
		if (!fd_find(fd, &file))                                     \
			return REAL(name)(fd, iov, count, offset, flags);    \
		if (offset == -1)                                            \
			return answer(shim_iov(&file, direction, iov, count, \
					       flags));                      \
		return answer(shim_piov(&file, direction, iov, count, offset, \
					flags));                             \
	}

DEFINE_PREAD(pread, off_t)
DEFINE_PREAD(pread64, off64_t)
DEFINE_PREAD_CHK(__pread_chk, off_t)
DEFINE_PREAD_CHK(__pread64_chk, off64_t)
DEFINE_PWRITE(pwrite, off_t)
DEFINE_PWRITE(pwrite64, off64_t)
DEFINE_PVECTOR(preadv, DIRECTION_READ, off_t)
DEFINE_PVECTOR(preadv64, DIRECTION_READ, off64_t)
DEFINE_PVECTOR(pwritev, DIRECTION_WRITE, off_t)
DEFINE_PVECTOR(pwritev64, DIRECTION_WRITE, off64_t)
DEFINE_PVECTOR2(preadv2, DIRECTION_READ, off_t)
DEFINE_PVECTOR2(preadv64v2, DIRECTION_READ, off64_t)
DEFINE_PVECTOR2(pwritev2, DIRECTION_WRITE, off_t)
DEFINE_PVECTOR2(pwritev64v2, DIRECTION_WRITE, off64_t)
