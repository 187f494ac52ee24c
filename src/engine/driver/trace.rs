//! The diagnostic spans of an episode. Their fields are names and numbers, never texts that an agent or an environment
//! wrote.

use std::path::Path;

use tracing::Span;

use crate::head::Head;

/// The whole episode; requests and actions are below it.
pub(super) fn episode(head: &Head, journal: Option<&Path>) -> Span {
    let folder = journal.and_then(Path::parent);
    let name = |path: Option<&Path>| Some(path?.file_name()?.to_string_lossy().into_owned());
    tracing::info_span!(
        "episode",
        session = name(folder.and_then(Path::parent)),
        episode = name(folder),
        level = head.reference,
        agent = head.agent.name,
    )
}

/// One action of this step in the environment.
pub(super) fn act(step: u32) -> Span {
    tracing::debug_span!("act", step)
}
