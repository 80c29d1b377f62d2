/*
 * A program that would rather have io_uring and takes AIO where there is none.
 * Under the shim there is none, unless SPINDLE_SHIM_IO_URING=allow: then a ring
 * serves ordinary files, and a device's descriptor is refused by the kernel.
 */
#include <linux/io_uring.h>

#include "test.h"

struct ring {
	int fd;
	_Atomic uint32_t *sq_tail, *cq_head, *cq_tail;
	uint32_t *sq_array, sq_mask, cq_mask;
	struct io_uring_sqe *sqes;
	struct io_uring_cqe *cqes;
};

static void *ring_map(int fd, size_t bytes, off_t what)
{
	void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
		       MAP_SHARED | MAP_POPULATE, fd, what);

	EXPECT_TRUE(p != MAP_FAILED);
	return p;
}

static int ring_open(struct ring *r)
{
	struct io_uring_params p = { 0 };
	char *sq, *cq;

	r->fd = (int)ERR(syscall(SYS_io_uring_setup, 4, &p));
	if (r->fd < 0)
		return r->fd;
	sq = ring_map(r->fd, p.sq_off.array + p.sq_entries * 4,
		      IORING_OFF_SQ_RING);
	cq = ring_map(r->fd, p.cq_off.cqes + p.cq_entries * sizeof(*r->cqes),
		      IORING_OFF_CQ_RING);
	r->sqes = ring_map(r->fd, p.sq_entries * sizeof(*r->sqes),
			   IORING_OFF_SQES);
	r->sq_tail = (void *)(sq + p.sq_off.tail);
	r->sq_array = (void *)(sq + p.sq_off.array);
	r->sq_mask = *(uint32_t *)(void *)(sq + p.sq_off.ring_mask);
	r->cq_head = (void *)(cq + p.cq_off.head);
	r->cq_tail = (void *)(cq + p.cq_off.tail);
	r->cq_mask = *(uint32_t *)(void *)(cq + p.cq_off.ring_mask);
	r->cqes = (void *)(cq + p.cq_off.cqes);
	return 0;
}

static long ring_run(struct ring *r, int opcode, int fd, void *buffer)
{
	uint32_t tail = *r->sq_tail, head = *r->cq_head;
	uint32_t at = tail & r->sq_mask;
	long result;

	r->sqes[at] = (struct io_uring_sqe){
		.opcode = (uint8_t)opcode,
		.fd = fd,
		.addr = (uintptr_t)buffer,
		.len = 4096,
	};
	r->sq_array[at] = at;
	*r->sq_tail = tail + 1;
	EXPECT(ERR(syscall(SYS_io_uring_enter, r->fd, 1, 1,
			   IORING_ENTER_GETEVENTS, NULL, 0)), 1);
	EXPECT(*r->cq_tail, head + 1);
	result = r->cqes[head & r->cq_mask].res;
	*r->cq_head = head + 1;
	return result;
}

static void with_aio(int fd, char *buffer)
{
	aio_context_t id = 0;

	EXPECT(setup(4, &id), 0);
	EXPECT(run_io(id, fd, IOCB_CMD_PWRITE, buffer, 4096, 0), 4096);
	EXPECT(run_io(id, fd, IOCB_CMD_PREAD, buffer + 4096, 4096, 0), 4096);
	EXPECT(destroy(id), 0);
}

static void with_ring(struct ring *r, int fd, bool is_device, char *buffer)
{
	char name[] = "rings.XXXXXX";
	int other = mkstemp(name);

	unlink(name);
	EXPECT(ring_run(r, IORING_OP_WRITE, other, buffer), 4096);
	EXPECT(ring_run(r, IORING_OP_READ, other, buffer + 4096), 4096);
	EXPECT(memcmp(buffer, buffer + 4096, 4096), 0);
	close(other);
	EXPECT(ring_run(r, IORING_OP_READ, fd, buffer + 4096),
	       is_device ? -EBADF : 4096);
	EXPECT(ring_run(r, IORING_OP_WRITE, fd, buffer),
	       is_device ? -EPERM : 4096);
}

int main(int argc, char **argv)
{
	const char *path = path_argument(argc, argv);
	const char *wish = getenv("SPINDLE_SHIM_IO_URING");
	bool is_device = is_block(path);
	int fd = open_direct(path, O_RDWR), result;
	char *buffer = pages(8192);
	struct ring ring;

	memset(buffer, 'u', 4096);
	result = ring_open(&ring);
	if (is_device && !(wish && strcmp(wish, "allow") == 0))
		EXPECT(result, -ENOSYS);
	if (result == 0)
		with_ring(&ring, fd, is_device, buffer);
	else
		fprintf(stderr, "no io_uring (%s): AIO\n", strerror(-result));
	with_aio(fd, buffer);
	EXPECT(memcmp(buffer, buffer + 4096, 4096), 0);
	return verdict();
}
