//! The scores of a set of tasks, by the released code and by us where the two differ.

use super::TaskScore;

/// A mean, and of how many tasks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mean {
    /// The mean.
    pub value: f64,
    /// The tasks that count.
    pub tasks: usize,
}

/// The scores of a set. A quotient that has nothing to divide by is `None`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Summary {
    /// The tasks.
    pub tasks: usize,
    /// Key node completion rate: Σs / Σn.
    pub completion: Option<f64>,
    /// The mean of s/n.
    pub rate: Option<f64>,
    /// The share of tasks with all nodes.
    pub success: Option<f64>,
    /// The share of tasks from which exactly one point is missing.
    pub near_success: Option<f64>,
    /// The efficiency score of the released code: the mean of k/s with 0 where nothing was achieved, which flatters weak agents.
    pub efficiency_with_zeros: Option<f64>,
    /// Σk / Σs.
    pub efficiency_of_sums: Option<f64>,
    /// The mean of k/s over the tasks in which something was achieved.
    pub efficiency: Option<Mean>,
    /// Cost / Σs, in US dollars a node; `None` without a cost.
    pub usd_efficiency: Option<f64>,
    /// The mean of the length scores, of tasks with a reference.
    pub length_score: Option<Mean>,
    /// The mean human alignment score.
    pub human_alignment: Option<f64>,
}

impl Summary {
    /// The scores of these tasks, which have cost so much together, in US dollars.
    pub fn of(tasks: &[TaskScore], usd: Option<f64>) -> Self {
        let sum = |value: fn(&TaskScore) -> f64| tasks.iter().map(value).sum::<f64>();
        let count = tasks.len();
        let mean = |value: fn(&TaskScore) -> f64| quotient(sum(value), count_of(count));
        let [achieved, nodes] = [sum(|task| task.achieved), sum(|task| f64::from(task.nodes))];
        Self {
            tasks: count,
            completion: quotient(achieved, nodes),
            rate: mean(TaskScore::rate),
            success: mean(|task| share(task.is_complete())),
            near_success: mean(|task| share(task.is_near_success())),
            efficiency_with_zeros: mean(|task| task.efficiency().unwrap_or_default()),
            efficiency_of_sums: quotient(sum(|task| f64::from(task.steps)), achieved),
            efficiency: mean_of(tasks.iter().filter_map(TaskScore::efficiency)),
            usd_efficiency: usd.and_then(|usd| quotient(usd, achieved)),
            length_score: mean_of(tasks.iter().filter_map(TaskScore::length_score)),
            human_alignment: mean(TaskScore::human_alignment),
        }
    }
}

/// 1 for yes, 0 for no.
pub(super) fn share(is: bool) -> f64 {
    if is { 1.0 } else { 0.0 }
}

fn quotient(above: f64, under: f64) -> Option<f64> {
    (under > 0.0).then(|| above / under)
}

#[expect(clippy::cast_precision_loss, reason = "numbers of tasks are small")]
fn count_of(tasks: usize) -> f64 {
    tasks as f64
}

fn mean_of(values: impl Iterator<Item = f64>) -> Option<Mean> {
    let (sum, tasks) = values.fold((0.0, 0), |(sum, count), value| (sum + value, count + 1));
    Some(Mean { value: quotient(sum, count_of(tasks))?, tasks })
}
