//! An ask as a person writes it in one line: the words are those of the flags of the verb.

use super::request::AskRequest;
use mageyard_config::{Problem, SettingOverride};
use mageyard_dialog::PartSort;
use mageyard_domain::quoted_words;
use mageyard_lab::{Lab, ModelAt};

/// The full name of a setting by a shorter one.
type SettingNames = fn(&str) -> Option<&'static str>;

/// The names of what is asked. All other names are settings.
const NAMES: [&str; 12] = [
    "prompts",
    "am",
    "om",
    "models",
    "leave-out",
    "samples",
    "target",
    "from-text",
    "seed",
    "concurrency",
    "to-end",
    "unsafe",
];
/// The names whose values may have several words.
const SEVERAL_WORDS: [&str; 2] = ["target", "from-text"];
/// The names that can be written without a value, with the value that this means.
const WITHOUT_VALUE: [(&str, &str); 2] = [("to-end", "5"), ("unsafe", "yes")];
/// What is compared by single replies only.
const OF_REPLIES: [&str; 4] = ["leave-out", "target", "samples", "from-text"];
/// The calls of each variant if nothing else is written, as for the verb.
const SAMPLES: u32 = 5;
const MOST_SAMPLES: u32 = 100_000;
/// The most episodes of one variant, or from one step, that are played on.
pub(crate) const MOST_TO_END: u32 = 10_000;

/// What a person wrote.
#[derive(Debug)]
pub struct WrittenAsk {
    /// The settings that are replaced.
    pub given: Vec<SettingOverride>,
    /// What is asked.
    pub request: AskRequest,
    /// The calls, or the episodes, that may be made at once, if that is limited.
    pub at_once: Option<usize>,
    /// How many times each variant plays on to the end, if that is wanted in place of single replies.
    pub to_end: Option<u32>,
    /// Whether a live surface may be opened again, although its state cannot be proven.
    pub allow_unsafe: bool,
    /// The names that were written.
    pub(crate) names: Vec<String>,
}

/// Reads what to ask at this step, such as `prompts=A,B am=1,5 samples=20 target=optimal` or `--prompts A,B`.
pub fn read_ask(lab: &Lab, words: &str, step: u32) -> Result<WrittenAsk, Problem> {
    let written = read_ask_words(lab, words, step)?;
    written.refuse_conflicts()?;
    Ok(written)
}

/// Reads such words, whether they can be used together or not.
pub(crate) fn read_ask_words(lab: &Lab, words: &str, step: u32) -> Result<WrittenAsk, Problem> {
    read_words(words, step, lab.setting_names)
}

fn read_words(words: &str, step: u32, names: SettingNames) -> Result<WrittenAsk, Problem> {
    let request = AskRequest { step, samples: SAMPLES, ..AskRequest::default() };
    let mut written = WrittenAsk {
        given: Vec::new(),
        request,
        at_once: None,
        to_end: None,
        allow_unsafe: false,
        names: Vec::new(),
    };
    for (name, value) in assignments(words, names)? {
        written.set(&name, &value, names)?;
        written.names.push(name);
    }
    written.request.given = written.given.iter().map(|given| given.name.clone()).collect();
    Ok(written)
}

/// The names with their values: `NAME=VALUE`, `--NAME VALUE` or `--NAME=VALUE`. The target and the text that answers begin with
/// may have several words; they end before the next name that is known, and a text in quotes with them.
fn assignments(words: &str, names: SettingNames) -> Result<Vec<(String, String)>, Problem> {
    let is_known = |name: &str| NAMES.contains(&name) || names(name).is_some();
    let mut found: Vec<(String, String)> = Vec::new();
    for word in quoted_words(words) {
        let flag = word.strip_prefix("--");
        let pair = flag.unwrap_or(word).split_once('=');
        let takes_words = found.last().is_some_and(|(name, _)| SEVERAL_WORDS.contains(&name.as_str()));
        match (pair, flag, found.last_mut()) {
            (Some((name, value)), flag, _) if flag.is_some() || !takes_words || is_known(name) => {
                found.push((name.to_owned(), value.to_owned()));
            }
            (None, Some(name), _) => found.push((name.to_owned(), String::new())),
            (None, None, last) if value_without(word).is_some() && !last.as_deref().is_some_and(awaits) => {
                found.push((word.to_owned(), String::new()));
            }
            (_, _, Some((_, value))) if takes_words || value.is_empty() => {
                let gap = if value.is_empty() { "" } else { " " };
                *value = format!("{value}{gap}{word}");
            }
            _ => return Err(no_assignment(word)),
        }
    }
    Ok(found)
}

/// The value of a name that is written without one.
fn value_without(name: &str) -> Option<&'static str> {
    WITHOUT_VALUE.iter().find(|(known, _)| *known == name).map(|(_, value)| *value)
}

/// Whether the next word is the value of this name, or a part of it.
fn awaits((name, value): &(String, String)) -> bool {
    SEVERAL_WORDS.contains(&name.as_str()) || (value.is_empty() && value_without(name).is_none())
}

impl WrittenAsk {
    /// Refuses names that say nothing together.
    fn refuse_conflicts(&self) -> Result<(), Problem> {
        let of_replies = self.names.iter().find(|name| OF_REPLIES.contains(&name.as_str()));
        match (self.to_end, of_replies) {
            (Some(_), Some(name)) => Err(Problem::new(format!("{name} cannot be used with to-end"))
                .with_help("to-end=5 plays each variant on five times; goals that are reached are compared")),
            (None, _) if self.allow_unsafe => {
                Err(Problem::new("unsafe needs to-end: single replies open no surface"))
            }
            _ => Ok(()),
        }
    }

    /// The first name that is neither a setting nor one of these.
    pub(crate) fn name_beside(&self, allowed: &[&str]) -> Option<&str> {
        let own = self.names.iter().map(String::as_str).filter(|name| NAMES.contains(name));
        own.into_iter().find(|name| !allowed.contains(name))
    }

    fn set(&mut self, name: &str, value: &str, names: SettingNames) -> Result<(), Problem> {
        let value = if value.is_empty() { value_without(name).unwrap_or_default() } else { value };
        if value.is_empty() {
            return Err(Problem::new(format!("{name} has no value")));
        }
        let request = &mut self.request;
        match name {
            "prompts" => request.prompts = listed(value),
            "models" => request.models = listed(value).into_iter().map(ModelAt::from).collect(),
            "am" => request.am = numbers(name, value)?,
            "om" => request.om = numbers(name, value)?,
            "leave-out" => request.leave_out = part_sorts(value)?,
            "samples" => request.samples = within(name, number(name, value)?, MOST_SAMPLES)?,
            "seed" => request.seed = number(name, value)?,
            "concurrency" => self.at_once = Some(within(name, number(name, value)?, usize::from(u16::MAX))?),
            "target" => request.target = Some(value.to_owned()),
            "from-text" => request.from_text = Some(text(name, value)?),
            "to-end" => self.to_end = Some(within(name, number(name, value)?, MOST_TO_END)?),
            "unsafe" if value == "yes" => self.allow_unsafe = true,
            "unsafe" => return Err(Problem::new(format!("unsafe takes no value, and {value:?} was given"))),
            other => self.given.push(setting(other, value, names)?),
        }
        Ok(())
    }
}

/// A text as it is, or in quotes as JSON writes it.
fn text(name: &str, value: &str) -> Result<String, Problem> {
    if !value.starts_with('"') {
        return Ok(value.to_owned());
    }
    let read: Result<String, _> = serde_json::from_str(value);
    let why = |error| Problem::new(format!("{name}: the text in quotes cannot be read: {error}"));
    let read = read.map_err(why)?;
    if read.is_empty() { Err(Problem::new(format!("{name} has no value"))) } else { Ok(read) }
}

fn listed(value: &str) -> Vec<String> {
    value.split(',').map(str::trim).filter(|name| !name.is_empty()).map(str::to_owned).collect()
}

fn number<T: std::str::FromStr>(name: &str, value: &str) -> Result<T, Problem> {
    value.parse().map_err(|_| Problem::new(format!("{name}: {value:?} is not a number that fits")))
}

fn numbers(name: &str, value: &str) -> Result<Vec<u16>, Problem> {
    listed(value).iter().map(|value| number(name, value)).collect()
}

/// The number, if it is from 1 to this one.
pub(crate) fn within<T: Copy + PartialOrd + From<u8> + std::fmt::Display>(
    name: &str,
    number: T,
    most: T,
) -> Result<T, Problem> {
    if (T::from(1)..=most).contains(&number) {
        return Ok(number);
    }
    Err(Problem::new(format!("{name} is {number}, and must be from 1 to {most}")))
}

fn part_sorts(value: &str) -> Result<Vec<PartSort>, Problem> {
    listed(value).iter().map(|name| part_sort(name)).collect()
}

fn part_sort(name: &str) -> Result<PartSort, Problem> {
    let sorts = [PartSort::Rows, PartSort::Frames, PartSort::Segments];
    let found = sorts.into_iter().find(|sort| sort.name() == name);
    found.ok_or_else(|| {
        let problem = Problem::new(format!("leave-out: there are no parts {name:?}"));
        problem.with_suggestions(name, sorts.iter().map(|sort| sort.name()))
    })
}

fn setting(name: &str, value: &str, names: SettingNames) -> Result<SettingOverride, Problem> {
    let full = names(name).unwrap_or(name);
    if !full.contains('.') {
        let problem = Problem::new(format!("there is nothing to ask with the name {name:?}"));
        return Err(problem.with_suggestions(name, NAMES));
    }
    SettingOverride::parse(&format!("{full}={value}"), "--set")
}

fn no_assignment(word: &str) -> Problem {
    Problem::new(format!("{word:?} has no name"))
        .with_help("write NAME=VALUE, such as prompts=0s-CoT,HD-CoT samples=20 target=optimal")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(words: &str) -> Result<WrittenAsk, Problem> {
        read_words(words, 7, |name| (name == "temperature").then_some("model.temperature"))
    }

    #[test]
    fn words_are_those_of_the_flags() {
        for words in [
            "prompts=A,B am=1,5 om=1 models=m leave-out=rows,frames samples=20 seed=3 concurrency=2 temperature=0 target=Left",
            "--prompts A,B --am 1,5 --om=1 --models m --leave-out rows,frames --samples 20 --seed 3 --concurrency 2 --temperature 0 --target Left",
        ] {
            let WrittenAsk { given, request, at_once, .. } = read(words).unwrap();
            assert_eq!((request.step, request.prompts.join(" ").as_str()), (7, "A B"));
            assert_eq!(
                (request.am, request.om, request.models),
                (vec![1, 5], vec![1], vec![ModelAt::from("m".to_owned())])
            );
            assert_eq!(request.leave_out, [PartSort::Rows, PartSort::Frames]);
            assert_eq!((request.samples, request.seed, at_once), (20, 3, Some(2)));
            assert_eq!(request.target.as_deref(), Some("Left"));
            assert_eq!((given[0].text.as_str(), request.given), ("0", vec!["model.temperature".to_owned()]));
        }
        assert_eq!(read("").unwrap().request.samples, 5);
    }

    #[test]
    fn a_value_of_several_words_ends_before_the_next_name() {
        let written = read("target=click x=3 y=4 samples=2").unwrap().request;
        assert_eq!((written.target.as_deref(), written.samples), (Some("click x=3 y=4"), 2));
        let written = read("--target move box 1 --samples 2").unwrap().request;
        assert_eq!((written.target.as_deref(), written.samples), (Some("move box 1"), 2));
        let written = read("from-text=# analyze a=1 now samples=2").unwrap().request;
        assert_eq!((written.from_text.as_deref(), written.samples), (Some("# analyze a=1 now"), 2));
        let written = read(r##"from-text="# analyze\nThe  \"box\" samples=9" samples=2"##).unwrap().request;
        assert_eq!(written.from_text.as_deref(), Some("# analyze\nThe  \"box\" samples=9"));
        assert_eq!(written.samples, 2);
    }

    #[test]
    fn playing_on_to_the_end_is_a_word_with_or_without_a_number() {
        for (words, samples, allowed) in [
            ("to-end=7 prompts=A", Some(7), false),
            ("--to-end 7 --unsafe --prompts A", Some(7), true),
            ("to-end unsafe prompts=A", Some(5), true),
            ("prompts=A unsafe --to-end", Some(5), true),
            ("prompts=A", None, false),
        ] {
            let written = read(words).unwrap();
            assert_eq!((written.to_end, written.allow_unsafe), (samples, allowed), "{words}");
            assert_eq!(written.request.prompts, ["A"]);
            assert!(written.refuse_conflicts().is_ok());
        }
        assert_eq!(
            read("models= unsafe").unwrap().request.models,
            [ModelAt::from("unsafe".to_owned())],
            "the value that was begun"
        );
        for (words, said) in [
            ("to-end=5 samples=5", "samples cannot be used with to-end"),
            ("target=Up to-end=5", "target cannot be used with to-end"),
            ("to-end=5 leave-out=rows", "leave-out cannot be used with to-end"),
            ("to-end=5 from-text=# analyze", "from-text cannot be used with to-end"),
            ("unsafe samples=2", "unsafe needs to-end: single replies open no surface"),
        ] {
            assert_eq!(read(words).unwrap().refuse_conflicts().unwrap_err().message, said);
        }
    }

    #[test]
    fn a_mistake_is_named() {
        for (words, said) in [
            ("A,B", "\"A,B\" has no name"),
            ("am=1 5", "\"5\" has no name"),
            ("samples=0", "samples is 0, and must be from 1 to 100000"),
            ("samples=many", "samples: \"many\" is not a number that fits"),
            ("am=-1", "am: \"-1\" is not a number that fits"),
            ("leave-out=row", "leave-out: there are no parts \"row\""),
            ("prompt_s=A", "there is nothing to ask with the name \"prompt_s\""),
            ("target=", "target has no value"),
            (r#"from-text="""#, "from-text has no value"),
            ("to-end=0", "to-end is 0, and must be from 1 to 10000"),
            ("to-end=5 unsafe=no", "unsafe takes no value, and \"no\" was given"),
        ] {
            assert_eq!(read(words).unwrap_err().message, said);
        }
    }
}
