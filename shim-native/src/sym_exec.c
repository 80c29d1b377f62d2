/*
 * exec: as in the kernel, the new program begins when the old one's AIO has
 * ended, so that what it reads is what was written. A child of vfork, which
 * shares its parent's requests, does not wait for them.
 */
#include <stdarg.h>
#include <unistd.h>

#include "device.h"
#include "process.h"

static void before_exec(void)
{
	if (shim_active() && (pid_t)raw(SYS_getpid) == process_id())
		devices_drain();
}

EXPORT int execve(const char *path, char *const argv[], char *const envp[])
{
	before_exec();
	return REAL(execve)(path, argv, envp);
}

EXPORT int execv(const char *path, char *const argv[])
{
	before_exec();
	return REAL(execv)(path, argv);
}

EXPORT int execvp(const char *file, char *const argv[])
{
	before_exec();
	return REAL(execvp)(file, argv);
}

EXPORT int execvpe(const char *file, char *const argv[], char *const envp[])
{
	before_exec();
	return REAL(execvpe)(file, argv, envp);
}

EXPORT int fexecve(int fd, char *const argv[], char *const envp[])
{
	before_exec();
	return REAL(fexecve)(fd, argv, envp);
}

/* As many as there are before the NULL, which is not counted. */
static size_t count_arguments(va_list arguments)
{
	va_list copy;
	size_t count = 1;

	va_copy(copy, arguments);
	while (va_arg(copy, char *))
		count++;
	va_end(copy);
	return count;
}

static void gather(char **argv, const char *first, va_list *arguments)
{
	*argv++ = (char *)first;
	while ((*argv++ = va_arg(*arguments, char *)))
		;
}

/* A stack that holds a program's arguments once holds them twice. */
#define ARGV(first, arguments)                          \
	char *argv[count_arguments(arguments) + 1];     \
	gather(argv, first, &(arguments))

EXPORT int execl(const char *path, const char *first, ...)
{
	va_list arguments;

	va_start(arguments, first);
	ARGV(first, arguments);
	va_end(arguments);
	return execv(path, argv);
}

EXPORT int execlp(const char *file, const char *first, ...)
{
	va_list arguments;

	va_start(arguments, first);
	ARGV(first, arguments);
	va_end(arguments);
	return execvp(file, argv);
}

EXPORT int execle(const char *path, const char *first, ...)
{
	va_list arguments;
	char **envp;

	va_start(arguments, first);
	ARGV(first, arguments);
	envp = va_arg(arguments, char **);
	va_end(arguments);
	return execve(path, argv, envp);
}
