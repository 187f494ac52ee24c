#!/usr/bin/env python3
"""Mageyard's Sokoban beside gym-sokoban's, in one run on one machine.

Run by `benches/gym.sh`, which makes the virtual environment that this needs. Both step the four rooms of `gym.xsb`
with random actions and go back to the start every 200 steps; gym makes no rooms here, since that takes it up to a
minute each. Times are processor time. The rounds are interleaved, so that a machine that is busy for a while slows
both; of each number the median of the rounds counts.
"""

import argparse
import json
import os
import random
import statistics
import subprocess
import sys
import time
import warnings
from pathlib import Path

HERE = Path(__file__).resolve().parent
# This file is called gym too, and must not be taken for it.
sys.path = [path for path in sys.path if Path(path).resolve() != HERE]
warnings.filterwarnings("ignore")

import numpy  # noqa: E402
from gym_sokoban.envs.sokoban_env import SokobanEnv  # noqa: E402

LIMIT = 200
CODES = {"#": 0, " ": 1, ".": 2, "*": 3, "$": 4, "@": 5, "+": 5}

# What is compared: our measure, gym's mode, and how many times gym we want to be.
PAIRS = [
    ("step", "none", 500),
    ("step-batch", "none", 500),
    ("step-squares", "tiny_rgb_array", 0),
    ("step-whole-frame", "rgb_array", 50),
    ("step-changed-frame", "rgb_array", 500),
    ("batch-whole-frame", "rgb_array", 50),
    ("batch-changed-frame", "rgb_array", 500),
    ("world-step", "none", 0),
    ("world-step-observe", "none", 0),
]


def rooms():
    """The rooms of the file: a line `; name` before each."""
    found, name = {}, None
    for line in (HERE / "gym.xsb").read_text().splitlines():
        if line.startswith(";"):
            name = line[1:].strip()
            found[name] = []
        elif line.strip():
            found[name].append(line)
    return found


class Room:
    """gym-sokoban's environment with a room that was not made now."""

    def __init__(self, rows):
        width = max(map(len, rows))
        rows = [row.ljust(width) for row in rows]
        self.fixed = numpy.array([[0 if c == "#" else 2 if c in ".*+" else 1 for c in row] for row in rows])
        self.state = numpy.array([[CODES[c] for c in row] for row in rows])
        boxes = int(((self.state == 3) | (self.state == 4)).sum())
        self.env = SokobanEnv(dim_room=self.state.shape, max_steps=LIMIT, num_boxes=boxes, reset=False)
        self.reset()

    def reset(self):
        env = self.env
        env.room_fixed, env.room_state, env.box_mapping = self.fixed.copy(), self.state.copy(), {}
        env.player_position = numpy.argwhere(self.state == 5)[0]
        env.num_env_steps, env.reward_last = 0, 0
        env.boxes_on_target = int((self.state == 3).sum())

    def rate(self, mode, seconds):
        """Steps a second of processor time."""
        env = self.env
        drawn = mode if mode != "none" else "rgb_array"
        if mode == "none":
            env.render = lambda mode=None: None
        else:
            env.__dict__.pop("render", None)
        dice, done, began = random.Random(7), 0, time.process_time()
        while True:
            self.reset()
            for _ in range(LIMIT):
                env.step(dice.randrange(1, 5), observation_mode=drawn)
            done += LIMIT
            took = time.process_time() - began
            if took >= seconds:
                return done / took


def ours(binary, seconds):
    """Our rates by measure and room, in the order of the file."""
    command = [binary, "bench", "sokoban", str(HERE / "gym.xsb"), "--json", "--seconds", str(seconds)]
    lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    rates = {}
    for row in map(json.loads, lines):
        if row["type"] == "machine" and not row["optimised"]:
            sys.exit(f"{binary} was built without optimisation: cargo build --release")
        if row["type"] == "rate":
            rates.setdefault(row["measure"], []).append(row["value"])
    return rates


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--binary", default=str(HERE.parent / "target/release/mageyard"))
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=0.4, help="a measurement of gym, in a room and round")
    args = parser.parse_args()

    boards = rooms()
    environments = {name: Room(rows) for name, rows in boards.items()}
    gym, mine = {}, {}
    loads = [os.getloadavg()[0]]
    for _ in range(args.rounds):
        for name, room in environments.items():
            for mode in ("none", "rgb_array", "tiny_rgb_array"):
                gym.setdefault((mode, name), []).append(room.rate(mode, args.seconds))
        for measure, values in ours(args.binary, max(1, round(args.seconds * 12))).items():
            for name, value in zip(boards, values, strict=True):
                mine.setdefault((measure, name), []).append(value)
        loads.append(os.getloadavg()[0])

    print(f"{os.cpu_count()} cores, load average {min(loads):.2f} to {max(loads):.2f}, "
          f"{args.rounds} rounds, medians, processor time")
    print(f"{'measure':20} {'gym mode':15} {'room':18} {'gym/s':>10} {'mageyard/s':>14} {'times':>8} {'target':>7}")
    missed = 0
    for measure, mode, target in PAIRS:
        for name in boards:
            theirs = statistics.median(gym[mode, name])
            value = statistics.median(mine[measure, name])
            times = value / theirs
            verdict = "" if not target else f">={target}" if times >= target else f"<{target} !"
            missed += bool(target) and times < target
            print(f"{measure:20} {mode:15} {name:18} {theirs:10,.0f} {value:14,.0f} {times:8,.0f} {verdict:>7}")
    print("every target is met" if not missed else f"{missed} targets are missed")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
