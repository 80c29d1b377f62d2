#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "shim.h"

#define LINE_BYTES 512

static void say_line(const char *format, va_list arguments)
{
	static const char prefix[] = "spindle-shim: ";
	char line[LINE_BYTES];
	size_t length = sizeof(prefix) - 1;
	int added;

	memcpy(line, prefix, length);
	added = vsnprintf(line + length, sizeof(line) - length - 1, format,
			  arguments);
	if (added > 0)
		length += (size_t)added;
	if (length > sizeof(line) - 2)
		length = sizeof(line) - 2;
	line[length++] = '\n';
	raw(SYS_write, 2, line, length);
}

void say(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	say_line(format, arguments);
	va_end(arguments);
}

void say_debug(const char *format, ...)
{
	static _Atomic int wanted = -1;
	va_list arguments;

	if (atomic_load(&wanted) < 0) {
		const char *value = getenv("SPINDLE_SHIM_DEBUG");

		atomic_store(&wanted, value && strcmp(value, "1") == 0);
	}
	if (!atomic_load(&wanted))
		return;
	va_start(arguments, format);
	say_line(format, arguments);
	va_end(arguments);
}
