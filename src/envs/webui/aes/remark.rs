//! What is wrong with the annotations of a target.

use serde::{Deserialize, Serialize};

/// What is wrong with the annotations of a target. `element` is an index in its snapshot.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Remark {
    /// `data-filter-by` has a name that cannot choose partners.
    #[error("element {element}: data-filter-by has the unknown name {name:?}, so the element {}",
            if *kept { "is paired by place alone" } else { "is not scored" })]
    UnknownFilter {
        /// The element.
        element: usize,
        /// The name.
        name: String,
        /// Whether it is scored without a filter.
        kept: bool,
    },
    /// A name in `data-evalby` is not an attribute.
    #[error("element {element}: data-evalby has the unknown name {name:?}, which adds nothing")]
    UnknownAttribute {
        /// The element.
        element: usize,
        /// The name.
        name: String,
    },
    /// There is `data-filter-by` and no `data-evalby`.
    #[error("element {element}: data-evalby is missing")]
    WithoutEvalby {
        /// The element.
        element: usize,
    },
    /// There is `data-evalby` and no `data-filter-by`.
    #[error("element {element}: data-filter-by is missing, so the element is not scored")]
    WithoutFilter {
        /// The element.
        element: usize,
    },
    /// The element is not shown, or has no area.
    #[error("element {element} is annotated and not shown")]
    NotShown {
        /// The element.
        element: usize,
    },
    /// The page has too many targets to be scored.
    #[error("the page has {count} targets, at most {limit} are scored")]
    TooManyTargets {
        /// Their number.
        count: usize,
        /// The limit.
        limit: usize,
    },
}

impl Remark {
    /// Whether the page cannot be scored: an error of the task, never of the generated page.
    pub fn is_task_error(&self) -> bool {
        matches!(self, Self::WithoutEvalby { .. } | Self::TooManyTargets { .. })
    }
}
