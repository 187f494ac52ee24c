"""Measures how well `mageyard diagnose` recovers the known faults of the simulated model, and writes the tables of docs/diagnosis.md.

    tools/diagnosis.py [PROGRAM]        the program, target/debug/mageyard without it

For each kind of blindness and each share of faulty states it plays levels of Sokoban, diagnoses the failed steps, and compares the findings
with the faults that the settings make. It needs no key and no network. Everything is written to a temporary folder.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "diagnosis.md"
BEGIN, END = "<!-- tables of tools/diagnosis.py -->", "<!-- end of the tables -->"
LEVELS = "sokoban/full/1..24"
KINDS = ["columns", "box", "player"]
RATES = [0.1, 0.2, 0.3]
FINDINGS = ["seen", "planned", "written", "mixed", "undecided", "right"]
NAMES = {"seen": "seen wrong", "planned": "planned wrong", "written": "written wrong"}
SURE = {
    "skill": 1, "parse_errors": 0, "invalid_actions": 0, "refusals": 0, "cuts": 0, "loops": 0,
    "rate_limits": 0, "lost_connections": 0,
}
# The same, with slips in a tenth of all replies, which are no fault of a state.
SLIPS = SURE | {"skill": 0.9}


def settings(values):
    return [word for name, value in values.items() for word in ("--set", f"demo.{name}={value}")]


def run(program, store, words):
    command = [program, *words, "--store", str(store)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 100):
        sys.exit(f"{' '.join(command)}: {done.stderr}")
    return [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]


def diagnosed(program, store, model, faults):
    """The diagnosed states of one model, and the shares with their intervals."""
    demo = settings(model | faults)
    agent = ["--agent", "demo", "--model", "demo", "--prompt", "HD-CoT", "--max-steps", "15"]
    run(program, store, ["run", LEVELS, *agent, *demo, "--json"])
    lines = run(program, store, ["diagnose", "last", "--calls", "1000", "--samples", "3", "--json", *demo])
    states = [line for line in lines if line["type"] == "diagnosis"]
    shares = {line["finding"]: line for line in lines if line["type"] == "diagnosis_share"}
    return states, shares


def confusion(states):
    """How often each known fault led to each finding."""
    table = {fault: dict.fromkeys(FINDINGS, 0) for fault in [*NAMES, "right"]}
    for state in states:
        table[state["known_fault"]][state["finding"]] += 1
    return table


def confusion_lines(table):
    head = ["known fault", "states", *(NAMES.get(name, name) for name in FINDINGS)]
    rows = []
    for fault, found in table.items():
        count = sum(found.values())
        if count:
            name = NAMES.get(fault, "none")
            rows.append([name, str(count), *(str(found[finding]) for finding in FINDINGS)])
    return markdown(head, rows)


def markdown(head, rows):
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def share_row(kind, rate, states, shares):
    """The true share of each fault among the failed states, and what was found."""
    failed = [state for state in states if state["finding"] != "right"]
    cells, within = [], 0
    for fault in NAMES:
        true = sum(state["known_fault"] == fault for state in failed) / max(1, len(failed))
        found = shares[fault]
        low, high = found["interval"] or (0, 1)
        within += low <= true <= high
        cells.append(f"{100 * true:.0f} %: {100 * (found['share'] or 0):.0f} % [{100 * low:.0f}, {100 * high:.0f}]")
    return [kind, f"{rate:.1f}", str(len(failed)), *cells], within


def main():
    program = str(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "target" / "debug" / "mageyard").resolve())
    parts, all_states = [], {"sure": [], "slips": []}
    rows, within = [], 0
    with tempfile.TemporaryDirectory() as folder:
        os.environ["HOME"] = folder
        for kind in KINDS:
            for rate in RATES:
                faults = {"misreading": kind, "misread": rate, "bad_plans": 0.15, "bad_writing": 0.15}
                for name, model in [("sure", SURE), ("slips", SLIPS)]:
                    store = pathlib.Path(folder, f"{kind}-{rate}-{name}")
                    states, shares = diagnosed(program, store, model, faults)
                    all_states[name] += states
                    if name == "slips":
                        row, right = share_row(kind, rate, states, shares)
                        rows.append(row)
                        within += right
    head = ["blindness", "share of states", "failed", *(f"{name}: known, found" for name in NAMES.values())]
    parts.append("A model without slips:\n\n" + confusion_lines(confusion(all_states["sure"])))
    parts.append("With slips in a tenth of its replies:\n\n" + confusion_lines(confusion(all_states["slips"])))
    parts.append("The shares with slips, by kind of blindness and share of states that are seen wrongly:\n\n" + markdown(head, rows))
    parts.append(f"{within} of {3 * len(rows)} known shares are within the interval of the share that was found.")
    before, rest = PAGE.read_text().split(BEGIN)
    PAGE.write_text(before + BEGIN + "\n\n" + "\n\n".join(parts) + "\n\n" + END + rest.split(END)[1])


if __name__ == "__main__":
    main()
