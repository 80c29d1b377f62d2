package dev.spindle.control;

/** The errors that reading or writing a file of /sys ends with, by the kernel's names. */
enum Errno {
    EACCES,
    EINVAL,
    ENOENT,
    ERANGE
}
