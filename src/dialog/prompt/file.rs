//! Parses the file of a prompt: front matter in TOML between two lines `+++`, then a heading `## segment` for each
//! segment. `## io online` is a segment for one setting only.

use std::collections::BTreeMap;
use std::ops::Range;

use serde::Deserialize;

use super::paragraphs::join_paragraphs;
use super::template::Template;
use super::variables::{FEEDBACK_VARIABLES, VARIABLES, find_variables, unknown_variable};
use super::{Prompt, PromptError, PromptImages};
use mageyard_domain::{Segment, Setting, StateWords, nearest_names};

const FRONT_MATTER_FENCE: &str = "+++\n";

/// Name, segment, and whether it is required.
const SEGMENT_NAMES: [(&str, Segment, bool); 10] = [
    ("system", Segment::System, true),
    ("task", Segment::Task, false),
    ("cot", Segment::Cot, false),
    ("io", Segment::Io, true),
    ("turn", Segment::Turn, true),
    ("skipped", Segment::Skipped, false),
    ("feedback", Segment::Feedback, false),
    ("placeholder", Segment::Placeholder, true),
    ("retry", Segment::Retry, true),
    ("continue", Segment::Continue, false),
];

const SETTING_NAMES: [(&str, Setting); 2] = [("global", Setting::Global), ("online", Setting::Online)];

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FrontMatter {
    pub(super) name: String,
    summary: String,
    #[serde(default)]
    images: ImagesValue,
}

/// `true`, `false`, or `"task"` for those of the task only.
#[derive(Deserialize)]
#[serde(untagged, expecting = "expected true, false or \"task\"")]
enum ImagesValue {
    All(bool),
    Named(NamedImages),
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum NamedImages {
    Task,
}

impl Default for ImagesValue {
    fn default() -> Self {
        Self::All(true)
    }
}

impl From<ImagesValue> for PromptImages {
    fn from(value: ImagesValue) -> Self {
        match value {
            ImagesValue::All(true) => Self::All,
            ImagesValue::All(false) => Self::None,
            ImagesValue::Named(NamedImages::Task) => Self::Task,
        }
    }
}

pub(super) fn parse(text: &str) -> Result<Prompt, PromptError> {
    let (front_matter, start) = split_front_matter(text)?;
    let mut prompt = Prompt {
        name: front_matter.name,
        summary: front_matter.summary,
        images: front_matter.images.into(),
        segments: BTreeMap::new(),
        state_words: StateWords::default(),
    };
    let mut seen = Vec::new();
    for section in split_sections(text, start)? {
        add_section(&mut prompt, &mut seen, text, &section)?;
    }
    check_required_segments(&prompt, text)?;
    Ok(prompt)
}

pub(super) fn error_at(message: impl Into<String>, span: Range<usize>) -> PromptError {
    PromptError { message: message.into(), span }
}

/// The front matter and the byte where the segments begin.
pub(super) fn split_front_matter(text: &str) -> Result<(FrontMatter, usize), PromptError> {
    let missing = || {
        let first = text.char_indices().nth(3).map_or(text.len(), |(end, _)| end);
        error_at("a prompt file must begin with front matter in TOML between two lines +++", 0..first)
    };
    let body = text.strip_prefix(FRONT_MATTER_FENCE).ok_or_else(missing)?;
    let length = body.find(FRONT_MATTER_FENCE).ok_or_else(missing)?;
    let front_matter = toml::from_str(&body[..length]).map_err(|error| {
        let span = error.span().unwrap_or(0..0);
        error_at(error.message(), FRONT_MATTER_FENCE.len() + span.start..FRONT_MATTER_FENCE.len() + span.end)
    })?;
    Ok((front_matter, 2 * FRONT_MATTER_FENCE.len() + length))
}

/// The bytes of a heading and of the text below it.
pub(super) struct Section {
    pub(super) heading: Range<usize>,
    pub(super) body: Range<usize>,
}

pub(super) fn split_sections(text: &str, start: usize) -> Result<Vec<Section>, PromptError> {
    let mut sections: Vec<Section> = Vec::new();
    let mut at = start;
    for line in text[start..].split_inclusive('\n') {
        let next = at + line.len();
        match (line.starts_with("## "), sections.last_mut()) {
            (true, _) => sections.push(Section { heading: at..at + line.trim_end().len(), body: next..next }),
            (false, Some(section)) => section.body.end = next,
            (false, None) if line.trim().is_empty() => {}
            (false, None) => {
                return Err(error_at(
                    "text before the first segment; segments begin with a heading such as ## system",
                    at..at + line.trim_end().len(),
                ));
            }
        }
        at = next;
    }
    Ok(sections)
}

fn add_section(
    prompt: &mut Prompt,
    seen: &mut Vec<(Segment, Option<Setting>)>,
    text: &str,
    section: &Section,
) -> Result<(), PromptError> {
    let at = |message: String| error_at(message, section.heading.clone());
    let mut words = text[section.heading.clone()].trim_start_matches('#').split_whitespace();
    let name = words.next().unwrap_or_default();
    let segment = parse_segment(name).map_err(at)?;
    let only = words.next().map(parse_setting).transpose().map_err(at)?;
    if seen.contains(&(segment, only)) {
        return Err(at(format!("duplicate segment {name}")));
    }
    seen.push((segment, only));
    let body = section.body.clone();
    check_variables(segment, &text[body.clone()], body.start)?;
    let joined = Template::new(&join_paragraphs(text[body].trim()));
    for (_, setting) in SETTING_NAMES {
        // A segment for one setting overrides one for both, in any order.
        let own = only == Some(setting);
        if own || (only.is_none() && !seen.contains(&(segment, Some(setting)))) {
            prompt.segments.insert((segment, setting), joined.clone());
        }
    }
    Ok(())
}

fn parse_setting(name: &str) -> Result<Setting, String> {
    let row = SETTING_NAMES.iter().find(|row| row.0 == name);
    row.map(|row| row.1)
        .ok_or_else(|| format!("unknown setting {name:?}; write online or global, or nothing for both"))
}

fn parse_segment(name: &str) -> Result<Segment, String> {
    let names = || SEGMENT_NAMES.iter().map(|row| row.0);
    let row = SEGMENT_NAMES.iter().find(|row| row.0 == name);
    row.map(|row| row.1).ok_or_else(|| match nearest_names(name, names()).as_slice() {
        [] => format!("unknown segment {name:?}; known: {}", names().collect::<Vec<_>>().join(", ")),
        near => format!("unknown segment {name:?}; did you mean {}?", near.join(" or ")),
    })
}

fn check_variables(segment: Segment, text: &str, offset: usize) -> Result<(), PromptError> {
    let table: &[(&str, &str)] = if segment == Segment::Feedback { &FEEDBACK_VARIABLES } else { &VARIABLES };
    for (name, span) in find_variables(text) {
        if let Some(message) = unknown_variable(name, table) {
            return Err(error_at(message, offset + span.start..offset + span.end));
        }
    }
    Ok(())
}

fn check_required_segments(prompt: &Prompt, text: &str) -> Result<(), PromptError> {
    for (name, segment, required) in SEGMENT_NAMES {
        for (setting_name, setting) in SETTING_NAMES {
            let missing = required && prompt.segment(segment, setting).is_none_or(|text| text.is_empty());
            if missing {
                let message = format!("missing segment for the {setting_name} setting: add ## {name}");
                return Err(error_at(message, text.len()..text.len()));
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const VALID_PROMPT: &str = "+++\nname = \"mine\"\nsummary = \"a test\"\n+++\n## system\nYou see {actions}.\n\n## io\nWrite\nthis:\n{format}\n## io global\nList {{all}}:\n{format}\n## turn\nNext.\n## placeholder\nnone\n## retry\nAgain: {format}\n";

    #[test]
    fn a_segment_for_one_setting_overrides_the_one_for_both() {
        let prompt = parse(VALID_PROMPT).unwrap();
        assert_eq!((prompt.name.as_str(), prompt.images), ("mine", PromptImages::All));
        let io = |setting| prompt.segment(Segment::Io, setting).unwrap().to_string();
        assert_eq!(io(Setting::Online), "Write this:\n{format}", "lines are joined");
        assert_eq!(io(Setting::Global), "List {{all}}:\n{format}");
        assert_eq!(prompt.segment(Segment::Cot, Setting::Online), None);
    }

    #[test]
    fn mistakes_are_reported_with_their_span() {
        for (from, to, message, place) in [
            ("+++\nname", "name", "a prompt file must begin with front matter", "nam"),
            ("+++\nname", "ä→name", "a prompt file must begin with front matter", "ä→n"),
            ("summary", "sumary", "unknown field `sumary`", "sumary"),
            ("## turn", "## trun", "unknown segment \"trun\"; did you mean turn?", "## trun"),
            ("## io global", "## io always", "unknown setting \"always\"", "## io always"),
            ("{actions}", "{action}", "unknown variable {action}; did you mean {actions}?", "{action}"),
            ("## retry\nAgain: {format}\n", "", "missing segment for the global setting: add ## retry", ""),
            ("## turn", "## system\nx\n## turn", "duplicate segment system", "## system"),
            ("+++\n## system", "+++\nhello\n## system", "text before the first segment", "hello"),
        ] {
            let text = VALID_PROMPT.replacen(from, to, 1);
            let error = parse(&text).unwrap_err();
            assert!(error.message.starts_with(message), "{to:?}: {}", error.message);
            assert_eq!(&text[error.span], place, "{to:?}");
        }
    }
}
