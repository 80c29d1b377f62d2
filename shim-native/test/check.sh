#!/bin/sh
# Runs every test program twice: on a real file without the shim, which proves
# the expectations, and on a device of nbdkit's with it. Ends what it started
# and leaves nothing behind. BUILD says where the binaries are.

build=$(cd "${BUILD:-build}" && pwd)
library=$build/libspindle-shim.so
passed=0
skipped=0
failed=0

if ! command -v nbdkit >/dev/null; then
	echo "SKIP shim-native/check: nbdkit is not installed"
	exit 77
fi

work=$(mktemp -d) || exit 1
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

shimmed() {
	test=$1
	shift
	(cd "$work" && env LD_PRELOAD="$library" SPINDLE_SHIM_MAP="$work/map" \
		"$@" timeout 60 "$build/test/$test" "/dev/$device")
	count $? "$test on /dev/$device"
}

: >"$work/map"
dd if=/dev/zero of="$work/file" bs=1M count=64 2>/dev/null
serve spa memory 64M
serve spb --filter=delay memory 64M rdelay=3ms
serve spc --filter=delay memory 64M rdelay=500ms
slow=$server

for test in aio_setup aio_submit aio_fault aio_events descriptors mixed model \
	fortify; do
	plain $test
	device=spa shimmed $test
done
device=spb shimmed pool SPINDLE_TEST_QUEUE="$work/spb.queue"
device=spc shimmed death SPINDLE_TEST_SERVER="$slow"

echo "shim-native/check: $passed passed, $skipped skipped, $failed failed"
[ $failed -eq 0 ]
