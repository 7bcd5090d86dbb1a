#!/bin/sh
# Compares the screen with the oracle on fresh random streams: compare.sh [COUNT [SEED]]
# Needs node and, for the first time, the network. The streams of a seed are always the same.
set -eu
count=${1:-300}
seed=${2:-$(date +%s)}
here=$(cd "$(dirname "$0")" && pwd)
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

cd "$here"
[ -d node_modules ] || npm ci --silent --no-audit --no-fund
node widths.mjs | diff -u ../../src/screen/width_table.rs -

echo "oracle: $count streams each, seed $seed"
node fuzz.mjs "$count" "$seed" --resize 0 --out "$out/plain"
node fuzz.mjs "$count" "$seed" --resize 0.02 --out "$out/resized"
node fuzz.mjs "$((count / 5))" "$seed" --cuts --out "$out/cuts"
for streams in plain resized cuts; do
    (cd ../.. && TERMINAL_SESSION_STREAMS_DIR="$out/$streams" \
        cargo test --quiet --test main -- --exact screen_streams::a_given_folder_agrees)
done
