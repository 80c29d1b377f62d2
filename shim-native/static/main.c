/*
 * spindle-static PROGRAM [ARGUMENT]...: the devices of SPINDLE_SHIM_MAP for a
 * program that makes its system calls without libc, or with one of its own: a
 * static one, one of Go's, musl's, inline assembly.
 *
 *    program --- system call ---> seccomp filter --- notification ---> workers
 *       ^                                                                 |
 *       +---- answer; data by process_vm_writev; fds by ADDFD ------------+
 *
 * The program runs under a filter that hands the calls of filter.c to this
 * process, its parent (serve.c), which does what the preloaded shim would have
 * done, with the shim's own code, and writes the results into the program's
 * memory (calls.c, contexts.c). The filter is inherited by everything that the
 * program starts. Where the kernel or a container refuses one of the means, that
 * is said before the program starts.
 *
 * When this process ends, however that happens, its calls answer ENOSYS.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "static.h"

#define CANNOT_SERVE 125
#define CANNOT_EXECUTE 126
#define NOT_FOUND 127
#define SIGNALLED 128

/* What the child says: how far it has come, and what the kernel said to it. */
struct report {
	enum { FILTERED, REFUSED, NOT_EXECUTED } state;
	int error;
};

static sigset_t signals_before;

static void complain(const char *what, int error)
{
	fprintf(stderr, "spindle-static: %s: %s\n", what, strerror(error));
}

static void tell(int socket, struct report report, int listener)
{
	union {
		struct cmsghdr header;
		char space[CMSG_SPACE(sizeof(int))];
	} control = { 0 };
	struct iovec iov = { &report, sizeof(report) };
	struct msghdr message = { .msg_iov = &iov, .msg_iovlen = 1 };

	if (listener >= 0) {
		message.msg_control = &control;
		message.msg_controllen = sizeof(control);
		control.header.cmsg_level = SOL_SOCKET;
		control.header.cmsg_type = SCM_RIGHTS;
		control.header.cmsg_len = CMSG_LEN(sizeof(int));
		memcpy(CMSG_DATA(&control.header), &listener, sizeof(int));
	}
	raw(SYS_sendmsg, socket, &message, MSG_NOSIGNAL);
}

/* The listener that came along, or -1; false when nothing came. */
static bool hear(int socket, struct report *report, int *listener)
{
	union {
		struct cmsghdr header;
		char space[CMSG_SPACE(sizeof(int))];
	} control = { 0 };
	struct iovec iov = { report, sizeof(*report) };
	struct msghdr message = {
		.msg_iov = &iov,
		.msg_iovlen = 1,
		.msg_control = &control,
		.msg_controllen = sizeof(control),
	};
	struct cmsghdr *c;

	if (recvmsg(socket, &message, MSG_CMSG_CLOEXEC) != sizeof(*report))
		return false;
	*listener = -1;
	c = CMSG_FIRSTHDR(&message);
	if (c && c->cmsg_type == SCM_RIGHTS)
		memcpy(listener, CMSG_DATA(c), sizeof(int));
	return true;
}

/* In the child. From the filter on, only calls that it lets pass. */
static void run_program(int socket, char **argv, const struct rlimit *files)
{
	struct report report = { FILTERED, 0 };
	int listener;
	char go;

	setrlimit(RLIMIT_NOFILE, files);
	sigprocmask(SIG_SETMASK, &signals_before, NULL);
	listener = filter_install();
	if (listener < 0)
		report = (struct report){ REFUSED, -listener };
	tell(socket, report, listener);
	if (listener < 0 || raw(SYS_recvfrom, socket, &go, 1, 0, NULL, 0) != 1)
		_exit(CANNOT_SERVE);
	raw_close(listener);
	execvp(argv[0], argv);
	report = (struct report){ NOT_EXECUTED, errno };
	tell(socket, report, -1);
	_exit(report.error == ENOENT ? NOT_FOUND : CANNOT_EXECUTE);
}

/* The means other than the filter, tried before they are needed. */
static bool may_reach(pid_t child, int childs_fd)
{
	int word, fd = (int)raw(SYS_pidfd_open, child, 0), copy;

	if (fd < 0) {
		complain("pidfd_open is refused here", -fd);
		return false;
	}
	copy = (int)raw(SYS_pidfd_getfd, fd, childs_fd, 0);
	raw_close(fd);
	if (copy < 0) {
		complain("pidfd_getfd is refused here, by a container or by "
			 "ptrace_scope", -copy);
		return false;
	}
	raw_close(copy);
	if (target_fetch(child, &word, (uintptr_t)&word, sizeof(word)) < 0) {
		complain("process_vm_readv is refused here, by a container or "
			 "by ptrace_scope", EPERM);
		return false;
	}
	return true;
}

static bool begin(pid_t child, int socket, int childs_socket)
{
	struct report report;
	int listener;

	if (!hear(socket, &report, &listener)) {
		fprintf(stderr, "spindle-static: the program did not start\n");
		return false;
	}
	if (report.state == REFUSED) {
		complain("seccomp user notification is refused here (it needs "
			 "Linux 5.19, and a container that lets programs use "
			 "it)", report.error);
		return false;
	}
	if (!may_reach(child, childs_socket))
		return false;
	listener = fd_keep_private(listener);
	if (listener < 0 || serve_start(listener) < 0) {
		complain("no thread can be started", EAGAIN);
		return false;
	}
	return send(socket, "g", 1, MSG_NOSIGNAL) == 1;
}

/* Takes up who has ended; true, and the status, when the program is among them. */
static bool has_ended(pid_t child, int *status)
{
	int one;
	pid_t pid;

	while ((pid = waitpid(-1, &one, WNOHANG)) > 0)
		if (pid == child) {
			*status = WIFEXITED(one) ? WEXITSTATUS(one)
						 : SIGNALLED + WTERMSIG(one);
			return true;
		}
	contexts_of_dead();
	return false;
}

static bool is_stopping(int signal)
{
	return signal == SIGTSTP || signal == SIGTTIN || signal == SIGTTOU;
}

static bool has_stopped(pid_t child)
{
	siginfo_t info = { 0 };

	return waitid(P_PID, (id_t)child, &info, WSTOPPED | WNOHANG) == 0 &&
	       info.si_pid == child;
}

/*
 * What a terminal sends, the program gets by itself. Who asks us to stop asks
 * the program: we stop when it has, as a program that goes on needs its calls
 * answered (the same as in relay/relay.c).
 */
static int await(pid_t child)
{
	const struct timespec second = { .tv_sec = 1 };
	int status = CANNOT_SERVE, signal;
	bool is_asked_to_stop = false;
	siginfo_t info;
	sigset_t all;

	sigfillset(&all);
	while (!has_ended(child, &status)) {
		signal = sigtimedwait(&all, &info, &second);
		if (signal > 0 && signal != SIGCHLD && info.si_code <= 0)
			kill(child, signal);
		if (signal == SIGCONT || is_stopping(signal))
			is_asked_to_stop = signal != SIGCONT;
		if (is_asked_to_stop && has_stopped(child)) {
			is_asked_to_stop = false;
			kill(getpid(), SIGSTOP);
		}
	}
	return status;
}

static void block_signals(void)
{
	const int left[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL };
	sigset_t blocked;
	size_t i;

	sigfillset(&blocked);
	for (i = 0; i < sizeof(left) / sizeof(left[0]); i++)
		sigdelset(&blocked, left[i]);
	sigprocmask(SIG_BLOCK, &blocked, &signals_before);
}

static void raise_files(struct rlimit *before)
{
	struct rlimit all;

	getrlimit(RLIMIT_NOFILE, before);
	all = *before;
	all.rlim_cur = all.rlim_max < FDTAB_MAX ? all.rlim_max : FDTAB_MAX;
	setrlimit(RLIMIT_NOFILE, &all);
}

/* What execve said, when it failed; the socket closes when it did not. */
static void explain(const char *program, int socket)
{
	struct report report;
	int listener;

	if (hear(socket, &report, &listener))
		complain(program, report.error);
}

int main(int argc, char **argv)
{
	struct rlimit files;
	int sockets[2], status;
	unsigned i;
	pid_t child;

	if (argc < 2) {
		fprintf(stderr, "usage: spindle-static PROGRAM [ARGUMENT]...\n");
		return CANNOT_SERVE;
	}
	if (!shim_active()) {
		fprintf(stderr, "spindle-static: SPINDLE_SHIM_MAP names no "
				"device; use `spindle run --static`\n");
		return CANNOT_SERVE;
	}
	block_signals();
	raise_files(&files);
	prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets) < 0 ||
	    (child = fork()) < 0) {
		complain("cannot start", errno);
		return CANNOT_SERVE;
	}
	if (child == 0)
		run_program(sockets[1], argv + 1, &files);
	raw_close(sockets[1]);
	if (!begin(child, sockets[0], sockets[1])) {
		kill(child, SIGKILL);
		return CANNOT_SERVE;
	}
	status = await(child);
	explain(argv[1], sockets[0]);
	for (i = 0; i < device_count(); i++)
		connection_drain(&device_at(i)->connection);
	_exit(status);
}
