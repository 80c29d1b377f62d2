/*
 * Which system calls are handed to us. A filter sees numbers only, neither
 * paths nor what a descriptor is, so every call of these kinds comes, whatever
 * file it concerns; what is not a device's goes on in the kernel
 * (SECCOMP_USER_NOTIF_FLAG_CONTINUE). dup, close, fork, fcntl's F_DUPFD and
 * descriptors sent by message need no help: a device's is a real one.
 *
 * Only calls of the native kind are looked at; those of a 32-bit program pass.
 */
#include <linux/audit.h>
#include <linux/filter.h>
#include <sys/prctl.h>

#include "static.h"

#if defined(__x86_64__)
#define NATIVE AUDIT_ARCH_X86_64
#else
#define NATIVE AUDIT_ARCH_AARCH64
#endif

static const unsigned short handled[] = {
#ifdef SYS_open
	SYS_open, SYS_creat, SYS_stat, SYS_lstat, SYS_access,
	SYS_readlink,
#endif
	SYS_openat, SYS_openat2, SYS_newfstatat, SYS_statx, SYS_faccessat,
	SYS_readlinkat,
#ifdef SYS_faccessat2
	SYS_faccessat2,
#endif
	SYS_read, SYS_write, SYS_readv, SYS_writev, SYS_pread64, SYS_pwrite64,
	SYS_preadv, SYS_pwritev, SYS_preadv2, SYS_pwritev2, SYS_lseek,
	SYS_fstat, SYS_ioctl, SYS_fcntl, SYS_fsync, SYS_fdatasync,
	SYS_sync_file_range, SYS_fallocate, SYS_ftruncate, SYS_sendfile,
	SYS_splice, SYS_copy_file_range, SYS_io_setup, SYS_io_destroy,
	SYS_io_submit, SYS_io_cancel, SYS_io_getevents, SYS_io_pgetevents,
	SYS_execve, SYS_execveat, SYS_exit_group,
};

#define HANDLED (sizeof(handled) / sizeof(handled[0]))
#define BEFORE 6

int filter_install(void)
{
	struct sock_filter code[BEFORE + HANDLED + 2] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
			 offsetof(struct seccomp_data, arch)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, NATIVE, 1, 0),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
			 offsetof(struct seccomp_data, nr)),
		/* See sym_uring.c. */
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_io_uring_setup, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, rings_are_refused()
						  ? SECCOMP_RET_ERRNO | ENOSYS
						  : SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { BEFORE + HANDLED + 2, code };
	size_t i;
	long result;

	for (i = 0; i < HANDLED; i++)
		code[BEFORE + i] = (struct sock_filter)BPF_JUMP(
			BPF_JMP | BPF_JEQ | BPF_K, handled[i],
			(unsigned char)(HANDLED - i), 0);
	code[BEFORE + HANDLED] = (struct sock_filter)BPF_STMT(
		BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	code[BEFORE + HANDLED + 1] = (struct sock_filter)BPF_STMT(
		BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF);
	result = raw(SYS_prctl, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	if (result < 0)
		return (int)result;
	/*
	 * A call that has been taken up is not broken off by a signal that has
	 * a handler: half a write cannot be taken back.
	 */
	return (int)raw(SYS_seccomp, SECCOMP_SET_MODE_FILTER,
			SECCOMP_FILTER_FLAG_NEW_LISTENER |
				SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV,
			&program);
}
