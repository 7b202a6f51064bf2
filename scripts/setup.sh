#!/usr/bin/env bash
# setup.sh run|dev|bench: make .venv hold the locked packages of one purpose and the project.
#
# Every package is checked against the hashes in requirements/. A stamp remembers what was
# installed, so that a second call does nothing.
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/common.sh

purpose=${1:?"which purpose: run, dev or bench"}
venv=${VENV:-.venv}
lock=requirements/$purpose.txt
[ -f "$lock" ] || fail "$lock is not there; \"make lock\" writes it"

# The first of these that is Python 3.11 or newer.
find_python() {
  local name
  for name in ${PYTHON:-} python3 python3.13 python3.12 python3.11 python3.14; do
    if "$name" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; then
      echo "$name"
      return
    fi
  done
  fail "Python 3.11 or newer is needed; set PYTHON to one, or install python3"
}

make_venv() {
  local python
  python=$(find_python)
  if ! "$python" -c 'import ensurepip, venv' >/dev/null 2>&1; then
    # Debian keeps this part of Python in a package of its own.
    install_system "$("$python" -c 'import sys; print("python%d.%d-venv" % sys.version_info[:2])')"
  fi
  say "creating $venv with $("$python" --version)"
  rm -rf "$venv"
  "$python" -m venv "$venv"
}

[ -x "$venv/bin/python" ] && "$venv/bin/python" -c '' 2>/dev/null || make_venv

# What an installation depends on, beside the machine.
key_of() {
  cat "requirements/$1.txt" pyproject.toml <(pwd) <("$venv/bin/python" --version) | sha256sum | cut -c 1-64
}

# Whether the packages of a purpose are installed as its lock says.
installed() {
  [ -f "$venv/.installed-$1" ] && [ "$(cat "$venv/.installed-$1")" = "$(key_of "$1")" ]
}

installed "$purpose" && exit 0
# Development has all that running needs.
[ "$purpose" = run ] && installed dev && exit 0

say "installing the locked packages ($lock); the first time this downloads some 100 to 300 MB"
"$venv/bin/python" -m pip install -qq --no-deps --require-hashes --only-binary :all: -r "$lock" \
  || fail "the packages of $lock could not be installed"
"$venv/bin/python" -m pip install -qq --no-deps --no-build-isolation --editable . \
  || fail "the project itself could not be installed"
key_of "$purpose" >"$venv/.installed-$purpose"
