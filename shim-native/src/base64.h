/*
 * Base64 (RFC 4648, with padding): how bytes travel in the control socket's
 * JSON.
 */
#ifndef SPINDLE_BASE64_H
#define SPINDLE_BASE64_H

#include <stddef.h>

/* Characters that so many bytes take. */
#define BASE64_LENGTH(bytes) (((bytes) + 2) / 3 * 4)

/* Into BASE64_LENGTH(bytes) characters, not ended with zero; how many. */
size_t base64_encode(char *to, const void *from, size_t bytes);
/* From length characters, at most room bytes; how many, or -EPROTO, -EMSGSIZE. */
long base64_decode(void *to, size_t room, const char *from, size_t length);

#endif
