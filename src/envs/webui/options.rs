//! The settings of the environment: the table `[webui]`.
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;

use super::aes::{PaperRule, Rules};
use super::files::{FileKind, Files, KINDS};
use super::perception::{self, PageView};
use super::task::MAX_FILE_BYTES;
use mageyard_browser::Viewport;
use mageyard_domain::{OptionError, Options, VIEW_OPTION, nearest_names};
use mageyard_kit::{ChoiceOption, IntegerOption, refuse_unknown};

/// How long a page is left alone before it is looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum WaitRule {
    /// As long as the interaction says.
    #[default]
    Nominal,
    /// Until it does not change any more, at most as long as the interaction says.
    Settle,
}

impl WaitRule {
    /// The name in settings and results.
    pub fn name(self) -> &'static str {
        match self {
            Self::Nominal => "nominal",
            Self::Settle => "settle",
        }
    }
}

/// When the target is rendered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum TargetUse {
    /// Beside the generated page at each score, in step with it. A page that shows the time needs this.
    #[default]
    Live,
    /// Once; all scores of the process use the same snapshots.
    Once,
}

impl TargetUse {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Live => "live",
            Self::Once => "once",
        }
    }
}

/// What an agent sees after it has written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Feedback {
    /// The page as it is loaded.
    #[default]
    First,
    /// Also the page after each interaction.
    All,
}

/// What a score depends on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ScoreSettings {
    /// The rules of the score.
    pub rules: Rules,
    /// The size of the pages.
    pub viewport: Viewport,
    /// How long pages are left alone.
    pub waiting: WaitRule,
}

impl ScoreSettings {
    /// Reads them from the settings of the environment.
    ///
    /// # Errors
    /// The first setting that is wrong.
    pub fn read(options: &Options) -> Result<Self, OptionError> {
        let WebUiOptions { rules, viewport, waiting, .. } = WebUiOptions::read(options)?;
        Ok(Self { rules, viewport, waiting })
    }
}

/// The settings of an episode.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct WebUiOptions {
    pub(super) rules: Rules,
    pub(super) viewport: Viewport,
    pub(super) waiting: WaitRule,
    pub(super) target: TargetUse,
    pub(super) feedback: Feedback,
    /// What pages are shown as.
    pub(super) view: PageView,
    /// The time for rendering a written page, without its waiting.
    pub(super) act_time: Duration,
    pub(super) file_bytes: usize,
}

const MODE: ChoiceOption<Mode> =
    ChoiceOption { name: "mode", values: &[("parity", Mode::Parity), ("strict", Mode::Strict)] };
const WAITS: ChoiceOption<WaitRule> =
    ChoiceOption { name: "waits", values: &[("nominal", WaitRule::Nominal), ("settle", WaitRule::Settle)] };
const TARGET: ChoiceOption<TargetUse> =
    ChoiceOption { name: "target", values: &[("live", TargetUse::Live), ("once", TargetUse::Once)] };
const FEEDBACK: ChoiceOption<Feedback> =
    ChoiceOption { name: "feedback", values: &[("first", Feedback::First), ("all", Feedback::All)] };
const VIEW: ChoiceOption<PageView> = ChoiceOption { name: VIEW_OPTION, values: perception::NAMES };
const ACT_TIME: IntegerOption = IntegerOption { name: "act_time", min: 1, max: 3600, default: 60 };
const FILE_BYTES: IntegerOption =
    IntegerOption { name: "file_bytes", min: 1, max: MAX_FILE_BYTES as u64, default: 1 << 20 };
const FLAGS: &str = "flags";
const VIEWPORT: &str = "viewport";
/// Where an Online episode gets its first files; the program replaces it by [`START_FILES`].
pub(super) const START: &str = "start";
/// The files that an episode starts with, as an object of texts.
pub(super) const START_FILES: &str = "start_files";

/// The two definitions of the score.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Mode {
    /// The released code.
    #[default]
    Parity,
    /// The paper.
    Strict,
}

impl Mode {
    pub(super) fn rules(self) -> Rules {
        match self {
            Self::Parity => Rules::released(),
            Self::Strict => Rules::paper(),
        }
    }
}

impl WebUiOptions {
    /// Reads the settings; names the first one that is wrong.
    pub(super) fn read(options: &Options) -> Result<Self, OptionError> {
        let known = [
            MODE.name,
            FLAGS,
            VIEWPORT,
            WAITS.name,
            TARGET.name,
            FEEDBACK.name,
            VIEW.name,
            ACT_TIME.name,
            FILE_BYTES.name,
            START,
            START_FILES,
        ];
        refuse_unknown(options, &known, "webui")?;
        if options.get(START).and_then(Value::as_str).is_some_and(|name| !name.is_empty())
            && !options.contains_key(START_FILES)
        {
            let why = "names a session that only Online episodes of `play`, `run` and sweeps start from";
            return Err(OptionError { name: START.into(), why: why.into() });
        }
        let text = |name: &str| options.get(name).and_then(|value| value.as_str()).unwrap_or_default();
        Ok(Self {
            rules: rules_with(MODE.read(options)?.rules(), text(FLAGS))?,
            viewport: viewport(text(VIEWPORT))?,
            waiting: WAITS.read(options)?,
            target: TARGET.read(options)?,
            feedback: FEEDBACK.read(options)?,
            view: VIEW.read(options)?,
            act_time: Duration::from_secs(ACT_TIME.read(options)?),
            file_bytes: usize::try_from(FILE_BYTES.read(options)?).unwrap_or(MAX_FILE_BYTES),
        })
    }
}

/// What pages are shown as.
pub(super) fn view(options: &Options) -> Result<PageView, OptionError> {
    VIEW.read(options)
}

/// The files that an episode starts with.
pub(super) fn start_files(options: &Options) -> Result<Files, OptionError> {
    let Some(given) = options.get(START_FILES) else { return Ok(Files::default()) };
    let wrong = |why: &str| OptionError { name: START_FILES.into(), why: why.to_owned() };
    let given = given.as_object().ok_or_else(|| wrong("is not an object of texts"))?;
    if given.iter().any(|(name, text)| !KINDS.iter().any(|kind| kind.parameter == name) || !text.is_string())
    {
        return Err(wrong("has texts for html, css and js only"));
    }
    let text = |kind: FileKind| given.get(kind.parameter)?.as_str().map(Arc::from);
    Ok(Files::new(KINDS.map(text)))
}

/// The option of an episode that starts with these files.
pub(super) fn with_start_files(files: &Files) -> Options {
    let texts = files.written().map(|(kind, text)| (kind.parameter.to_owned(), Value::from(&**text)));
    Options::from([(START_FILES.to_owned(), Value::Object(texts.collect()))])
}

/// The rules with each of these flags, separated by commas, the other way round.
fn rules_with(rules: Rules, flags: &str) -> Result<Rules, OptionError> {
    let mut names = flags.split(',').map(str::trim).filter(|name| !name.is_empty());
    names.try_fold(rules, |rules, name| {
        let rule = PaperRule::named(name).ok_or_else(|| unknown_flag(name))?;
        Ok(rules.with(rule, !rules.has(rule)))
    })
}

fn unknown_flag(name: &str) -> OptionError {
    let known = PaperRule::ALL.map(PaperRule::name);
    let near = nearest_names(name, known);
    let near = if near.is_empty() { known.to_vec() } else { near };
    let why = format!("there is no flag {name:?}; did you mean {}?", near.join(", "));
    OptionError { name: FLAGS.into(), why }
}

/// A viewport such as `1920x937`; the usual one for an empty text.
fn viewport(text: &str) -> Result<Viewport, OptionError> {
    if text.is_empty() {
        return Ok(Viewport::default());
    }
    parse_viewport(text).ok_or_else(|| {
        let why = format!("{text:?} is not a width and a height from 100 to 10000 pixels, such as 1920x937");
        OptionError { name: VIEWPORT.into(), why }
    })
}

/// A width and a height from 100 to 10000 pixels, such as `1920x937`.
pub fn parse_viewport(text: &str) -> Option<Viewport> {
    let side = |text: &str| text.trim().parse().ok().filter(|side| (100..=10_000).contains(side));
    let (width, height) = text.split_once('x')?;
    Some(Viewport { width: side(width)?, height: side(height)? })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(name: &str, value: impl Into<Value>) -> Result<WebUiOptions, String> {
        let options = Options::from([(name.to_owned(), value.into())]);
        WebUiOptions::read(&options).map_err(|error| error.to_string())
    }

    #[test]
    fn the_defaults_are_those_of_the_published_numbers() {
        let usual = WebUiOptions::read(&Options::new()).unwrap();
        assert_eq!((usual.rules, usual.viewport), (Rules::released(), Viewport { width: 1920, height: 937 }));
        assert_eq!((usual.waiting, usual.target), (WaitRule::Nominal, TargetUse::Live));
        assert_eq!(
            (usual.view, read("view", "elements").unwrap().view),
            (PageView::Image, PageView::Elements)
        );
        assert_eq!((usual.act_time, usual.file_bytes), (Duration::from_mins(1), 1 << 20));
    }

    #[test]
    fn a_flag_is_the_other_way_round() {
        let flags = |text: &str| read("flags", text).map(|options| options.rules);
        let one = Rules::released().with(PaperRule::TextOverlap, true);
        assert_eq!(flags(" text_overlap ,"), Ok(one));
        assert_eq!(flags("text_overlap,text_overlap"), Ok(Rules::released()));
        assert!(flags("text_overlpa").unwrap_err().contains("did you mean text_overlap?"));
        assert_eq!(read("mode", "strict").unwrap().rules, Rules::paper());
    }

    #[test]
    fn wrong_values_are_refused_by_name() {
        for (name, value) in [
            ("viewport", Value::from("1920")),
            ("viewport", Value::from("99x200")),
            ("viewport", Value::from("-1x200")),
            ("waits", Value::from("long")),
            ("view", Value::from("text")),
            ("target", Value::from(1)),
            ("act_time", Value::from(0)),
            ("file_bytes", Value::from(1 << 23)),
            ("mod", Value::from("parity")),
        ] {
            let error = read(name, value).unwrap_err();
            assert!(error.starts_with(&format!("{name}: ")), "{error}");
        }
    }
}
