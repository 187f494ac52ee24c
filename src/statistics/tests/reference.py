# Computes reference.json with SciPy and statsmodels. It was run once (SciPy 1.17.1); the tests compare with its output.
import itertools, json, math, sys
import numpy as np
import statsmodels.api as sm
from scipy import stats
from statsmodels.formula.api import ols
from statsmodels.stats.multitest import multipletests
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

def differing(levels):
    means = sorted(np.mean(l) for l in levels)
    runs = [len(list(run)) for _, run in itertools.groupby(means, key=lambda m: round(m, 8))]
    return len(levels) if max(runs) == 1 else len(levels) - max(runs)

def bounded(levels, low, high, confidence=0.95):  # Korn and Graubard 1998
    y, g = np.concatenate(levels), len(levels)
    data = [(f"{i:04}", r, v) for i, l in enumerate(levels) for r, v in enumerate(l)]
    share, se = (np.mean(y) - low) / (high - low), clustered(data)[1] / (high - low)
    upper = 0.5 + confidence / 2
    n = g
    if se > 1e-9:
        most = len(y) if differing(levels) < 6 else 1e6
        df = min(max(differing(levels), 1), g - 1) if any(len(l) > 1 for l in levels) else g - 1
        estimated = min(share * (1 - share) / se**2, most)
        n = max(estimated * (stats.norm.ppf(upper) / stats.t.ppf(upper, df)) ** 2, min(estimated, g))
    x = share * n
    p_low = 0.0 if x < 1e-9 else stats.beta.ppf(1 - upper, x, n - x + 1)
    p_high = 1.0 if n - x < 1e-9 else stats.beta.ppf(upper, x + 1, n - x)
    return [float(low + (high - low) * p) for p in (p_low, p_high)]

def clusters(data):
    levels = groups(data)
    return levels if len(levels) > 1 else [[v] for v in levels[0]]

def interval(data):
    levels = clusters(data)
    within = bounded(levels, 0, 100)
    if differing(levels) < min(6, len(levels)):
        return within
    low, high = spread(data)
    return [min(within[0], max(low, 0.0)), max(within[1], min(high, 100.0))]

def difference_interval(data):
    levels = clusters(data)
    if sum(abs(sum(l)) > 1e-9 for l in levels) >= 6 and clustered(data)[1] > 1e-9:
        low, high = spread(data)
        return [max(low, -100.0), min(high, 100.0)]
    gained, lost = [bounded([[max(s * v, 0.0) for v in l] for l in levels], 0, 100, 0.975) for s in (1, -1)]
    return [gained[0] - lost[1], gained[1] - lost[0]]

def flips(data):
    sums = [sum(l) for l in clusters(data) if abs(sum(l)) > 1e-9]
    observed = abs(sum(sums)) - 1e-9
    if len(sums) <= 14:
        signed = [abs(sum(s * v for s, v in zip(signs, sums))) for signs in itertools.product((1, -1), repeat=len(sums))]
        return sum(v >= observed for v in signed) / len(signed)
    rng = Xoshiro256pp(20241204)
    extreme = lambda flips: sum(abs(sum(-v if rng.next() >> 63 else v for v in sums)) >= observed for _ in range(flips))
    found, flips = extreme(9999), 9999
    if found < 20:
        found, flips = found + extreme(90000), flips + 90000
    return (found + 1) / (flips + 1)

def spread(data):
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

def levels_needed(difference, data):
    se, g = clustered(data)[1:]
    for n in range(6, 100001):
        if difference >= (stats.t.ppf(0.975, n - 1) + stats.t.ppf(0.8, n - 1)) * se * math.sqrt(g / n):
            return n

def best(cells):  # whole levels are drawn, the same ones for all cells
    means = [{l: np.mean([v for m, _, v in data if m == l]) for l, _, _ in data} for data in cells]
    table = np.array([[cell[l] for cell in means] for l in sorted(set.intersection(*map(set, means)))])
    rng, wins = Xoshiro256pp(20241204), np.zeros(len(cells))
    for _ in range(10000):
        drawn = table[[rng.below(len(table)) for _ in table]].mean(axis=0)
        is_best = drawn >= drawn.max() - 1e-9
        wins += is_best / is_best.sum()
    return [float(w) for w in wins / 10000]

def components(data):  # mean squares of the analysis of variance
    table = sm.stats.anova_lm(ols("y ~ C(l)", {"y": [v for _, _, v in data], "l": [l for l, _, _ in data]}).fit())
    (between, within), sizes = table["mean_sq"], np.array([len(l) for l in groups(data)])
    typical = (sizes.sum() - (sizes**2).sum() / sizes.sum()) / (len(sizes) - 1)
    return [float(within), float((between - within) / typical)]

def pass_hat(data):
    levels = [[v > 0.5 for v in l] for l in groups(data)]
    curve = []
    for k in range(1, min(map(len, levels)) + 1):
        shares = [np.mean([all(c) for c in itertools.combinations(l, k)]) for l in levels]
        percent = [(f"{i:03}", 1, 100 * float(share)) for i, share in enumerate(shares)]
        curve.append({"mean": float(np.mean(shares)), "band": [end / 100 for end in interval(percent)]})
    return curve

def answers(questions):  # a permutation test of the total variation distances
    listed = [(np.repeat(range(len(a)), a).tolist(), np.repeat(range(len(b)), b).tolist()) for a, b in questions]
    share = lambda values, kinds: np.bincount(values, minlength=kinds) / len(values)
    both = lambda d: (np.abs(d).sum(axis=1).mean() / 2, np.abs(d.mean(axis=0)).sum() / 2)
    far = lambda some: both(np.array([share(a, 9) - share(b, 9) for a, b in some]))
    rng, found, dealt, observed = Xoshiro256pp(20241204), 1, [a + b for a, b in listed], far(listed)
    for _ in range(9999):
        for (one, _), all_answers in zip(listed, dealt):
            for i in range(len(one)):
                j = i + rng.below(len(all_answers) - i)
                all_answers[i], all_answers[j] = all_answers[j], all_answers[i]
        found += sum(far([(d[: len(a)], d[len(a) :]) for (a, _), d in zip(listed, dealt)])) >= sum(observed) - 1e-9
    return [*map(float, observed), found / 10000]

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
once = [[l, r, v] for l, r, v in solved if r == 1]
near = {
    "all solved": [[f"level{i:02}", 1, 100.0] for i in range(20)],
    "one of twenty": [[f"level{i:02}", 1, 100.0 * (i == 3)] for i in range(20)],
    "one of three repeats": [[f"level{i:02}", r, 100.0 * (i == 3 and r == 1)] for i in range(5) for r in (1, 2, 3)],
    "a slightly lower score": [[f"level{i:02}", 1, 100.0 - (i == 3)] for i in range(20)],
    "seven of twenty": [[f"level{i:02}", 1, 100.0 * (i % 3 == 0)] for i in range(20)],
}
few = {
    "equal": [[f"level{i:02}", 1, 0.0] for i in range(20)],
    "two differ": [[f"level{i:02}", 1, 40.0 * (i == 1) - 60.0 * (i == 2)] for i in range(20)],
    "alike": [[f"level{i:02}", 1, 100.0] for i in range(8)],
    "six differ": [[f"level{i:02}", 1, 10.0 * (i < 6) + i * (i < 6)] for i in range(8)],
}
alike = [[l, r, v + 40 * (r == 2) - 20 * (int(l[-1]) % 2)] for l, r, v in cells["mini"]]
equal = [[f"level{i:02}", r, float(r * 10 + i % 2)] for i in range(6) for r in (1, 2, 3)]
third = [[l, r, round(v + 2.5 + 9 * float(rng.normal()), 3)] for l, r, v in cells["mini"]]
flipping = [[l, r, float(v > 52)] for l, r, v in cells["uneven"]]
once_differences = [[l, r, v] for l, r, v in pairs if r == 1][:9]
p_values = [[0.01, 0.04, 0.03, 0.005], [0.2], [0.5, 0.5, 0.5], [0.001, 0.012, 0.012, 0.6, 0.049]]
out = {
    "t": [[p, df, float(stats.t.ppf(p, df))] for p in (0.8, 0.975, 0.995, 0.01) for df in (1, 2, 3, 9, 19, 181, 9999)],
    "normal": [[p, float(stats.norm.ppf(p))] for p in (1e-6, 0.025, 0.3, 0.8, 0.975)],
    "cells": [
        {"name": name, "samples": data, "mean": clustered(data)[0], "error": clustered(data)[1],
         "interval": interval(data), "best_of": best_of(data)}
        for name, data in cells.items()
    ],
    "paired": {"cell": other, "reference": cells["mini"], "mean": clustered(pairs)[0], "error": clustered(pairs)[1],
               "interval": difference_interval(pairs), "p": flips(pairs), "variation": variation(pairs)},
    "wilson": [[k, n, *map(float, stats.binomtest(k, n).proportion_ci(method="wilson"))] for k, n in ((0, 20), (1, 20), (7, 20), (60, 60), (3, 182))],
    "share": {"samples": solved, "interval": bounded(groups(solved), 0, 1)},
    "once": {"samples": once, "interval": list(map(float, proportion_confint(sum(v for _, _, v in once), len(once), method="wilson")))},
    "near": [{"name": name, "samples": data, "interval": interval(data)} for name, data in near.items()],
    "few": [{"name": name, "samples": data, "interval": difference_interval(data), "p": flips(data)} for name, data in few.items()],
    "repeats": [[d, g, b, w, repeats(d, g, b, w)] for d, g, b, w in ((5, 20, 25, 200), (2, 20, 25, 200), (10, 5, 25, 200), (1, 182, 0, 100), (20, 20, 25, 200), (3, 20, 4, 162))],
    "levels_needed": [[d, data, levels_needed(d, data)] for d, data in ((5, pairs), (1, pairs), (2.5, once_differences), (0.01, pairs))],
    "best": [{"cells": some, "shares": best(some)} for some in (
        [cells["mini"], other, third], [cells["mini"], cells["mini"], third[:30]], [cells["few"], cells["uneven"]])],
    "components": [[data, *components(data)] for data in (cells["mini"], cells["uneven"], alike, equal, solved)],
    "pass_hat": [{"samples": data, "curve": pass_hat(data)} for data in (solved, flipping)],
    "answers": [[questions, *answers(questions)] for questions in (
        [[[5, 3, 2], [1, 6, 3]]], [[[4, 0], [0, 4]], [[2, 2], [2, 2]], [[1, 3], [4, 1]]], [[[10, 0, 1], [9, 1, 1]]])],
    "holm": [[values, [float(p) for p in multipletests(values, method="holm")[1]]] for values in p_values],
}
json.dump(out, sys.stdout)
