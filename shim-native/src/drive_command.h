/*
 * ATA commands of the program's own. See drive_command.c.
 */
#ifndef SPINDLE_DRIVE_COMMAND_H
#define SPINDLE_DRIVE_COMMAND_H

#include "fdtab.h"

/* HDIO_DRIVE_CMD on a disk; 0 or -errno. */
int drive_command(const struct open_file *file, void *argument);

#endif
