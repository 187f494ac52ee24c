//! An analysis that is kept up to date is the same as one of the whole episode.

use super::*;

/// The numbers of the steps that have this mark.
fn marked_steps(errors: &ErrorAnalysis, mark: Mark) -> Vec<usize> {
    (1..).zip(errors.marks()).filter(|(_, marks)| marks.has(mark)).map(|(number, _)| number).collect()
}

/// The steps that belong to a repetition by definition: each streak is as long as its threshold.
fn repetitions(episode: &Episode, thresholds: RepetitionThresholds) -> Vec<usize> {
    let steps: Vec<_> = episode.steps().iter().filter(|step| step.is_done()).collect();
    let mut repeated = vec![false; steps.len()];
    for (unchanged_only, threshold) in [(true, thresholds.unchanged), (false, thresholds.same)] {
        let counts = |step: &Step| !unchanged_only || step.is_unchanged() || step.skipped;
        for window in 0..(steps.len() + 1).saturating_sub(threshold) {
            let streak = &steps[window..window + threshold];
            let same_action =
                streak.iter().all(|step| step.action.is_some() && step.action == streak[0].action);
            let same_reply =
                streak.iter().all(|step| step.has_output() && step.output() == streak[0].output());
            if (same_action || same_reply) && streak.iter().all(|step| counts(step)) {
                repeated[window..window + threshold].fill(true);
            }
        }
    }
    (1..).zip(repeated).filter(|(_, repeated)| *repeated).map(|(number, _)| number).collect()
}

#[tokio::test]
async fn an_analysis_that_grows_step_by_step_is_the_analysis_of_the_whole() {
    const LIMITS: SearchLimits = SearchLimits { states: 1000, memory: u64::MAX, time: None };
    const LINES: [&str; 7] = ["Left", "Left", "Right", "Right", "Fly", "=the same", "=the same"];
    for number in 0..60_usize {
        let lines: Vec<&str> =
            (0..24).map(|at| LINES[(number * 7 + at * at / (number % 5 + 1)) % 7]).collect();
        let thresholds = RepetitionThresholds { unchanged: 2 + number % 3, same: 3 + number % 4 };
        let conduct = EpisodePolicy { thresholds, ..EpisodePolicy::default() };
        let length = [3, 9, 13][number % 3];
        let mut driver = driver(
            Head { conduct, ..head(Setting::Online, length, 24) },
            script(&lines),
            Box::new(NullSink::default()),
        );
        let mut grown = EpisodeAnalysis::new(&CorridorSpec, thresholds, Some(LIMITS));
        while driver.episode().ending().is_none() {
            driver.advance().await.unwrap();
            grown.update(driver.episode());
            if driver.episode().steps().len().is_multiple_of(number % 6 + 1) {
                grown.search_all().await;
            }
        }
        grown.search_all().await;
        let whole = analyze(driver.episode(), &CorridorSpec, thresholds);
        assert_eq!(grown.errors(), &whole.with_distances(grown.distances()), "{lines:?}");
        assert_eq!(
            marked_steps(grown.errors(), Mark::RepeatedAction),
            repetitions(driver.episode(), thresholds)
        );
        for mark in Mark::ALL {
            assert_eq!(grown.errors().count(mark), marked_steps(grown.errors(), mark).len(), "{mark}");
        }
    }
}
