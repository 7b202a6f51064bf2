#!/usr/bin/env bash
# system.sh: the programs that are no Python packages: Tesseract with the languages of the tests.
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/common.sh

missing=()
command -v tesseract >/dev/null || missing+=(tesseract-ocr tesseract-ocr-eng)
known=$(tesseract --list-langs 2>/dev/null || true)
for language in vie kor; do
  grep -qx "$language" <<<"$known" || missing+=("tesseract-ocr-$language")
done
[ ${#missing[@]} -eq 0 ] || install_system "${missing[@]}"
