//! The environment `pages`: a live one without a browser, for tests. A form is shown on a surface outside this process,
//! which answers late, hangs or dies as its level says. It shows texts, two pictures and a tree, takes actions with
//! arguments, and cannot be replayed. To the engine it looks like a browser or a desktop.

mod environment;
mod judging;
mod level;
mod page;
mod persons;
mod records;
mod surface;

use mageyard_domain::{
    Action, ActionSpace, Arg, Capabilities, Environment, EnvironmentSpec, EpisodeRules, Level, LevelError,
    LevelFiles, LevelSet, Observation, OptionError, Options, Policies, Policy, PolicyError, Reference,
    ReplyFormat, Returns, Setting, parse_records,
};

use self::environment::Pages;
use self::level::PageLevel;
#[allow(unused_imports, reason = "only tests of the library use it")]
pub(crate) use self::page::action_space;
#[allow(unused_imports, reason = "only tests of the library count what happened")]
pub(crate) use self::surface::{LOG, acts};

/// The environment `pages`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PagesSpec;

impl EnvironmentSpec for PagesSpec {
    fn name(&self) -> &'static str {
        "pages"
    }

    fn summary(&self) -> &'static str {
        "fill in a form on a live page"
    }

    fn file_extensions(&self) -> &'static [&'static str] {
        &["pages"]
    }

    fn level_sets(&self) -> &'static [LevelSet] {
        &[LevelSet {
            name: "forms",
            summary: "forms with one field",
            paper: "not in the paper",
            text: include_str!("forms.pages"),
        }]
    }

    fn parse_levels(&self, text: &str) -> Result<Vec<Level>, LevelError> {
        if text.starts_with('{') {
            return parse_records(text, &records::PageRecords);
        }
        level::parse(text)
    }

    fn open(&self, source: &Level, _: &Options, _: u64) -> Result<Box<dyn Environment>, OptionError> {
        let read = PageLevel::parse(source.text());
        let level = read.map_err(|error| OptionError { name: "level".into(), why: error.to_string() })?;
        Ok(Box::new(Pages::new(level, &source.source)))
    }

    fn reply_format(&self, setting: Setting) -> Option<ReplyFormat> {
        let list = setting == Setting::Global;
        Some(ReplyFormat::headings("# analyze", if list { "# actions" } else { "# action" }, list))
    }

    fn prompts(&self) -> &'static [(&'static str, &'static str)] {
        &[("0s-CoT", include_str!("prompt.md"))]
    }

    fn score(&self, returns: Returns, _: Option<&Reference>) -> Option<f64> {
        Some(returns.sum)
    }

    fn capabilities(&self) -> &'static Capabilities {
        static CAPABILITIES: Capabilities = Capabilities {
            judging: Some(&judging::PageJudging),
            questions: Some(&judging::PageQuestions),
            files: LevelFiles { records: Some(&records::PageRecords), ..LevelFiles::NONE },
            persons: Some(&persons::PagePersons),
            policies: Policies { oracle: Some(|| Box::new(FillIn)), ..Policies::NONE },
            episodes: EpisodeRules {
                setting_defaults: &[
                    ("play.attempts", "1"),
                    ("play.on_unreadable", "end"),
                    ("play.on_repeating", "refuse"),
                    ("play.time_checked", "between"),
                    ("faults.same", "3"),
                ],
                level_limits: |level| PageLevel::parse(level.text()).unwrap_or_default().limits,
                ..EpisodeRules::NONE
            },
            ..Capabilities::NONE
        };
        &CAPABILITIES
    }
}

/// Types what the field wants, then presses the button.
struct FillIn;

impl FillIn {
    fn choose(seen: &Observation) -> Action {
        let fact = |name: &str| seen.facts()[name].as_str().unwrap_or_default().to_owned();
        if fact("typed") == fact("field") {
            let (x, y) = page::BUTTON_CENTER;
            return Action::plain("click").with("at", Arg::Point { x, y });
        }
        Action::plain("type").with("text", Arg::Text(fact("field")))
    }
}

impl Policy for FillIn {
    fn next_action(
        &mut self,
        _: u32,
        seen: &Observation,
        _: &ActionSpace,
        _: &std::sync::atomic::AtomicBool,
    ) -> Result<Option<(Action, String)>, PolicyError> {
        Ok(Some((Self::choose(seen), "This fills in the form.".into())))
    }

    fn plan(
        &mut self,
        seen: &Observation,
        _: &ActionSpace,
        limit: u32,
        _: &std::sync::atomic::AtomicBool,
    ) -> Result<(Vec<Action>, String), PolicyError> {
        let (x, y) = page::BUTTON_CENTER;
        let click = Action::plain("click").with("at", Arg::Point { x, y });
        let mut actions = vec![Self::choose(seen), click];
        actions.dedup();
        actions.truncate(usize::try_from(limit).unwrap_or(0));
        Ok((actions, "This fills in the form.".into()))
    }
}
