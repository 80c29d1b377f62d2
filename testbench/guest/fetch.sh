# For guest-run, which sources it: kernels, tools and qemu, fetched with apt-get into the cache folder, each once and whole.
# shellcheck shell=bash

readonly LISTS_MINUTES=60 # so long lists of packages are good

# apt as it is set up on the machine, but with lists of its own in the cache, which need no root and cannot be old.
APT=(-qq -o "Dir::State::Lists=$CACHE/apt/lists" -o "Dir::Cache=$CACHE/apt" -o Debug::NoLocking=1)
[ "$(id -u)" != 0 ] || APT+=(-o APT::Sandbox::User=root)

update_lists() {
    [ -z "$(find "$CACHE/apt/updated" -mmin -$LISTS_MINUTES 2>/dev/null)" ] || return 0
    mkdir -p "$CACHE/apt/lists/partial" "$CACHE/apt/archives/partial"
    apt-get "${APT[@]}" -o APT::Update::Error-Mode=any update >&2 || die "apt-get cannot fetch its lists"
    : >"$CACHE/apt/updated"
}

# apt's own downloader, with its checks of signature and hash, into the current folder.
apt_download() {
    apt-get "${APT[@]}" download "$@" >&2 || die "apt-get cannot download $*"
}

publish() { # STAGE PLACE: whole or not at all
    : >"$1/complete"
    mkdir -p "${2%/*}"
    rm -rf "$2"
    mv -T "$1" "$2"
}

# Before anything is fetched: fresh lists, and a folder to prepare it in, $stage, of which guest-run removes what is left.
new_stage() {
    update_lists
    stage=$(mktemp -d -p "$CACHE" stage.XXXXXX)
    STAGES+=("$stage")
}

# The packages "$@" with all that they depend on, unpacked in $stage/root, whatever the host has installed.
unpack_all() {
    local deb dir root=$stage/root
    mkdir "$stage/debs" "$root"
    : >"$stage/none"
    # With an empty list of installed packages, apt names all that these depend on.
    apt-get "${APT[@]}" -s -o Dir::State::status="$stage/none" -o APT::Install-Recommends=0 install "$@" >"$stage/plan" ||
        die "apt-get cannot find $*"
    sed -n 's/^Inst \([^ ]*\) (\([^ ]*\) .*/\1=\2/p' "$stage/plan" >"$stage/packages"
    # shellcheck disable=SC2046 # a list of words
    (cd "$stage/debs" && apt_download $(cat "$stage/packages"))
    for dir in bin sbin lib lib64; do # one layout, whether or not a package knows of the merged /usr
        mkdir -p "$root/usr/$dir"
    done
    for deb in "$stage"/debs/*.deb; do
        dpkg-deb -x "$deb" "$root"
    done
    for dir in bin sbin lib lib64; do
        if [ -d "$root/$dir" ] && [ ! -L "$root/$dir" ]; then
            cp -a "$root/$dir/." "$root/usr/$dir/"
            rm -rf "${root:?}/$dir"
        fi
        ln -sfn "usr/$dir" "$root/$dir"
    done
    rm -rf "$root"/usr/share/{doc,man,info,locale,lintian,bash-completion} "$stage/debs" "$stage/none" "$stage/plan"
}

ext4_image() { # FOLDER IMAGE
    local mib files
    mib=$(du -sm --apparent-size "$1" | cut -f 1)
    files=$(find "$1" | wc -l)
    mkfs.ext4 -q -F -O ^has_journal -m 0 -N $((files + 1000)) -d "$1" "$2" \
        $((mib * 5 / 4 + files / 256 + 32))M >/dev/null
}

# $TOOLS_DIR: root.img, a file system with the tools; files, the list of what is in it; busybox.
prepare_tools() {
    local names stage root dir
    names=$(printf '%s\n' busybox-static "${TOOLS[@]}" | sort -u | tr '\n' ' ')
    TOOLS_DIR=$CACHE/tools/$(sha256sum <<<"$names" | cut -c 1-16)
    [ -z "$REFRESH" ] || rm -rf "$TOOLS_DIR"
    [ ! -e "$TOOLS_DIR/complete" ] || return 0
    note "fetching $names"
    new_stage
    # shellcheck disable=SC2086 # a list of words
    unpack_all $names
    root=$stage/root
    for dir in dev proc sys tmp run mnt root usr/lib/modules usr/lib/busybox; do
        mkdir -p "$root/$dir"
    done
    [ -e "$root/bin/sh" ] || ln -s busybox "$root/bin/sh"
    [ -e "$root/sbin/modprobe" ] || ln -s ../bin/busybox "$root/sbin/modprobe"
    (cd "$root" && find . | cut -c 2- | sort) >"$stage/files"
    cp -p "$root/usr/bin/busybox" "$stage/busybox"
    ext4_image "$root" "$stage/root.img"
    rm -rf "$root"
    publish "$stage" "$TOOLS_DIR"
}

# The first '.ko' of each name in "$@", after what it needs, as paths below the modules folder $1.
module_closure() {
    local dir=$1 name line path
    shift
    for name; do
        line=$(grep -E "(^|/)$name\.ko[^/:]*:" "$dir/modules.dep" | head -n 1) || continue # built in
        for path in ${line#*:}; do echo "$path"; done | tac
        echo "${line%%:*}"
    done | awk '!seen[$0]++'
}

# $KERNEL_DIR: vmlinuz; modules.img, all its modules; boot, those needed to get at the images.
prepare_kernel() {
    local stage real version modules path
    KERNEL_DIR=$CACHE/kernel/$KERNEL
    [ -z "$REFRESH" ] || rm -rf "$KERNEL_DIR"
    [ ! -e "$KERNEL_DIR/complete" ] || return 0
    new_stage
    # What the package stands for, if it is one that only names the newest.
    real=$(apt-cache "${APT[@]}" depends "$KERNEL" | awk '$1 == "Depends:" && $2 ~ /^linux-image-[0-9]/ {print $2}') ||
        die "apt knows no package $KERNEL"
    real=${real:-$KERNEL}
    note "fetching $real"
    (cd "$stage" && apt_download "$real")
    dpkg-deb -x "$stage"/*.deb "$stage/x"
    if [ "$KERNEL" = "$UML" ]; then
        cp "$stage/x/usr/bin/linux.uml" "$stage/vmlinuz"
        chmod 755 "$stage/vmlinuz"
        modules=$(echo "$stage"/x/usr/lib/uml/modules/*)
    else
        path=$(echo "$stage"/x/boot/vmlinuz-*)
        [ -f "$path" ] || die "no kernel in package $real"
        cp "$path" "$stage/vmlinuz"
        version=${path##*/vmlinuz-}
        [ -d "$stage/x/lib" ] || ln -s usr/lib "$stage/x/lib"
        modules=$stage/x/lib/modules/$version
        "$TOOLS_DIR/busybox" depmod -b "$stage/x" "$version" || die "depmod failed for $real"
    fi
    mkdir "$stage/boot"
    # ext4 asks for crc32c by an alias.
    for path in $(module_closure "$modules" virtio_pci virtio_blk virtio_console crc32c-intel crc32c_generic \
        ext4 overlay virtio_net); do
        cp "$modules/$path" "$stage/boot/"
        echo "${path##*/}" >>"$stage/boot/order"
    done
    ext4_image "$modules" "$stage/modules.img"
    echo "$real $(dpkg-deb -f "$stage"/*.deb Version)" >"$stage/packages"
    rm -rf "$stage/x" "$stage"/*.deb
    publish "$stage" "$KERNEL_DIR"
}

# $QEMU: the command that starts qemu; the host's own if it has one, else one from the cache with its own libraries.
prepare_qemu() {
    local stage root place=$CACHE/qemu
    if command -v qemu-system-x86_64 >/dev/null; then
        QEMU=(qemu-system-x86_64)
        return 0
    fi
    [ -z "$REFRESH" ] || rm -rf "$place"
    if [ ! -e "$place/complete" ]; then
        note "fetching qemu-system-x86"
        new_stage
        unpack_all qemu-system-x86
        publish "$stage" "$place"
    fi
    root=$place/root
    QEMU=(env "QEMU_MODULE_DIR=$root/usr/lib/x86_64-linux-gnu/qemu" "$root/lib64/ld-linux-x86-64.so.2"
        --library-path "$root/usr/lib/x86_64-linux-gnu" "$root/usr/bin/qemu-system-x86_64"
        -L "$root/usr/share/qemu" -L "$root/usr/share/seabios")
}
