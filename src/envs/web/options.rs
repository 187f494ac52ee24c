//! The settings of the environment: the table `[web]`.

use std::path::PathBuf;

use crate::nodes::{JudgeAt, NodeSettings, Rules};
use crate::page::{ReadSettings, TreeForm};
use mageyard_browser::Viewport;
use mageyard_domain::{OptionError, Options};
use mageyard_kit::{ChoiceOption, IntegerOption, refuse_unknown};

/// What an agent is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Observe {
    Tree,
    Screenshot,
    Marks,
    TreeAndScreenshot,
    #[default]
    TreeAndMarks,
}

impl Observe {
    pub(crate) fn has_tree(self) -> bool {
        matches!(self, Self::Tree | Self::TreeAndScreenshot | Self::TreeAndMarks)
    }

    pub(crate) fn has_picture(self) -> bool {
        self != Self::Tree
    }

    pub(crate) fn has_marks(self) -> bool {
        matches!(self, Self::Marks | Self::TreeAndMarks)
    }
}

/// Which actions there are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum ActionSet {
    #[default]
    All,
    Paper,
    Code,
}

const RULES: ChoiceOption<Rules> =
    ChoiceOption { name: "rules", values: &[("standard", Rules::Standard), ("code", Rules::Code)] };
const JUDGE_AT: ChoiceOption<JudgeAt> = ChoiceOption {
    name: "judge_at",
    values: &[("both", JudgeAt::Both), ("before", JudgeAt::Before), ("after", JudgeAt::After)],
};
const TREE: ChoiceOption<TreeForm> =
    ChoiceOption { name: "tree", values: &[("visible", TreeForm::Visible), ("code", TreeForm::Code)] };
const OBSERVE: ChoiceOption<Observe> = ChoiceOption {
    name: "observe",
    values: &[
        ("tree+marks", Observe::TreeAndMarks),
        ("tree", Observe::Tree),
        ("screenshot", Observe::Screenshot),
        ("marks", Observe::Marks),
        ("tree+screenshot", Observe::TreeAndScreenshot),
    ],
};
const ACTIONS: ChoiceOption<ActionSet> = ChoiceOption {
    name: "actions",
    values: &[("all", ActionSet::All), ("paper", ActionSet::Paper), ("code", ActionSet::Code)],
};
const TREE_LINES: IntegerOption = IntegerOption { name: "tree_lines", min: 0, max: 1_000_000, default: 3000 };
const WINDOW: ChoiceOption<bool> =
    ChoiceOption { name: "browser", values: &[("headless", false), ("window", true)] };
const SEARCH: &str = "search";
const VIEWPORT: &str = "viewport";
const COOKIES: &str = "cookies";
const PLACE: &str = "place";
const ALLOW: &str = "allow";
const PROXY: &str = "proxy";

/// The search page of the paper; the text is appended.
const GOOGLE: &str = "https://www.google.com/search?q=";
/// No search page.
const OFF: &str = "off";

/// The settings of an episode.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct WebOptions {
    pub(crate) rules: Rules,
    pub(crate) judge_at: JudgeAt,
    pub(crate) tree: TreeForm,
    /// The most lines of a tree; 0 for all.
    pub(crate) tree_lines: usize,
    pub(crate) observe: Observe,
    pub(crate) actions: ActionSet,
    /// The address that a searched text is appended to; `None` if searching is off.
    pub(crate) search: Option<String>,
    /// Whether the user has named it, so that tasks do not replace it.
    pub(crate) own_search: bool,
    pub(crate) viewport: Viewport,
    /// Whether the browser has a window.
    pub(crate) window: bool,
    /// The file with cookies and storage that an episode begins with.
    pub(crate) cookies: Option<PathBuf>,
    /// Where the browser is, in the words of the user.
    pub(crate) place: String,
    /// Hosts and addresses that may be reached although they are private.
    pub(crate) allow: Vec<String>,
    /// The user's own proxy.
    pub(crate) proxy: Option<String>,
}

impl WebOptions {
    /// Reads the settings; names the first one that is wrong.
    pub(crate) fn read(options: &Options) -> Result<Self, OptionError> {
        let known = [
            RULES.name,
            JUDGE_AT.name,
            TREE.name,
            TREE_LINES.name,
            OBSERVE.name,
            ACTIONS.name,
            SEARCH,
            VIEWPORT,
            WINDOW.name,
            COOKIES,
            PLACE,
            ALLOW,
            PROXY,
        ];
        refuse_unknown(options, &known, "web")?;
        let tree_lines = TREE_LINES.read(options)?;
        let cookies = text(options, COOKIES, "")?;
        Ok(Self {
            rules: RULES.read(options)?,
            judge_at: JUDGE_AT.read(options)?,
            tree: TREE.read(options)?,
            tree_lines: usize::try_from(tree_lines).unwrap_or(usize::MAX),
            observe: OBSERVE.read(options)?,
            actions: ACTIONS.read(options)?,
            search: search(&text(options, SEARCH, GOOGLE)?)?,
            own_search: text(options, SEARCH, GOOGLE)? != GOOGLE,
            viewport: viewport(&text(options, VIEWPORT, "1080x720")?)?,
            window: WINDOW.read(options)?,
            cookies: Some(cookies).filter(|path| !path.is_empty()).map(PathBuf::from),
            place: text(options, PLACE, "")?,
            allow: allowed(&text(options, ALLOW, "")?),
            proxy: proxy(&text(options, PROXY, "")?)?,
        })
    }

    /// How nodes are compared.
    pub(crate) fn nodes(&self) -> NodeSettings {
        NodeSettings { rules: self.rules, judge_at: self.judge_at }
    }

    /// How pages are read.
    pub(crate) fn reading(&self) -> ReadSettings {
        ReadSettings { form: self.tree, lines: self.tree_lines }
    }
}

fn text(options: &Options, name: &str, default: &str) -> Result<String, OptionError> {
    let Some(value) = options.get(name) else { return Ok(default.to_owned()) };
    value.as_str().map(str::to_owned).ok_or_else(|| wrong(name, format!("{value} is not a text")))
}

fn wrong(name: &str, why: String) -> OptionError {
    OptionError { name: name.to_owned(), why }
}

fn search(given: &str) -> Result<Option<String>, OptionError> {
    let begins = |scheme| given.starts_with(scheme);
    match given {
        OFF => Ok(None),
        _ if begins("http://") || begins("https://") => Ok(Some(given.to_owned())),
        _ => Err(wrong(
            SEARCH,
            format!("{given:?} is neither an address that begins with http:// or https:// nor off"),
        )),
    }
}

/// The smallest and the largest side of a viewport in pixels.
const SIDES: std::ops::RangeInclusive<u32> = 100..=4096;

fn viewport(given: &str) -> Result<Viewport, OptionError> {
    let why = || {
        wrong(
            VIEWPORT,
            format!("{given:?} is not WIDTHxHEIGHT with sides from {} to {}", SIDES.start(), SIDES.end()),
        )
    };
    let side = |text: &str| text.parse().ok().filter(|side| SIDES.contains(side));
    let (width, height) = given.split_once('x').ok_or_else(why)?;
    Ok(Viewport { width: side(width).ok_or_else(why)?, height: side(height).ok_or_else(why)? })
}

fn allowed(given: &str) -> Vec<String> {
    given.split([',', ' ']).filter(|part| !part.is_empty()).map(str::to_owned).collect()
}

/// The user's proxy. A password is refused, because settings are stored with every recording.
fn proxy(given: &str) -> Result<Option<String>, OptionError> {
    if given.is_empty() {
        return Ok(None);
    }
    if given.strip_prefix('$').is_some_and(mageyard_domain::is_variable_name) {
        return Ok(Some(given.to_owned()));
    }
    let address = url::Url::parse(given).map_err(|error| wrong(PROXY, format!("{given:?}: {error}")))?;
    if address.scheme() != "http" {
        return Err(wrong(PROXY, "only a proxy with http:// can be used".to_owned()));
    }
    if address.password().is_some() || !address.username().is_empty() {
        let why = "a name or password would be stored with every recording; put the address into a variable and write $NAME";
        return Err(wrong(PROXY, why.to_owned()));
    }
    Ok(Some(given.to_owned()))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(name: &str, value: serde_json::Value) -> Result<WebOptions, OptionError> {
        WebOptions::read(&Options::from([(name.to_owned(), value)]))
    }

    #[test]
    fn the_settings_file_states_the_defaults() {
        let file: toml::Table = include_str!("../../../config.toml").parse().unwrap();
        let table: Options = serde_json::from_value(json!(file["web"])).unwrap();
        assert_eq!(WebOptions::read(&table), WebOptions::read(&Options::new()));
        assert_eq!(table.len(), 13);
    }

    #[test]
    fn wrong_settings_say_what_is_allowed() {
        for (name, value, why) in [
            ("rules", json!("paper"), "standard, code"),
            ("search", json!("find.test"), "http://"),
            ("viewport", json!("10x10"), "from 100 to 4096"),
            ("proxy", json!("http://a:b@proxy.test:8080"), "$NAME"),
            ("proxy", json!("socks5://proxy.test"), "http://"),
            ("tree_lines", json!(-1), "whole number"),
            ("place", json!(1), "not a text"),
        ] {
            let error = read(name, value.clone()).unwrap_err();
            assert!(error.name == name && error.why.contains(why), "{name} {value}: {error}");
        }
        assert!(read("tress", json!(1)).unwrap_err().why.contains("tree"));
    }

    #[test]
    fn searching_can_be_off_and_hosts_are_a_list() {
        assert_eq!(read("search", json!("off")).unwrap().search, None);
        assert_eq!(read("allow", json!("127.0.0.1:80, nas")).unwrap().allow, ["127.0.0.1:80", "nas"]);
        assert_eq!(read("proxy", json!("$PROXY")).unwrap().proxy.as_deref(), Some("$PROXY"));
    }
}
