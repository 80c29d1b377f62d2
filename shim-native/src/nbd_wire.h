/*
 * NBD as the shim speaks it: fixed newstyle, OPT_GO, simple replies. All
 * numbers are big endian on the wire.
 *
 *   request  +0 magic 4 | +4 flags 2 | +6 type 2 | +8 cookie 8 |
 *            +16 offset 8 | +24 length 4 | data of a WRITE
 *   reply    +0 magic 4 | +4 error 4 | +8 cookie 8 | data of a good READ
 */
#ifndef SPINDLE_NBD_WIRE_H
#define SPINDLE_NBD_WIRE_H

#include <endian.h>
#include <stdint.h>

#define NBD_INIT_MAGIC 0x4e42444d41474943ULL	/* "NBDMAGIC" */
#define NBD_OPT_MAGIC 0x49484156454f5054ULL	/* "IHAVEOPT" */
#define NBD_REP_MAGIC 0x0003e889045565a9ULL
#define NBD_REQUEST_MAGIC 0x25609513u
#define NBD_SIMPLE_REPLY_MAGIC 0x67446698u

#define NBD_FLAG_FIXED_NEWSTYLE 1u	/* server and client handshake flags */
#define NBD_FLAG_NO_ZEROES 2u

#define NBD_OPT_GO 7u
#define NBD_REP_ACK 1u
#define NBD_REP_INFO 3u
#define NBD_REP_ERROR (1u << 31)
#define NBD_INFO_EXPORT 0u

#define NBD_FLAG_HAS_FLAGS (1u << 0)
#define NBD_FLAG_READ_ONLY (1u << 1)
#define NBD_FLAG_SEND_FLUSH (1u << 2)
#define NBD_FLAG_SEND_FUA (1u << 3)
#define NBD_FLAG_SEND_TRIM (1u << 5)
#define NBD_FLAG_SEND_WRITE_ZEROES (1u << 6)

#define NBD_CMD_READ 0u
#define NBD_CMD_WRITE 1u
#define NBD_CMD_DISC 2u
#define NBD_CMD_FLUSH 3u
#define NBD_CMD_TRIM 4u
#define NBD_CMD_WRITE_ZEROES 6u
#define NBD_CMD_FLAG_FUA (1u << 0)

struct nbd_request {
	uint32_t magic;
	uint16_t flags;
	uint16_t type;
	uint64_t cookie;
	uint64_t offset;
	uint32_t length;
} __attribute__((packed));

struct nbd_reply {
	uint32_t magic;
	uint32_t error;
	uint64_t cookie;
} __attribute__((packed));

struct nbd_option {
	uint64_t magic;
	uint32_t option;
	uint32_t length;
} __attribute__((packed));

struct nbd_option_reply {
	uint64_t magic;
	uint32_t option;
	uint32_t type;
	uint32_t length;
} __attribute__((packed));

_Static_assert(sizeof(struct nbd_request) == 28, "as drawn above");
_Static_assert(sizeof(struct nbd_reply) == 16, "as drawn above");

#endif
