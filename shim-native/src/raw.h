/*
 * System calls made directly, by number. The shim interposes the very libc
 * functions it would otherwise use, and it must not disturb errno; so inside
 * the shim a kernel service is asked for here and answers 0, a count, or a
 * negative errno.
 */
#ifndef SPINDLE_RAW_H
#define SPINDLE_RAW_H

#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <time.h>

static inline long raw_call6(long number, long a, long b, long c, long d,
			     long e, long f)
{
#if defined(__x86_64__)
	long result;
	register long r10 __asm__("r10") = d;
	register long r8 __asm__("r8") = e;
	register long r9 __asm__("r9") = f;

	__asm__ volatile("syscall"
			 : "=a"(result)
			 : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10),
			   "r"(r8), "r"(r9)
			 : "rcx", "r11", "memory");
	return result;
#elif defined(__aarch64__)
	register long x8 __asm__("x8") = number;
	register long x0 __asm__("x0") = a;
	register long x1 __asm__("x1") = b;
	register long x2 __asm__("x2") = c;
	register long x3 __asm__("x3") = d;
	register long x4 __asm__("x4") = e;
	register long x5 __asm__("x5") = f;

	__asm__ volatile("svc 0"
			 : "+r"(x0)
			 : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5)
			 : "memory");
	return x0;
#else
#error "raw_call6 is written for x86-64 and aarch64"
#endif
}

#define RAW_PICK(_0, _1, _2, _3, _4, _5, _6, name, ...) name
#define RAW0(n) raw_call6(n, 0, 0, 0, 0, 0, 0)
#define RAW1(n, a) raw_call6(n, (long)(a), 0, 0, 0, 0, 0)
#define RAW2(n, a, b) raw_call6(n, (long)(a), (long)(b), 0, 0, 0, 0)
#define RAW3(n, a, b, c) raw_call6(n, (long)(a), (long)(b), (long)(c), 0, 0, 0)
#define RAW4(n, a, b, c, d) \
	raw_call6(n, (long)(a), (long)(b), (long)(c), (long)(d), 0, 0)
#define RAW5(n, a, b, c, d, e) \
	raw_call6(n, (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), 0)
#define RAW6(n, a, b, c, d, e, f)                                          \
	raw_call6(n, (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), \
		  (long)(f))
/* raw(SYS_close, fd): up to six arguments, each cast to long. */
#define raw(...) \
	RAW_PICK(__VA_ARGS__, RAW6, RAW5, RAW4, RAW3, RAW2, RAW1, RAW0)(__VA_ARGS__)

static inline int raw_close(int fd)
{
	return (int)raw(SYS_close, fd);
}

static inline int raw_fcntl(int fd, int command, long argument)
{
	return (int)raw(SYS_fcntl, fd, command, argument);
}

static inline int raw_open(const char *path, int flags)
{
	return (int)raw(SYS_openat, AT_FDCWD, path, flags, 0);
}

static inline pid_t raw_getpid(void)
{
	return (pid_t)raw(SYS_getpid);
}

/* Of a descriptor only; the kernel's struct stat is libc's on 64-bit. */
static inline int raw_fstat(int fd, struct stat *st)
{
	return (int)raw(SYS_fstat, fd, st);
}

/* Zeroed memory of our own, taken up only as it is touched; NULL for none. */
static inline void *raw_map(size_t bytes)
{
	long address = raw(SYS_mmap, NULL, bytes, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	return address < 0 && address > -4096 ? NULL : (void *)address;
}

#endif
