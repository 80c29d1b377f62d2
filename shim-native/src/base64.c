/* See base64.h. */
#include "base64.h"

#include <errno.h>
#include <string.h>

static const char digits[] =
	"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

size_t base64_encode(char *to, const void *from, size_t bytes)
{
	const unsigned char *at = from;
	char *end = to;

	while (bytes > 0) {
		size_t have = bytes < 3 ? bytes : 3;
		unsigned group = (unsigned)at[0] << 16;

		if (have > 1)
			group |= (unsigned)at[1] << 8;
		if (have > 2)
			group |= at[2];
		*end++ = digits[group >> 18];
		*end++ = digits[group >> 12 & 63];
		*end++ = have > 1 ? digits[group >> 6 & 63] : '=';
		*end++ = have > 2 ? digits[group & 63] : '=';
		at += have;
		bytes -= have;
	}
	return (size_t)(end - to);
}

static int digit_value(char c)
{
	const char *digit = c ? strchr(digits, c) : NULL;

	return digit ? (int)(digit - digits) : -1;
}

long base64_decode(void *to, size_t room, const char *from, size_t length)
{
	unsigned char *out = to;
	size_t i, done = 0;
	unsigned group = 0;

	if (length % 4 != 0)
		return -EPROTO;
	while (length > 0 && from[length - 1] == '=')
		length--;
	for (i = 0; i < length; i++) {
		int value = digit_value(from[i]);

		if (value < 0)
			return -EPROTO;
		group = group << 6 | (unsigned)value;
		if (i % 4 == 0)
			continue;
		if (done == room)
			return -EMSGSIZE;
		out[done++] = (unsigned char)(group >> (6 - i % 4 * 2));
	}
	return (long)done;
}
