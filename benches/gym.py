#!/usr/bin/env python3
"""Mageyard's Sokoban beside gym-sokoban's, in one run on one machine.

Run by `benches/gym.sh`, which makes the virtual environment that this needs. Both step the four rooms of `gym.xsb`
with random actions and go back to the start every 200 steps, and both make rooms of their own. Times are processor
time of one core. The rounds are interleaved, so that a machine that is busy for a while slows both; of each number
the median of the rounds counts, and of gym's generator, whose rooms take very unlike times, all rooms by all time.
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
from gym_sokoban.envs.room_utils import generate_room  # noqa: E402
from gym_sokoban.envs.sokoban_env import SokobanEnv  # noqa: E402

# gym sets its own filters when it is imported.
warnings.filterwarnings("ignore")

LIMIT = 200
CODES = {"#": 0, " ": 1, ".": 2, "*": 3, "$": 4, "@": 5, "+": 5}

# What is compared: our measure, gym's mode, and how many times gym we want to be.
PAIRS = [
    ("step", "none", 500),
    ("step-batch", "none", 500),
    ("step-squares", "tiny", 0),
    ("step-whole-frame", "rgb", 50),
    ("step-changed-frame", "rgb", 500),
    ("batch-whole-frame", "rgb", 50),
    ("batch-changed-frame", "rgb", 500),
    ("world-step", "none", 0),
    ("world-step-observe", "none", 0),
]
MODES = {"none": None, "rgb": "rgb_array", "tiny": "tiny_rgb_array"}

# Rows and columns, boxes and walk of gym's groups, and how many times gym we want to be: twice what a port of its
# search to C++ was once measured to be.
GROUPS = {
    "small-v0": ((7, 7), 2, 23, 72),
    "small-v1": ((7, 7), 3, 23, 235),
    "v0": ((10, 10), 3, 34, 542),
    "v1": ((10, 10), 4, 34, 390),
    "v2": ((10, 10), 5, 40, 364),
    "large-v0": ((13, 11), 3, 43, 519),
    "large-v1": ((13, 11), 5, 43, 467),
    "huge-v0": ((13, 13), 5, 50, 441),
}
# Those that gym makes a room of in about a second or less.
QUICK = "small-v0,small-v1,v0"


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
        drawn = MODES[mode] or "rgb_array"
        if MODES[mode] is None:
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


def made(group, least, seconds):
    """Rooms that gym makes of a group, and the processor time they take; what it gives up counts as time."""
    size, boxes, walk, _ = GROUPS[group]
    done, began = 0, time.process_time()
    while True:
        try:
            generate_room(dim=size, num_steps=walk, num_boxes=boxes)
            done += 1
        except (RuntimeError, RuntimeWarning):
            pass
        took = time.process_time() - began
        if took >= seconds and done >= least:
            return done, took


def ours(binary, only, seconds):
    """Our rows of some tables."""
    command = [binary, "bench", "sokoban", str(HERE / "gym.xsb"), "--json"]
    command += ["--only", only, "--seconds", str(max(1, round(seconds)))]
    rows = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    rows = [json.loads(row) for row in rows]
    if not rows[0]["optimised"]:
        sys.exit(f"{binary} was built without optimisation: cargo build --release")
    return rows[1:]


def groups(text):
    """Names with commas, or all."""
    names = list(GROUPS) if text == "all" else [name for name in text.split(",") if name]
    unknown = [name for name in names if name not in GROUPS]
    if unknown:
        raise argparse.ArgumentTypeError(f"{unknown[0]} is no group; they are {', '.join(GROUPS)}, or all")
    return names


def row(measure, mode, room, theirs, value, goal):
    """Prints a line of the table; whether its goal was missed."""
    times = value / theirs if theirs else None
    missed = bool(goal and theirs) and times < goal
    verdict = "" if not goal or not theirs else f"<{goal} !" if missed else f">={goal}"
    gym = "not run" if theirs is None else f"{theirs:,.0f}" if theirs >= 100 else f"{theirs:.3g}"
    told = "" if times is None else f"{times:,.0f}"
    print(f"{measure:19} {mode:4} {room:8} {gym:>9} {value:14,.0f} {told:>8} {verdict:>8}".rstrip())
    return missed


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", default=str(HERE.parent / "target/release/mageyard"))
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=0.4, help="a measurement of gym, in a room and round")
    parser.add_argument("--groups", type=groups, default=QUICK, metavar="NAMES",
                        help=f"groups that gym makes rooms of, or all, which takes about twenty minutes ({QUICK})")
    parser.add_argument("--rooms", type=int, default=6, help="rooms that gym makes at least, of a group in a round (6)")
    args = parser.parse_args()

    random.seed(7)
    numpy.random.seed(7)
    boards = rooms()
    environments = {name: Room(board) for name, board in boards.items()}
    gym, mine, taken = {}, {}, {}
    loads = [os.getloadavg()[0]]
    for number in range(args.rounds):
        if sys.stderr.isatty():
            print(f"round {number + 1} of {args.rounds} ...", file=sys.stderr)
        for name, room in environments.items():
            for mode in MODES:
                gym.setdefault((mode, name), []).append(room.rate(mode, args.seconds))
        sizes = {}
        for rate in ours(args.binary, "steps,frames", args.seconds * 12):
            # One value a room and measure, in the order of the file.
            at = sizes[rate["measure"]] = sizes.get(rate["measure"], -1) + 1
            mine.setdefault((rate["measure"], list(boards)[at]), []).append(rate["value"])
        for name in args.groups:
            taken.setdefault(name, []).append(made(name, args.rooms, args.seconds * 5))
        for rate in ours(args.binary, "generate", args.seconds * 10):
            mine.setdefault(("generate", rate["group"]), []).append(rate["value"])
        loads.append(os.getloadavg()[0])

    print(f"{os.cpu_count()} cores, load average {min(loads):.2f} to {max(loads):.2f}, "
          f"{args.rounds} rounds, medians, processor time")
    print(f"{'measure':19} {'gym':4} {'room':8} {'gym/s':>9} {'mageyard/s':>14} {'times':>8} {'goal':>8}")
    missed = 0
    for measure, mode, goal in PAIRS:
        for name in boards:
            theirs = statistics.median(gym[mode, name])
            missed += row(measure, mode, name, theirs, statistics.median(mine[measure, name]), goal)
    for name, (*_, goal) in GROUPS.items():
        counts = taken.get(name)
        theirs = sum(count for count, _ in counts) / sum(took for _, took in counts) if counts else None
        missed += row("generate", "", name, theirs, statistics.median(mine["generate", name]), goal)
    counted = ", ".join(f"{sum(count for count, _ in taken[name])} of {name}" for name in taken)
    print(f"rooms that gym made: {counted or 'none'}; --groups names others")
    print("every goal is met" if not missed else f"{missed} goals are missed")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
