//! The figures of published tables as JSON objects.

use schemars::JsonSchema;
use serde::Serialize;

use crate::records::Record;
use mageyard_domain::{EnvironmentSpec, PublishedErrors, PublishedFigure, PublishedResult, Setting};
use mageyard_report::tables::PUBLISHED_SETS;

/// Where scores by memory window were published.
const WINDOW_SOURCE: &str = "MageBench, supplement, tables 5 and 6";

/// Where errors were published, and the set they are of.
const ERRORS_SOURCE: &str = "MageBench, supplement, table 7";

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
