//! The script of a Ray job.

use serde_json::json;

use super::Job;

/// A Python script that starts each worker as a task of a Ray cluster. A task whose node fails is started again by Ray;
/// until then another worker takes its cells over. A JSON string is a Python string too.
pub(super) fn script(job: &Job) -> String {
    let Job { name, sweep, program, store, folder, workers, .. } = job;
    let [file, sweep, program, store, folder] =
        [&format!("{name}.toml"), sweep, program, store, folder].map(|text| json!(text));
    format!(
        r#""""Workers of the sweep {name} as tasks of a Ray cluster."""

import os
import subprocess
import sys
import tempfile

import ray

SWEEP = {sweep}
WORKERS = {workers}


@ray.remote(num_cpus=1, max_retries=3)
def work():
    with tempfile.TemporaryDirectory() as folder:
        plan = os.path.join(folder, {file})
        with open(plan, "w", encoding="utf-8") as file:
            file.write(SWEEP)
        command = [{program}, "sweep", "work", plan, "--store", {store}]
        return subprocess.run(command, cwd={folder}, check=False).returncode


ray.init()
codes = ray.get([work.remote() for _ in range(WORKERS)])
print("exit codes of the workers:", codes)
sys.exit(max(code if code >= 0 else 1 for code in codes))
"#
    )
}

#[cfg(test)]
mod tests {
    use super::super::sample;
    use super::*;

    #[test]
    fn the_script_starts_each_worker_as_a_task() {
        assert_eq!(
            script(&sample()),
            r#""""Workers of the sweep memory-ablation as tasks of a Ray cluster."""

import os
import subprocess
import sys
import tempfile

import ray

SWEEP = "levels = [\"mine/all\"]\n# it's $HOME `id` \"quoted\"\n"
WORKERS = 8


@ray.remote(num_cpus=1, max_retries=3)
def work():
    with tempfile.TemporaryDirectory() as folder:
        plan = os.path.join(folder, "memory-ablation.toml")
        with open(plan, "w", encoding="utf-8") as file:
            file.write(SWEEP)
        command = ["/opt/mage yard/mageyard", "sweep", "work", plan, "--store", "/data/it's/$store"]
        return subprocess.run(command, cwd="/home/me", check=False).returncode


ray.init()
codes = ray.get([work.remote() for _ in range(WORKERS)])
print("exit codes of the workers:", codes)
sys.exit(max(code if code >= 0 else 1 for code in codes))
"#
        );
    }
}
