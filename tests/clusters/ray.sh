#!/bin/bash
# Runs a sweep as a Ray job on a cluster of two nodes on this machine: several workers, of which one is killed, and a node
# that is stopped. Not part of .ci/run. It needs `ray` with its job server: pip install 'ray[default]'.
#
#   tests/clusters/ray.sh PATH/TO/mageyard
set -euo pipefail
program=$(realpath "${1:-target/debug/mageyard}")
work=$(mktemp -d)
export RAY_TMPDIR="$work/ray" RAY_USAGE_STATS_ENABLED=0
mkdir -p "$work"/{store,home,ray}
export HOME="$work/home" XDG_CONFIG_HOME="$work/home/config" XDG_DATA_HOME="$work/home/data"
pids=()
stop() {
    for pid in "${pids[@]}"; do kill "$pid" 2>/dev/null || true; done
    wait 2>/dev/null || true
    rm -rf "$work"
}
trap stop EXIT
fail() {
    echo "FAILED: $*" >&2
    ray job logs "${job:-none}" --address "$RAY_ADDRESS" 2>/dev/null | tail -n 20 >&2 || true
    exit 1
}

# Each node is a process in the foreground, so that this script stops those that it started and no others.
# Its workers have the ports from 10002 to 19999.
port=6380 dashboard=8266
export RAY_ADDRESS="http://127.0.0.1:$dashboard"
ray start --head --block --port "$port" --dashboard-port "$dashboard" --num-cpus 2 --temp-dir "$RAY_TMPDIR" \
    > "$work/head.log" 2>&1 &
pids+=($!)
is_up() {
    python3 -c 'import sys, urllib.request; urllib.request.urlopen(sys.argv[1] + "/api/version", timeout=2)' \
        "$RAY_ADDRESS" 2>/dev/null
}
for _ in $(seq 90); do is_up && break; sleep 1; done
is_up || { tail -n 5 "$work/head.log" >&2; fail "the cluster did not start"; }
ray start --block --address "127.0.0.1:$port" --num-cpus 2 > "$work/node.log" 2>&1 &
node=$!
pids+=("$node")

cat > "$work/cluster.toml" <<'END_SWEEP'
levels = "sokoban/mini"
repeats = 3
seed = 0
[settings]
play.agent = "random"
play.max_steps = 50
[[grid]]
play.seed = "1..20"
END_SWEEP
mkdir -p "$XDG_CONFIG_HOME/mageyard"
printf '[sweep]\nlease = 6\nheartbeat = 1\n' > "$XDG_CONFIG_HOME/mageyard/config.toml"
cd "$work"
"$program" sweep submit cluster.toml --to ray --nodes 4 --store "$work/store" | tee "$work/submit.log"
job=$(grep -o 'raysubmit_[A-Za-z0-9]*' "$work/submit.log" | head -1)
[ -n "$job" ] || fail "the job was not submitted"
done_cells() { find "$work/store/sweeps/cluster/.sweep/done" -type f 2>/dev/null | wc -l; }
for _ in $(seq 240); do [ "$(done_cells)" -ge 2 ] && break; sleep 0.5; done
[ "$(done_cells)" -ge 2 ] || fail "no cell was done"

# A worker of this job, by the store that only it has.
victim=$(pgrep -f "sweep work .*--store $work/store" | head -1)
echo "killing worker $victim"
kill -KILL "$victim"
echo "stopping a node after $(done_cells) cells"
kill "$node"
for _ in $(seq 240); do
    [ "$(done_cells)" -ge 20 ] && break
    sleep 1
done
status=$("$program" sweep status cluster --store "$work/store" --json)
echo "$status" | head -1
python3 - "$status" <<'END_PYTHON' || fail "the sweep is not complete"
import json, sys
rows = [json.loads(line) for line in sys.argv[1].splitlines()]
cells = [row for row in rows if row["type"] == "cell_status"]
assert len(cells) == 20 and all(row["state"] == "done" for row in cells), [row["state"] for row in cells]
assert all(row["episodes_done"] == row["episodes_planned"] for row in cells)
print(f"{len(cells)} cells done, of which {sum(row['claims'] > 1 for row in cells)} were claimed more than once")
END_PYTHON
echo ok
