#!/bin/bash
# Runs a sweep as a Slurm array job on this machine: several workers, of which one is killed, and a node that is drained.
# Not part of .ci/run. It needs root, and the Debian packages slurm-wlm and munge.
#
#   tests/clusters/slurm.sh PATH/TO/mageyard
set -euo pipefail
program=$(realpath "${1:-target/debug/mageyard}")
work=$(mktemp -d)
chmod 755 "$work"
nodes=3
pids=()
stop() {
    for pid in "${pids[@]}"; do kill "$pid" 2>/dev/null || true; done
    wait 2>/dev/null || true
}
trap stop EXIT
fail() {
    echo "FAILED: $*" >&2
    tail -n 20 "$work"/*.log "$work"/store/sweeps/*/.sweep/*.log >&2 2>/dev/null || true
    exit 1
}

mkdir -p "$work"/{state,store,home,munge}
chmod 700 "$work/munge"
dd if=/dev/urandom of="$work/munge/key" bs=128 count=1 status=none
chmod 600 "$work/munge/key"
munged --foreground --force --key-file="$work/munge/key" --socket="$work/munge.socket" --pid-file="$work/munge/pid" \
    --log-file="$work/munge/log" --seed-file="$work/munge/seed" &
pids+=($!)
cat > "$work/slurm.conf" <<END
ClusterName=test
SlurmctldHost=$(hostname -s)(127.0.0.1)
SlurmctldPort=16817
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=$work/munge.socket
CredType=cred/munge
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool-%n
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/slurmd-%n.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
ReturnToService=2
MpiDefault=none
SwitchType=switch/none
KillWait=10
NodeName=n[1-$nodes] NodeHostname=$(hostname -s) NodeAddr=127.0.0.1 Port=[17001-1700$nodes] CPUs=1 State=UNKNOWN
PartitionName=all Nodes=n[1-$nodes] Default=YES MaxTime=INFINITE State=UP OverSubscribe=NO
END
export SLURM_CONF="$work/slurm.conf"
sleep 1
slurmctld -D > "$work/slurmctld.log" 2>&1 &
pids+=($!)
sleep 2
for number in $(seq "$nodes"); do
    mkdir -p "$work/spool-n$number"
    slurmd -D -N "n$number" > "$work/slurmd-n$number.log" 2>&1 &
    pids+=($!)
done
for _ in $(seq 30); do
    [ "$(sinfo -h -t idle -o %D 2>/dev/null || true)" = "$nodes" ] && break
    sleep 1
done
[ "$(sinfo -h -t idle -o %D)" = "$nodes" ] || fail "the nodes did not start: $(sinfo 2>&1)"

cat > "$work/cluster.toml" <<'END'
levels = "sokoban/mini"
repeats = 3
seed = 0
[settings]
play.agent = "random"
play.max_steps = 50
[[grid]]
play.seed = "1..20"
END
export HOME="$work/home" XDG_CONFIG_HOME="$work/home/config" XDG_DATA_HOME="$work/home/data"
mkdir -p "$XDG_CONFIG_HOME/mageyard"
printf '[sweep]\nlease = 6\nheartbeat = 1\n' > "$XDG_CONFIG_HOME/mageyard/config.toml"
cd "$work"
"$program" sweep submit cluster.toml --to slurm --nodes "$nodes" --store "$work/store"
done_cells() { find "$work/store/sweeps/cluster/.sweep/done" -type f 2>/dev/null | wc -l; }
for _ in $(seq 60); do [ "$(done_cells)" -ge 2 ] && break; sleep 0.5; done
[ "$(done_cells)" -ge 2 ] || fail "no cell was done"

job=$(squeue -h -o %A | sort -n | head -1)
# A worker of this job, by the store that only it has.
victim=$(pgrep -f "sweep work .*--store .*$work/store" | head -1)
echo "killing worker $victim of job $job"
kill -KILL "$victim"
node=$(squeue -h -t R -o %N | tail -1)
echo "draining $node and requeuing its task"
scontrol update NodeName="$node" State=DRAIN Reason=test
scontrol requeue "$(squeue -h -w "$node" -o %i | head -1)" || true
for _ in $(seq 240); do
    [ -z "$(squeue -h -t R)" ] && break
    sleep 1
done
status=$("$program" sweep status cluster --store "$work/store" --json)
echo "$status" | head -1
python3 - "$status" <<'END' || fail "the sweep is not complete"
import json, sys
rows = [json.loads(line) for line in sys.argv[1].splitlines()]
cells = [row for row in rows if row["type"] == "cell_status"]
assert cells and all(row["state"] == "done" for row in cells), [row["state"] for row in cells]
assert all(row["episodes_done"] == row["episodes_planned"] for row in cells)
print(f"{len(cells)} cells done, of which {sum(row['claims'] > 1 for row in cells)} were claimed more than once")
END
rm -rf "$work"
echo ok
