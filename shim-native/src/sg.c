/*
 * SCSI commands of the program's own: SG_IO with its checks and its answer as in
 * the kernel's drivers/scsi/scsi_ioctl.c (6.1), and the questions that belong to
 * it. Without CAP_SYS_RAWIO the kernel lets commands through by a list: those
 * that only ask, those that write where the descriptor may; here root has it.
 */
#include <linux/cdrom.h>
#include <scsi/scsi_ioctl.h>
#include <scsi/sg.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "device.h"
#include "disc.h"
#include "transfer.h"
#include "usercopy.h"

#define SG_VERSION 30527
#define SG_IOVEC_MAX 1024
#define CDB_LEAST 6
#define CDB_MOST 32
#define DRIVER_SENSE 8

#define GIVE(type, value) \
	copy_to_user(argument, &(type){ (type)(value) }, sizeof(type))

static const unsigned char commands_that_ask[] = {
	0x00, 0x03, 0x08, 0x12, 0x1a, 0x1b, 0x1c, 0x23, 0x25, 0x28, 0x2b,
	0x2f, 0x37, 0x3c, 0x3e, 0x42, 0x43, 0x44, 0x45, 0x46, 0x47, 0x48, 0x4a,
	0x4b, 0x4d, 0x4e, 0x51, 0x52, 0x5a, 0x5c, 0x88, 0x8f, 0x9e, 0xa0, 0xa3,
	0xa4, 0xa8, 0xac, 0xad, 0xb9, 0xba, 0xbc, 0xbd, 0xbe,
};

static const unsigned char commands_that_write[] = {
	0x04, 0x0a, 0x15, 0x1e, 0x2a, 0x2c, 0x2e, 0x35, 0x3b, 0x3f, 0x4c, 0x53,
	0x54, 0x55, 0x58, 0x5b, 0x5d, 0x8a, 0xa1, 0xa2, 0xa6, 0xa7, 0xaa, 0xae,
	0xb6, 0xbb, 0xbf,
};

static bool is_allowed(const struct open_file *file, unsigned char opcode)
{
	if (geteuid() == 0)
		return true;
	if (memchr(commands_that_ask, opcode, sizeof(commands_that_ask)))
		return true;
	return memchr(commands_that_write, opcode,
		      sizeof(commands_that_write)) &&
	       access_allows(file, DIRECTION_WRITE);
}

static unsigned now_ms(void)
{
	struct timespec now;

	raw(SYS_clock_gettime, CLOCK_MONOTONIC, &now);
	return (unsigned)(now.tv_sec * 1000 + now.tv_nsec / 1000000);
}

/* Where the data is or goes: one stretch, or a list of them. */
static int data_vector(const struct sg_io_hdr *h, struct vector *v)
{
	if (h->dxfer_len == 0) {
		vector_single(v, NULL, 0);
		return 0;
	}
	if (h->iovec_count == 0) {
		vector_single(v, h->dxferp, h->dxfer_len);
		return 0;
	}
	if (h->iovec_count > SG_IOVEC_MAX)
		return -EINVAL;
	return (int)vector_import(v, h->dxferp, h->iovec_count);
}

static int give_sense(struct sg_io_hdr *h, const struct packet *p)
{
	size_t bytes = p->sense_bytes < h->mx_sb_len ? p->sense_bytes
						     : h->mx_sb_len;

	if (!h->sbp || bytes == 0)
		return 0;
	if (copy_to_user(h->sbp, p->sense, bytes) < 0)
		return -EFAULT;
	h->sb_len_wr = (unsigned char)bytes;
	return 0;
}

static int tell(struct sg_io_hdr *h, const struct packet *p)
{
	bool failed = p->status != PACKET_GOOD;

	h->status = (unsigned char)p->status;
	h->masked_status = (unsigned char)(p->status >> 1 & 0x1f);
	h->msg_status = 0;
	h->host_status = 0;
	h->driver_status = failed ? DRIVER_SENSE : 0;
	h->info = failed ? SG_INFO_CHECK : SG_INFO_OK;
	h->resid = (int)(h->dxfer_len -
			 (p->moved < h->dxfer_len ? p->moved : h->dxfer_len));
	h->sb_len_wr = 0;
	return give_sense(h, p);
}

static int run(const struct open_file *file, struct sg_io_hdr *h,
	       struct packet *p, const struct vector *v, char *data)
{
	bool writes = h->dxfer_direction == SG_DXFER_TO_DEV;
	size_t bytes = v->length < h->dxfer_len ? v->length : h->dxfer_len;
	int result;

	if (writes && bytes > 0 &&
	    copy_from_vector(data, v->iov, v->segments, 0, bytes) < 0)
		return -EFAULT;
	p->out = data;
	p->out_bytes = writes ? bytes : 0;
	p->in = data;
	p->in_bytes = writes ? 0 : bytes;
	result = packet_run(file->device, p);
	if (result < 0)
		return result;
	if (!writes && p->moved > 0 &&
	    copy_to_vector(v->iov, v->segments, 0, data, p->moved) < 0)
		return -EFAULT;
	return tell(h, p);
}

static int check_header(const struct sg_io_hdr *h)
{
	if (h->interface_id != 'S')
		return -EINVAL;
	if (h->dxfer_len > PACKET_BYTES_MAX)
		return -EIO;
	if (h->dxfer_len > 0 && h->dxfer_direction != SG_DXFER_TO_DEV &&
	    h->dxfer_direction != SG_DXFER_FROM_DEV &&
	    h->dxfer_direction != SG_DXFER_TO_FROM_DEV)
		return -EINVAL;
	if (h->cmd_len < CDB_LEAST)
		return -EMSGSIZE;
	return h->cmd_len > CDB_MOST ? -EINVAL : 0;
}

int sg_io(const struct open_file *file, struct sg_io_hdr *h)
{
	struct packet p = { .cdb_bytes = h->cmd_len };
	unsigned char cdb[CDB_MOST];
	unsigned began = now_ms();
	struct vector v;
	char *data = NULL;
	int result = check_header(h);

	if (result < 0)
		return result;
	if (copy_from_user(cdb, h->cmdp, h->cmd_len) < 0)
		return -EFAULT;
	if (!is_allowed(file, cdb[0]))
		return -EPERM;
	/* A drive looks at no more bytes. */
	if (p.cdb_bytes > PACKET_CDB_MAX)
		p.cdb_bytes = PACKET_CDB_MAX;
	memcpy(p.cdb, cdb, p.cdb_bytes);
	result = data_vector(h, &v);
	if (result < 0)
		return result;
	if (h->dxfer_len > 0) {
		data = raw_map(h->dxfer_len);
		result = data ? 0 : -ENOMEM;
	}
	if (result == 0)
		result = run(file, h, &p, &v, data);
	if (data)
		raw(SYS_munmap, data, h->dxfer_len);
	vector_release(&v);
	h->duration = now_ms() - began;
	return result;
}

static int sg_io_user(const struct open_file *file, void *argument)
{
	struct sg_io_hdr header;
	int result;

	if (copy_from_user(&header, argument, sizeof(header)) < 0)
		return -EFAULT;
	result = sg_io(file, &header);
	if (result < 0)
		return result;
	return copy_to_user(argument, &header, sizeof(header));
}

int packet_header(struct cdrom_generic_command *cgc, struct sg_io_hdr *h)
{
	*h = (struct sg_io_hdr){ .interface_id = 'S' };
	if (cgc->data_direction == CGC_DATA_WRITE)
		h->dxfer_direction = SG_DXFER_TO_DEV;
	else if (cgc->data_direction == CGC_DATA_READ)
		h->dxfer_direction = SG_DXFER_FROM_DEV;
	else if (cgc->data_direction == CGC_DATA_NONE)
		h->dxfer_direction = SG_DXFER_NONE;
	else if (cgc->data_direction == CGC_DATA_UNKNOWN)
		h->dxfer_direction = SG_DXFER_TO_FROM_DEV;
	else
		return -EINVAL;
	h->dxfer_len = cgc->buflen;
	h->dxferp = cgc->buffer;
	h->sbp = (unsigned char *)cgc->sense;
	if (cgc->sense)
		h->mx_sb_len = sizeof(struct request_sense);
	/* Of the copy, which is ours: what can be read can be read again. */
	h->cmdp = cgc->cmd;
	h->cmd_len = sizeof(cgc->cmd);
	return 0;
}

int packet_ended(struct cdrom_generic_command *cgc, const struct sg_io_hdr *h,
		 int result)
{
	if (result == 0 && h->status)
		result = -EIO;
	cgc->stat = result;
	cgc->buflen = (unsigned)h->resid;
	return result;
}

static int send_packet(const struct open_file *file, void *argument)
{
	struct cdrom_generic_command cgc;
	struct sg_io_hdr header;
	int result;

	if (copy_from_user(&cgc, argument, sizeof(cgc)) < 0)
		return -EFAULT;
	result = packet_header(&cgc, &header);
	if (result == -EINVAL)
		return result;
	result = sg_io(file, &header);
	if (result == -EFAULT)
		return result;
	result = packet_ended(&cgc, &header, result);
	if (copy_to_user(argument, &cgc, sizeof(cgc)) < 0)
		return -EFAULT;
	return result;
}

int sg_ioctl(const struct open_file *file, unsigned long request,
	     void *argument)
{
	const struct queue_file *queue = atomic_load(&file->device->queue);
	unsigned host = file->device->index;
	int size;

	switch (request) {
	case SG_IO:
		return sg_io_user(file, argument);
	case CDROM_SEND_PACKET:
		return send_packet(file, argument);
	case SG_GET_VERSION_NUM:
		return GIVE(int, SG_VERSION);
	case SG_GET_TIMEOUT:
		return 0;
	case SG_SET_TIMEOUT:
		return copy_from_user(&size, argument, sizeof(size));
	case SG_EMULATED_HOST:
		return GIVE(int, 1);
	case SG_GET_RESERVED_SIZE:
		return GIVE(int, queue_max_sectors_kb(queue) * 1024);
	case SG_SET_RESERVED_SIZE:
		if (copy_from_user(&size, argument, sizeof(size)) < 0)
			return -EFAULT;
		return size < 0 ? -EINVAL : 0;
	case SCSI_GET_IDLUN: {
		unsigned place[2] = { host << 24, host };

		return copy_to_user(argument, place, sizeof(place));
	}
	case SCSI_GET_BUS_NUMBER:
		return GIVE(int, host);
	default:
		return -ENOTTY;
	}
}
