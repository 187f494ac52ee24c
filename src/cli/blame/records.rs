//! The objects of `blame`.

use schemars::JsonSchema;
use serde::Serialize;

use crate::continuations::RowFields;
use crate::records::Record;
use mageyard_engine::Detour;
use mageyard_study::{ContinuationPlan, PlayedVerdict, SolverVerdict, most_steps_of_probes};

/// What is played to find the step that lost an episode (`blame`), before the first branch is played.
#[derive(Serialize, JsonSchema)]
pub(crate) struct PlanRecord<'a> {
    /// Reference of the episode.
    run: &'a str,
    /// Steps at which the agent decided.
    steps: usize,
    /// Steps that are tried at most.
    most_probes: u32,
    /// Branches of each.
    samples: u32,
    /// Steps that all branches can take together.
    most_steps: u64,
    /// Mean input tokens of a recorded request.
    tokens_in_per_request: Option<u64>,
    /// Mean output tokens of one.
    tokens_out_per_request: Option<u64>,
}

impl Record for PlanRecord<'_> {
    const TYPE: &'static str = "blame_plan";
}

impl<'a> PlanRecord<'a> {
    pub(super) fn new(run: &'a str, plan: &ContinuationPlan, (steps, most_probes): (usize, u32)) -> Self {
        Self {
            run,
            steps,
            most_probes,
            samples: plan.request.samples,
            most_steps: most_steps_of_probes(plan, most_probes),
            tokens_in_per_request: plan.per_request.map(|usage| usage.input),
            tokens_out_per_request: plan.per_request.map(|usage| usage.output),
        }
    }
}

/// What playing on from a step led to (`blame`).
#[derive(Serialize, JsonSchema)]
pub(crate) struct ProbeRecord<'a> {
    /// Reference of the step.
    pub(super) run: String,
    /// Number of the step.
    pub(super) step: u32,
    #[serde(flatten)]
    pub(super) row: RowFields<'a>,
}

impl Record for ProbeRecord<'_> {
    const TYPE: &'static str = "blame_probe";
}

/// The step after which the goal of an episode was out of reach (`blame`).
#[derive(Default, Serialize, JsonSchema)]
pub(crate) struct BlameRecord<'a> {
    /// Reference of the episode.
    run: &'a str,
    /// `solver` or `playing`.
    by: &'static str,
    /// `step`, `won`, `never_possible` (proven), `never_won` (not reached by playing either), `still_possible` (to the
    /// end), `unknown` (the solver gave up), `unfinished` or `no_solver`.
    verdict: &'static str,
    /// Number of the step.
    step: Option<u32>,
    /// Its action, if proven by the solver.
    action: Option<&'a str>,
    /// Moves of a shortest solution before it.
    moves_before: Option<u32>,
    /// Moves left at the end, if the goal was within reach.
    moves_left: Option<u32>,
    /// Then the steps that left the shortest path.
    detours: Option<Vec<DetourRecord>>,
    /// If the solver gave up, the first step that can be the one; 0 if not known.
    earliest: Option<u32>,
    /// The last one.
    latest: Option<u32>,
    /// P value between the start of the step and that of the next; null for the last step and for the solver.
    p: Option<f64>,
    /// Why it is not known.
    why: Option<&'a str>,
}

impl Record for BlameRecord<'_> {
    const TYPE: &'static str = "blame";
}

/// A step that left the shortest path.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "detour")]
struct DetourRecord {
    /// Number of the step.
    step: u32,
    /// Distance before it.
    before: u32,
    /// Distance after it.
    after: Option<u32>,
}

impl From<&Detour> for DetourRecord {
    fn from(detour: &Detour) -> Self {
        let Detour { step, before, after } = *detour;
        Self { step, before, after }
    }
}

impl<'a> BlameRecord<'a> {
    /// What the solver says.
    pub(super) fn by_solver(run: &'a str, verdict: &'a SolverVerdict) -> Self {
        let record = |verdict| Self { run, by: "solver", verdict, ..Self::default() };
        match verdict {
            SolverVerdict::NoSolver => record("no_solver"),
            SolverVerdict::Won => record("won"),
            SolverVerdict::NeverPossible => record("never_possible"),
            SolverVerdict::Lost { step, action, before } => Self {
                step: Some(*step),
                action: Some(action),
                moves_before: Some(*before),
                ..record("step")
            },
            SolverVerdict::StillPossible { left, detours } => Self {
                moves_left: Some(*left),
                detours: Some(detours.iter().map(DetourRecord::from).collect()),
                ..record("still_possible")
            },
            SolverVerdict::Unknown { after, until, why } => {
                Self { earliest: Some(*after), latest: *until, why: Some(why), ..record("unknown") }
            }
        }
    }

    /// What playing on has shown.
    pub(super) fn by_playing(run: &'a str, verdict: &'a PlayedVerdict) -> Self {
        let record = |verdict| Self { run, by: "playing", verdict, ..Self::default() };
        match verdict {
            PlayedVerdict::Won => record("won"),
            PlayedVerdict::NeverWon => record("never_won"),
            PlayedVerdict::Step { step, p } => Self { step: Some(*step), p: *p, ..record("step") },
            PlayedVerdict::Unfinished { why } => Self { why: Some(why), ..record("unfinished") },
        }
    }
}
