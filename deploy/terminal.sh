# shellcheck shell=bash
# How the scripts of deploy/ speak: steps in bold and errors in red, on a terminal; plain text
# elsewhere. Sourced; sets `root` to the top of the source tree.

root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." >/dev/null && pwd)

if [[ -t 1 && -z ${NO_COLOR:-} && ${TERM:-dumb} != dumb ]]; then
  bold=$'\e[1m' red=$'\e[31m' plain=$'\e[0m'
else
  bold='' red='' plain=''
fi

# step TEXT...: says what is done next.
step() {
  printf '%s==> %s%s\n' "$bold" "$*" "$plain"
}

# complain TEXT...: says on stderr what went wrong and what to do.
complain() {
  printf '%s%s: %s%s\n' "$red" "${0##*/}" "$*" "$plain" >&2
}

# logged NAME COMMAND...: runs COMMAND with its output in build/logs/NAME.log; if it fails, shows
# what the log says of errors, or its end, and returns the command's status.
logged() {
  local log=$root/build/logs/$1.log status=0
  shift
  mkdir -p "${log%/*}"
  "$@" >"$log" 2>&1 </dev/null || status=$?
  if ((status != 0)); then
    local errors
    errors=$(grep -E -A12 'error:|CMake Error|^E: |undefined reference' "$log" | head -n 80) || true
    printf '%s\n' "${errors:-$(tail -n 20 "$log")}"
    complain "this failed with status $status: $* (all of its output: $log)"
  fi
  return "$status"
}

# build PRESET TARGET...: configures build/PRESET if it is not, and builds the targets; on a
# terminal with the progress on it.
build() {
  local preset=$1
  shift
  cd "$root" || return
  # ccache takes the headers from the compiler. Otherwise it runs the preprocessor first, which is a
  # twelfth of the work of a build from nothing.
  local -x CCACHE_DEPEND=1
  if [[ ! -f build/$preset/build.ninja ]]; then
    logged "$preset-configure" cmake --preset "$preset" || return
  fi
  if [[ -t 1 ]]; then
    cmake --build "build/$preset" --target "$@"
  else
    logged "$preset-build" cmake --build "build/$preset" --target "$@"
  fi
}
