//! The manifest of an indexed Kubernetes job.

use serde_json::json;

use super::{Container, Job};
use mageyard_domain::Digest;

/// A configuration with the sweep, and an indexed job whose pods are workers. A pod that fails is replaced; until then
/// another worker takes its cells over. A wrong request (exit 2) and a mismatch (exit 5) end the job, because each pod
/// would fail in the same way. A JSON string is a YAML string too.
pub(super) fn manifest(job: &Job, container: &Container<'_>) -> String {
    let Job { name, sweep, store, workers, .. } = job;
    let object = object_name(name);
    // Kubernetes replaces `$(NAME)` in commands; `$$(` is a plain `$(`.
    let plan = format!("/sweep/{name}.toml");
    let argument = store.replace("$(", "$$(");
    let [file, sweep, plan, argument, store] =
        [&format!("{name}.toml"), sweep, &plan, &argument, store].map(|text| json!(text));
    let [image, volume] = [container.image, container.volume].map(|text| json!(text));
    let secret = container.secret.map_or_else(String::new, |secret| {
        format!("\n          envFrom:\n            - secretRef:\n                name: {}", json!(secret))
    });
    format!(
        r#"apiVersion: v1
kind: ConfigMap
metadata:
  name: {object}
data:
  {file}: {sweep}
---
apiVersion: batch/v1
kind: Job
metadata:
  name: {object}
spec:
  completionMode: Indexed
  completions: {workers}
  parallelism: {workers}
  backoffLimitPerIndex: 6
  podFailurePolicy:
    rules:
      - action: FailJob
        onExitCodes:
          containerName: worker
          operator: In
          values: [2, 5]
      - action: Ignore
        onPodConditions:
          - type: DisruptionTarget
  template:
    spec:
      restartPolicy: Never
      terminationGracePeriodSeconds: 60
      containers:
        - name: worker
          image: {image}
          command: ["mageyard", "sweep", "work", {plan}, "--store", {argument}]{secret}
          volumeMounts:
            - name: sweep
              mountPath: /sweep
            - name: store
              mountPath: {store}
      volumes:
        - name: sweep
          configMap:
            name: {object}
        - name: store
          persistentVolumeClaim:
            claimName: {volume}
"#
    )
}

/// A name of lower-case letters, digits and dashes with at most 63 bytes, different for different sweeps.
fn object_name(sweep: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' };
    let readable: String = sweep.chars().map(plain).take(40).collect();
    let digest = Digest::of(sweep.as_bytes()).to_string();
    format!("mageyard-{}-{}", readable.trim_matches('-'), digest.get(..6).unwrap_or(&digest))
}

#[cfg(test)]
mod tests {
    use super::super::sample;
    use super::*;

    #[test]
    fn the_manifest_is_a_configuration_and_an_indexed_job() {
        let container = Container { image: "registry/mageyard:1", volume: "store", secret: Some("keys") };
        assert_eq!(
            manifest(&sample(), &container),
            r#"apiVersion: v1
kind: ConfigMap
metadata:
  name: mageyard-memory-ablation-835743
data:
  "memory-ablation.toml": "levels = [\"mine/all\"]\n# it's $HOME `id` \"quoted\"\n"
---
apiVersion: batch/v1
kind: Job
metadata:
  name: mageyard-memory-ablation-835743
spec:
  completionMode: Indexed
  completions: 8
  parallelism: 8
  backoffLimitPerIndex: 6
  podFailurePolicy:
    rules:
      - action: FailJob
        onExitCodes:
          containerName: worker
          operator: In
          values: [2, 5]
      - action: Ignore
        onPodConditions:
          - type: DisruptionTarget
  template:
    spec:
      restartPolicy: Never
      terminationGracePeriodSeconds: 60
      containers:
        - name: worker
          image: "registry/mageyard:1"
          command: ["mageyard", "sweep", "work", "/sweep/memory-ablation.toml", "--store", "/data/it's/$store"]
          envFrom:
            - secretRef:
                name: "keys"
          volumeMounts:
            - name: sweep
              mountPath: /sweep
            - name: store
              mountPath: "/data/it's/$store"
      volumes:
        - name: sweep
          configMap:
            name: mageyard-memory-ablation-835743
        - name: store
          persistentVolumeClaim:
            claimName: "store"
"#
        );
    }

    #[test]
    fn names_of_objects_fit_the_rules_of_kubernetes() {
        for sweep in ["A_b.c", "x", &"long.".repeat(40), "--"] {
            let name = object_name(sweep);
            assert!(name.len() <= 63 && !name.ends_with('-'), "{name}");
            assert!(name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-'), "{name}");
        }
        assert_ne!(object_name("a.b"), object_name("a-b"));
    }
}
