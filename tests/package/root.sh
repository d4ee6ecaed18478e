#!/usr/bin/env bash
# Sourced by what tests packages: a root to install them in.

# make_root FOLDER: mounts at FOLDER/root this machine's root, under an overlay that takes what is changed,
# and what a container may not be allowed to. Wants a mount namespace of its own, with which all of it goes.
make_root() {
  local work=$1 device
  local root=$work/root
  mkdir "$work/upper" "$work/work" "$root" &&
    mount -t overlay overlay -o "lowerdir=/,upperdir=$work/upper,workdir=$work/work" "$root" &&
    mount -t proc proc "$root/proc" &&
    mount -t tmpfs tmpfs "$root/dev" &&
    mkdir -m 1777 "$root/dev/shm" &&
    for device in "null 3" "zero 5" "full 7" "random 8" "urandom 9"; do
      mknod -m 0666 "$root/dev/${device% *}" c 1 "${device#* }" || return
    done &&
    echo >"$root/dev/null" &&
    ln -s /proc/self/fd "$root/dev/fd"
}
