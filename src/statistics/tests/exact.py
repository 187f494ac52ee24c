# Computes exact.json with whole numbers only, so without rounding before the last step. It was run once.
import itertools, json, sys
from fractions import Fraction
from math import comb

def tables(n, m, found):
    return {a: Fraction(comb(n, a) * comb(m, found - a), comb(n + m, found)) for a in range(max(0, found - m), min(found, n) + 1)}

def fisher(a, n, b, m):
    all_ = tables(n, m, a + b)
    return sum(p for p in all_.values() if p <= all_[a])

def holm(ps):
    order, out, highest = sorted(range(len(ps)), key=lambda i: ps[i]), [0] * len(ps), Fraction(0)
    for rank, i in enumerate(order):
        highest = min(Fraction(1), max(highest, ps[i] * (len(ps) - rank)))
        out[i] = highest
    return out

def rejected(n, share_of_one, share_of_other, level):
    """How often two groups of n with these shares are called different."""
    binomial = lambda p: [comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(n + 1)]
    one, other = binomial(share_of_one), binomial(share_of_other)
    return sum(p * q for (a, p), (b, q) in itertools.product(enumerate(one), enumerate(other)) if fisher(a, n, b, n) < level)

F = Fraction
cases = [(3, 5, 3, 5), (0, 5, 5, 5), (1, 5, 4, 5), (0, 0, 3, 5), (8, 20, 15, 20), (1, 24, 9, 17), (2, 7, 8, 9), (60, 100, 41, 100),
         (0, 50, 6, 50), (13, 1000, 31, 900), (500, 1000, 560, 1000), (10, 10, 0, 300), (1, 1, 0, 1)]
families = [[F(1, 100)], [F(4, 100), F(1, 100), F(3, 100)], [F(1, 2), F(9, 10), F(1, 1000), F(1, 1000)], []]
json.dump({
    "fisher": [[*case, float(fisher(*case))] for case in cases],
    "holm": [[[float(p) for p in ps], [float(p) for p in holm(ps)]] for ps in families],
    "rejected": [[30, float(p), float(q), float(rejected(30, p, q, F(5, 100)))] for p, q in ((F(1, 2), F(1, 2)), (F(3, 10), F(3, 10)), (F(3, 10), F(7, 10)))],
}, sys.stdout)
print()
