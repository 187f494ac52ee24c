//! The details of a score, as they are stored beside the pictures: for people, never for an agent.
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

use serde::{Deserialize, Serialize};

use super::aes::{AesResult, Explanation};
use super::snapshot::Element;
use mageyard_domain::BlobRef;

/// The media type of stored details. It is not a text, so no request has it.
pub(super) const DETAILS_MEDIA: &str = "application/vnd.mageyard.webui-score";
/// The media type of a stored snapshot.
pub(super) const SNAPSHOT_MEDIA: &str = "application/vnd.mageyard.webui-snapshot";

/// The media type of a stored file of an agent, which is in the texts of the observation already.
pub(super) fn file_media(parameter: &str) -> String {
    format!("application/vnd.mageyard.webui-{parameter}")
}

/// The details of a score.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Details {
    /// The score with what it depends on.
    #[serde(flatten)]
    pub(super) result: AesResult,
    /// `nominal` or `settle`.
    pub(super) waits: String,
    /// `live` or `once`.
    pub(super) target: String,
    /// The sub-pages, in the order of the pages of the result.
    pub(super) states: Vec<StateDetails>,
    /// Requests of the target that were refused.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) target_blocked: Vec<String>,
    /// Requests of the generated page that were refused.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) generated_blocked: Vec<String>,
}

/// A sub-page of both sides.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct StateDetails {
    /// The interaction that led to it.
    pub(super) name: String,
    /// The target.
    pub(super) target: ShotDetails,
    /// The generated page.
    pub(super) generated: ShotDetails,
    /// Why the generated page has no such state.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) fault: Option<String>,
    /// The matched pairs, in the order of the pairs of the page.
    pub(super) pairs: Vec<PairDetails>,
    /// The targets without a match.
    pub(super) unmatched: Vec<UnmatchedDetails>,
}

/// A side of a sub-page.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct ShotDetails {
    /// The part of the observation with the picture.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) picture: Option<u16>,
    /// How far the page is scrolled in the picture, to the right and down.
    #[serde(default)]
    pub(super) scroll: [f64; 2],
    /// The snapshot.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) snapshot: Option<BlobRef>,
}

/// A matched pair.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct PairDetails {
    /// The target.
    pub(super) target: ElementDetails,
    /// The generated element.
    pub(super) generated: ElementDetails,
    /// The points that this pair costs, of 100.
    pub(super) lost: f64,
    /// Why it has its score.
    pub(super) explanation: Explanation,
}

/// A target without a match.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct UnmatchedDetails {
    /// The target.
    pub(super) target: ElementDetails,
    /// Whether it counts 0; otherwise it does not count.
    pub(super) counts: bool,
}

/// An element in few words.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct ElementDetails {
    /// Its tag, with its identifier or class.
    pub(super) name: String,
    /// Left, top, width and height in the document, in pixels.
    pub(super) area: [f64; 4],
}

impl ElementDetails {
    /// An element of a snapshot.
    pub(super) fn of(element: &Element) -> Self {
        let class = element.class.split_whitespace().next();
        let mark = match (element.id.as_str(), class) {
            ("", None) => String::new(),
            ("", Some(class)) => format!(".{class}"),
            (id, _) => format!("#{id}"),
        };
        let name: String = format!("{}{mark}", element.tag).chars().take(80).collect();
        Self { name, area: [element.x, element.y, element.w, element.h] }
    }
}
