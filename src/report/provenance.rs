//! What produced the episodes of a group: versions, prompts, models as the server returned them, seeds, times.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::json;

use mageyard_domain::Digest;
use mageyard_engine::{EpisodeSummary, Head, PromptVersion, ServedChange};

/// What produced some episodes.
#[derive(Clone, Debug, Default)]
pub struct Provenance {
    /// The programs with their versions.
    pub programs: BTreeSet<String>,
    /// The names of models as servers returned them.
    pub served_models: BTreeSet<String>,
    /// The fingerprints of models that servers returned.
    pub fingerprints: BTreeSet<String>,
    /// The episodes during which the model changed its name or fingerprint: the address and the changes.
    pub served_changes: Vec<(String, Vec<ServedChange>)>,
    /// The addresses of the servers that were asked.
    pub servers: BTreeSet<String>,
    /// The live surfaces that were acted on, in words, such as the version of a browser: the detail `surface` of a verdict.
    pub surfaces: BTreeSet<String>,
    /// Prompt variants with the digest of their segments' texts, as they were sent.
    pub prompts: BTreeMap<String, BTreeSet<Digest>>,
    /// The random seeds.
    pub seeds: BTreeSet<u64>,
    /// The repeats of levels.
    pub repeats: BTreeSet<u32>,
    /// The first and the last start, in seconds since 1970-01-01 UTC.
    pub started: Option<(u64, u64)>,
}

/// The digest of the texts of a prompt's segments.
pub(super) fn prompt_digest(version: &PromptVersion) -> Digest {
    Digest::of(json!(version.segments).to_string().as_bytes())
}

impl Provenance {
    /// Adds an episode with this address.
    pub(super) fn add(&mut self, head: &Head, summary: &EpisodeSummary, address: &str) {
        self.programs.insert(head.program.clone());
        self.served_models.extend(summary.served_models.iter().cloned());
        self.fingerprints.extend(summary.fingerprints.iter().cloned());
        if !summary.served_changes.is_empty() {
            self.served_changes.push((address.to_owned(), summary.served_changes.clone()));
        }
        self.servers.extend(summary.servers.iter().map(|url| without_user(url)));
        let verdict = summary.judgement.as_ref().and_then(|judgement| judgement.verdict());
        let surface = verdict.and_then(|verdict| verdict.details.get("surface")?.as_str());
        self.surfaces.extend(surface.map(str::to_owned));
        if let Some(version) = &summary.prompt_version {
            self.prompts.entry(version.prompt.clone()).or_default().insert(prompt_digest(version));
        }
        self.seeds.insert(head.seed);
        self.repeats.extend(head.repeat);
        let (first, last) = self.started.unwrap_or((head.started, head.started));
        self.started = Some((first.min(head.started), last.max(head.started)));
    }
}

/// An address without what is before an `@`, which may be a password.
fn without_user(url: &str) -> String {
    let (scheme, rest) = url.split_once("://").unwrap_or(("", url));
    let end = rest.find('/').unwrap_or(rest.len());
    let host = rest[..end].rsplit('@').next().unwrap_or_default();
    let separator = if scheme.is_empty() { "" } else { "://" };
    format!("{scheme}{separator}{host}{}", &rest[end..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_shown_without_a_password() {
        assert_eq!(without_user("https://me:secret@host:8000/v1"), "https://host:8000/v1");
        assert_eq!(without_user("http://host/v1/@x"), "http://host/v1/@x");
        assert_eq!(without_user("host:1"), "host:1");
    }
}
