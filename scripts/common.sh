# Shared by the scripts of this folder; read with `source`.

# say WORDS: a line for the person who waits.
say() { printf '%s\n' "$*" >&2; }

# fail WORDS: a line that says what is wrong and what to do, then the end.
fail() { printf 'error: %s\n' "$*" >&2; exit 1; }

# install_system PACKAGE…: install Debian packages, or say how to.
install_system() {
  command -v apt-get >/dev/null || fail "please install what these Debian packages hold, then try again: $*"
  local as_root=()
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || fail "root rights are needed; please run: apt-get install $*"
    as_root=(sudo)
    # Without a terminal nobody can type a password.
    [ -t 0 ] || as_root=(sudo -n)
  fi
  say "installing system packages: $*"
  local log
  log=$(mktemp)
  if ! { "${as_root[@]}" apt-get update -qq \
         && "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
              apt-get install -y -qq --no-install-recommends "$@"; } >"$log" 2>&1 </dev/null; then
    tail -n 20 "$log" >&2
    rm -f "$log"
    fail "the system packages could not be installed; please run: apt-get install $*"
  fi
  rm -f "$log"
}
