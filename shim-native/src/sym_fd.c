/* Descriptors: dup, close, fcntl, lseek, and those that arrive by message. */
#include <fcntl.h>
#include <linux/close_range.h>
#include <sys/socket.h>
#include <unistd.h>

#include "close.h"
#include "control.h"
#include "standard.h"

void closefrom(int low);

EXPORT int dup(int fd)
{
	int copy = REAL(dup)(fd);

	fd_copied(fd, copy);
	standard_check(copy);
	return copy;
}

EXPORT int dup2(int from, int to)
{
	int copy;

	if (fd_is_private(to))
		return (int)answer(-EBUSY);
	copy = REAL(dup2)(from, to);
	fd_copied(from, copy);
	standard_check(copy);
	return copy;
}

EXPORT int dup3(int from, int to, int flags)
{
	int copy;

	if (fd_is_private(to))
		return (int)answer(-EBUSY);
	copy = REAL(dup3)(from, to, flags);
	fd_copied(from, copy);
	standard_check(copy);
	return copy;
}

EXPORT int close(int fd)
{
	if (fd_is_private(fd))
		return (int)answer(-EBADF);
	fd_forget(fd);
	standard_check(fd);
	return REAL(close)(fd);
}

EXPORT int close_range(unsigned first, unsigned last, int flags)
{
	if (!shim_active())
		return REAL(close_range)(first, last, flags);
	return (int)answer(shim_close_range(first, last, (unsigned)flags));
}

EXPORT void closefrom(int low)
{
	if (!shim_active())
		REAL(closefrom)(low);
	else
		shim_close_range(low < 0 ? 0 : (unsigned)low, ~0u, 0);
}

/* After the real call on an attribute's descriptor. */
static int attribute_fcntl(int result, int command)
{
	if (result >= 0 &&
	    (command == F_DUPFD || command == F_DUPFD_CLOEXEC)) {
		fd_note_attribute(result);
		standard_check(result);
	}
	return result;
}

#define DEFINE_FCNTL(name)                                                  \
	EXPORT int name(int fd, int command, ...)                           \
	{                                                                   \
		struct open_file file;                                      \
		va_list arguments;                                          \
		long argument;                                              \
									    \
		va_start(arguments, command);                               \
		argument = va_arg(arguments, long);                         \
		va_end(arguments);                                          \
		if (fd_is_attribute(fd))                                    \
			return attribute_fcntl(                             \
				REAL(name)(fd, command, argument), command); \
		if (!fd_find(fd, &file))                                    \
			return REAL(name)(fd, command, argument);           \
		fd = (int)answer(shim_fcntl(&file, command, argument));     \
		if (command == F_DUPFD || command == F_DUPFD_CLOEXEC)       \
			standard_check(fd);                                 \
		return fd;                                                  \
	}

#define DEFINE_LSEEK(name, offset_type)                                     \
	EXPORT offset_type name(int fd, offset_type offset, int whence)     \
	{                                                                   \
		struct open_file file;                                      \
									    \
		if (!fd_find(fd, &file))                                    \
			return REAL(name)(fd, offset, whence);              \
		return answer(shim_lseek(&file, offset, whence));           \
	}

DEFINE_FCNTL(fcntl)
DEFINE_FCNTL(fcntl64)
DEFINE_LSEEK(lseek, off_t)
DEFINE_LSEEK(lseek64, off64_t)

/* Devices passed over a socket are recognised as they come out of it. */
EXPORT ssize_t recvmsg(int fd, struct msghdr *message, int flags)
{
	ssize_t got = REAL(recvmsg)(fd, message, flags);

	if (got >= 0 && message->msg_controllen && shim_active())
		shim_adopt_message(message);
	return got;
}
