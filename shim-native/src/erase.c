/*
 * TRIM and WRITE_ZEROES. Where the server does not offer WRITE_ZEROES, zeroes are
 * written; where it does not offer TRIM, the program is told so.
 */
#include "transfer.h"

#define ZEROES_BYTES 65536

static const char zeroes[ZEROES_BYTES] __attribute__((aligned(4096)));

static int write_zeroes(const struct open_file *file, uint64_t offset,
			uint64_t length)
{
	int64_t result = 0;

	while (length > 0 && result >= 0) {
		struct vector v;
		size_t part = length < ZEROES_BYTES ? length : ZEROES_BYTES;

		vector_single(&v, (void *)zeroes, part);
		result = transfer_run(file, DIRECTION_WRITE, &v,
				      (int64_t)offset, 0);
		offset += part;
		length -= part;
	}
	return result < 0 ? (int)result : 0;
}

int shim_erase(const struct open_file *file, uint16_t command, uint64_t offset,
	       uint64_t length)
{
	const struct connection *c = &file->device->connection;

	if (device_connected(file->device) < 0)
		return -EIO;
	if (command == NBD_CMD_TRIM) {
		if (!(c->flags & NBD_FLAG_SEND_TRIM))
			return -EOPNOTSUPP;
	} else if (!(c->flags & NBD_FLAG_SEND_WRITE_ZEROES)) {
		return write_zeroes(file, offset, length);
	}
	return shim_range(file, command, offset, length);
}
