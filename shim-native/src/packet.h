/*
 * A packet command to a burner, in the language of MMC: the daemon has the
 * drive carry it out. See packet.c.
 */
#ifndef SPINDLE_PACKET_H
#define SPINDLE_PACKET_H

#include "device.h"

#define PACKET_CDB_MAX 16
#define PACKET_SENSE_BYTES 18
/* As much as the daemon lets one command move. */
#define PACKET_BYTES_MAX (256 * 1024)

#define PACKET_GOOD 0
#define PACKET_CHECK_CONDITION 2

/* What it sends and takes is memory of ours; both at once is nobody's use. */
struct packet {
	unsigned char cdb[PACKET_CDB_MAX];
	size_t cdb_bytes;
	const void *out;
	size_t out_bytes;
	void *in;
	size_t in_bytes;
	/* How it ended. */
	int status;
	size_t moved;		/* bytes that went either way */
	unsigned char sense[PACKET_SENSE_BYTES];
	size_t sense_bytes;
};

/*
 * Waits for its end, however long that is. 0 where the drive ended it, well or
 * not; -EIO where it never got there, having said why with SPINDLE_SHIM_DEBUG.
 */
int packet_run(const struct device *d, struct packet *p);

static inline int packet_sense_key(const struct packet *p)
{
	return p->sense[2] & 0xf;
}

static inline bool packet_sense_is(const struct packet *p, int key, int code,
				   int qualifier)
{
	return packet_sense_key(p) == key && p->sense[12] == code &&
	       p->sense[13] == qualifier;
}

#endif
