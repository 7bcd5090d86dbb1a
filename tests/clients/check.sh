#!/bin/sh
# Drives the MCP server with other people's clients: check.sh PROGRAM
# For the first time it needs the network, to install them.
set -eu
program=$(realpath "$1")
here=$(cd "$(dirname "$0")" && pwd)
cd "$here"
if ! [ -x .venv/bin/python ]; then
    python3 -m venv .venv
fi
.venv/bin/python -m pip install --quiet --disable-pip-version-check -r requirements.txt
[ -d node_modules ] || npm ci --silent --no-audit --no-fund --ignore-scripts

place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
mkdir "$place/user" "$place/codex"
export HOME="$place/user" CODEX_HOME="$place/codex" TERMINAL_SESSION_RUNTIME_DIR="$place/run"
export SHELL=/bin/bash LC_ALL=C.UTF-8
printf "PS1='ready> '\n" >"$HOME/.bashrc"

.venv/bin/python with_python.py "$program"
python3 with_inspector.py "$program"
