# Computes reference.json with SciPy and statsmodels. It was run once (SciPy 1.17.1); the tests compare with its output.
import itertools, json, math, sys
import numpy as np
import statsmodels.api as sm
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

M = (1 << 64) - 1
rotl = lambda x, k: ((x << k) | (x >> (64 - k))) & M

class Xoshiro256pp:  # Blackman and Vigna, seeded with SplitMix64
    def __init__(self, seed):
        self.s = []
        for _ in range(4):
            seed = (seed + 0x9E3779B97F4A7C15) & M
            z = seed
            z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & M
            z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & M
            self.s.append(z ^ (z >> 31))
    def next(self):
        s = self.s
        result = (rotl((s[0] + s[3]) & M, 23) + s[0]) & M
        t = (s[1] << 17) & M
        s[2] ^= s[0]; s[3] ^= s[1]; s[1] ^= s[2]; s[0] ^= s[3]
        s[2] ^= t; s[3] = rotl(s[3], 45)
        return result
    def below(self, n):
        return (self.next() * n) >> 64

def groups(data):
    names = sorted({level for level, _, _ in data})
    return [[v for l, r, v in sorted(data, key=lambda s: (s[1], s[2])) if l == name] for name in names]

def clustered(data):  # sandwich estimate of a regression on a constant
    names = sorted({level for level, _, _ in data})
    y = np.array([v for _, _, v in data])
    g = [names.index(l) for l, _, _ in data] if len(names) > 1 else list(range(len(data)))
    fit = sm.OLS(y, np.ones(len(y))).fit(cov_type="cluster", cov_kwds={"groups": np.array(g)})
    return float(fit.params[0]), float(fit.bse[0]), len(set(g))

def interval(data):
    mean, se, g = clustered(data)
    t = stats.t.ppf(0.975, g - 1)
    low, high = mean - t * se, mean + t * se
    if g >= 10 and se > 0:
        levels, rng, means = groups(data), Xoshiro256pp(20241204), []
        for _ in range(2000):
            drawn = []
            for _ in levels:
                level = levels[rng.below(len(levels))]
                drawn += [level[rng.below(len(level))] for _ in level]
            means.append(math.fsum(drawn) / len(drawn))
        means = np.array(means)
        scale = se / math.sqrt(np.mean((means - mean) ** 2))
        tail = stats.norm.cdf(-t)
        low = min(low, mean + scale * (np.quantile(means, tail) - mean))
        high = max(high, mean + scale * (np.quantile(means, 1 - tail) - mean))
    return [float(low), float(high)]

def best_of(data):
    levels, curve = groups(data), []
    for n in range(1, min(map(len, levels)) + 1):
        best = [np.mean([max(c) for c in itertools.combinations(level, n)]) for level in levels]
        single = [(f"{i:03}", 1, float(b)) for i, b in enumerate(best)]
        curve.append({"mean": float(np.mean(best)), "band": interval(single) if len(best) > 1 else None})
    return curve

def variation(data):
    levels = groups(data)
    sizes = np.array([len(l) for l in levels])
    g, n = len(levels), sizes.sum()
    within = sum(np.var(l, ddof=0) * len(l) for l in levels) / (n - g)
    total = np.mean(np.concatenate(levels))
    between_ms = sum(len(l) * (np.mean(l) - total) ** 2 for l in levels) / (g - 1)
    typical = (n - (sizes**2).sum() / n) / (g - 1)
    return [float(max(0, (between_ms - within) / typical)), float(within)]

def repeats(difference, levels, between, within):
    q = lambda df: stats.t.ppf(0.975, df) + stats.t.ppf(0.8, df)
    for r in range(1, 10001):
        if difference >= q(levels - 1) * math.sqrt((between + within / r) / levels):
            return {"repeats": r}
    for g in range(2, 100001):
        if difference >= q(g - 1) * math.sqrt((between + within) / g):
            return {"levels": g}

rng = np.random.default_rng(7)
def cell(levels, repeats, shift=0.0, between=10.0, within=8.0, drop=0):
    rows = []
    for i in range(levels):
        centre = 50 + between * float(rng.normal())
        rows += [[f"level{i:02}", r, round(centre + shift + within * float(rng.normal()), 3)] for r in range(1, repeats + 1)]
    return rows[: len(rows) - drop]

cells = {"few": cell(4, 3), "uneven": cell(7, 3, drop=2), "single_level": cell(1, 5), "mini": cell(20, 3), "full": cell(40, 1)}
other = [[l, r, round(v + 3 + 4 * float(rng.normal()), 3)] for l, r, v in cells["mini"]]
solved = [[l, r, float(v > 52)] for l, r, v in cells["mini"]]
pairs = [[l, r, v - w] for (l, r, v), (_, _, w) in zip(other, cells["mini"])]
mean, se, _ = clustered(solved)
kish = min(len(solved), mean * (1 - mean) / se**2)
out = {
    "t": [[p, df, float(stats.t.ppf(p, df))] for p in (0.8, 0.975, 0.995, 0.01) for df in (1, 2, 3, 9, 19, 181, 9999)],
    "normal": [[p, float(stats.norm.ppf(p))] for p in (1e-6, 0.025, 0.3, 0.8, 0.975)],
    "cells": [
        {"name": name, "samples": data, "mean": clustered(data)[0], "error": clustered(data)[1],
         "interval": interval(data), "best_of": best_of(data)}
        for name, data in cells.items()
    ],
    "paired": {"cell": other, "reference": cells["mini"], "mean": clustered(pairs)[0], "error": clustered(pairs)[1],
               "interval": interval(pairs), "variation": variation(pairs)},
    "wilson": [[k, n, *map(float, stats.binomtest(k, n).proportion_ci(method="wilson"))] for k, n in ((0, 20), (1, 20), (7, 20), (60, 60), (3, 182))],
    "share": {"samples": solved, "interval": [float(x) for x in proportion_confint(mean * kish, kish, method="wilson")]},
    "repeats": [[d, g, b, w, repeats(d, g, b, w)] for d, g, b, w in ((5, 20, 25, 200), (2, 20, 25, 200), (10, 5, 25, 200), (1, 182, 0, 100), (20, 20, 25, 200), (3, 20, 4, 162))],
}
json.dump(out, sys.stdout)
