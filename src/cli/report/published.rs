//! The published tables of scores, and their figures as JSON objects.

use schemars::JsonSchema;
use serde::Serialize;

use crate::records::Record;
use mageyard_domain::{EnvironmentSpec, PublishedErrors, PublishedFigure, PublishedResult, Setting};
use mageyard_report::{Condition, ENVIRONMENT, LEVEL_SET};

/// The class of a result without a number.
pub(super) const IFE: &str = "IFE";

/// What this class means.
pub(super) const IFE_NOTE: &str =
    "IFE: the model does not follow the instructions, a class of result without a number";

/// What stands behind the numbers of the full sets.
pub(super) const DEVIATION_NOTE: &str = "± in rows from the paper: the deviation that it states for models";

/// A published table of scores.
pub(super) struct PublishedSet {
    /// The level set of its columns.
    pub(super) level_set: &'static str,
    /// Where it was published.
    pub(super) source: &'static str,
    /// Whether deviations are stated.
    pub(super) has_deviations: bool,
}

/// The published tables.
pub(super) const PUBLISHED_SETS: [PublishedSet; 2] = [
    PublishedSet { level_set: "mini", source: "MageBench, table 1", has_deviations: false },
    PublishedSet { level_set: "full", source: "MageBench, supplement, table 4", has_deviations: true },
];

/// Where scores by memory window were published.
const WINDOW_SOURCE: &str = "MageBench, supplement, tables 5 and 6";

/// Where errors were published, and the set they are of.
const ERRORS_SOURCE: &str = "MageBench, supplement, table 7";

impl PublishedSet {
    /// Whether a figure is in this table.
    pub(super) fn has(&self, figure: &PublishedFigure) -> bool {
        figure.level_set == self.level_set && figure.window.is_none()
    }

    /// Whether one's own rows on levels of a set are in this table. Those of no published set are in the first one.
    pub(super) fn takes(&self, set: &str) -> bool {
        let is_published = |set: &str| PUBLISHED_SETS.iter().any(|known| known.level_set == set);
        set == self.level_set || self.level_set == PUBLISHED_SETS[0].level_set && !is_published(set)
    }
}

/// The level set of a condition without its environment, as the published tables name it: `mini`. A file keeps its name.
pub(super) fn set_name(condition: &Condition) -> &str {
    let set = condition.shown(LEVEL_SET);
    let own = set.strip_prefix(condition.shown(ENVIRONMENT)).and_then(|rest| rest.strip_prefix('/'));
    own.unwrap_or(set)
}

/// A published mean score (`report --paper`), measured on the levels of the publication.
#[derive(Serialize, JsonSchema)]
pub(crate) struct PublishedScoreRecord {
    /// Where it was published.
    source: &'static str,
    /// The model, or who else played.
    agent: &'static str,
    /// Name of the environment.
    environment: &'static str,
    /// Level set of the publication: `mini` or `full`.
    level_set: &'static str,
    /// `online` or `global`.
    #[schemars(with = "String")]
    setting: Setting,
    /// Action memory, where windows are compared.
    am: Option<u16>,
    /// Observation memory, where windows are compared.
    om: Option<u16>,
    /// Mean score; null if the model does not follow the instructions.
    score: Option<f64>,
    /// Whether the model does not follow the instructions (IFE).
    ife: bool,
    /// Deviation that is stated for the column.
    deviation: Option<f64>,
}

impl Record for PublishedScoreRecord {
    const TYPE: &'static str = "published_score";
}

/// Published shares of episodes with errors (`report --paper`).
#[derive(Serialize, JsonSchema)]
pub(crate) struct PublishedErrorsRecord {
    /// Where they were published.
    source: &'static str,
    /// The model.
    agent: &'static str,
    /// Name of the environment.
    environment: &'static str,
    /// Level set of the publication.
    level_set: &'static str,
    /// `online` or `global`.
    #[schemars(with = "String")]
    setting: Setting,
    /// % of episodes with IA.
    ia: f64,
    /// % of episodes with RA.
    ra: f64,
    /// What the publication adds.
    remark: Option<&'static str>,
}

impl Record for PublishedErrorsRecord {
    const TYPE: &'static str = "published_errors";
}

/// A value of a published table of measures (`report --paper`).
#[derive(Serialize, JsonSchema)]
pub(crate) struct PublishedMeasureRecord {
    /// Title of the table, with where it was published.
    source: &'static str,
    /// The model.
    agent: &'static str,
    /// Name of the environment.
    environment: &'static str,
    /// The measure, as in `set_measures` of `report`.
    measure: &'static str,
    /// Title of the column.
    column: &'static str,
    /// The value.
    value: f64,
}

impl Record for PublishedMeasureRecord {
    const TYPE: &'static str = "published_measure";
}

/// The values of the published tables of an environment.
pub(super) fn measures(spec: &'static dyn EnvironmentSpec) -> impl Iterator<Item = PublishedMeasureRecord> {
    let environment = spec.name();
    spec.capabilities().published.tables.iter().flat_map(move |table| {
        table.rows.iter().flat_map(move |(agent, values)| {
            table.columns.iter().zip(*values).map(move |(column, value)| PublishedMeasureRecord {
                source: table.title,
                agent,
                environment,
                measure: table.measure,
                column: column.title,
                value: *value,
            })
        })
    })
}

/// The published scores of an environment.
pub(super) fn scores(spec: &'static dyn EnvironmentSpec) -> impl Iterator<Item = PublishedScoreRecord> {
    let environment = spec.name();
    spec.capabilities().published.scores.iter().map(move |figure| PublishedScoreRecord {
        source: source(figure),
        agent: figure.agent,
        environment,
        level_set: figure.level_set,
        setting: figure.setting,
        am: figure.window.map(|window| window.0),
        om: figure.window.map(|window| window.1),
        score: figure.result.score(),
        ife: figure.result == PublishedResult::InstructionError,
        deviation: figure.deviation,
    })
}

/// The published errors of an environment.
pub(super) fn errors(spec: &'static dyn EnvironmentSpec) -> impl Iterator<Item = PublishedErrorsRecord> {
    let environment = spec.name();
    let record = move |errors: &PublishedErrors| PublishedErrorsRecord {
        source: ERRORS_SOURCE,
        agent: errors.agent,
        environment,
        level_set: "mini",
        setting: errors.setting,
        ia: errors.invalid,
        ra: errors.repeated,
        remark: errors.remark,
    };
    spec.capabilities().published.errors.iter().map(record)
}

/// Where a figure was published.
fn source(figure: &PublishedFigure) -> &'static str {
    let set = PUBLISHED_SETS.iter().find(|set| set.has(figure));
    set.map_or(WINDOW_SOURCE, |set| set.source)
}
