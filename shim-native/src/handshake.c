#include <stdio.h>
#include <string.h>

#include "device.h"

/* Option replies before we decide that the server is talking nonsense. */
#define OPTION_REPLIES_MAX 64
#define OPTION_REPLY_BYTES_MAX 65536

static int greet(int fd)
{
	struct {
		uint64_t magic;
		uint64_t option_magic;
		uint16_t flags;
	} __attribute__((packed)) hello;
	uint32_t reply = htobe32(NBD_FLAG_FIXED_NEWSTYLE | NBD_FLAG_NO_ZEROES);
	int result = wire_take(fd, &hello, sizeof(hello));

	if (result < 0)
		return result;
	if (be64toh(hello.magic) != NBD_INIT_MAGIC ||
	    be64toh(hello.option_magic) != NBD_OPT_MAGIC ||
	    !(be16toh(hello.flags) & NBD_FLAG_FIXED_NEWSTYLE))
		return -EPROTO;
	if (!(be16toh(hello.flags) & NBD_FLAG_NO_ZEROES))
		reply = htobe32(NBD_FLAG_FIXED_NEWSTYLE);
	return wire_give(fd, &reply, sizeof(reply));
}

/* OPT_GO: the name's length, the name, and no information requests. */
static int ask_to_go(int fd, const char *name)
{
	char message[sizeof(struct nbd_option) + 4 + DEVICE_NAME_MAX + 2];
	uint32_t length = (uint32_t)strlen(name);
	uint32_t name_length = htobe32(length);
	struct nbd_option option = {
		.magic = htobe64(NBD_OPT_MAGIC),
		.option = htobe32(NBD_OPT_GO),
		.length = htobe32(4 + length + 2),
	};

	memcpy(message, &option, sizeof(option));
	memcpy(message + sizeof(option), &name_length, 4);
	memcpy(message + sizeof(option) + 4, name, length);
	memset(message + sizeof(option) + 4 + length, 0, 2);
	return wire_give(fd, message, sizeof(option) + 4 + length + 2);
}

/* One reply; 1 when it was the ACK that ends the handshake. */
static int take_option_reply(int fd, uint64_t *size, uint16_t *flags)
{
	struct nbd_option_reply reply;
	unsigned char body[256];
	uint32_t length, type;
	int result = wire_take(fd, &reply, sizeof(reply));

	if (result < 0)
		return result;
	length = be32toh(reply.length);
	type = be32toh(reply.type);
	if (be64toh(reply.magic) != NBD_REP_MAGIC ||
	    be32toh(reply.option) != NBD_OPT_GO ||
	    length > OPTION_REPLY_BYTES_MAX)
		return -EPROTO;
	if (type & NBD_REP_ERROR)
		return -ENODEV;
	if (type == NBD_REP_ACK)
		return length == 0 ? 1 : -EPROTO;
	for (bool first = true; length > 0; first = false) {
		uint32_t part = length < sizeof(body) ? length : sizeof(body);

		result = wire_take(fd, body, part);
		if (result < 0)
			return result;
		if (first && part == 12 && body[0] == 0 &&
		    body[1] == NBD_INFO_EXPORT) {
			memcpy(size, body + 2, 8);
			memcpy(flags, body + 10, 2);
			*size = be64toh(*size);
			*flags = be16toh(*flags);
		}
		length -= part;
	}
	return 0;
}

static int negotiate(int fd, const char *name, uint64_t *size, uint16_t *flags)
{
	int replies, result = greet(fd);

	if (result == 0)
		result = ask_to_go(fd, name);
	for (replies = 0; result == 0 && replies < OPTION_REPLIES_MAX;
	     replies++)
		result = take_option_reply(fd, size, flags);
	if (result == 1)
		return *flags & NBD_FLAG_HAS_FLAGS ? 0 : -EPROTO;
	return result < 0 ? result : -EPROTO;
}

int handshake(const struct device *d, uint64_t *size, uint16_t *flags)
{
	int result, fd = wire_connect(d->socket);

	*size = 0;
	*flags = 0;
	if (fd < 0)
		return fd;
	result = negotiate(fd, d->name, size, flags);
	if (result < 0) {
		raw_close(fd);
		return result == -EAGAIN ? -ETIMEDOUT : result;
	}
	return wire_settle(fd);
}
