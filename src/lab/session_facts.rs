//! What lists show and compare of a session, without restoring its episodes.

use std::collections::BTreeSet;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::{Lab, RecordedEpisode, StoredSession, annotation_counts};
use mageyard_engine::{Head, SessionAnnotations, Store, annotations_path};

/// What lists show of a session.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SessionFacts {
    /// The episodes that were started.
    pub episodes: usize,
    /// The levels, the agent, the setting and, if it asks a model, the prompt and the memory window, in one line.
    pub summary: String,
    /// What filters compare.
    pub fields: SessionFields,
    /// Whether every planned episode is over.
    pub is_over: bool,
}

/// The texts of a session that filters compare: those of its first and its last episode, and the endings of all that are
/// over.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SessionFields {
    /// Names of environments.
    pub environments: BTreeSet<String>,
    /// References of levels.
    pub levels: BTreeSet<String>,
    /// Names of agents.
    pub agents: BTreeSet<String>,
    /// Names of models.
    pub models: BTreeSet<String>,
    /// Names of prompt variants.
    pub prompts: BTreeSet<String>,
    /// How episodes ended, in words.
    pub endings: BTreeSet<String>,
}

impl SessionFields {
    fn add(&mut self, head: &Head) {
        self.environments.insert(head.environment.clone());
        self.levels.insert(head.reference.clone());
        self.agents.insert(head.agent.name.clone());
        self.models.extend(head.model().map(str::to_owned));
        self.prompts.insert(head.prompt.clone());
    }
}

impl SessionFacts {
    /// Reads what lists show of a session: the heads of its first and its last episode, the summaries of all, and its
    /// annotations. `None` if no episode was started.
    pub fn read(lab: &Lab, store: &Store, session: &StoredSession) -> Option<Self> {
        let first_episode = session.episodes.first()?;
        let episodes = session.episodes.len();
        let Some(first) = session.first_head() else {
            let summary = "unreadable: see `mageyard log check`".to_owned();
            return Some(Self { episodes, summary, ..Self::default() });
        };
        let last = session.last_head();
        let mut fields = SessionFields::default();
        for head in std::iter::once(&first).chain(&last) {
            fields.add(head);
        }
        let endings = session.episodes.iter().map(|episode| episode.summary()?.ending);
        let endings: Vec<_> = endings.collect();
        fields.endings = endings.iter().flatten().map(ToString::to_string).collect();
        let is_over = endings.iter().all(Option::is_some) && is_planned(store, first_episode, episodes);
        let summary = summary(lab, &first, last.as_ref(), first_episode.path());
        Some(Self { episodes, summary, fields, is_over })
    }
}

/// Whether so many episodes are all that the session of this one plans.
fn is_planned(store: &Store, episode: &RecordedEpisode, episodes: usize) -> bool {
    let plan = store.read_plan(&episode.id().session);
    plan.is_ok_and(|plan| plan.is_none_or(|plan| plan.len() <= episodes))
}

fn summary(lab: &Lab, head: &Head, last: Option<&Head>, journal: &Path) -> String {
    let levels = match last.filter(|last| last.reference != head.reference) {
        Some(last) => format!("{} to {}", head.reference, last.reference),
        None => head.reference.clone(),
    };
    let (prompt, window) = (&head.prompt, head.window);
    let asks =
        head.model().is_some() || lab.agent(&head.agent.name).is_some_and(|row| row.requests.is_some());
    let asked = asks.then(|| format!("{prompt} · AM {} OM {}", window.am(), window.om()));
    let annotations = SessionAnnotations::read(&annotations_path(journal)).ok();
    let counts = annotations.and_then(|annotations| annotation_counts(annotations.counts()));
    let parts = [
        Some(levels),
        Some(head.agent.display_name().to_owned()),
        Some(head.setting.to_string()),
        asked,
        counts,
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join(" · ")
}
