/*
 * A packet command goes over the control socket, its bytes in base64: it is the
 * drive's own business and none of the packet writer's or of a queue's that
 * cuts and joins. A command that takes long is answered late; the daemon sends
 * blanks meanwhile.
 */
#include "packet.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ask.h"
#include "base64.h"

/* All of a question or answer but the data; blanks of some hours. */
#define AROUND_BYTES 8192

static int question_add_bytes(struct question *q, const char *name,
			      const void *bytes, size_t length)
{
	char small[BASE64_LENGTH(PACKET_CDB_MAX)];
	char *text = small;

	if (length > PACKET_CDB_MAX)
		text = raw_map(BASE64_LENGTH(length));
	if (!text)
		return -ENOMEM;
	question_add(q, name, text, base64_encode(text, bytes, length));
	if (text != small)
		raw(SYS_munmap, text, BASE64_LENGTH(length));
	return 0;
}

static long take_number(const char *answer, const char *name)
{
	char text[24];

	return answer_field(answer, name, text, sizeof(text)) > 0
		       ? strtol(text, NULL, 10)
		       : -1;
}

/* A field's bytes, decoded in the place of its text; how many, 0 for none. */
static size_t take_bytes(const char *answer, const char *name, void *to,
			 size_t room, char *text, size_t text_room)
{
	long length = answer_field(answer, name, text, text_room);

	if (length > 0)
		length = base64_decode(to, room, text, (size_t)length);
	return length > 0 ? (size_t)length : 0;
}

static int read_answer(const struct device *d, struct packet *p,
		       const char *answer, char *text, size_t room)
{
	long status = take_number(answer, "status");
	long moved = take_number(answer, "moved");

	if (!answer_is_ok(answer) || status < 0 || moved < 0) {
		if (answer_field(answer, "error", text, room) > 0)
			say_debug("%s: %s", d->path, text);
		return -EIO;
	}
	p->status = (int)status;
	p->moved = (size_t)moved;
	p->sense_bytes = take_bytes(answer, "sense", p->sense,
				    sizeof(p->sense), text, room);
	if (p->in_bytes > 0)
		p->moved = take_bytes(answer, "data", p->in, p->in_bytes, text,
				      room);
	return 0;
}

static int ask(const struct device *d, struct packet *p, char *question,
	       char *answer, size_t room)
{
	struct question q;
	char length[24];
	long result;

	question_begin(&q, question, room, "scsi");
	question_add_text(&q, "device", d->name);
	snprintf(length, sizeof(length), "%zu", p->in_bytes);
	question_add_text(&q, "length", length);
	result = question_add_bytes(&q, "cdb", p->cdb, p->cdb_bytes);
	if (result == 0 && p->out_bytes > 0)
		result = question_add_bytes(&q, "data", p->out, p->out_bytes);
	if (result < 0)
		return (int)result;
	result = question_ask(&q, answer, room);
	if (result < 0) {
		say_debug("%s: a command got no answer: %s", d->path,
			  strerror((int)-result));
		return -EIO;
	}
	/* The question has been sent: its buffer serves for the fields. */
	return read_answer(d, p, answer, question, room);
}

/* For SPINDLE_SHIM_DEBUG: the command, what moved, the sense where refused. */
static void tell(const struct device *d, const struct packet *p)
{
	char cdb[3 * PACKET_CDB_MAX + 1];
	size_t i;

	for (i = 0; i < p->cdb_bytes; i++)
		snprintf(cdb + 3 * i, 4, " %02x", p->cdb[i]);
	say_debug("%s: command%s: %zu bytes, sense %x/%02x/%02x", d->path, cdb,
		  p->moved, packet_sense_key(p), p->sense[12], p->sense[13]);
}

int packet_run(const struct device *d, struct packet *p)
{
	size_t bytes = p->in_bytes > p->out_bytes ? p->in_bytes : p->out_bytes;
	size_t room = AROUND_BYTES + BASE64_LENGTH(bytes);
	char *buffers;
	int result;

	if (bytes > PACKET_BYTES_MAX)
		return -EIO;
	buffers = raw_map(2 * room);
	if (!buffers)
		return -ENOMEM;
	memset(p->sense, 0, sizeof(p->sense));
	p->sense_bytes = 0;
	result = ask(d, p, buffers, buffers + room, room);
	raw(SYS_munmap, buffers, 2 * room);
	if (result == 0)
		tell(d, p);
	return result;
}
