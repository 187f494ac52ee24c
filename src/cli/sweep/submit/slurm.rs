//! The script of a Slurm array job.

use super::Job;
use mageyard_domain::shell_quote;

/// A script for `sbatch`: each task of the array is a worker. A task whose node fails is started again by Slurm; until
/// then another worker takes its cells over.
pub(super) fn script(job: &Job) -> String {
    let Job { name, sweep, program, store, workers, server, .. } = job;
    let end = delimiter(sweep);
    let log = quoted(&format!("{}/sweeps/{name}/.sweep/", store.replace('%', "%%")));
    let newline = if sweep.is_empty() || sweep.ends_with('\n') { "" } else { "\n" };
    let program = shell_quote(program);
    let store = shell_quote(store);
    let work = format!("{program} sweep work \"$plan\" --store {store}");
    let work = match server {
        Some(server) => beside_server(server, &work),
        None => format!("exec {work}"),
    };
    format!(
        r#"#!/bin/bash
#SBATCH --job-name=mageyard-{name}
#SBATCH --array=1-{workers}
#SBATCH --ntasks=1
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --output="{log}worker-%A-%a.log"
# A minute before the end of the time limit, workers finish what is running and release their cells.
#SBATCH --signal=B:TERM@60
plan="$(mktemp -d)/{name}.toml" || exit 1
cat > "$plan" <<'{end}'
{sweep}{newline}{end}
{work}
"#
    )
}

/// The commands that start a server on the node, run the worker with its address, and stop both. A shell ends a wait when
/// it receives a signal, so it waits until the worker has ended.
fn beside_server(server: &str, work: &str) -> String {
    let server = shell_quote(server);
    format!(
        r#"answers() {{ (exec 3<>"/dev/tcp/127.0.0.1/$PORT") 2>/dev/null; }}
export PORT=$((20000 + ${{SLURM_JOB_ID:-$$}} % 20000))
while answers; do PORT=$((PORT + 1)); done
bash -c {server} &
server=$!
trap 'kill "$server" 2>/dev/null' EXIT
trap 'exit 143' TERM
until answers; do
    kill -0 "$server" 2>/dev/null || {{ echo "the server of this node has ended" >&2; exit 1; }}
    sleep 1
done
{work} --base-url "http://127.0.0.1:$PORT/v1" &
worker=$!
trap 'kill -TERM "$worker" 2>/dev/null' TERM
while :; do
    wait "$worker"
    code=$?
    kill -0 "$worker" 2>/dev/null || exit "$code"
done"#
    )
}

/// A line that does not occur in the text.
fn delimiter(text: &str) -> String {
    let mut name = "END_OF_SWEEP".to_owned();
    while text.lines().any(|line| line == name) {
        name.push('_');
    }
    name
}

/// The text for common quotes in an option of `#SBATCH`.
fn quoted(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}

#[cfg(test)]
mod tests {
    use super::super::sample;
    use super::*;

    #[test]
    fn the_script_is_an_array_of_workers() {
        assert_eq!(
            script(&sample()),
            r#"#!/bin/bash
#SBATCH --job-name=mageyard-memory-ablation
#SBATCH --array=1-8
#SBATCH --ntasks=1
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --output="/data/it's/$store/sweeps/memory-ablation/.sweep/worker-%A-%a.log"
# A minute before the end of the time limit, workers finish what is running and release their cells.
#SBATCH --signal=B:TERM@60
plan="$(mktemp -d)/memory-ablation.toml" || exit 1
cat > "$plan" <<'END_OF_SWEEP'
levels = ["mine/all"]
# it's $HOME `id` "quoted"
END_OF_SWEEP
exec '/opt/mage yard/mageyard' sweep work "$plan" --store '/data/it'\''s/$store'
"#
        );
    }

    #[test]
    fn a_sweep_cannot_end_the_quotation() {
        let job = Job { sweep: "a\nEND_OF_SWEEP\nrm x".to_owned(), store: "/a%b\"".to_owned(), ..sample() };
        let script = script(&job);
        assert!(script.contains("<<'END_OF_SWEEP_'\na\nEND_OF_SWEEP\nrm x\nEND_OF_SWEEP_\n"), "{script}");
        assert!(script.contains(r#"--output="/a%%b\"/sweeps"#), "{script}");
    }
}
