//! Breakpoints that are typed on the screen.

use crate::engine::Breakpoints;
use crate::engine::ConditionError;

/// Reads breakpoints that the screen can set.
pub(super) fn read_breakpoints(text: &str) -> Result<Breakpoints, ConditionError> {
    let breaks: Breakpoints = text.parse()?;
    let session = breaks.sessions().next().map(|(_, span)| span.clone());
    match session {
        Some(span) => Err(ConditionError::new("a recording is compared only without a screen", span)
            .with_help("use mageyard run --break 'differs(SESSION)'")),
        None => Ok(breaks),
    }
}
