/*
 * One emulated drive as this process sees it: a line of the map, its queue
 * file, its request pool and its connection. Devices are made when the map is
 * read and never go away; there are few.
 */
#ifndef SPINDLE_DEVICE_H
#define SPINDLE_DEVICE_H

#include <pthread.h>

#include "connection.h"
#include "pool.h"
#include "queue_file.h"
#include "shim.h"

/* As many, and as long, as a conf may name. */
#define DEVICES_MAX 1024
#define DEVICE_NAME_MAX 64
#define DEVICE_PATH_MAX 4095
/* struct sockaddr_un holds no more. */
#define DEVICE_SOCKET_MAX 107

/* The number NBD devices carry in Linux. */
#define DEVICE_MAJOR 43

struct device {
	char name[DEVICE_NAME_MAX + 1];
	char path[DEVICE_PATH_MAX + 1];
	char socket[DEVICE_SOCKET_MAX + 1];
	char queue_path[DEVICE_PATH_MAX + 1];
	char shm_socket[DEVICE_SOCKET_MAX + 1];	/* empty: NBD only */
	unsigned index;
	pthread_mutex_t lock;		/* opening: queue file, connection */
	struct queue_file *_Atomic queue;
	struct pool pool;
	struct connection connection;
	pthread_mutex_t bounce_lock;	/* unaligned buffered I/O, one at a time */
	char *bounce;
};

/* The devices of the map; valid once shim_active() said true. */
struct device *device_at(unsigned index);
unsigned device_count(void);
/* The last component of its path. */
const char *device_last_component(unsigned index);
struct device *device_by_name(const char *name, size_t length);
/*
 * NULL when the path, which can be read, is no device's, however it is spelt.
 * A link at its end is not followed; place.c does that.
 */
struct device *device_by_path(int dirfd, const char *path);
/* The device whose open descriptor a link in /proc/self/fd shows, or NULL. */
struct device *device_by_descriptor_link(const char *link);
/* True when a real file lay at some device's path when the map was read. */
bool devices_are_shadowed(void);

/* Maps the queue file: what a descriptor that comes from elsewhere needs. */
int device_queue(struct device *d);
/* Maps the queue file and connects; what open does. Says why it cannot. */
int device_ready(struct device *d);
/* The connection, in the process that asks: a forked child makes its own. */
int device_connected(struct device *d);
/* Waits for all that is in flight: what exit and exec do. */
void devices_drain(void);
/* After fork, in the child: nothing of the parent's is in use any more. */
void devices_forget_after_fork(void);

#endif
