//! The columns of marks.

use schemars::JsonSchema;
use serde::Serialize;

use mageyard_engine::Mark;

/// What each mark says of an episode or a step, by the name of the mark.
#[derive(Serialize, JsonSchema)]
pub(super) struct MarkColumns<T> {
    /// Parse error.
    #[serde(rename = "marks.parse")]
    parse: T,
    /// Truncated or refused reply.
    #[serde(rename = "marks.ending")]
    ending: T,
    /// Ignored list members.
    #[serde(rename = "marks.dropped")]
    dropped: T,
    /// Invalid action (IA).
    #[serde(rename = "marks.ia")]
    ia: T,
    /// Repeating action (RA).
    #[serde(rename = "marks.ra")]
    ra: T,
    /// Result that cannot be shown (Ren).
    #[serde(rename = "marks.ren")]
    ren: T,
    /// Failed interaction (Act).
    #[serde(rename = "marks.act")]
    act: T,
    /// State unchanged.
    #[serde(rename = "marks.same")]
    same: T,
    /// Extra moves; null without a search.
    #[serde(rename = "marks.off_path")]
    off_path: Option<T>,
    /// Dead state, as far as it is proven.
    #[serde(rename = "marks.dead")]
    dead: T,
    /// Changed by a person.
    #[serde(rename = "marks.edited")]
    edited: T,
}

impl<T> MarkColumns<T> {
    /// The value of each mark; that of extra moves only if distances are known.
    pub(super) fn of(has_distances: bool, value: impl Fn(Mark) -> T) -> Self {
        Self {
            parse: value(Mark::ParseError),
            ending: value(Mark::IncompleteReply),
            dropped: value(Mark::Dropped),
            ia: value(Mark::InvalidAction),
            ra: value(Mark::RepeatedAction),
            ren: value(Mark::NotRendered),
            act: value(Mark::FailedInteraction),
            same: value(Mark::Unchanged),
            off_path: has_distances.then(|| value(Mark::OffPath)),
            dead: value(Mark::Dead),
            edited: value(Mark::Edited),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_mark_has_a_column_of_its_name() {
        let columns = serde_json::to_value(MarkColumns::of(true, Mark::name)).unwrap();
        let columns = columns.as_object().unwrap();
        assert_eq!(columns.len(), Mark::ALL.len());
        for mark in Mark::ALL {
            assert_eq!(columns[&format!("marks.{mark}")], mark.name());
        }
    }
}
