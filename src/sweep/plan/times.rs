//! How long the cells of a plan may take, in words and numbers.

use std::collections::BTreeSet;
use std::time::Duration;

use super::{MeasuredTime, PlannedCell, SweepPlan};
use mageyard_domain::{count_noun, duration_words};

/// The longest names of sessions that are shown.
const MOST_CHARACTERS: usize = 42;

/// The measured times of the cells of a plan.
pub struct PlanTimes {
    /// By cell: its number of episodes, and the measured time of one.
    cells: Vec<(usize, Option<MeasuredTime>)>,
}

impl PlanTimes {
    /// These times of the cells of a plan, in their order.
    pub fn new(plan: &SweepPlan, times: Vec<Option<MeasuredTime>>) -> Self {
        Self { cells: plan.cells.iter().map(PlannedCell::episodes).zip(times).collect() }
    }

    /// The time of an episode of each cell.
    pub fn cells(&self) -> impl Iterator<Item = Option<&MeasuredTime>> {
        self.cells.iter().map(|(_, time)| time.as_ref())
    }

    /// The number of episodes of each cell, and the measured one.
    pub fn measured(&self) -> impl Iterator<Item = (usize, Option<&MeasuredTime>)> {
        self.cells.iter().map(|(episodes, time)| (*episodes, time.as_ref()))
    }

    /// The number of cells of which nothing is recorded.
    pub fn unknown(&self) -> usize {
        self.cells().filter(Option::is_none).count()
    }

    /// The seconds of all cells, if each is known.
    pub fn total(&self) -> Option<f64> {
        (self.unknown() == 0).then(|| self.known())
    }

    /// The seconds of the cells that are known.
    fn known(&self) -> f64 {
        let time =
            |(episodes, time): &(usize, Option<MeasuredTime>)| Some(time.as_ref()?.of_episodes(*episodes));
        self.cells.iter().filter_map(time).sum()
    }

    /// The lines of a plan.
    pub fn lines(&self) -> Vec<String> {
        let unknown = self.unknown();
        if unknown == self.cells.len() {
            return vec![
                "Time: unknown: no recorded episodes of the same agent, model and setting.".to_owned(),
            ];
        }
        // A sum that is too large for a duration is as good as endless.
        let sum = duration_words(Duration::try_from_secs_f64(self.known()).unwrap_or(Duration::MAX));
        let mut lines = vec![
            format!("Time: about {sum}, one episode after the other (an estimate)."),
            format!("It is that of recorded episodes: {}.", self.sessions()),
        ];
        if unknown > 0 {
            let all = self.cells.len();
            lines.push(format!("Time of {unknown} of {all} cells: unknown, without such recorded episodes."));
        }
        lines
    }

    /// The sessions in which it was measured; of many, or of long names, only the number.
    fn sessions(&self) -> String {
        let names: BTreeSet<&str> = self.cells().flatten().map(|time| time.session.as_str()).collect();
        let text = names.iter().copied().collect::<Vec<_>>().join(", ");
        if text.chars().count() <= MOST_CHARACTERS {
            text
        } else {
            count_noun(names.len(), "session", "sessions")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn time(seconds: f64, session: &str) -> MeasuredTime {
        MeasuredTime { seconds, tokens: None, episodes: 3, session: session.to_owned() }
    }

    #[test]
    fn the_time_is_marked_as_an_estimate_and_unknown_cells_are_counted() {
        let all = PlanTimes { cells: vec![(60, Some(time(10.0, "a"))), (20, Some(time(4.5, "b")))] };
        let lines = [
            "Time: about 11 min 30 s, one episode after the other (an estimate).",
            "It is that of recorded episodes: a, b.",
        ];
        assert_eq!((all.lines(), all.total()), (lines.map(str::to_owned).to_vec(), Some(690.0)));
        let some = PlanTimes { cells: vec![(60, Some(time(10.0, &"long".repeat(20)))), (20, None)] };
        assert_eq!((some.unknown(), some.total()), (1, None));
        let lines = some.lines();
        assert!(
            lines[0].starts_with("Time: about 10 min, one") && lines[1].ends_with(": 1 session."),
            "{lines:?}"
        );
        assert_eq!(lines[2], "Time of 1 of 2 cells: unknown, without such recorded episodes.");
        let none = PlanTimes { cells: vec![(20, None)] };
        assert!(none.lines()[0].starts_with("Time: unknown"), "{:?}", none.lines());
    }
}
