//! The scores of one task: s achieved, n nodes, L steps of the reference, k recorded steps.

/// By how much an episode may be longer than the reference without a loss.
const LENGTH_TOLERANCE: f64 = 1.2;
/// Human alignment of a complete task whose end the agent has not signalled.
const NOT_SIGNALLED: f64 = 0.95;
/// The factor of an incomplete task that a limit or a person has ended.
const CUT: f64 = 0.8;

/// What was achieved in a task.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TaskScore {
    /// The sum of the scores of its nodes (s).
    pub achieved: f64,
    /// The number of its nodes (n).
    pub nodes: u32,
    /// The recorded steps (k).
    pub steps: u32,
    /// The steps of the reference (L); `None` if it is unknown.
    pub reference_length: Option<u32>,
    /// Whether the agent has signalled its end: by an answer, or by the reward module.
    pub signalled: bool,
}

impl TaskScore {
    /// Whether every node is met in full. A task without nodes is not.
    pub fn is_complete(&self) -> bool {
        self.nodes > 0 && self.achieved >= f64::from(self.nodes)
    }

    /// Whether exactly one point is missing, as in the released code: two halves are one point too.
    pub fn is_near_success(&self) -> bool {
        (f64::from(self.nodes) - self.achieved - 1.0).abs() < 1e-9
    }

    /// The step score rate s/n, from 0 to 1; 0 without nodes.
    pub fn rate(&self) -> f64 {
        if self.nodes == 0 { 0.0 } else { self.achieved / f64::from(self.nodes) }
    }

    /// Steps a node, k/s: lower is better; `None` if nothing was achieved.
    pub fn efficiency(&self) -> Option<f64> {
        (self.achieved > 0.0).then(|| f64::from(self.steps) / self.achieved)
    }

    /// The length score of the released code: 1 below 1.2 L steps, else 1.2 L / k; `None` if L is unknown.
    pub fn length_score(&self) -> Option<f64> {
        let most = LENGTH_TOLERANCE * f64::from(self.reference_length?);
        let steps = f64::from(self.steps);
        Some(if steps < most { 1.0 } else { most / steps })
    }

    /// The human alignment score (appendix E): 1 for a complete task whose end was signalled, 0.95 for one whose end was not;
    /// s/n for an incomplete one whose end was signalled, and 0.8 of it for one that was cut.
    pub fn human_alignment(&self) -> f64 {
        match (self.is_complete(), self.signalled) {
            (true, true) => 1.0,
            (true, false) => NOT_SIGNALLED,
            (false, true) => self.rate(),
            (false, false) => CUT * self.rate(),
        }
    }
}
