//! A rule set as people write it and as journals keep it. Names are judged first, so that a misspelt one
//! can be answered with the nearest.

use std::ops::Range;

use serde::Deserialize;
use serde::Serialize;
use toml::de::DeTable;

use super::DelimiterRules;
use super::HeadingRules;
use super::JsonRules;
use super::ReaderRules;
use super::ReaderRulesError;
use super::TagRules;
use super::Tolerance;

/// The form on disk. In a file of its own the name is that of the file.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RulesFile {
    #[serde(default)]
    name: String,
    version: u32,
    about: String,
    #[serde(default)]
    requires_analysis: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    headings: Option<HeadingRules>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    tags: Option<TagRules>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    json: Option<JsonRules>,
    #[serde(default)]
    tolerate: Tolerance,
}

const TOP_LEVEL: &str = "";

/// Every name there is, by table.
const KNOWN_KEYS: &[(&str, &[&str])] = &[
    (TOP_LEVEL, &["version", "about", "requires_analysis", "headings", "tags", "json", "tolerate"]),
    ("headings", &["analysis", "action", "actions", "any_level", "bold", "capitals", "last"]),
    ("tags", &["analysis", "action", "actions", "outside"]),
    ("json", &["analysis", "action", "actions", "outside"]),
    ("tolerate", &["capitals", "ending", "around", "markers", "fence", "lines", "unknown"]),
];

pub(super) fn parse(name: &str, text: &str) -> Result<ReaderRules, ReaderRulesError> {
    let syntax = |error: toml::de::Error| ReaderRulesError {
        what: error.message().trim_end().replace('\n', ": "),
        span: error.span().unwrap_or(0..0),
        unknown_key: None,
    };
    check_key_names(DeTable::parse(text).map_err(syntax)?.get_ref())?;
    let file: RulesFile = toml::from_str(text).map_err(syntax)?;
    ReaderRules::try_from(RulesFile { name: name.to_owned(), ..file }).map_err(|what| ReaderRulesError {
        what,
        span: 0..0,
        unknown_key: None,
    })
}

fn check_key_names(top: &DeTable<'_>) -> Result<(), ReaderRulesError> {
    check_table_keys(TOP_LEVEL, top)?;
    for (name, value) in top {
        if let Some(table) = value.get_ref().as_table() {
            check_table_keys(name.get_ref(), table)?;
        }
    }
    Ok(())
}

fn check_table_keys(table: &str, rows: &DeTable<'_>) -> Result<(), ReaderRulesError> {
    let known = KNOWN_KEYS.iter().find(|row| row.0 == table).map_or(&[][..], |row| row.1);
    let Some(strange) = rows.keys().find(|name| !known.contains(&name.get_ref().as_ref())) else {
        return Ok(());
    };
    let place = if table == TOP_LEVEL { "a reader".to_owned() } else { format!("[{table}]") };
    Err(unknown_key_error(
        format!("there is no {:?} in {place}", strange.get_ref()),
        strange.get_ref(),
        strange.span(),
        known,
    ))
}

fn unknown_key_error(
    what: String,
    given: &str,
    span: Range<usize>,
    known: &[&'static str],
) -> ReaderRulesError {
    ReaderRulesError { what, span, unknown_key: Some((given.to_owned(), known.to_vec())) }
}

impl TryFrom<RulesFile> for ReaderRules {
    type Error = String;

    fn try_from(file: RulesFile) -> Result<Self, String> {
        let shape = match (file.headings, file.tags, file.json) {
            (Some(headings), None, None) => DelimiterRules::Headings(headings),
            (None, Some(tags), None) => DelimiterRules::Tags(tags),
            (None, None, Some(json)) => DelimiterRules::Json(json),
            _ => return Err("exactly one of [headings], [tags] and [json] must stand in a reader".into()),
        };
        shape.check_part_names()?;
        if let Some(pair) = file.tolerate.around.iter().find(|pair| pair.chars().count() != 2) {
            return Err(format!("{pair:?} in around is no pair: two characters, such as \"()\""));
        }
        let RulesFile { name, version, about, requires_analysis, tolerate, .. } = file;
        Ok(Self { name, version, about, requires_analysis, delimiters: shape, tolerate })
    }
}

impl DelimiterRules {
    /// Names that could never be found, or not be told apart, are refused.
    fn check_part_names(&self) -> Result<(), String> {
        let (analysis, actions): (Option<&str>, [Option<&str>; 2]) = match self {
            Self::Headings(HeadingRules { analysis, action, actions, .. }) => {
                (analysis.as_deref(), [action.as_deref(), actions.as_deref()])
            }
            Self::Tags(TagRules { analysis, action, actions, .. })
            | Self::Json(JsonRules { analysis, action, actions, .. }) => {
                (Some(analysis), [Some(action), actions.as_deref()])
            }
        };
        let tag = matches!(self, Self::Tags(_));
        for name in actions.iter().flatten().chain(&analysis) {
            let strange = |c: char| c.is_control() || tag && (c.is_whitespace() || "<>/".contains(c));
            if name.trim().is_empty() || name.trim() != *name || name.contains(strange) {
                return Err(format!("{name:?} cannot be the name of a part of a reply"));
            }
        }
        match actions.iter().flatten().find(|name| Some(**name) == analysis) {
            Some(name) => Err(format!("{name:?} names the analysis and the action alike")),
            None => Ok(()),
        }
    }
}

impl From<ReaderRules> for RulesFile {
    fn from(rules: ReaderRules) -> Self {
        let ReaderRules { name, version, about, requires_analysis, delimiters: shape, tolerate } = rules;
        let file = Self {
            name,
            version,
            about,
            requires_analysis,
            headings: None,
            tags: None,
            json: None,
            tolerate,
        };
        match shape {
            DelimiterRules::Headings(headings) => Self { headings: Some(headings), ..file },
            DelimiterRules::Tags(tags) => Self { tags: Some(tags), ..file },
            DelimiterRules::Json(json) => Self { json: Some(json), ..file },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "version = 1\nabout = \"x\"\n";

    #[test]
    fn known_keys_match_the_serde_types() {
        for (table, names) in KNOWN_KEYS {
            let text =
                if *table == TOP_LEVEL { "zzz = 1".to_owned() } else { format!("{HEAD}[{table}]\nzzz = 1") };
            let message = toml::from_str::<RulesFile>(&text).err().unwrap().message().to_owned();
            let listed: Vec<&str> =
                message.split('`').skip(3).step_by(2).filter(|name| *name != "name").collect();
            assert_eq!(listed, *names, "{message}");
        }
    }

    #[test]
    fn mistakes_are_reported_with_their_line() {
        for (text, what, line) in [
            ("versoin = 1", "there is no \"versoin\" in a reader", 1),
            ("name = \"x\"", "there is no \"name\" in a reader", 1),
            ("version = 1", "missing field `about`", 1),
            (&format!("{HEAD}[headings]\ncapitol = true"), "there is no \"capitol\" in [headings]", 4),
            (&format!("{HEAD}[headings]\nbold = 1"), "invalid type: integer", 4),
            (&format!("{HEAD}[tags]\naction = \"a\""), "missing field `analysis`", 3),
            (&format!("{HEAD}[regex]"), "there is no \"regex\"", 3),
            (HEAD, "exactly one of", 1),
            (&format!("{HEAD}[headings]\n[json]\nanalysis = \"a\"\naction = \"b\""), "exactly one of", 1),
            (&format!("{HEAD}[tags]\nanalysis = \"a\"\naction = \"a\""), "\"a\" names the analysis", 1),
            (&format!("{HEAD}[tags]\nanalysis = \"a\"\naction = \"<b>\""), "\"<b>\" cannot be", 1),
            (&format!("{HEAD}[headings]\naction = \"\""), "\"\" cannot be", 1),
            (&format!("{HEAD}[headings]\n[tolerate]\naround = [\"abc\"]"), "\"abc\" in around is no pair", 1),
            ("version = ", "string values must be quoted", 1),
        ] {
            let error = parse("mine", text).unwrap_err();
            assert!(error.what.starts_with(what), "{text}: {}", error.what);
            assert_eq!(1 + text[..error.span.start].matches('\n').count(), line, "{text}: {error:?}");
        }
    }
}
