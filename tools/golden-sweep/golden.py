#!/usr/bin/env python3
"""Plays a sweep whose circumstances change, and checks each number of its report against the journals.

The sweep is played as two shards at two servers and merged. Then a level is edited and the repeats are raised; the server
dies in the middle, and the rest goes on at another address. This script reads the journals itself and computes what the
report must say, with NumPy and SciPy: https://numpy.org, https://scipy.org.

    python3 tools/golden-sweep/golden.py target/debug/mageyard > tools/golden-sweep/output.txt
"""

import collections
import hashlib
import itertools
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import numpy as np
from scipy import stats

LEVELS = ["#####\n#@$.#\n#####", "######\n#@ $.#\n######", "#####\n#.$@#\n#####", "######\n#.$ @#\n######",
          "###\n#@#\n#$#\n#.#\n###", "######\n#@$ .#\n######", "#######\n#. $ @#\n#######",
          "####\n#@ #\n# $#\n# .#\n####"]
EDITED = 2  # The index of the level that is edited: one more square.
EDITED_TEXT = "######\n#.$ @#\n# ####\n######"
SWEEP = """name = "golden"
levels = "tiny.xsb"
repeats = {repeats}
[settings]
play.agent = "model"
play.max_steps = 6
model.stream = false
model.max_retries = 0
[[grid]]
model.name = ["model-a", "model-b"]
memory.am = [1, 3]
[[grid]]
play.agent = "random"
"""
ACTIONS = {"model-a": ["Up", "Down", "Left", "Right", "Up", "nonsense"],
           "model-b": ["Up", "Down", "Left", "Right", "Right", "Left"]}


class Server(ThreadingHTTPServer):
    """Answers by a hash of seed, model and length of the request; may die after some requests."""

    daemon_threads = True

    def __init__(self, most=None):
        self.left, self.served, self.lock = most, 0, threading.Lock()
        super().__init__(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server_address[1]}/v1"


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        with self.server.lock:
            if self.server.left == 0:
                self.close_connection = True
                self.server.socket.close()
                return
            self.server.left = None if self.server.left is None else self.server.left - 1
            self.server.served += 1
        key = json.dumps([body["seed"], body["model"], len(body["messages"])]).encode()
        digest = hashlib.sha256(key).digest()
        action = ACTIONS[body["model"]][digest[0] % 6]
        usage = {"prompt_tokens": 100 + digest[1], "completion_tokens": 10 + digest[2] % 7}
        usage["total_tokens"] = sum(usage.values())
        message = {"role": "assistant", "content": f"# analyze\nx\n\n# action\n{action}\n"}
        reply = {"id": "1", "object": "chat.completion", "model": body["model"], "usage": usage,
                 "choices": [{"index": 0, "message": message, "finish_reason": "stop"}]}
        data = json.dumps(reply).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


class Program:
    """The program in a folder of its own."""

    def __init__(self, binary, folder):
        self.binary, self.folder = str(pathlib.Path(binary).resolve()), folder
        names = ["PATH"]
        self.env = {name: os.environ[name] for name in names} | {"HOME": str(folder), "NO_COLOR": "1"}

    def run(self, *args, store="one"):
        command = [self.binary, *args, "--store", store]
        return subprocess.run(command, cwd=self.folder, env=self.env, capture_output=True, text=True)

    def must(self, *args, store="one"):
        done = self.run(*args, store=store)
        assert done.returncode == 0, (args, done.returncode, done.stdout, done.stderr)
        return done.stdout


def write_files(folder, levels, repeats):
    text = "\n\n".join(f"; {number}\n{level}" for number, level in enumerate(levels, 1))
    (folder / "tiny.xsb").write_text(text + "\n")
    (folder / "golden.toml").write_text(SWEEP.format(repeats=repeats))


def play(program):
    """Plays the sweep and returns how many requests each server got."""
    write_files(program.folder, LEVELS, 2)
    first, second = Server(), Server()
    program.must("sweep", "work", "golden.toml", "--shard", "1/2", "--base-url", first.url)
    program.must("sweep", "work", "golden.toml", "--shard", "2/2", "--base-url", second.url, store="two")
    source = str(program.folder / "two" / "sweeps" / "golden")
    program.must("sweep", "merge", "golden", source)
    write_files(program.folder, LEVELS, 3)
    program.must("sweep", "run", "golden.toml", "--base-url", second.url)
    levels = list(LEVELS)
    levels[EDITED] = EDITED_TEXT
    write_files(program.folder, levels, 4)
    dying, other = Server(most=40), Server()
    stopped = program.run("sweep", "run", "golden.toml", "--base-url", dying.url)
    assert stopped.returncode != 0 and dying.served == 40, (stopped.returncode, dying.served, stopped.stderr)
    program.must("sweep", "run", "golden.toml", "--base-url", other.url)
    return [server.served for server in (first, second, dying, other)]


def read_episode(journal):
    """What an episode was and what came of it, from its events."""
    head, total, best, reference, status, errors, tokens = None, 0.0, 0.0, None, None, 0, 0
    for line in journal.read_text().splitlines():
        event = json.loads(line)
        kind = event["event"]
        if kind == "head":
            head = event["head"]
        elif kind == "opened":
            reference = event["reference"]["best"]
        elif kind == "refused":
            errors += 1
        elif kind == "replied" and "usage" in event:
            tokens += event["usage"]["input"] + event["usage"]["output"]
        elif kind == "acted":
            total += event["reward"]
            best, status = max(best, total), event["status"]
    plan = [json.loads(line) for line in (journal.parent.parent / "plan.jsonl").read_text().splitlines()]
    return {"level": head["level"], "repeat": head["repeat"], "seed": head["seed"], "agent": head["agent"],
            "model": head.get("model"), "am": head["window"]["am"],
            "set": any(planned["level"] == EDITED_TEXT for planned in plan),
            "score": 100 - reference + best, "solved": 100.0 * (status == "won"), "errors": errors, "tokens": tokens}


def clusters_of(pairs):
    """The values by level, in order."""
    found = collections.defaultdict(list)
    for level, value in pairs:
        found[level].append(value)
    return [np.array(found[level]) for level in sorted(found)]


def standard_error(clusters):
    values = np.concatenate(clusters)
    sums = np.array([np.sum(own - values.mean()) for own in clusters])
    count = len(clusters)
    return np.sqrt(count / (count - 1) * np.sum(sums**2)) / len(values)


def differing(clusters):
    means = sorted(own.mean() for own in clusters)
    most = max(len(list(run)) for _, run in itertools.groupby(np.round(means, 9)))
    return len(clusters) if most == 1 else len(clusters) - most


def bounded(clusters, low, high, confidence=0.95):
    """Clopper and Pearson for the place in a range, with the effective number of cases of Korn and Graubard."""
    values = np.concatenate(clusters)
    share, error = (values.mean() - low) / (high - low), standard_error(clusters) / (high - low)
    levels, unlike = len(clusters), differing(clusters)
    if error < 1e-9:
        cases = levels
    else:
        estimated = min(share * (1 - share) / error**2, len(values) if unlike < 6 else 1e6)
        has_repeats = any(len(own) > 1 for own in clusters)
        df = min(max(unlike, 1), levels - 1) if has_repeats else levels - 1
        upper = 0.5 + confidence / 2
        cases = max(estimated * (stats.norm.ppf(upper) / stats.t.ppf(upper, df)) ** 2, min(estimated, levels))
    count, tail = share * cases, (1 - confidence) / 2
    below = stats.beta.ppf(tail, count, cases - count + 1) if count > 1e-9 else 0.0
    above = stats.beta.ppf(1 - tail, count + 1, cases - count) if cases - count > 1e-9 else 1.0
    return np.array([low + (high - low) * below, low + (high - low) * above])


def mean_interval(clusters):
    """Of scores of fewer than ten levels."""
    place = bounded(clusters, 0, 100)
    if differing(clusters) < 6 or standard_error(clusters) < 1e-9:
        return place
    half = stats.t.ppf(0.975, len(clusters) - 1) * standard_error(clusters)
    mean = np.concatenate(clusters).mean()
    return np.array([min(max(mean - half, 0), place[0]), max(min(mean + half, 100), place[1])])


def paired(cell, reference):
    """Mean, error, interval and p of the differences by level and repeat."""
    others = {(one["level"], one["repeat"]): one["score"] for one in reference}
    pairs = [(one["level"], one["score"] - others[one["level"], one["repeat"]])
             for one in cell if (one["level"], one["repeat"]) in others]
    clusters = clusters_of(pairs)
    sums = np.array([own.sum() for own in clusters])
    unlike = sums[np.abs(sums) > 1e-9]
    flips = [abs(np.dot(signs, unlike)) for signs in itertools.product([1, -1], repeat=len(unlike))]
    p = np.mean([flip >= abs(unlike.sum()) - 1e-9 for flip in flips]) if len(unlike) else 1.0
    mean, error = np.concatenate(clusters).mean(), standard_error(clusters)
    if len(unlike) < 6 or error < 1e-9:
        gained, lost = (bounded([np.maximum(sign * own, 0) for own in clusters], 0, 100, 0.975) for sign in (1, -1))
        interval = np.array([gained[0] - lost[1], gained[1] - lost[0]])
    else:
        half = stats.t.ppf(0.975, len(clusters) - 1) * error
        interval = np.array([max(mean - half, -100), min(mean + half, 100)])
    return {"mean": mean, "error": error, "interval": interval, "p": p, "differing": len(unlike), "pairs": len(pairs)}


def holm(values):
    order = np.argsort(values)
    corrected, least = np.empty(len(values)), 0.0
    for rank, index in enumerate(order):
        least = max(least, min(1.0, (len(values) - rank) * values[index]))
        corrected[index] = least
    return corrected


class Check:
    """Compares numbers, and counts them."""

    def __init__(self):
        self.count, self.worst = 0, 0.0

    def equal(self, what, said, computed, tolerance=1e-9):
        said, computed = np.atleast_1d(np.array(said, float)), np.atleast_1d(np.array(computed, float))
        off = float(np.max(np.abs(said - computed) / np.maximum(1, np.abs(computed))))
        assert off <= tolerance, f"{what}: the report says {said}, and the journals {computed}"
        self.count, self.worst = self.count + said.size, max(self.worst, off)


def main():
    check = Check()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        program = Program(sys.argv[1], folder)
        served = play(program)
        print(f"requests: shard 1 {served[0]}, shard 2 {served[1]}, dying server {served[2]}, moved {served[3]}")
        report(program, folder, check, served)
    print(f"{check.count} numbers equal, the largest relative difference is {check.worst:.1e}")


def report(program, folder, check, served):
    lines = [json.loads(line) for line in program.must("report", "golden", "--json").splitlines()]
    rows = [line for line in lines if line["type"] == "report"]
    journals = sorted((folder / "one" / "sweeps" / "golden").glob("*/*/journal.jsonl"))
    episodes = [read_episode(journal) for journal in journals]
    print(f"{len(episodes)} journals, {len(rows)} rows")
    groups = collections.defaultdict(dict)
    counts = collections.Counter()
    for one in episodes:
        key = (one["agent"], one["model"], one["am"] if one["model"] else None, one["set"])
        counts[key] += 1
        groups[key][one["level"], one["repeat"], one["seed"]] = one
    groups = {key: list(found.values()) for key, found in groups.items()}
    assert len(groups) == len(rows), (len(groups), len(rows))
    compared = []
    for row in rows:
        is_edited = any(group["name"] == "4x6-1" for group in row["level_groups"])
        key = (row["agent"], row["model"], row["am"], is_edited)
        check_row(check, row, key, groups, counts, compared)
    differing = [(row, own) for row, own in compared if own["differing"] >= 6]
    for (row, own), p in zip(differing, holm([own["p"] for _, own in differing])):
        check.equal("p (Holm)", row["difference"]["p_corrected"], p)
    check_servers(rows, served)


def check_row(check, row, key, groups, counts, compared):
    own = groups[key]
    name = f"{key[0]} {key[1] or ''} AM {key[2]} {'edited' if key[3] else 'as it was'}"
    clusters = {field: clusters_of([(one["level"], one[field]) for one in own]) for field in ("score", "solved")}
    check.equal(f"{name} episodes", [row["episodes"], row["left_out"]], [len(own), counts[key] - len(own)])
    check.equal(f"{name} levels", row["levels"], len(clusters["score"]))
    check.equal(f"{name} score", row["score"], np.mean([one["score"] for one in own]))
    check.equal(f"{name} SE", row["score_se"], standard_error(clusters["score"]))
    check.equal(f"{name} interval", row["score_interval"], mean_interval(clusters["score"]), 1e-6)
    check.equal(f"{name} success", row["success_rate"], np.mean([one["solved"] for one in own]))
    check.equal(f"{name} success SE", row["success_rate_se"], standard_error(clusters["solved"]))
    check.equal(f"{name} success interval", row["success_interval"], bounded(clusters["solved"], 0, 100), 1e-6)
    check.equal(f"{name} parse errors", row["parse_errors"], sum(one["errors"] for one in own))
    check.equal(f"{name} tokens", row["tokens_in"] + row["tokens_out"], sum(one["tokens"] for one in own))
    print(f"{name}: {len(own)} episodes, {row['left_out']} left out, score {row['score']:.4f} {row['score_interval']}")
    if row["difference"]:
        found = paired(own, groups[key[:2] + (1,) + key[3:]])
        said = row["difference"]
        check.equal(f"{name} difference", [said["difference"], said["difference_se"]], [found["mean"], found["error"]])
        check.equal(f"{name} difference interval", said["interval"], found["interval"], 1e-6)
        check.equal(f"{name} p", [said["p"], said["pairs"]], [found["p"], found["pairs"]])
        compared.append((row, found))
        print(f"  from AM 1: {found['mean']:.4f} {found['interval']}, p {found['p']:.4f}, {found['differing']} levels differ")


def check_servers(rows, served):
    """Each server is named where it answered, and no row is split by them."""
    named = collections.Counter(url for row in rows for url in row["produced_by"]["servers"])
    print(f"servers named in rows: {sorted(named.values())}")
    assert len(named) == len(served), named


if __name__ == "__main__":
    main()
