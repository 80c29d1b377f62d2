/*
 * libspindle-relay.so: the signals of `spindle run` are its program's.
 *
 * `spindle run` is a JVM, and a JVM keeps SIGQUIT for itself and knows nothing
 * of stopping. So its handlers are these, in C, and the JVM only says who the
 * program is (SignalRelay.java).
 *
 *    before the program   what would end a process is kept, and the program is
 *                         not started; what would stop one stops us
 *    while it runs        what people and programs send us is passed on; what the
 *                         kernel sends for a terminal reaches it by itself
 *    after                nothing: what is left to do is done in peace
 *
 * Who asks us to stop (Ctrl-Z, SIGTSTP) asks the program. We stop when it has:
 * a program that goes on needs its drive. So a shell sees the job stopped, and
 * SIGCONT continues both.
 *
 * Handlers run on any thread of the JVM: atomics and async-signal-safe calls
 * (signal-safety(7)) are all they use.
 */
#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))
#define BIT(number) (1ull << ((number) - 1))
#define STOPPING (BIT(SIGTSTP) | BIT(SIGTTIN) | BIT(SIGTTOU))
#define HARMLESS (STOPPING | BIT(SIGCONT) | BIT(SIGURG) | BIT(SIGWINCH))
#define PASSED_ON                                                             \
	(HARMLESS | BIT(SIGHUP) | BIT(SIGINT) | BIT(SIGQUIT) | BIT(SIGTERM) | \
	 BIT(SIGUSR1) | BIT(SIGUSR2) | BIT(SIGALRM) | BIT(SIGVTALRM) |        \
	 BIT(SIGPROF) | BIT(SIGIO) | BIT(SIGPWR) | BIT(SIGSTKFLT))

enum { BEFORE, RUNNING, AFTER };

static atomic_int phase;
static atomic_int program;
/* No other process can be meant by it once the program has gone; or -1. */
static atomic_int program_fd = -1;
static _Atomic uint64_t kept;
static atomic_bool is_asked_to_stop;

/* With the value that sigqueue(3) gave, if any. */
static void send(int number, const siginfo_t *queued)
{
	siginfo_t copy;

	if (program_fd < 0) {
		kill(program, number);
		return;
	}
	if (queued)
		memcpy(&copy, queued, sizeof(copy));
	syscall(SYS_pidfd_send_signal, program_fd, number,
		queued ? &copy : NULL, 0);
}

static void send_kept(void)
{
	uint64_t bits = atomic_exchange(&kept, 0);
	int number;

	for (number = 1; number <= 64; number++)
		if (bits & BIT(number))
			send(number, NULL);
}

static void stop_with_program(void)
{
	siginfo_t child = { 0 };

	if (phase != RUNNING || !is_asked_to_stop)
		return;
	if (waitid(P_PID, (id_t)program, &child, WSTOPPED | WNOHANG) < 0 ||
	    child.si_pid == 0)
		return;
	is_asked_to_stop = false;
	kill(getpid(), SIGSTOP);
}

static void pass_on(int number, const siginfo_t *info)
{
	bool is_of_terminal = info->si_code > 0;

	if (is_of_terminal && phase == RUNNING)
		return;
	if (phase == RUNNING && info->si_code == SI_QUEUE) {
		send(number, info);
		return;
	}
	atomic_fetch_or(&kept, BIT(number));
	if (phase == RUNNING)
		send_kept();
}

static void caught(int number, siginfo_t *info, void *context)
{
	int error = errno;

	(void)context;
	if (number == SIGCHLD) {
		stop_with_program();
	} else if (phase == BEFORE && BIT(number) & STOPPING) {
		kill(getpid(), SIGSTOP);
	} else if (phase != AFTER) {
		if (BIT(number) & STOPPING)
			is_asked_to_stop = true;
		if (number == SIGCONT)
			is_asked_to_stop = false;
		pass_on(number, info);
		if (BIT(number) & STOPPING)
			stop_with_program();
	}
	errno = error;
}

/* What our caller had us ignore (nohup) stays ignored, by the program too. */
static void catch(int number)
{
	struct sigaction action, before;

	memset(&action, 0, sizeof(action));
	action.sa_sigaction = caught;
	action.sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK;
	sigfillset(&action.sa_mask);
	if (sigaction(number, NULL, &before) == 0 &&
	    before.sa_handler != SIG_IGN)
		sigaction(number, &action, NULL);
}

/* Called once, before anything is there that would have to be taken down. */
EXPORT void spindle_relay_begin(void)
{
	int number;

	for (number = 1; number <= 64; number++)
		if (PASSED_ON & BIT(number) ||
		    (number >= SIGRTMIN && number <= SIGRTMAX))
			catch(number);
	catch(SIGCHLD);
}

/* The signal that came so early that there need be no program, or 0. */
EXPORT int spindle_relay_ended_by(void)
{
	uint64_t bits = kept & ~HARMLESS;

	return bits ? __builtin_ctzll(bits) + 1 : 0;
}

/* The program, just started: what was kept meanwhile is for it. */
EXPORT void spindle_relay_to(int pid)
{
	program = pid;
	program_fd = (int)syscall(SYS_pidfd_open, pid, 0);
	phase = RUNNING;
	send_kept();
}

EXPORT void spindle_relay_end(void)
{
	phase = AFTER;
}
