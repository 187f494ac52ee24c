//! Episodes with nothing but actions that must not be alone.

use super::*;

/// The corridor, in which walking right alone counts as repeating.
struct OneSided;

impl EnvironmentSpec for OneSided {
    fn name(&self) -> &'static str {
        "one-sided"
    }
    fn summary(&self) -> &'static str {
        CorridorSpec.summary()
    }
    fn file_extensions(&self) -> &'static [&'static str] {
        CorridorSpec.file_extensions()
    }
    fn level_sets(&self) -> &'static [LevelSet] {
        CorridorSpec.level_sets()
    }
    fn parse_levels(&self, text: &str) -> Result<Vec<Level>, LevelError> {
        CorridorSpec.parse_levels(text)
    }
    fn open(&self, level: &Level, options: &Options, seed: u64) -> Result<Box<dyn Environment>, OptionError> {
        CorridorSpec.open(level, options, seed)
    }
    fn reply_format(&self, setting: Setting) -> Option<ReplyFormat> {
        CorridorSpec.reply_format(setting)
    }
    fn score(&self, returns: Returns, _: Option<&Reference>) -> Option<f64> {
        Some(returns.sum)
    }
    fn capabilities(&self) -> &'static Capabilities {
        static CAPABILITIES: Capabilities = Capabilities {
            episodes: EpisodeRules { one_sided_actions: &["Right", "Jump"], ..EpisodeRules::NONE },
            ..Capabilities::NONE
        };
        &CAPABILITIES
    }
}

/// Why the episode repeats itself, and how many of its steps are marked.
async fn judged(length: u32, lines: &[&'static str]) -> (Option<String>, usize) {
    let episode = run_episode(head(Setting::Online, length, 6), lines).await;
    let found = analyze(&episode, &OneSided, RepetitionThresholds::default());
    let count = found.count(Mark::RepeatedAction);
    (found.repeating, count)
}

#[tokio::test]
async fn only_one_sided_actions_twice_or_more_are_a_repetition() {
    assert_eq!(judged(4, &["Right"]).await, (Some("all 3 actions of the episode are Right".into()), 3));
    assert_eq!(judged(3, &["Left", "Right"]).await.0, None, "another action is among them");
    assert_eq!(judged(2, &["Right"]).await, (None, 0), "a single action repeats nothing");
}
