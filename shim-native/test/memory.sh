#!/bin/sh
# Runs the shim's test programs against Spindle's own daemon, over shared memory
# and over NBD, with something that watches every access to memory: the shim
# built with AddressSanitizer and UBSan, or Valgrind around the program.
#
#   memory.sh sanitize   all but those that kill themselves
#   memory.sh valgrind   the same but for model and threads: Valgrind runs one
#                        thread at a time, 20 to 50 times slower, and they make
#                        thousands of requests
#
# BUILD says where the binaries are; PRELOAD, for sanitize, what to preload.

how=$1
home=$(cd "$(dirname "$0")/../.." && pwd)
build=$(cd "${BUILD:-build}" && pwd)
work=$(mktemp -d) || exit 1
passed=0
failed=0
server=

finish() {
	[ -n "$server" ] && kill "$server" 2>/dev/null && wait "$server" 2>/dev/null
	rm -rf "$work"
}
trap finish EXIT
trap 'exit 1' INT TERM

# A failure where CI is set.
skip() {
	echo "SKIP shim-native/memory $how: $1"
	[ -z "$CI" ]
	exit
}

[ -f "$home/emulator/target/spindle.jar" ] || skip "the daemon is not built"
case $how in
sanitize)
	tests="aio_setup aio_submit aio_fault aio_events descriptors raw_calls
		mixed model fortify posix_aio threads astray readonly"
	preload=$PRELOAD
	watch=
	limits=SPINDLE_TEST_NO_FORK=1
	;;
valgrind)
	command -v valgrind >/dev/null || skip "valgrind is not installed"
	tests="aio_setup aio_submit aio_fault aio_events descriptors raw_calls
		mixed fortify posix_aio astray readonly"
	preload=$build/libspindle-shim.so
	limits="SPINDLE_TEST_NO_FORK=1 SPINDLE_TEST_NO_BAD_PATHS=1"
	# fair-sched: else a thread that waits for another may run for long alone.
	# leak-check: it reads all memory word by word, and in a forked child what
	# is not inherited (MADV_DONTFORK) by a SIGSEGV each, 16 million of them.
	watch="valgrind -q --error-exitcode=99 --fair-sched=yes --leak-check=no
		--trace-children=no
		--child-silent-after-fork=yes --suppressions=$home/shim-native/test/valgrind.supp"
	;;
*)
	echo "memory.sh: sanitize or valgrind?" >&2
	exit 2
	;;
esac

cat >"$work/memory.conf" <<END
include "$home/conf/drives/null.conf"
server { tcp { enabled = off } }
devices {
    quick { drive = null, size = 64 MiB }
    fixed { drive = null, size = 64 MiB, read_only = on }
}
END
export SPINDLE_RUNTIME_DIR="$work/run"
"$home/spindle" serve "$work/memory.conf" >"$work/served" 2>&1 &
server=$!
tries=0
until grep -q '^ready' "$work/served"; do
	tries=$((tries + 1))
	if [ $tries -gt 300 ] || ! kill -0 "$server" 2>/dev/null; then
		cat "$work/served"
		echo "FAIL the daemon did not start"
		exit 1
	fi
	sleep 0.1
done
grep -v '^#' "$work"/run/*/shim.map >"$work/shm.map"
cut -f 1-4 "$work/shm.map" >"$work/nbd.map"

for transport in shm nbd; do
	for test in $tests; do
		device=quick
		[ "$test" = readonly ] && device=fixed
		# shellcheck disable=SC2086 # lists of words
		(cd "$work" && env LD_PRELOAD="$preload" $limits \
			SPINDLE_SHIM_MAP="$work/$transport.map" ASAN_OPTIONS=detect_leaks=0 \
			timeout 60 $watch "$build/test/$test" /dev/$device) \
			>"$work/said" 2>&1
		status=$?
		if [ $status = 0 ]; then
			passed=$((passed + 1))
		else
			failed=$((failed + 1))
			cat "$work/said"
			echo "FAIL $test over $transport under $how (exit $status)"
		fi
	done
done
echo "shim-native/memory $how: $passed passed, $failed failed"
[ $failed -eq 0 ]
