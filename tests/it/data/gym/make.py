"""Makes the files beside it with the real gym-sokoban, so that tests compare with what it does and
not with what is said of it:

    python3.11 -m venv v && v/bin/pip install 'numpy<2' gym==0.26.2 gym-sokoban==0.0.6
    v/bin/python tests/it/data/gym/make.py tests/it/data/gym

`NAME.pkl.gz` is a saved environment, `rooms.jsonl` the arrays of every one, and `traces.jsonl.gz`
what every action of a list did: the room as digits, the reward, and gym's `done`.
Seeds are fixed: a second run with the same versions writes the same bytes.
"""

import collections
import gzip
import json
import pickle
import random
import sys
import warnings
from pathlib import Path

import gym
import gym_sokoban  # noqa: F401  registers the environments
import numpy

warnings.simplefilter("ignore")

# Name, environment, protocol of the pickle, and whether gym's wrappers are saved as well.
SAVED = [
    ("1-Sokoban-small-v0", "Sokoban-small-v0", 4, True),
    ("2-Sokoban-small-v0", "Sokoban-small-v0", 2, False),
    ("1-Sokoban-small-v1", "Sokoban-small-v1", 3, True),
    ("1-Sokoban-v0", "Sokoban-v0", 5, True),
    ("1-Sokoban-v1", "Sokoban-v1", 2, True),
    ("1-Sokoban-large-v0", "Sokoban-large-v0", 5, False),
]
WAYS = {1: (-1, 0), 2: (1, 0), 3: (0, -1), 4: (0, 1)}


def digits(room):
    return "/".join("".join(str(int(cell)) for cell in row) for row in room)


def solution(room):
    """The gym actions of a shortest solution, by a plain breadth-first search."""
    fixed, state = room.room_fixed, room.room_state
    boxes = frozenset(zip(*map(lambda a: a.tolist(), numpy.where((state == 3) | (state == 4)))))
    targets = frozenset(zip(*map(lambda a: a.tolist(), numpy.where(fixed == 2))))
    start = (tuple(int(n) for n in room.player_position), boxes)
    queue, known = collections.deque([start]), {start: None}
    while queue:
        here = queue.popleft()
        (row, column), boxes = here
        if boxes == targets:
            actions = []
            while known[here]:
                here, action = known[here]
                actions.append(action)
            return actions[::-1]
        for action, (down, right) in WAYS.items():
            to, beyond = (row + down, column + right), (row + 2 * down, column + 2 * right)
            moved = boxes
            if fixed[to] == 0:
                continue
            if to in boxes:
                if fixed[beyond] == 0 or beyond in boxes:
                    continue
                moved = boxes - {to} | {beyond}
            if (to, moved) not in known:
                known[to, moved] = (here, action)
                queue.append((to, moved))
    raise SystemExit("a room of gym-sokoban has no solution")


def trace(saved, name, actions):
    """Plays on a copy and writes down what each step did."""
    room = pickle.loads(saved).unwrapped
    told = {"level": name, "limit": room.max_steps, "start": digits(room.room_state)}
    told |= {"actions": actions, "rooms": [], "rewards": [], "dones": []}
    for action in actions:
        _, reward, done, _ = room.step(action)
        told["rooms"].append(digits(room.room_state))
        told["rewards"].append(float(reward))
        told["dones"].append(bool(done))
    return told


def main(folder):
    rooms, traces = [], []
    for number, (name, environment, protocol, wrapped) in enumerate(SAVED):
        random.seed(number)
        numpy.random.seed(number)
        made = gym.make(environment)
        room = made.unwrapped
        saved = pickle.dumps(made if wrapped else room, protocol=protocol)
        with open(folder / f"{name}.pkl.gz", "wb") as file:
            file.write(gzip.compress(saved, 9, mtime=0))
        rooms.append(
            {"title": name, "room_fixed": room.room_fixed.tolist(), "room_state": room.room_state.tolist()}
        )
        lots = random.Random(number)
        # Past the step limit, where gym's done comes and goes again.
        wandering = [lots.randint(1, 4) for _ in range(min(room.max_steps, 120) + 5)]
        traces.append(trace(saved, name, wandering))
        if room.num_boxes <= 3:
            way = solution(room)
            # On after the last box: what gym still pays is written down, though nobody should play it.
            traces.append(trace(saved, name, way + [1, 2, 3]))
            lost = [lots.randint(1, 4) for _ in range(9)]
            traces.append(trace(saved, name, way[: len(way) // 2] + lost))
    with open(folder / "rooms.jsonl", "w") as file:
        file.writelines(json.dumps(room, separators=(",", ":")) + "\n" for room in rooms)
    lines = "".join(json.dumps(told, separators=(",", ":")) + "\n" for told in traces)
    with open(folder / "traces.jsonl.gz", "wb") as file:
        file.write(gzip.compress(lines.encode(), 9, mtime=0))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
