"""Loads rows of episodes and steps into pandas and recomputes the table of scores, as docs/data.md shows it.

By hand: python3 tests/pandas/recompute.py PATH/TO/mageyard > tests/pandas/output.txt

It needs pandas. A sweep of the agents random and faulty is played in a temporary folder; every number that is recomputed is compared
with `report --json`, and the script ends with an error if one differs by more than 1e-9.
"""

import io, json, math, os, pathlib, subprocess, sys, tempfile

import pandas as pd

program = str(pathlib.Path(sys.argv[1]).resolve())
root = pathlib.Path(tempfile.mkdtemp())
environment = {"HOME": str(root), "XDG_CONFIG_HOME": str(root / "config"), "PATH": os.environ["PATH"]}
(root / "windows.toml").write_text("""levels = "sokoban/first"
repeats = 3

[settings]
play.setting = "online"

[[grid]]
play.agent = ["random", "faulty"]
play.max_steps = [20, 40]
""")


def run(*arguments):
    done = subprocess.run([program, *arguments], cwd=root, env=environment, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{arguments}: {done.stderr}")
    return done.stdout


def standard_error(group):
    """Clustered by level: the deviations of a level are summed before they are squared."""
    clusters = (group.score - group.score.mean()).groupby(group.level_digest).sum()
    count = len(clusters)
    return math.sqrt(count / (count - 1) * (clusters**2).sum()) / len(group)


run("sweep", "run", "windows.toml")
episodes = pd.read_csv(io.StringIO(run("report", "windows", "--rows", "episodes", "--format", "csv")))
lines = pd.read_json(io.StringIO(run("report", "windows", "--rows", "episodes", "--format", "json")), lines=True)
steps = pd.read_csv(io.StringIO(run("report", "windows", "--rows", "steps", "--format", "csv")))
report = [json.loads(line) for line in run("report", "windows", "--json").splitlines()]
report = [line for line in report if line["type"] == "report"]

settings = ["agent", "play.max_steps"]
rows = episodes[episodes.counted].groupby(settings)
table = pd.DataFrame({
    "n": rows.size(),
    "score": rows.score.mean(),
    "se": rows[["score", "level_digest"]].apply(standard_error),
    "success": 100 * rows.solved.mean(),
    "same": 100 * rows["marks.same"].apply(lambda count: (count > 0).mean()),
    "steps": rows.steps.sum(),
})
print(table.round(2).to_string())

compared = 0
for row in report:
    own = table.loc[(row["agent"], row["settings"]["play.max_steps"])]
    pairs = {"n": "episodes", "score": "score", "se": "score_se", "success": "success_rate", "same": "same", "steps": "steps"}
    for name, field in pairs.items():
        assert abs(own[name] - row[field]) < 1e-9, (name, own[name], row[field])
        compared += 1
assert compared == 6 * len(table)

joined = steps.groupby("address").agg(reward=("reward", "sum"), count=("step", "size"))
joined = episodes.set_index("address").join(joined)
assert (joined["reward"] - joined["sum"]).abs().max() < 1e-9 and (joined["count"] == joined["steps"]).all()
assert (lines.score - episodes.score).abs().max() == 0 and list(lines.columns[2:]) == list(episodes.columns)
print(f"{compared} numbers are those of the report; {len(steps)} steps add up to {len(episodes)} episodes")
