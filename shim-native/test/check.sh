#!/bin/sh
# Runs every test program twice: on a real file without the shim, which proves
# the expectations, and on a device of nbdkit's with it. Ends what it started
# and leaves nothing behind. BUILD says where the binaries are, LIBRARY what to
# preload instead of the library there.

work=$(mktemp -d) || exit 1
# Through a link: LD_PRELOAD cannot quote the spaces a path may have.
ln -s "$(cd "${BUILD:-build}" && pwd)" "$work/build"
build=$work/build
library=$build/libspindle-shim.so
# What LD_PRELOAD names; a sanitizer's runtime goes before the library.
preload=$library
for part in $LIBRARY; do
	case $part in
	*/libspindle-shim.so) part=$(cd "${part%/*}" && pwd)/libspindle-shim.so ;;
	esac
	[ "$preload" = "$library" ] && preload=$part || preload="$preload $part"
done
passed=0
skipped=0
failed=0

if ! command -v nbdkit >/dev/null; then
	echo "SKIP shim-native/check: nbdkit is not installed"
	rm -rf "$work"
	[ -z "$CI" ]
	exit
fi

servers=
finish() {
	for pid in $servers; do
		kill "$pid" 2>/dev/null && wait "$pid" 2>/dev/null
	done
	rm -rf "$work"
}
trap finish EXIT
trap 'exit 1' INT TERM

# serve NAME NBDKIT-ARGUMENTS...: starts a server for device /dev/NAME
serve() {
	name=$1
	shift
	nbdkit -f -U "$work/$name.sock" "$@" >"$work/$name.log" 2>&1 &
	server=$!
	servers="$servers $server"
	tries=0
	until [ -S "$work/$name.sock" ]; do
		tries=$((tries + 1))
		if [ $tries -gt 100 ]; then
			echo "FAIL nbdkit did not start:"
			cat "$work/$name.log"
			exit 1
		fi
		sleep 0.05
	done
	"$build/test/mkqueue" "$work/$name.queue" || exit 1
	printf '%s\t/dev/%s\t%s\t%s\n' "$name" "$name" "$work/$name.sock" \
		"$work/$name.queue" >>"$work/map"
}

count() {
	case $1 in
	0) passed=$((passed + 1)); echo "pass $2" ;;
	77) skipped=$((skipped + 1)); echo "SKIP $2" ;;
	*) failed=$((failed + 1)); echo "FAIL $2 (exit $1)" ;;
	esac
}

plain() {
	(cd "$work" && timeout 60 "$build/test/$1" "$work/file")
	count $? "$1 on a file"
}

# shimmed TEST DEVICE [VARIABLE=VALUE | COMMAND]...
shimmed() {
	test=$1
	device=$2
	shift 2
	(cd "$work" && env LD_PRELOAD="$preload" SPINDLE_SHIM_MAP="$work/map" \
		"$@" timeout 60 "$build/test/$test" "/dev/$device")
	count $? "$test on /dev/$device"
}

# by_itself PROGRAM DEVICE ARGUMENT...: one that is static, under spindle-static
by_itself() {
	test=$1
	device=$2
	shift 2
	(cd "$work" && SPINDLE_SHIM_MAP="$work/map" timeout -k 5 60 \
		"$build/spindle-static" "$build/test/$test" "/dev/$device" "$@")
	count $? "$test on /dev/$device"
}

# says WHAT WANTED-STATUS WANTED-TEXT COMMAND...
says() {
	what=$1
	status=$2
	text=$3
	shift 3
	SPINDLE_SHIM_MAP="$work/map" timeout -k 5 60 "$@" >"$work/said" 2>&1
	[ $? = "$status" ] && grep -q "$text" "$work/said"
	count $? "$what"
}

# Programs that no preload reaches.
static_programs() {
	static=$build/spindle-static
	if [ -x "$build/test/static/model" ]; then
		for test in $all reborn assembly; do
			by_itself "static/$test" spa
		done
		by_itself static/aio_submit spd
		by_itself static/readonly spe
		(SPINDLE_SHIM_MAP="$work/map" timeout -k 5 60 "$static" \
			"$build/test/static/orphaned" /dev/spa "$work/orphaned") \
			>/dev/null 2>&1
		tries=0
		until [ -d "$work/orphaned" ] || [ $tries -gt 100 ]; do
			tries=$((tries + 1))
			sleep 0.05
		done
		[ -d "$work/orphaned" ]
		count $? "a program whose spindle-static is killed gets ENOSYS"
	else
		count 77 "static programs: this libc makes none"
	fi
	if [ -x "$build/test/musl/assembly" ]; then
		by_itself musl/assembly spa
	else
		count 77 "a program of musl's: there is no musl-gcc"
	fi
	says "its status is the program's" 7 said "$static" sh -c 'echo said; exit 7'
	says "128 and the signal" 137 said "$static" sh -c 'echo said; kill -9 $$'
	says "no such program" 127 "/none: No such file" "$static" /none
	says "a program that is none" 126 "map: Permission denied" "$static" \
		"$work/map"
	says "one inside another" 125 "notification is refused here" "$static" \
		"$static" true
	says "refused by a sandbox" 125 "process_vm_readv is refused" \
		"$build/test/refuse" "$static" true
}

# malformed WHAT WANTED-TEXT: a device that cannot be opened says why, once,
# and a program that does not open it runs undisturbed.
malformed() {
	env LD_PRELOAD="$preload" SPINDLE_SHIM_MAP="$work/bad" \
		cat /dev/spx >"$work/said" 2>&1
	grep -q "$2" "$work/said" && [ "$(grep -c spindle-shim "$work/said")" = 1 ]
	count $? "$1: said when the device is opened"
	said=$(env LD_PRELOAD="$preload" SPINDLE_SHIM_MAP="$work/bad" \
		echo quiet 2>&1)
	[ "$said" = quiet ]
	count $? "$1: silent otherwise"
}

: >"$work/map"
dd if=/dev/zero of="$work/file" bs=1M count=64 2>/dev/null
all="aio_setup aio_submit aio_fault aio_events descriptors raw_calls mixed model
	fortify posix_aio threads astray sleepers"
serve spa memory 64M
for test in $all; do
	plain $test
	shimmed $test spa
done

# Only a kernel, and Spindle's daemon, carry out what a dead client has sent.
plain killed
plain reborn
SPINDLE_TEST_KILLS=20 plain kills

# An optical drive's blocks; a drive that cannot be written; a sandbox.
serve spd --filter=blocksize-policy memory 64M blocksize-minimum=2048 \
	blocksize-error-policy=error
"$build/test/mkqueue" "$work/spd.queue" logical_block_bytes=2048
for test in aio_submit aio_fault descriptors model; do
	shimmed $test spd
done
shimmed ioctls spa
serve spe -r memory 64M
"$build/test/mkqueue" "$work/spe.queue" flags=1
shimmed readonly spe
for test in aio_submit aio_fault aio_events mixed model; do
	shimmed $test spa "$build/test/refuse"
done

static_programs

serve spb --filter=delay memory 64M rdelay=3ms
shimmed pool spb SPINDLE_TEST_QUEUE="$work/spb.queue"
serve spc --filter=delay memory 64M rdelay=500ms
shimmed death spc SPINDLE_TEST_SERVER="$server"
serve spf --filter=delay memory 64M wdelay=200ms
shimmed reborn spf
if [ -x "$build/test/static/pool" ]; then
	by_itself static/reborn spf
	SPINDLE_TEST_QUEUE="$work/spb.queue" by_itself static/pool spb
fi

printf '# comment\n\nspx\t/dev/spx\tonly-three\n' >"$work/bad"
malformed "map with a field missing" "line 3: wants name"
printf 'spx\t/dev/spx\t%s\t%s\n' "$work/spa.sock" "$work/none" >"$work/bad"
malformed "queue file missing" "cannot be opened"
printf 'spx\t/dev/spx\t%s\t%s\n' "$work/spa.sock" "$work/file" >"$work/bad"
malformed "queue file without magic" "bad magic"
printf 'spx\t/dev/spx\t%s\t%s\n' "$work/none" "$work/spa.queue" >"$work/bad"
malformed "daemon not there" "no NBD export"

nm -D --defined-only "$library" | awk '{ print $3 }' | sort >"$work/exports"
diff exports.txt "$work/exports"
count $? "exports are those of exports.txt"

echo "shim-native/check: $passed passed, $skipped skipped, $failed failed"
[ $failed -eq 0 ] && { [ $skipped -eq 0 ] || [ -z "$CI" ]; }
