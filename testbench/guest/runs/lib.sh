# What the runs share. For the guest's busybox sh: a run is a list of steps, one line each, and ends at the first that fails.
# $HOST and $PORT: where the daemon is.
# shellcheck shell=dash disable=SC3043

disk=/dev/nbd0 queue=/sys/block/nbd0/queue mount=/mnt/disk
mkdir -p $mount

uptime_s() { cut -d ' ' -f 1 /proc/uptime; }

# step WHAT COMMAND...: what it said is shown if it fails.
step() {
    local what=$1 from to status
    shift
    from=$(uptime_s)
    status=0
    "$@" >/tmp/step.log 2>&1 || status=$?
    to=$(uptime_s)
    if [ $status = 0 ]; then
        echo "ok      $what ($(echo "$from $to" | awk '{printf "%.1f s", $2 - $1}'))"
        return
    fi
    echo "FAILED  $what: status $status: $*"
    tail -n 20 /tmp/step.log
    dmesg | tail -n 12
    exit 1
}

tell() { echo "        $*"; }

# fails COMMAND...: it has to.
fails() { ! "$@"; }

load_module() { modprobe nbd max_part=0 nbds_max=2; }

# attach EXPORT [OPTION]...
attach() {
    local export=$1
    shift
    nbd-client -N "$export" "$HOST" "$PORT" $disk "$@" && waits_for 50 has_size
}
has_size() { [ "$(cat /sys/block/nbd0/size)" -gt 0 ]; } # without netlink it comes a little later

# The driver takes a while to let go of the disk; until then it cannot be attached again.
detach() { nbd-client -d $disk && waits_for 50 is_free; }
is_free() { [ ! -e /sys/block/nbd0/pid ]; }

# waits_for TENTHS COMMAND...: until it succeeds, so long at most.
waits_for() {
    local left=$1
    shift
    until "$@"; do
        left=$((left - 1))
        [ $left -gt 0 ] || return 1
        sleep 0.1
    done
}

# holds NAME VALUE: a file of the kernel's queue folder.
holds() { [ "$(cat "$queue/$1")" = "$2" ]; }
sets() { echo "$2" >"$queue/$1" && holds "$1" "$2"; }

# Reads back what it wrote, past the page cache. Takes more of fio's options.
verify() {
    fio --name=verify --filename=$disk --direct=1 --ioengine=libaio --iodepth=16 --randseed=5 \
        --verify=crc32c --verify_fatal=1 --verify_state_save=0 "$@"
}

figure() { host figure "$@"; } # EXPORT SECTION NAME
at_least() { # EXPORT SECTION NAME MINIMUM
    local is
    is=$(figure "$1" "$2" "$3")
    echo "$3 is $is, at least $4 is wanted"
    [ "${is:-0}" -ge "$4" ]
}
