/*
 * A question to the daemon over its control socket, which lies beside the file
 * that SPINDLE_SHIM_MAP names: one JSON object on a line each way, as the
 * package dev.spindle.control describes. See ask.c.
 */
#ifndef SPINDLE_ASK_H
#define SPINDLE_ASK_H

#include "shim.h"

/* A request under construction, in a buffer of the caller's. */
struct question {
	char *text;
	size_t room, length;
	bool overflowed;
};

/* {"command":"COMMAND" */
void question_begin(struct question *q, char *buffer, size_t room,
		    const char *command);
/* ,"NAME":"BYTES" with any bytes: each is a character of its value (Latin-1). */
void question_add(struct question *q, const char *name, const void *bytes,
		  size_t length);
/* The same of a string that ends with zero. */
void question_add_text(struct question *q, const char *name, const char *text);

/*
 * Sends it and takes the answer's line, which is put into the buffer and ended
 * with zero. Its length, or: -EMSGSIZE where one of the buffers is too small,
 * -ETIMEDOUT where the daemon is silent for ten seconds, what connect says
 * where there is none, -ECONNRESET where it leaves. Takes no lock, no memory
 * and no descriptor for longer than the call, so any thread and any forked
 * child may ask.
 */
long question_ask(struct question *q, char *answer, size_t room);

/*
 * The value of a field of the answer's own, not of an object within: a string's
 * bytes, or the text of a number or a word (true, false). Its length, at most
 * room - 1, behind which a zero is put; -ENOENT where there is no such field,
 * -EMSGSIZE where room is too small, -EPROTO where the answer is no JSON.
 */
long answer_field(const char *answer, const char *name, char *to, size_t room);

/* True where the answer says "ok": true. */
bool answer_is_ok(const char *answer);

#endif
