#!/usr/bin/env bash
# system.sh: what the tests need that is no Python package: Tesseract with its languages, and Korean letters.
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/common.sh

missing=()
command -v tesseract >/dev/null || missing+=(tesseract-ocr)
known=$(tesseract --list-langs 2>/dev/null || true)
for language in eng vie kor; do
  grep -qx "$language" <<<"$known" || missing+=("tesseract-ocr-$language")
done
command -v fc-list >/dev/null || missing+=(fontconfig)
families=$(fc-list : family 2>/dev/null || true)
grep -q Nanum <<<"$families" || missing+=(fonts-nanum)
[ ${#missing[@]} -eq 0 ] || install_system "${missing[@]}"
