/*
 * The shim's end of the control socket. A connection for each question: they
 * are rare (an attribute, a command to a drive), and so nothing is shared
 * between threads or left over in a forked child. The connection is made with
 * bounded waits (wire.c).
 *
 * Of JSON only what the daemon writes is understood: strings with its escapes,
 * numbers, words, and objects and lists, which are stepped over. Characters past
 * 255 mean nothing to us and come out as '?'.
 */
#include "ask.h"

#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#include "connection.h"
#include "device.h"

#define CONTROL_SOCKET "control.sock"
/* Objects and lists within one another, in an answer. */
#define DEPTH_MAX 32

static void put(struct question *q, const char *bytes, size_t length)
{
	if (q->overflowed || length > q->room - q->length) {
		q->overflowed = true;
		return;
	}
	memcpy(q->text + q->length, bytes, length);
	q->length += length;
}

static void put_string(struct question *q, const unsigned char *bytes,
		       size_t length)
{
	char escaped[8];
	size_t i;

	put(q, "\"", 1);
	for (i = 0; i < length; i++) {
		unsigned char c = bytes[i];

		if (c >= ' ' && c < 0x7f && c != '"' && c != '\\') {
			put(q, (const char *)&bytes[i], 1);
		} else {
			snprintf(escaped, sizeof(escaped), "\\u%04x", c);
			put(q, escaped, 6);
		}
	}
	put(q, "\"", 1);
}

void question_begin(struct question *q, char *buffer, size_t room,
		    const char *command)
{
	*q = (struct question){ .text = buffer, .room = room };
	put(q, "{\"command\":", 11);
	put_string(q, (const unsigned char *)command, strlen(command));
}

void question_add(struct question *q, const char *name, const void *bytes,
		  size_t length)
{
	put(q, ",", 1);
	put_string(q, (const unsigned char *)name, strlen(name));
	put(q, ":", 1);
	put_string(q, bytes, length);
}

void question_add_text(struct question *q, const char *name, const char *text)
{
	question_add(q, name, text, strlen(text));
}

/* Beside the map. */
static int control_socket(char *path, size_t room)
{
	const char *map = shim_map_path();
	const char *slash = strrchr(map, '/');
	size_t folder = slash ? (size_t)(slash - map) + 1 : 0;

	if (!*map)
		return -ENOENT;
	if (folder + sizeof(CONTROL_SOCKET) > room)
		return -ENAMETOOLONG;
	memcpy(path, map, folder);
	memcpy(path + folder, CONTROL_SOCKET, sizeof(CONTROL_SOCKET));
	return 0;
}

/* Up to the line's end, which is left out. */
static long take_line(int fd, char *to, size_t room)
{
	size_t length = 0;

	while (length < room) {
		long got = raw(SYS_recvfrom, fd, to + length, room - length, 0,
			       NULL, NULL);
		char *end;

		if (got == -EINTR)
			continue;
		if (got <= 0)
			return got == -EAGAIN ? -ETIMEDOUT
			       : got < 0      ? got
					      : -ECONNRESET;
		end = memchr(to + length, '\n', (size_t)got);
		if (end) {
			*end = '\0';
			return end - to;
		}
		length += (size_t)got;
	}
	return -EMSGSIZE;
}

long question_ask(struct question *q, char *answer, size_t room)
{
	char path[DEVICE_SOCKET_MAX + 1];
	long result = control_socket(path, sizeof(path));
	int fd;

	put(q, "}\n", 2);
	if (q->overflowed)
		return -EMSGSIZE;
	if (result < 0)
		return result;
	fd = wire_connect(path);
	if (fd < 0)
		return fd;
	result = wire_give(fd, q->text, q->length);
	if (result == 0)
		result = take_line(fd, answer, room);
	raw_close(fd);
	return result == -EAGAIN ? -ETIMEDOUT : result;
}

static const char *skip_space(const char *at)
{
	return at + strspn(at, " \t\r\n");
}

/* Four hexadecimal digits; -1 where they are none. */
static int hex4(const char *at)
{
	int value = 0, i;

	for (i = 0; i < 4; i++) {
		const char *digits = "0123456789abcdef";
		const char *digit = at[i] ? strchr(digits, at[i] | 0x20) : NULL;

		if (!digit)
			return -1;
		value = value * 16 + (int)(digit - digits);
	}
	return value;
}

/* The character at *at, past which *at is moved; -1 where there is none. */
static int take_character(const char **at)
{
	static const char escapes[] = "\"\\/bfnrt", plain[] = "\"\\/\b\f\n\r\t";
	const char *from = *at, *escape;
	int value;

	if (*from == '\0' || *from == '"')
		return -1;
	if ((unsigned char)*from >= 0x80) {
		/* UTF-8: two bytes for what is Latin-1, else more. */
		value = (from[0] & 0x3f) << 6 | (from[1] & 0x3f);
		if ((from[0] & 0xfc) != 0xc0 || (from[1] & 0xc0) != 0x80)
			value = '?';
		for (from++; ((unsigned char)*from & 0xc0) == 0x80; from++)
			;
		*at = from;
		return value;
	}
	*at = from + 1;
	if (*from != '\\')
		return *from;
	*at = from + 2;
	if (from[1] == 'u') {
		value = hex4(from + 2);
		*at = value < 0 ? from + 2 : from + 6;
		return value > 255 ? '?' : value;
	}
	escape = from[1] ? strchr(escapes, from[1]) : NULL;
	return escape ? plain[escape - escapes] : -1;
}

/*
 * A string, from behind its first quote to behind its last; into to, unless
 * that is NULL. Its length, or -EMSGSIZE or -EPROTO.
 */
static long take_string(const char **at, char *to, size_t room)
{
	size_t length = 0;

	while (**at != '"') {
		int c = take_character(at);

		if (c < 0)
			return -EPROTO;
		if (to && length + 1 >= room)
			return -EMSGSIZE;
		if (to)
			to[length] = (char)c;
		length++;
	}
	++*at;
	if (to)
		to[length] = '\0';
	return (long)length;
}

/* Steps over an object or a list. */
static long skip_nested(const char **at)
{
	long depth = 0;

	do {
		*at += strcspn(*at, "\"{}[]");
		switch (*(*at)++) {
		case '"':
			if (take_string(at, NULL, 0) < 0)
				return -EPROTO;
			break;
		case '{':
		case '[':
			if (++depth > DEPTH_MAX)
				return -EPROTO;
			break;
		case '}':
		case ']':
			depth--;
			break;
		default:
			return -EPROTO;
		}
	} while (depth > 0);
	return 0;
}

static long take_value(const char **at, char *to, size_t room)
{
	size_t length;

	if (**at == '"') {
		++*at;
		return take_string(at, to, room);
	}
	if (**at == '{' || **at == '[')
		return skip_nested(at);
	length = strcspn(*at, ",}] \t\r\n");
	if (length == 0)
		return -EPROTO;
	if (to && length >= room)
		return -EMSGSIZE;
	if (to) {
		memcpy(to, *at, length);
		to[length] = '\0';
	}
	*at += length;
	return (long)length;
}

/* A field's name and the colon behind it: is it the one that is looked for? */
static long take_name(const char **at, const char *wanted, bool *is_wanted)
{
	char name[64];
	long result;

	*at = skip_space(*at);
	if (*(*at)++ != '"')
		return -EPROTO;
	result = take_string(at, name, sizeof(name));
	if (result < 0)
		return -EPROTO;
	*is_wanted = strcmp(name, wanted) == 0;
	*at = skip_space(*at);
	if (*(*at)++ != ':')
		return -EPROTO;
	*at = skip_space(*at);
	return 0;
}

long answer_field(const char *answer, const char *name, char *to, size_t room)
{
	const char *at = skip_space(answer);
	bool is_wanted = false;
	long result;

	if (*at++ != '{')
		return -EPROTO;
	if (*skip_space(at) == '}')
		return -ENOENT;
	for (;;) {
		result = take_name(&at, name, &is_wanted);
		if (result < 0)
			return result;
		result = take_value(&at, is_wanted ? to : NULL, room);
		if (result < 0 || is_wanted)
			return result;
		at = skip_space(at);
		if (*at == '}')
			return -ENOENT;
		if (*at++ != ',')
			return -EPROTO;
	}
}

bool answer_is_ok(const char *answer)
{
	char word[8];

	return answer_field(answer, "ok", word, sizeof(word)) > 0 &&
	       strcmp(word, "true") == 0;
}
