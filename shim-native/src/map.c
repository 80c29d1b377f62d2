/*
 * The map: SPINDLE_SHIM_MAP names a text file of lines
 *
 *     name <TAB> path <TAB> nbd_unix_socket <TAB> queue_file [<TAB> shm_socket]
 *
 * It is read once, on the first call that could concern a device, which may
 * come before main. Without the variable, or in a set-user-ID program, the
 * shim stays inert and every wrapper goes straight to libc.
 *
 * A line that cannot be understood must not disturb a program that never
 * touches our paths, and must not be passed over in silence either. So the
 * reader keeps what it can: if the path of a bad line is readable the device
 * is entered as broken and opening it fails with the reason; if not even that,
 * the reason waits for the first open of any device.
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

#include "device.h"
#include "fdtab.h"
#include "partitions.h"
#include "report.h"
#include "sysfs.h"

/* For each device a line of a path and a socket of good length. */
#define MAP_BYTES_MAX (1 << 20)

enum { SHIM_UNKNOWN, SHIM_INERT, SHIM_ACTIVE };

static _Atomic int state = SHIM_UNKNOWN;
static pthread_mutex_t state_lock = PTHREAD_MUTEX_INITIALIZER;
static struct device devices[DEVICES_MAX];
static unsigned devices_used;
/* Beside one another, since every open of any file compares them. */
static const char *last_components[DEVICES_MAX];
static bool shadowed;
static unsigned first_bad_line;

struct device *device_at(unsigned index)
{
	return &devices[index];
}

unsigned device_count(void)
{
	return devices_used;
}

const char *device_last_component(unsigned index)
{
	return last_components[index];
}

bool devices_are_shadowed(void)
{
	return shadowed;
}

struct device *device_by_name(const char *name, size_t length)
{
	unsigned i;

	for (i = 0; i < devices_used; i++)
		if (strlen(devices[i].name) == length &&
		    memcmp(devices[i].name, name, length) == 0)
			return &devices[i];
	return NULL;
}

static bool take_field(char *to, size_t room, const char **from,
		       const char *end)
{
	const char *tab = memchr(*from, '\t', (size_t)(end - *from));
	const char *stop = tab ? tab : end;
	size_t length = (size_t)(stop - *from);
	bool fits = length > 0 && length <= room;

	if (fits)
		memcpy(to, *from, length);
	*from = tab ? tab + 1 : end;
	return fits;
}

static void add_line(const char *line, const char *end, unsigned number)
{
	struct device *d = &devices[devices_used];
	bool good, has_path;

	if (line == end || *line == '#')
		return;
	if (devices_used == DEVICES_MAX) {
		if (!first_bad_line)
			first_bad_line = number;
		return;
	}
	good = take_field(d->name, DEVICE_NAME_MAX, &line, end);
	has_path = take_field(d->path, DEVICE_PATH_MAX, &line, end) &&
		   d->path[0] == '/';
	good &= has_path && !strchr(d->name, ':') && !strchr(d->name, '/');
	good &= take_field(d->socket, DEVICE_SOCKET_MAX, &line, end);
	good &= take_field(d->queue_path, DEVICE_PATH_MAX, &line, end);
	if (line < end)
		good &= take_field(d->shm_socket, DEVICE_SOCKET_MAX, &line, end);
	good &= line == end;
	if (!good) {
		if (!first_bad_line)
			first_bad_line = number;
		d->socket[0] = '\0';
	}
	if (!has_path) {
		memset(d, 0, sizeof(*d));
		return;
	}
	d->index = devices_used++;
	last_components[d->index] = strrchr(d->path, '/') + 1;
	shadowed |= raw(SYS_faccessat, AT_FDCWD, d->path, F_OK) == 0;
	pthread_mutex_init(&d->lock, NULL);
	pthread_mutex_init(&d->bounce_lock, NULL);
	pool_reset(&d->pool);
	connection_reset(&d->connection);
}

static int map_read(const char *path)
{
	static char text[MAP_BYTES_MAX];
	const char *at = text, *end;
	unsigned number = 0;
	long got, length = 0;
	int fd = raw_open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return fd;
	do {
		got = raw(SYS_read, fd, text + length, MAP_BYTES_MAX - length);
		length += got > 0 ? got : 0;
	} while (got > 0 && length < MAP_BYTES_MAX);
	raw_close(fd);
	if (got < 0)
		return (int)got;
	end = text + length;
	while (at < end) {
		const char *newline = memchr(at, '\n', (size_t)(end - at));
		const char *stop = newline ? newline : end;

		add_line(at, stop, ++number);
		at = stop + 1;
	}
	return 0;
}

/* As the environment had it: a program may change that later. */
static char map_path[PATH_MAX];

static int map_start(void)
{
	const char *path = getenv("SPINDLE_SHIM_MAP");
	int result;

	if (!path || !*path || getauxval(AT_SECURE))
		return SHIM_INERT;
	result = strlen(path) < sizeof(map_path) ? map_read(path)
						 : -ENAMETOOLONG;
	if (result < 0) {
		say("map %s: cannot be read (errno %d); no device is emulated",
		    path, -result);
		return SHIM_INERT;
	}
	if (devices_used == 0) {
		if (first_bad_line)
			say("map %s, line %u: wants name<TAB>path<TAB>socket<TAB>queue_file",
			    path, first_bad_line);
		return SHIM_INERT;
	}
	strcpy(map_path, path);
	return SHIM_ACTIVE;
}

const char *shim_map_path(void)
{
	return map_path;
}

bool shim_active(void)
{
	int now = atomic_load_explicit(&state, memory_order_acquire);

	if (__builtin_expect(now != SHIM_UNKNOWN, 1))
		return now == SHIM_ACTIVE;
	pthread_mutex_lock(&state_lock);
	now = atomic_load(&state);
	if (now == SHIM_UNKNOWN) {
		now = map_start();
		if (now == SHIM_ACTIVE) {
			sysfs_start(map_path);
			partitions_start();
			report_start();
			fdtab_adopt_inherited();
		}
		atomic_store_explicit(&state, now, memory_order_release);
	}
	pthread_mutex_unlock(&state_lock);
	return now == SHIM_ACTIVE;
}

bool rings_are_refused(void)
{
	const char *wish;

	if (!shim_active())
		return false;
	wish = getenv("SPINDLE_SHIM_IO_URING");
	return !wish || strcmp(wish, "allow") != 0;
}

/* What is wrong with the map as far as this device goes; says it once. */
static int map_complain(const struct device *d)
{
	static _Atomic bool said;

	if (first_bad_line && !atomic_exchange(&said, true))
		say("map %s, line %u: wants name<TAB>path<TAB>socket<TAB>queue_file",
		    map_path, first_bad_line);
	return d->socket[0] ? 0 : -ENODEV;
}

/* Under the device's lock. */
static int need_queue(struct device *d)
{
	struct queue_file *queue;
	int result;

	if (atomic_load(&d->queue))
		return 0;
	result = queue_file_map(d->queue_path, &queue);
	if (result == 0)
		atomic_store(&d->queue, queue);
	return result;
}

int device_queue(struct device *d)
{
	int result = map_complain(d);

	if (result < 0)
		return result;
	pthread_mutex_lock(&d->lock);
	result = need_queue(d);
	pthread_mutex_unlock(&d->lock);
	return result;
}

int device_ready(struct device *d)
{
	int result = map_complain(d);

	if (result < 0)
		return result;
	pthread_mutex_lock(&d->lock);
	result = need_queue(d);
	if (result == 0)
		result = connection_open(&d->connection, d, true);
	pthread_mutex_unlock(&d->lock);
	return result;
}

int device_connected(struct device *d)
{
	int result;

	if (connection_usable(&d->connection))
		return 0;
	pthread_mutex_lock(&d->lock);
	result = connection_open(&d->connection, d, false);
	pthread_mutex_unlock(&d->lock);
	return result < 0 ? -EIO : 0;
}

void devices_forget_after_fork(void)
{
	unsigned i;

	pthread_mutex_init(&state_lock, NULL);
	for (i = 0; i < devices_used; i++) {
		pthread_mutex_init(&devices[i].lock, NULL);
		pthread_mutex_init(&devices[i].bounce_lock, NULL);
		pool_reset(&devices[i].pool);
		connection_abandon(&devices[i].connection);
	}
}
