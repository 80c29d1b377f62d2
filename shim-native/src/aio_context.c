/*
 * Why the contexts are ours. A context may be used for devices and for
 * ordinary files, in any mixture; programs wait for all of it in one
 * io_getevents, or read one ring. The kernel writes only its own rings, so
 * under an active shim every io_setup makes a ring of ours, of the kernel's
 * layout, and an iocb on an ordinary file goes to a kernel context beside it
 * (aio_kernel.c), whose events a thread carries over.
 * An ordinary file thus pays a system call more for an event, and a thread hop
 * where it had to be waited for; order, capacity and EAGAIN are those of the one
 * ring. A program that
 * opens its device after io_setup is served like any other.
 *
 * The ring is a memfd mapped twice. The program's mapping is the context id,
 * real memory that libaio's fast path, QEMU and fio read and reap by
 * themselves; the program may mremap it (the id moves along, as in the kernel)
 * or unmap it. Events are written through the other mapping, which it does not
 * know, so nothing it does can crash the thread that writes.
 *
 * A slot of the ring is taken by each request outstanding and by each event
 * not reaped. Requests come from an array made with the context, so submitting
 * allocates nothing (a vector of more than INLINE_SEGMENTS apart).
 *
 * A context lives until the last call inside it has left. io_destroy takes it
 * out of the table, wakes who waits (EINVAL), waits for what is in flight, and
 * lets go. A forked child finds an empty table: EINVAL, as the kernel says.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <linux/futex.h>

#include "native_aio.h"
#include "fdtab.h"
#include "usercopy.h"

#define PAGE_BYTES 4096u
/* Past this the kernel answers EINVAL; it doubles nr and multiplies by 32. */
#define AIO_MAX_NR_DEFAULT 65536

static pthread_mutex_t table_lock = PTHREAD_MUTEX_INITIALIZER;
static struct aio_context *table[CONTEXTS_MAX];
static unsigned table_top;
static unsigned long total_given;
bool aio_contexts_are_the_programs;

static unsigned long read_number(const char *path, unsigned long otherwise)
{
	char text[32];
	int fd = raw_open(path, O_RDONLY | O_CLOEXEC);
	long got;

	if (fd < 0)
		return otherwise;
	got = raw(SYS_read, fd, text, sizeof(text) - 1);
	raw_close(fd);
	if (got <= 0)
		return otherwise;
	text[got] = '\0';
	return strtoul(text, NULL, 10);
}

static void *map_shared(size_t bytes, int fd)
{
	long address = raw(SYS_mmap, NULL, bytes, PROT_READ | PROT_WRITE,
			   MAP_SHARED, fd, 0);

	return address < 0 && address > -4096 ? NULL : (void *)address;
}

static unsigned least_capacity(void)
{
	unsigned cpus = (unsigned)sysconf(_SC_NPROCESSORS_CONF);

	return 4 * (cpus ? cpus : 1);
}

/* The kernel's arithmetic, so that capacity is what programs measure there. */
uint32_t aio_ring_slots(unsigned nr)
{
	unsigned least = least_capacity();
	size_t slots = (size_t)(nr > least ? nr : least) * 2 + 2;
	size_t bytes = sizeof(struct aio_ring) + slots * sizeof(struct io_event);

	bytes = (bytes + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES;
	return (uint32_t)((bytes - sizeof(struct aio_ring)) /
			  sizeof(struct io_event));
}

static void size_ring(struct aio_context *context, unsigned nr)
{
	unsigned least = least_capacity();
	uint32_t available, batch;

	context->ring_slots = aio_ring_slots(nr);
	context->ring_bytes = sizeof(struct aio_ring) +
			      (size_t)context->ring_slots *
				      sizeof(struct io_event);
	available = context->ring_slots - 1;
	batch = available / least ? available / least : 1;
	context->usable = available / batch * batch;
}

static void context_free(struct aio_context *context)
{
	if (context->ring)
		raw(SYS_munmap, context->ring, context->ring_bytes);
	if (context->requests)
		raw(SYS_munmap, context->requests,
		    context->usable * sizeof(struct aio_request));
	fd_close_private(atomic_load(&context->poll_fd));
	free(context);
}

static int map_ring(struct aio_context *context)
{
	int fd = (int)raw(SYS_memfd_create, "[aio]", MFD_CLOEXEC);
	int result = -ENOMEM;
	void *seen;

	if (fd < 0)
		return fd == -EMFILE || fd == -ENFILE ? -EAGAIN : -ENOMEM;
	if (raw(SYS_ftruncate, fd, context->ring_bytes) < 0)
		goto out;
	context->ring = map_shared(context->ring_bytes, fd);
	if (!context->ring)
		goto out;
	seen = map_shared(context->ring_bytes, fd);
	if (!seen)
		goto out;
	context->id = (unsigned long)seen;
	context->ring->nr = context->ring_slots;
	context->ring->magic = AIO_RING_MAGIC;
	context->ring->compat_features = 1;
	context->ring->header_length = sizeof(struct aio_ring);
	result = 0;
out:
	raw_close(fd);
	return result;
}

static struct aio_context *context_make(unsigned nr, int *error)
{
	struct aio_context *context = calloc(1, sizeof(*context));
	uint32_t i;

	*error = -ENOMEM;
	if (!context)
		return NULL;
	atomic_store(&context->poll_fd, -1);
	size_ring(context, nr);
	context->nr_given = nr;
	context->requests = raw_map(context->usable *
				    sizeof(struct aio_request));
	if (!context->requests)
		goto fail;
	*error = map_ring(context);
	if (*error < 0)
		goto fail;
	for (i = 0; i < SIGNALS_MAX; i++)
		context->signals[i].fd = -1;
	/* Requests join the free list when first used: see request_take. */
	context->first_free = 0;
	pthread_mutex_init(&context->completion_lock, NULL);
	pthread_mutex_init(&context->reap_lock, NULL);
	pthread_mutex_init(&context->kernel_lock, NULL);
	pthread_rwlock_init(&context->kernel_gate, NULL);
	context->refs = 1;
	return context;
fail:
	context_free(context);
	return NULL;
}

/*
 * The kernel's limit, and its count, are of contexts of its own; so each of ours
 * has one, of the same size, and the kernel counts it, refuses it and forgets it
 * when the process ends. Where a sandbox forbids that, or the program has a
 * kernel's context already (spindle-static), ours are counted here alone.
 */
static int within_limit(struct aio_context *context)
{
	int result = aio_contexts_are_the_programs ? kernel_open(context)
						   : -ENOSYS;

	return result == -ENOSYS || result == -EPERM ? 0 : result;
}

static int table_add(struct aio_context *context)
{
	unsigned long max = read_number("/proc/sys/fs/aio-max-nr",
					AIO_MAX_NR_DEFAULT);
	unsigned long others = read_number("/proc/sys/fs/aio-nr", 0);
	int result = -EAGAIN;
	unsigned i;

	pthread_mutex_lock(&table_lock);
	if (context->nr_counted > 0 &&
	    total_given + others + context->nr_counted > max)
		goto out;
	for (i = 0; i < CONTEXTS_MAX && table[i]; i++)
		;
	if (i == CONTEXTS_MAX)
		goto out;
	table[i] = context;
	context->ring->id = i;
	if (i >= table_top)
		table_top = i + 1;
	total_given += context->nr_counted;
	result = 0;
out:
	pthread_mutex_unlock(&table_lock);
	return result;
}

struct aio_context *context_get(aio_context_t id)
{
	struct aio_context *found = NULL;
	unsigned i;

	pthread_mutex_lock(&table_lock);
	for (i = 0; i < table_top && !found; i++)
		if (table[i] && table[i]->id == id)
			found = table[i];
	if (found)
		found->refs++;
	pthread_mutex_unlock(&table_lock);
	return found;
}

void context_put(struct aio_context *context)
{
	unsigned left;

	pthread_mutex_lock(&table_lock);
	left = --context->refs;
	pthread_mutex_unlock(&table_lock);
	if (left == 0)
		context_free(context);
}

/* Takes the table's reference over; NULL when it is not there (any more). */
static struct aio_context *table_remove(aio_context_t id)
{
	struct aio_context *found = NULL;
	unsigned i;

	pthread_mutex_lock(&table_lock);
	for (i = 0; i < table_top; i++) {
		if (!table[i] || table[i]->id != id)
			continue;
		found = table[i];
		table[i] = NULL;
		total_given -= found->nr_counted;
		break;
	}
	pthread_mutex_unlock(&table_lock);
	return found;
}

void context_counted_by_kernel(struct aio_context *context)
{
	pthread_mutex_lock(&table_lock);
	total_given -= context->nr_counted;
	context->nr_counted = 0;
	pthread_mutex_unlock(&table_lock);
}

static long set_up(unsigned nr, unsigned nr_counted, aio_context_t *id)
{
	struct aio_context *context;
	aio_context_t before;
	int result = copy_from_user(&before, id, sizeof(before));

	if (result < 0)
		return result;
	if (before != 0 || nr == 0 || nr > SETUP_NR_MAX)
		return -EINVAL;
	/* Read-only memory is found before there is anything to undo. */
	result = copy_to_user(id, &before, sizeof(before));
	if (result < 0)
		return result;
	if (nr > read_number("/proc/sys/fs/aio-max-nr", AIO_MAX_NR_DEFAULT))
		return -EAGAIN;
	context = context_make(nr, &result);
	if (!context)
		return result;
	result = within_limit(context);
	if (result == 0) {
		context->nr_counted = context->kernel_id ? 0 : nr_counted;
		result = table_add(context);
	}
	if (result < 0) {
		kernel_destroy(context);
		raw(SYS_munmap, context->id, context->ring_bytes);
		context_free(context);
		return result;
	}
	result = copy_to_user(id, &context->id, sizeof(*id));
	if (result < 0)
		shim_io_destroy(context->id);
	return result;
}

long shim_io_setup(unsigned nr, aio_context_t *id)
{
	return set_up(nr, nr, id);
}

long shim_io_setup_uncounted(unsigned nr, aio_context_t *id)
{
	return set_up(nr, 0, id);
}

long shim_io_destroy(aio_context_t id)
{
	struct aio_context *context = table_remove(id);
	uint32_t left;

	if (!context)
		return -EINVAL;
	atomic_store(&context->dead, true);
	atomic_fetch_add(&context->changes, 1);
	context_wake(context);
	if (atomic_load(&context->poll_fd) >= 0)
		raw(SYS_write, atomic_load(&context->poll_fd), &(uint64_t){ 1 },
		    sizeof(uint64_t));
	/* From here on request_take refuses; nothing more can get in flight. */
	pthread_mutex_lock(&context->completion_lock);
	pthread_mutex_unlock(&context->completion_lock);
	kernel_destroy(context);
	while ((left = atomic_load(&context->outstanding)) > 0)
		raw(SYS_futex, &context->outstanding, FUTEX_WAIT_PRIVATE, left,
		    NULL);
	/* Let the last completion out of the lock before it goes. */
	pthread_mutex_lock(&context->completion_lock);
	pthread_mutex_unlock(&context->completion_lock);
	signals_close(context);
	raw(SYS_munmap, context->id, context->ring_bytes);
	context_put(context);
	return 0;
}

void aio_ring_moved(void *from, void *to)
{
	unsigned i;

	pthread_mutex_lock(&table_lock);
	for (i = 0; i < table_top; i++)
		if (table[i] && table[i]->id == (unsigned long)from)
			table[i]->id = (unsigned long)to;
	pthread_mutex_unlock(&table_lock);
}

void aio_forget_after_fork(void)
{
	pthread_mutex_init(&table_lock, NULL);
	memset(table, 0, sizeof(table));
	table_top = 0;
	total_given = 0;
}
