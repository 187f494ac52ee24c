//! The file of a prompt variant: a small head in TOML between two lines `+++`, then a heading
//! `## segment` for each segment. `## io online` is the segment of one setting alone.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use serde::Deserialize;

use super::Prompt;
use super::PromptError;
use super::variables::VARIABLES;
use super::variables::find_variables;
use crate::domain::Segment;
use crate::domain::Setting;
use crate::domain::nearest_names;

const FRONT_MATTER_FENCE: &str = "+++\n";

/// The segments that a file may have, and whether it must.
const SEGMENT_NAMES: [(&str, Segment, bool); 7] = [
    ("system", Segment::System, true),
    ("task", Segment::Task, false),
    ("cot", Segment::Cot, false),
    ("io", Segment::Io, true),
    ("turn", Segment::Turn, true),
    ("placeholder", Segment::Placeholder, true),
    ("retry", Segment::Retry, true),
];

const SETTING_NAMES: [(&str, Setting); 2] = [("global", Setting::Global), ("online", Setting::Online)];

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FrontMatter {
    name: String,
    summary: String,
    #[serde(default = "yes")]
    images: bool,
}

fn yes() -> bool {
    true
}

pub(super) fn parse(text: &str) -> Result<Prompt, PromptError> {
    let (head, start) = split_front_matter(text)?;
    let mut prompt = Prompt {
        name: head.name,
        summary: head.summary,
        images: head.images,
        segments: BTreeMap::new(),
        picture_legend: "".into(),
    };
    let mut seen = Vec::new();
    for section in split_sections(text, start)? {
        add_section(&mut prompt, &mut seen, text, &section)?;
    }
    check_required_segments(&prompt, text)?;
    Ok(prompt)
}

fn error_at(why: impl Into<String>, span: Range<usize>) -> PromptError {
    PromptError { why: why.into(), span }
}

/// The head and where the segments begin.
fn split_front_matter(text: &str) -> Result<(FrontMatter, usize), PromptError> {
    let missing = || {
        let first = text.char_indices().nth(3).map_or(text.len(), |(end, _)| end);
        error_at("a prompt begins with a head in TOML between two lines +++", 0..first)
    };
    let body = text.strip_prefix(FRONT_MATTER_FENCE).ok_or_else(missing)?;
    let length = body.find(FRONT_MATTER_FENCE).ok_or_else(missing)?;
    let head = toml::from_str(&body[..length]).map_err(|error| {
        let span = error.span().unwrap_or(0..0);
        error_at(error.message(), FRONT_MATTER_FENCE.len() + span.start..FRONT_MATTER_FENCE.len() + span.end)
    })?;
    Ok((head, 2 * FRONT_MATTER_FENCE.len() + length))
}

/// A heading and the text below it.
struct Section {
    heading: Range<usize>,
    body: Range<usize>,
}

fn split_sections(text: &str, start: usize) -> Result<Vec<Section>, PromptError> {
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
                    "this stands before the first segment (## system, say)",
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
    let at = |why: String| error_at(why, section.heading.clone());
    let mut words = text[section.heading.clone()].trim_start_matches('#').split_whitespace();
    let name = words.next().unwrap_or_default();
    let segment = parse_segment(name).map_err(at)?;
    let only = words.next().map(parse_setting).transpose().map_err(at)?;
    if seen.contains(&(segment, only)) {
        return Err(at(format!("the segment {name} stands here for the second time")));
    }
    seen.push((segment, only));
    let body = section.body.clone();
    check_variables(&text[body.clone()], body.start)?;
    let filling: Arc<str> = text[body].trim().into();
    for (_, setting) in SETTING_NAMES {
        // A segment for one setting wins over one for both, wherever they stand.
        let own = only == Some(setting);
        if own || (only.is_none() && !seen.contains(&(segment, Some(setting)))) {
            prompt.segments.insert((segment, setting), filling.clone());
        }
    }
    Ok(())
}

fn parse_setting(name: &str) -> Result<Setting, String> {
    let row = SETTING_NAMES.iter().find(|row| row.0 == name);
    row.map(|row| row.1)
        .ok_or_else(|| format!("{name:?} is no setting; write online or global, or leave it out for both"))
}

fn parse_segment(name: &str) -> Result<Segment, String> {
    let names = || SEGMENT_NAMES.iter().map(|row| row.0);
    let row = SEGMENT_NAMES.iter().find(|row| row.0 == name);
    row.map(|row| row.1).ok_or_else(|| match nearest_names(name, names()).as_slice() {
        [] => format!("{name:?} is no segment; there are {}", names().collect::<Vec<_>>().join(", ")),
        near => format!("{name:?} is no segment; did you mean {}?", near.join(" or ")),
    })
}

fn check_variables(text: &str, offset: usize) -> Result<(), PromptError> {
    let known = || VARIABLES.iter().map(|row| row.0);
    for (name, place) in find_variables(text) {
        if known().any(|open| open == name) {
            continue;
        }
        let there = known().map(|name| format!("{{{name}}}")).collect::<Vec<_>>().join(", ");
        let why = match nearest_names(name, known()).as_slice() {
            [] => format!("there is no {{{name}}} to fill in; there are {there} (write {{{{ for a brace)"),
            near => format!("there is no {{{name}}} to fill in; did you mean {{{}}}?", near[0]),
        };
        return Err(error_at(why, offset + place.start..offset + place.end));
    }
    Ok(())
}

fn check_required_segments(prompt: &Prompt, text: &str) -> Result<(), PromptError> {
    for (name, segment, must) in SEGMENT_NAMES {
        for (setting_name, setting) in SETTING_NAMES {
            let missing = must && prompt.segment(segment, setting).is_none_or(|text| text.is_empty());
            if missing {
                let why =
                    format!("the segment {name} is missing for the {setting_name} setting: add ## {name}");
                return Err(error_at(why, text.len()..text.len()));
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const VALID_PROMPT: &str = "+++\nname = \"mine\"\nsummary = \"a test\"\n+++\n## system\nYou see {actions}.\n\n## io\nWrite:\n{format}\n## io global\nList {{all}}:\n{format}\n## turn\nNext.\n## placeholder\nnone\n## retry\nAgain: {format}\n";

    #[test]
    fn a_segment_for_one_setting_overrides_the_one_for_both() {
        let prompt = parse(VALID_PROMPT).unwrap();
        assert_eq!((prompt.name.as_str(), prompt.images), ("mine", true));
        let io = |setting| prompt.segment(Segment::Io, setting).unwrap().to_string();
        assert_eq!(io(Setting::Online), "Write:\n{format}");
        assert_eq!(io(Setting::Global), "List {{all}}:\n{format}");
        assert_eq!(prompt.segment(Segment::Cot, Setting::Online), None);
    }

    #[test]
    fn mistakes_are_reported_with_their_span() {
        for (from, to, why, place) in [
            ("+++\nname", "name", "a prompt begins with a head", "nam"),
            ("+++\nname", "ä→name", "a prompt begins with a head", "ä→n"),
            ("summary", "sumary", "unknown field `sumary`", "sumary"),
            ("## turn", "## trun", "\"trun\" is no segment; did you mean turn?", "## trun"),
            ("## io global", "## io always", "\"always\" is no setting", "## io always"),
            ("{actions}", "{action}", "there is no {action} to fill in; did you mean {actions}?", "{action}"),
            ("## retry\nAgain: {format}\n", "", "the segment retry is missing for the global setting", ""),
            (
                "## turn",
                "## system\nx\n## turn",
                "the segment system stands here for the second time",
                "## system",
            ),
            ("+++\n## system", "+++\nhello\n## system", "this stands before the first segment", "hello"),
        ] {
            let text = VALID_PROMPT.replacen(from, to, 1);
            let error = parse(&text).unwrap_err();
            assert!(error.why.starts_with(why), "{to:?}\n said {}\n want {why}", error.why);
            assert_eq!(&text[error.span], place, "{to:?}");
        }
    }
}
