#!/bin/sh
# Measures how long a developer waits after one edit, and prints a table in seconds. Run it on an idle machine, after
# `cargo test --no-run --workspace`. Each row edits one file (a function is appended), runs a command, and takes the edit
# back. The best of RUNS (default 3) counts.
#
#   tools/waits.sh            the waits of one edit
#   tools/waits.sh first      the first screen of a fresh clone: an empty target, dependencies already downloaded
set -eu
cd "$(dirname "$0")/.."
runs=${RUNS:-3}

now() { date +%s.%N; }
since() { awk -v a="$1" -v b="$(now)" 'BEGIN { printf "%.1f", b - a }'; }

edited=
restore() {
  [ -z "$edited" ] || { mv "$edited.before" "$edited"; edited=; }
}
trap restore EXIT
trap 'exit 130' INT TERM

# row NAME FILE COMMAND...
row() {
  name=$1 file=$2
  shift 2
  best=
  for run in $(seq "$runs"); do
    cp -p "$file" "$file.before"
    edited=$file
    printf '\n#[allow(dead_code)]\nfn edited_%s() -> u32 {\n    %s\n}\n' "$run" "$run" >>"$file"
    from=$(now)
    "$@" >/dev/null 2>&1 || { echo "failed: $*" >&2; exit 1; }
    took=$(since "$from")
    restore
    touch "$file"
    best=$(printf '%s\n%s\n' "${best:-$took}" "$took" | sort -g | head -n 1)
  done
  printf '| %s | %s |\n' "$name" "$best"
}

waits() {
  echo "| wait after one edit | s |"
  echo "| --- | --- |"
  for crate in screen football engine cli; do
    case $crate in
      screen) file=src/screen/panes/hint.rs ;;
      football) file=src/envs/football/action.rs ;;
      engine) file=src/engine/step.rs ;;
      cli) file=src/cli/find.rs ;;
    esac
    row "check of $crate" "$file" cargo check -q -p "mageyard-$crate"
    row "tests of $crate built" "$file" cargo test -q -p "mageyard-$crate" --lib --no-run
    row "program checked, edit in $crate" "$file" cargo check -q --bin mageyard
    row "program built, edit in $crate" "$file" cargo build -q --bin mageyard
  done
  row "all tests built, edit in screen" src/screen/panes/hint.rs cargo test -q --workspace --no-run
}

# The time until `mageyard frame`, which draws a first frame, has ended: from nothing, with the command of the README.
first() {
  target=$(mktemp -d)
  trap 'rm -rf "$target"' EXIT
  for profile in dev release; do
    from=$(now)
    CARGO_TARGET_DIR=$target/$profile cargo run -q --profile "$profile" -- frame sokoban/first/1 >/dev/null
    printf '| first frame from nothing, profile %s | %s |\n' "$profile" "$(since "$from")"
  done
}

"${1:-waits}"
