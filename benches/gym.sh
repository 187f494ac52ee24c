#!/bin/sh
# Mageyard's Sokoban beside gym-sokoban's, in one run. Needs Python 3.11 and a network the first time: it makes a
# virtual environment in target/gym. gym-sokoban 0.0.6 wants the old gym, which wants the old numpy. It takes one to
# two minutes after the build; `--groups all` makes rooms of every group with gym too, and takes about twenty.
# The four rooms of gym.xsb were made by gym-sokoban itself, with numpy's seed 7.
set -eu
cd "$(dirname "$0")/.."
home="${CARGO_TARGET_DIR:-target}/gym"
if [ ! -x "$home/bin/python" ] || ! "$home/bin/python" -W ignore -c 'import gym_sokoban' 2>/dev/null; then
  "${PYTHON:-python3}" -m venv "$home"
  "$home/bin/pip" install --quiet 'gym==0.25.2' 'gym-sokoban==0.0.6' 'numpy<2'
fi
cargo build --release --locked
exec "$home/bin/python" -W ignore benches/gym.py --binary "${CARGO_TARGET_DIR:-target}/release/mageyard" "$@"
