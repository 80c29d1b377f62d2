/*
 * Closing in bulk, and descriptors that come in by message.
 */
#ifndef SPINDLE_CLOSE_H
#define SPINDLE_CLOSE_H

#include <sys/socket.h>

#include "fdtab.h"

/* close_range(2) around the descriptors the shim keeps for itself. */
int shim_close_range(unsigned first, unsigned last, unsigned flags);
void shim_adopt_message(struct msghdr *message);

#endif
