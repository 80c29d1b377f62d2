/*
 * ioctls. The argument is a number; or it points to something small that is
 * copied in and, where the ioctl gives something, out; or to the header of a
 * command to a burner, whose parts lie in the program's memory.
 */
#include <linux/cdrom.h>
#include <linux/fs.h>
#include <linux/hdreg.h>
#include <scsi/sg.h>
#include <string.h>
#include <sys/ioctl.h>

#include "static.h"
#include "../src/disc.h"

/* No other ioctl takes or gives more. */
#define IOCTL_BYTES CD_FRAMESIZE
#define IOCTL_PATTERN 0x5a
#define DRIVE_COMMAND_BYTES 4
/* A header's lengths are bytes. */
#define CDB_ROOM 256
#define SENSE_ROOM 256

static bool takes_number(unsigned long request)
{
	switch (request) {
	case CDROM_DRIVE_STATUS:
	case CDROM_MEDIA_CHANGED:
	case CDROM_LOCKDOOR:
	case CDROM_SELECT_SPEED:
	case CDROM_SET_OPTIONS:
	case CDROM_CLEAR_OPTIONS:
		return true;
	default:
		return false;
	}
}

/* How much an ioctl of a disc drive gives. */
static size_t disc_gives(unsigned long request)
{
	switch (request) {
	case CDROM_LAST_WRITTEN:
	case CDROM_NEXT_WRITABLE:
		return sizeof(long);
	case CDROMMULTISESSION:
		return sizeof(struct cdrom_multisession);
	case CDROMREADTOCHDR:
		return sizeof(struct cdrom_tochdr);
	case CDROMREADTOCENTRY:
		return sizeof(struct cdrom_tocentry);
	case CDROMREADMODE1:
		return CD_FRAMESIZE;
	case SG_GET_VERSION_NUM:
	case SG_EMULATED_HOST:
	case SG_GET_RESERVED_SIZE:
	case SCSI_GET_BUS_NUMBER:
		return sizeof(int);
	case SCSI_GET_IDLUN:
		return 2 * sizeof(int);
	default:
		return 0;
	}
}

/* How much an ioctl that gives something gives. */
static size_t gives(unsigned long request)
{
	switch (request) {
	case BLKGETSIZE64:
		return sizeof(uint64_t);
	case BLKGETSIZE:
	case BLKRAGET:
	case BLKFRAGET:
		return sizeof(long);
	case BLKSECTGET:
	case BLKROTATIONAL:
		return sizeof(unsigned short);
	case BLKSSZGET:
	case BLKPBSZGET:
	case BLKIOMIN:
	case BLKIOOPT:
	case BLKDISCARDZEROES:
	case BLKALIGNOFF:
	case BLKBSZGET:
	case BLKROGET:
		return sizeof(int);
	case HDIO_GETGEO:
		return sizeof(struct hd_geometry);
	case HDIO_DRIVE_CMD:
		return DRIVE_COMMAND_BYTES - 1;
	default:
		return disc_gives(request);
	}
}

static int open_data(const struct call *call, const struct sg_io_hdr *h,
		     struct buffer *data)
{
	int result = h->iovec_count > 0
			     ? buffer_vector(data, call->tid,
					     (uintptr_t)h->dxferp,
					     h->iovec_count)
			     : buffer_single(data, (uintptr_t)h->dxferp,
					     h->dxfer_len);

	if (result == 0 && h->dxfer_direction == SG_DXFER_TO_DEV) {
		result = buffer_fill(data, call->tid);
		if (result < 0)
			buffer_free(data);
	}
	return result;
}

/* Data and sense lie in the program; the command is here already. */
static int run_command(const struct call *call, const struct open_file *file,
		       struct sg_io_hdr *h)
{
	bool has_data = h->dxfer_len > 0 && h->dxfer_len <= PACKET_BYTES_MAX;
	struct sg_io_hdr local = *h;
	unsigned char sense[SENSE_ROOM];
	struct buffer data;
	int result;

	if (has_data) {
		result = open_data(call, h, &data);
		if (result < 0)
			return result;
		local.dxferp = data.local;
		local.iovec_count = (unsigned short)data.segments;
	}
	local.sbp = h->sbp ? sense : NULL;
	result = sg_io(file, &local);
	if (result == 0 && has_data && h->dxfer_direction != SG_DXFER_TO_DEV)
		result = buffer_empty(&data, call->tid,
				      h->dxfer_len - (unsigned)local.resid);
	if (result == 0 && local.sb_len_wr > 0)
		result = target_store(call->tid, (uintptr_t)h->sbp, sense,
				      local.sb_len_wr);
	if (has_data)
		buffer_free(&data);
	local.dxferp = h->dxferp;
	local.iovec_count = h->iovec_count;
	local.sbp = h->sbp;
	*h = local;
	return result;
}

static int run_sg_io(const struct call *call, const struct open_file *file)
{
	uint64_t argument = (uint64_t)call->a[2];
	unsigned char cdb[CDB_ROOM];
	unsigned char *program_cdb;
	struct sg_io_hdr h;
	int result = target_fetch(call->tid, &h, argument, sizeof(h));

	if (result < 0)
		return result;
	program_cdb = h.cmdp;
	if (h.cmd_len > 0 && target_fetch(call->tid, cdb, (uintptr_t)h.cmdp,
					  h.cmd_len) < 0)
		return -EFAULT;
	h.cmdp = cdb;
	result = run_command(call, file, &h);
	h.cmdp = program_cdb;
	return result < 0 ? result
			  : target_store(call->tid, argument, &h, sizeof(h));
}

static int run_send_packet(const struct call *call,
			   const struct open_file *file)
{
	uint64_t argument = (uint64_t)call->a[2];
	struct cdrom_generic_command cgc;
	struct sg_io_hdr h;
	int result = target_fetch(call->tid, &cgc, argument, sizeof(cgc));

	if (result == 0)
		result = packet_header(&cgc, &h);
	if (result < 0)
		return result;
	result = run_command(call, file, &h);
	if (result == -EFAULT)
		return result;
	result = packet_ended(&cgc, &h, result);
	if (target_store(call->tid, argument, &cgc, sizeof(cgc)) < 0)
		return -EFAULT;
	return result;
}

static bool is_of_disc(const struct open_file *file)
{
	return queue_block_bytes(atomic_load(&file->device->queue)) ==
	       CD_FRAMESIZE;
}

int64_t call_ioctl(const struct call *call, const struct open_file *file)
{
	unsigned long request = (unsigned long)call->a[1];
	uint64_t argument = (uint64_t)call->a[2];
	char copy[IOCTL_BYTES] __attribute__((aligned(8)));
	size_t bytes = gives(request);
	ssize_t got;
	int result;

	if (request == FIOCLEX || request == FIONCLEX)
		return LEFT_TO_KERNEL;
	if (takes_number(request))
		return shim_ioctl(file, request, (void *)(uintptr_t)argument);
	if (request == SG_IO && is_of_disc(file))
		return run_sg_io(call, file);
	if (request == CDROM_SEND_PACKET && is_of_disc(file))
		return run_send_packet(call, file);
	memset(copy, IOCTL_PATTERN, sizeof(copy));
	got = target_read(call->tid, copy, argument, sizeof(copy));
	/* What can be read in part only ends at the end of a page. */
	if (request == HDIO_DRIVE_CMD && argument && got < DRIVE_COMMAND_BYTES)
		return -EFAULT;
	result = shim_ioctl(file, request,
			    argument && (got > 0 || bytes > 0) ? copy : NULL);
	if (result == 0 && bytes > 0 && argument)
		result = target_store(call->tid, argument, copy, bytes);
	return result;
}
