//! The file of reader rules, as people write it and as journals store it. Every error has the key that it is about
//! and its bytes; unknown keys are reported with the nearest known ones.

use std::fmt;
use std::ops::Range;

use serde::{Deserialize, Serialize};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::fallback::{Fallback, FallbackFile, MAX_FALLBACKS};
use super::location::{key_at, span_of};
use super::{
    AnswerRules, BlockRules, CellRules, DelimiterRules, HeadingRules, JsonRules, KeyRules, ReaderRules,
    ReaderRulesError, TagRules, Tolerance,
};

/// The keys of the file. The name is stored in journals only; the name of a user's rules is the name of their file.
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
    #[serde(default, skip_serializing_if = "Option::is_none")]
    answer: Option<AnswerRules>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    keys: Option<KeyRules>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    cell: Option<CellRules>,
    #[serde(default)]
    tolerate: Tolerance,
    #[serde(default, skip_serializing_if = "BlockRules::is_default")]
    blocks: BlockRules,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    fallback: Vec<FallbackFile>,
}

const TOP_LEVEL: &str = "";

/// The known keys of each table.
const KNOWN_KEYS: &[(&str, &[&str])] = &[
    (
        TOP_LEVEL,
        &[
            "version",
            "about",
            "requires_analysis",
            "headings",
            "tags",
            "json",
            "answer",
            "keys",
            "cell",
            "tolerate",
            "blocks",
            "fallback",
        ],
    ),
    ("headings", &["analysis", "action", "actions", "any_level", "bold", "capitals", "last", "anywhere"]),
    ("tags", &["analysis", "action", "actions", "outside"]),
    ("json", &["analysis", "action", "actions", "outside", "code"]),
    ("answer", &["word", "released"]),
    ("keys", &["analysis", "action", "input", "element", "remark", "parameter"]),
    ("cell", &["released"]),
    (
        "tolerate",
        &[
            "capitals",
            "ending",
            "around",
            "markers",
            "fence",
            "lines",
            "lists",
            "tokens",
            "unknown",
            "unknown_is_invalid",
        ],
    ),
    ("blocks", &["split", "labels", "fences", "open"]),
    ("fallback", &["name", "pattern", "anywhere", "capitals", "pick"]),
];

pub(super) fn parse(name: &str, text: &str) -> Result<ReaderRules, ReaderRulesError> {
    let document = DeTable::parse(text).map_err(|error| toml_error(None, &error))?;
    let document = document.get_ref();
    check_key_names(document)?;
    let file: RulesFile = toml::from_str(text).map_err(|error| toml_error(Some(document), &error))?;
    ReaderRules::try_from(RulesFile { name: name.to_owned(), ..file })
        .map_err(|invalid| error_at(invalid.to_string(), span_of(document, &invalid.path())))
}

fn error_at(message: String, span: Range<usize>) -> ReaderRulesError {
    ReaderRulesError { message, span, unknown_key: None }
}

/// An error of the TOML parser, with the key whose value it is about.
fn toml_error(document: Option<&DeTable<'_>>, error: &toml::de::Error) -> ReaderRulesError {
    let span = error.span().unwrap_or(0..0);
    let message = error.message().trim_end().replace('\n', ": ");
    match document.and_then(|document| key_at(document, &span)) {
        Some(key) => error_at(format!("{key}: {message}"), span),
        None => error_at(message, span),
    }
}

fn check_key_names(document: &DeTable<'_>) -> Result<(), ReaderRulesError> {
    check_table_keys(TOP_LEVEL, document)?;
    for (name, value) in document {
        let members = value.get_ref().as_array().into_iter().flatten().map(Spanned::get_ref);
        for table in std::iter::once(value.get_ref()).chain(members).filter_map(DeValue::as_table) {
            check_table_keys(name.get_ref(), table)?;
        }
    }
    Ok(())
}

fn check_table_keys(table: &str, rows: &DeTable<'_>) -> Result<(), ReaderRulesError> {
    let known = KNOWN_KEYS.iter().find(|row| row.0 == table).map_or(&[][..], |row| row.1);
    let Some(unknown) = rows.keys().find(|name| !known.contains(&name.get_ref().as_ref())) else {
        return Ok(());
    };
    let place = if table == TOP_LEVEL { String::new() } else { format!(" in [{table}]") };
    Err(ReaderRulesError {
        message: format!("unknown key {:?}{place}", unknown.get_ref()),
        span: unknown.span(),
        unknown_key: Some((unknown.get_ref().to_string(), known.to_vec())),
    })
}

/// A value that is not valid, and its key: `headings.action`, or empty for the file. The index is that of an array
/// member.
pub(super) struct Invalid {
    key: String,
    index: Option<usize>,
    message: String,
}

impl Invalid {
    fn new(key: impl Into<String>, message: impl Into<String>) -> Self {
        Self { key: key.into(), index: None, message: message.into() }
    }

    /// The parts of the key, with the index after the first one.
    fn path(&self) -> Vec<String> {
        let mut path: Vec<String> = self.key.split('.').map(str::to_owned).collect();
        if let Some(index) = self.index {
            path.insert(1, index.to_string());
        }
        path
    }
}

impl fmt::Display for Invalid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let separator = if self.key.is_empty() { "" } else { ": " };
        write!(f, "{}{separator}{}", self.key, self.message)
    }
}

impl TryFrom<RulesFile> for ReaderRules {
    type Error = Invalid;

    fn try_from(file: RulesFile) -> Result<Self, Invalid> {
        let given = [
            file.headings.map(DelimiterRules::Headings),
            file.tags.map(DelimiterRules::Tags),
            file.json.map(DelimiterRules::Json),
            file.answer.map(DelimiterRules::Answer),
            file.keys.map(DelimiterRules::Keys),
            file.cell.map(DelimiterRules::Cell),
        ];
        let mut given = given.into_iter().flatten();
        let (Some(delimiters), None) = (given.next(), given.next()) else {
            return Err(Invalid::new(
                "",
                "a reader must have exactly one of [headings], [tags], [json], [answer], [keys] and [cell]",
            ));
        };
        delimiters.check_part_names()?;
        delimiters.check_anywhere()?;
        delimiters.check_word()?;
        delimiters.check_keys()?;
        if let Some(pair) = file.tolerate.around.iter().find(|pair| pair.chars().count() != 2) {
            let message = format!("{pair:?} is not a pair of characters, such as \"()\"");
            return Err(Invalid::new("tolerate.around", message));
        }
        let fallbacks = check_fallbacks(file.fallback)?;
        let RulesFile { name, version, about, requires_analysis, tolerate, blocks, .. } = file;
        Ok(Self { name, version, about, requires_analysis, delimiters, tolerate, blocks, fallbacks })
    }
}

fn check_fallbacks(files: Vec<FallbackFile>) -> Result<Vec<Fallback>, Invalid> {
    let mut rules: Vec<Fallback> = Vec::new();
    for (index, file) in files.into_iter().enumerate() {
        let at = |(key, message)| Invalid {
            index: Some(index),
            ..Invalid::new(format!("fallback.{key}"), message)
        };
        let rule = file.into_rule().map_err(at)?;
        if rules.iter().any(|other| other.name == rule.name) {
            return Err(at(("name", format!("there are two rules with the name {:?}", rule.name))));
        }
        if index >= MAX_FALLBACKS {
            return Err(at(("name", format!("a reader can have at most {MAX_FALLBACKS} fallback rules"))));
        }
        rules.push(rule);
    }
    Ok(rules)
}

impl DelimiterRules {
    /// Refuses names that can never be found, or that do not tell the parts apart.
    fn check_part_names(&self) -> Result<(), Invalid> {
        let (table, analysis, actions): (_, Option<&str>, [Option<&str>; 2]) = match self {
            Self::Headings(HeadingRules { analysis, action, actions, .. }) => {
                ("headings", analysis.as_deref(), [action.as_deref(), actions.as_deref()])
            }
            Self::Tags(TagRules { analysis, action, actions, .. }) => {
                ("tags", Some(analysis), [Some(action), actions.as_deref()])
            }
            Self::Json(JsonRules { analysis, action, actions, .. }) => {
                ("json", Some(analysis), [Some(action), actions.as_deref()])
            }
            Self::Answer(AnswerRules { word, .. }) => ("answer", None, [Some(word), None]),
            Self::Keys(KeyRules { analysis, action, .. }) => ("keys", Some(analysis), [Some(action), None]),
            Self::Cell(_) => return Ok(()),
        };
        let is_tag = table == "tags";
        let refused = |c: char| c.is_control() || is_tag && (c.is_whitespace() || "<>/".contains(c));
        for (key, name) in [("analysis", analysis), ("action", actions[0]), ("actions", actions[1])] {
            let Some(name) = name else { continue };
            if name.trim().is_empty() || name.trim() != name || name.contains(refused) {
                return Err(Invalid::new(format!("{table}.{key}"), format!("{name:?} is not a valid name")));
            }
            if key != "analysis" && Some(name) == analysis {
                let message = format!("{name:?} is also the name of the analysis");
                return Err(Invalid::new(format!("{table}.{key}"), message));
            }
        }
        Ok(())
    }
}

impl DelimiterRules {
    /// Refuses a key that has no effect on headings that may be anywhere.
    fn check_anywhere(&self) -> Result<(), Invalid> {
        let Self::Headings(HeadingRules { anywhere: true, any_level, bold, capitals, last, .. }) = self
        else {
            return Ok(());
        };
        if [any_level, bold, capitals, last].into_iter().any(|set| *set) {
            let message = "cannot be combined with any_level, bold, capitals or last";
            return Err(Invalid::new("headings.anywhere", message));
        }
        Ok(())
    }
}

impl DelimiterRules {
    /// Refuses a word of an answer that does not end with a colon.
    fn check_word(&self) -> Result<(), Invalid> {
        let Self::Answer(AnswerRules { word, .. }) = self else { return Ok(()) };
        let is_word = word.len() > 1 && word.is_ascii() && word.ends_with(':');
        let message = || format!("{word:?} is not a word of ASCII letters with a colon, such as \"Answer:\"");
        if is_word { Ok(()) } else { Err(Invalid::new("answer.word", message())) }
    }
}

impl DelimiterRules {
    /// Refuses keys that are empty or the same.
    fn check_keys(&self) -> Result<(), Invalid> {
        let Self::Keys(rules) = self else { return Ok(()) };
        let keys = rules.keys();
        for (index, (name, key)) in keys.iter().enumerate() {
            if key.trim().is_empty() || key.contains(char::is_control) {
                return Err(Invalid::new(format!("keys.{name}"), format!("{key:?} is not a valid name")));
            }
            if let Some((other, _)) = keys[..index].iter().find(|(_, other)| other == key) {
                return Err(Invalid::new(format!("keys.{name}"), format!("{key:?} is also keys.{other}")));
            }
        }
        Ok(())
    }
}

impl From<ReaderRules> for RulesFile {
    fn from(rules: ReaderRules) -> Self {
        let ReaderRules { name, version, about, requires_analysis, delimiters, tolerate, blocks, fallbacks } =
            rules;
        let file = Self {
            name,
            version,
            about,
            requires_analysis,
            headings: None,
            tags: None,
            json: None,
            answer: None,
            keys: None,
            cell: None,
            tolerate,
            blocks,
            fallback: fallbacks.into_iter().map(FallbackFile::from).collect(),
        };
        match delimiters {
            DelimiterRules::Headings(headings) => Self { headings: Some(headings), ..file },
            DelimiterRules::Tags(tags) => Self { tags: Some(tags), ..file },
            DelimiterRules::Json(json) => Self { json: Some(json), ..file },
            DelimiterRules::Answer(answer) => Self { answer: Some(answer), ..file },
            DelimiterRules::Keys(keys) => Self { keys: Some(keys), ..file },
            DelimiterRules::Cell(cell) => Self { cell: Some(cell), ..file },
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
            let text = match *table {
                TOP_LEVEL => "zzz = 1".to_owned(),
                "fallback" => format!("{HEAD}[[fallback]]\nzzz = 1"),
                table => format!("{HEAD}[{table}]\nzzz = 1"),
            };
            let message = toml::from_str::<RulesFile>(&text).err().unwrap().message().to_owned();
            let listed: Vec<&str> = message
                .split('`')
                .skip(3)
                .step_by(2)
                .filter(|name| *table == "fallback" || *name != "name")
                .collect();
            assert_eq!(listed, *names, "{message}");
        }
    }

    fn fallback(keys: &str) -> String {
        format!("{HEAD}[headings]\n[[fallback]]\nname = \"x\"\n{keys}\n")
    }

    fn many_fallbacks(count: usize) -> String {
        let rule = |number| format!("[[fallback]]\nname = \"{number}\"\nanywhere = true\n");
        format!("{HEAD}[headings]\n{}", (0..count).map(rule).collect::<String>())
    }

    #[test]
    fn mistakes_are_reported_with_their_line() {
        for (text, message, line) in [
            ("versoin = 1", "unknown key \"versoin\"", 1),
            ("name = \"x\"", "unknown key \"name\"", 1),
            ("version = 1", "missing field `about`", 1),
            ("about = \"x\"\nversion = true\n[headings]", "version: invalid type: boolean", 2),
            (&format!("{HEAD}[headings]\ncapitol = true"), "unknown key \"capitol\" in [headings]", 4),
            (&format!("{HEAD}[headings]\nbold = 1"), "headings.bold: invalid type: integer", 4),
            (&format!("{HEAD}[tags]\naction = \"a\""), "tags: missing field `analysis`", 3),
            (&format!("{HEAD}[regex]"), "unknown key \"regex\"", 3),
            (HEAD, "a reader must have exactly one of", 1),
            (&format!("{HEAD}[headings]\n[json]\nanalysis = \"a\"\naction = \"b\""), "a reader must have", 1),
            (
                &format!("{HEAD}[tags]\nanalysis = \"a\"\naction = \"a\""),
                "tags.action: \"a\" is also the name of the analysis",
                5,
            ),
            (&format!("{HEAD}[tags]\nanalysis = \"a\"\naction = \"<b>\""), "tags.action: \"<b>\" is not", 5),
            (&format!("{HEAD}[headings]\naction = \"\""), "headings.action: \"\" is not a valid name", 4),
            (
                &format!("{HEAD}[headings]\n[tolerate]\naround = [\"abc\"]"),
                "tolerate.around: \"abc\" is not a pair",
                5,
            ),
            (
                &format!("{HEAD}[headings]\nanywhere = true\nbold = true"),
                "headings.anywhere: cannot be combined with",
                4,
            ),
            ("version = ", "string values must be quoted", 1),
            (&fallback("patern = 'x'"), "unknown key \"patern\" in [fallback]", 6),
            (
                &fallback("pattern = '(?<action>x'"),
                "fallback.pattern: invalid regular expression: unclosed group",
                6,
            ),
            (&fallback("pattern = 'x'"), "fallback.pattern: the pattern has no group (?<action>...)", 6),
            (&fallback("pattern = '(?<acton>x)'"), "fallback.pattern: unknown group (?<acton>...)", 6),
            (
                &fallback("pattern = '(?<action>\\w{400}{400})'"),
                "fallback.pattern: the compiled pattern is larger",
                6,
            ),
            (
                &fallback("pattern = '(?<action>a)(?=b)'"),
                "fallback.pattern: invalid regular expression: look",
                6,
            ),
            (
                &fallback(&format!("pattern = '(?<action>{})'", "a".repeat(2000))),
                "fallback.pattern: the pattern is",
                6,
            ),
            (&fallback("pick = \"most\""), "fallback.pick: unknown variant `most`", 6),
            (&fallback("anywhere = false"), "fallback.name: \"x\" must have either pattern or", 5),
            (
                &fallback("anywhere = true\npattern = '(?<action>x)'"),
                "fallback.name: \"x\" must have either",
                5,
            ),
            (
                &fallback("capitals = true\npattern = '(?<action>x)'"),
                "fallback.capitals: only with anywhere",
                6,
            ),
            (
                &fallback("anywhere = true").replace("\"x\"\nany", "\" \"\nany"),
                "fallback.name: \" \" is not",
                5,
            ),
            (
                &format!(
                    "{}{}",
                    fallback("anywhere = true"),
                    "[[fallback]]\nname = \"x\"\nanywhere = true\n"
                ),
                "fallback.name: there are two rules",
                8,
            ),
            (&many_fallbacks(17), "fallback.name: a reader can have at most 16", 4 + 16 * 3 + 1),
        ] {
            let error = parse("mine", text).unwrap_err();
            assert!(error.message.starts_with(message), "{text}: {}", error.message);
            assert_eq!(1 + text[..error.span.start].matches('\n').count(), line, "{text}: {error:?}");
        }
    }
}
