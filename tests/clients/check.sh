#!/bin/sh
# Drives the MCP server with other people's clients: check.sh PROGRAM
# For the first time it needs the network, to install them.
set -eu
program=$(realpath "$1")
here=$(cd "$(dirname "$0")" && pwd)
cd "$here"

# is_installed FOLDER FILE: what is in the folder is of just these versions.
is_installed() {
    [ "$(cat "$1/.versions" 2>/dev/null)" = "$(cksum <"$2")" ]
}
if ! is_installed .venv requirements.txt; then
    python3 -m venv --clear .venv
    .venv/bin/python -m pip install --quiet --disable-pip-version-check --no-deps -r requirements.txt
    cksum <requirements.txt >.venv/.versions
fi
if ! is_installed node_modules package-lock.json; then
    npm ci --silent --no-audit --no-fund --ignore-scripts
    cksum <package-lock.json >node_modules/.versions
fi

place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
mkdir "$place/user" "$place/codex"
export HOME="$place/user" CODEX_HOME="$place/codex" TERMINAL_SESSION_RUNTIME_DIR="$place/run"
export SHELL=/bin/bash LC_ALL=C.UTF-8
printf "PS1='ready> '\n" >"$HOME/.bashrc"

.venv/bin/python with_python.py "$program"
python3 with_inspector.py "$program"
