/*
 * Attaching: the daemon's socket is told which device, and answers where the
 * files are that it has made for us. They are mapped, having been found to be
 * ours, private and of the layout this shim knows; then the daemon takes their
 * names away. The socket stays open: the kernel closes it when this process
 * ends, however that happens, and so the daemon learns of it; and the other
 * way round.
 */
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "channel.h"
#include "device.h"
#include "report.h"
#include "fdtab.h"

#define REASON_MAX 255
#define FILE_BYTES_MAX (CHANNEL_ARENA_OFFSET + \
			(size_t)ARENA_PAGES_MAX * ARENA_PAGE_BYTES)

static int complain(const struct device *d, const char *path, const char *what)
{
	say("%s: %s %s; NBD is used", d->path, path, what);
	return -EIO;
}

/* Maps a file that is to be this user's alone; NULL, having said why. */
static void *map_file(const struct device *d, const char *path, size_t least,
		      size_t most, size_t *bytes)
{
	int fd = raw_open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
	struct stat st;
	long address = -1;

	if (fd < 0) {
		complain(d, path, "cannot be opened");
		return NULL;
	}
	if (raw_fstat(fd, &st) < 0 || !S_ISREG(st.st_mode) ||
	    (st.st_mode & 0777) != 0600 || st.st_uid != geteuid())
		complain(d, path, "is not this user's alone");
	else if ((size_t)st.st_size < least || (size_t)st.st_size > most)
		complain(d, path, "has the wrong size");
	else
		address = raw(SYS_mmap, NULL, st.st_size, PROT_READ | PROT_WRITE,
			      MAP_SHARED, fd, 0);
	*bytes = (size_t)st.st_size;
	raw_close(fd);
	if (address < 0 && address > -4096)
		return NULL;
	raw(SYS_madvise, address, *bytes, MADV_DONTFORK);
	return (void *)address;
}

static bool is_known(const struct device *d, const struct channel *channel)
{
	const struct channel_file *file = channel->file;
	const struct pool_file *pool = channel->pool;

	if (memcmp(file->magic, CHANNEL_MAGIC, 8) != 0 ||
	    file->layout_version != CHANNEL_VERSION ||
	    file->slots != CHANNEL_SLOTS || file->client >= POOL_CLIENTS ||
	    memcmp(pool->magic, POOL_FILE_MAGIC, 8) != 0 ||
	    pool->layout_version != POOL_FILE_VERSION ||
	    pool->clients != POOL_CLIENTS) {
		complain(d, "its shared memory", "has another layout");
		return false;
	}
	return true;
}

static int map_both(struct channel *channel, const struct device *d,
		    const char *file_path, const char *pool_path)
{
	size_t pool_bytes;
	int i;

	channel->file = map_file(d, file_path,
				 CHANNEL_ARENA_OFFSET + PIECE_BYTES_MAX,
				 FILE_BYTES_MAX, &channel->file_bytes);
	if (!channel->file)
		return -EIO;
	channel->pool = map_file(d, pool_path, sizeof(struct pool_file),
				 sizeof(struct pool_file), &pool_bytes);
	if (!channel->pool || !is_known(d, channel)) {
		channel_detach(channel);
		return -EIO;
	}
	channel->data = (char *)channel->file + CHANNEL_ARENA_OFFSET;
	channel->submitted = 0;
	atomic_store(&channel->reaped, 0);
	channel->asked_to_grow = false;
	memset(&channel->arena, 0, sizeof(channel->arena));
	channel->arena.pages = PIECE_BYTES_MAX / ARENA_PAGE_BYTES;
	for (i = 0; i < DIRECTIONS; i++) {
		channel->credits[i] = channel->file->credit_base[i];
		channel->cells_used[i] = 0;
	}
	return 0;
}

static int take_path(int fd, char *path, uint32_t length)
{
	if (length > DEVICE_PATH_MAX)
		return -EPROTO;
	path[length] = '\0';
	return wire_take(fd, path, length);
}

/* Hello and reply; the paths, or what the daemon says against it. */
static int negotiate(int fd, const struct device *d, struct attach_reply *reply,
		     char *file_path, char *pool_path)
{
	struct attach_hello hello = {
		.magic = ATTACH_MAGIC,
		.version = ATTACH_VERSION,
		.name_length = (uint32_t)strlen(d->name),
	};
	int result = wire_give(fd, &hello, sizeof(hello));

	if (result == 0)
		result = wire_give(fd, d->name, hello.name_length);
	if (result == 0)
		result = wire_take(fd, reply, sizeof(*reply));
	if (result == 0 && memcmp(reply->magic, ATTACH_MAGIC, 8) != 0)
		result = -EPROTO;
	if (result == 0)
		result = take_path(fd, file_path, reply->channel_length);
	if (result == 0)
		result = take_path(fd, pool_path, reply->pool_length);
	return result;
}

static struct channel *need_channel(struct connection *c)
{
	int i;

	if (!c->channel_memory)
		c->channel_memory = raw_map(sizeof(struct channel));
	if (!c->channel_memory)
		return NULL;
	c->channel_memory->connection = c;
	pthread_mutex_init(&c->channel_memory->reap_lock, NULL);
	for (i = 0; i < DIRECTIONS; i++)
		pthread_mutex_init(&c->channel_memory->pool_lock[i], NULL);
	return c->channel_memory;
}

static int attach_over(int fd, struct connection *c, const struct device *d,
		       struct channel *channel)
{
	char file_path[DEVICE_PATH_MAX + 1], pool_path[DEVICE_PATH_MAX + 1];
	const char mapped = ATTACH_MAPPED;
	struct attach_reply reply;
	int result = negotiate(fd, d, &reply, file_path, pool_path);

	if (result < 0) {
		say("%s: no shared memory at %s: %s; NBD is used", d->path,
		    d->shm_socket, strerror(-result));
		return result;
	}
	if (reply.status != 0) {
		say("%s: no shared memory: %.*s; NBD is used", d->path,
		    REASON_MAX, file_path);
		return -EIO;
	}
	result = map_both(channel, d, file_path, pool_path);
	if (result == 0 && report_on())
		atomic_store(&channel->file->wants_times, 1);
	if (result == 0)
		result = wire_give(fd, &mapped, 1);
	if (result < 0)
		return result;
	c->flags = (uint16_t)reply.flags;
	return 0;
}

int channel_attach(struct connection *c, const struct device *d)
{
	struct channel *channel = need_channel(c);
	int fd, result;

	if (!channel)
		return -ENOMEM;
	fd = wire_connect(d->shm_socket);
	if (fd < 0) {
		say("%s: no shared memory at %s: %s; NBD is used", d->path,
		    d->shm_socket, strerror(-fd));
		return fd;
	}
	result = attach_over(fd, c, d, channel);
	if (result < 0) {
		raw_close(fd);
		return result;
	}
	fd = wire_settle(fd);
	if (fd < 0)
		return fd;
	c->channel = channel;
	return fd;
}

/* A thread may still look at it: it finds zeroes, of which none is true. */
static void replace(void *address, size_t bytes)
{
	if (address)
		raw(SYS_mmap, address, bytes, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1,
		    0);
}

void channel_detach(struct channel *channel)
{
	replace(channel->file, channel->file_bytes);
	replace(channel->pool, sizeof(struct pool_file));
}
