"""Computes edit_distance.json: lists of letters of twelve levels with two to four repeats each, the mean edit distance, and its
interval by resampling levels first and then the repeats inside each.

By hand: python3 tests/library/edit_distance.py > tests/library/edit_distance.json

It needs only the standard library and shares nothing with the program: distances by recursion, Student's t from its series
(Abramowitz and Stegun 26.7.3), the random numbers from their definition.
"""

import functools, json, math, random, statistics

LEVELS, SETS, SEED, CONFIDENCE = 12, 2000, 20241204, 0.95
SPACE = ["click", "type", "select", "scroll"]
MASK = (1 << 64) - 1


@functools.cache
def distance(one, other):
    if not one or not other:
        return len(one) + len(other)
    replaced = distance(one[1:], other[1:]) + (one[0] != other[0])
    return min(replaced, distance(one[1:], other) + 1, distance(one, other[1:]) + 1)


def numbers(seed):
    """xoshiro256++ (Blackman and Vigna), seeded by SplitMix64."""
    state = []
    for _ in range(4):
        seed = (seed + 0x9E3779B97F4A7C15) & MASK
        z = seed
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
        state.append(z ^ (z >> 31))
    rotated = lambda x, by: ((x << by) | (x >> (64 - by))) & MASK
    while True:
        yield (rotated((state[0] + state[3]) & MASK, 23) + state[0]) & MASK
        shifted = (state[1] << 17) & MASK
        state[2] ^= state[0]
        state[3] ^= state[1]
        state[1] ^= state[2]
        state[0] ^= state[3]
        state[2] ^= shifted
        state[3] = rotated(state[3], 45)


def t_between(t, df):
    """The probability between -t and t, for an odd number of degrees of freedom above 1."""
    angle = math.atan(t / math.sqrt(df))
    term = total = math.cos(angle)
    for k in range(2, df - 1, 2):
        term *= math.cos(angle) ** 2 * k / (k + 1)
        total += term
    return 2 / math.pi * (angle + math.sin(angle) * total)


def t_quantile(between, df):
    low, high = 0.0, 100.0
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if t_between(middle, df) < between else (low, middle)
    return low


drawn = random.Random(5)
letters = lambda least, most: [drawn.randrange(len(SPACE)) for _ in range(drawn.randint(least, most))]
samples, levels = [], []
for level in range(LEVELS):
    right = letters(2, 5)
    found = []
    for repeat in range(1, 3 + level % 3):
        # Mostly a change of the right list, so that levels differ more than their repeats.
        answer = list(right)
        for _ in range(drawn.randint(0, 1 + level % 4)):
            answer[drawn.randrange(len(answer))] = drawn.randrange(len(SPACE))
        if drawn.random() < 0.4:
            answer = answer + letters(1, 1 + level % 3)
        found.append(distance(tuple(answer), tuple(right)))
        names = [SPACE[index] for index in right]
        text = " ".join("ABCD"[index] for index in answer)
        samples.append({"level": f"level {level:02}", "repeat": repeat, "actions": names, "answer": text})
    levels.append(found)

source = numbers(SEED)
below = lambda limit: (next(source) * limit) >> 64
means = []
for _ in range(SETS):
    values = []
    for _ in levels:
        level = levels[below(len(levels))]
        values.extend(level[below(len(level))] for _ in level)
    means.append(statistics.fmean(values))
means.sort()


def quantile(share):
    place = share * (len(means) - 1)
    at = math.floor(place)
    return means[at] + (means[min(at + 1, len(means) - 1)] - means[at]) * (place - at)


tail = statistics.NormalDist().cdf(-t_quantile(CONFIDENCE, LEVELS - 1))
result = {
    "space": SPACE,
    "samples": samples,
    "mean": statistics.fmean(value for level in levels for value in level),
    "interval": [quantile(tail), quantile(1 - tail)],
}
print(json.dumps(result, indent=1))
