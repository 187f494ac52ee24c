//! An ask as a person writes it in one line: the words are those of the flags of the verb.

use super::request::AskRequest;
use crate::config::Problem;
use crate::config::SettingOverride;
use crate::dialog::PartSort;
use crate::domain::quoted_words;
use crate::lab::Lab;
use crate::lab::ModelAt;

/// The full name of a setting by a shorter one.
type SettingNames = fn(&str) -> Option<&'static str>;

/// The names of what is asked. All other names are settings.
const NAMES: [&str; 10] =
    ["prompts", "am", "om", "models", "leave-out", "samples", "target", "from-text", "seed", "concurrency"];
/// The names whose values may have several words.
const SEVERAL_WORDS: [&str; 2] = ["target", "from-text"];
/// The calls of each variant if nothing else is written, as for the verb.
const SAMPLES: u32 = 5;
const MOST_SAMPLES: u32 = 100_000;

/// What a person wrote.
#[derive(Debug)]
pub struct WrittenAsk {
    /// The settings that are replaced.
    pub given: Vec<SettingOverride>,
    /// What is asked.
    pub request: AskRequest,
    /// The calls that may be made at once, if that is limited.
    pub at_once: Option<usize>,
}

impl Lab {
    /// Reads what to ask at this step, such as `prompts=A,B am=1,5 samples=20 target=optimal` or `--prompts A,B`.
    pub fn read_ask(&self, words: &str, step: u32) -> Result<WrittenAsk, Problem> {
        read_words(words, step, self.setting_names)
    }
}

fn read_words(words: &str, step: u32, names: SettingNames) -> Result<WrittenAsk, Problem> {
    let request = AskRequest { step, samples: SAMPLES, ..AskRequest::default() };
    let mut written = WrittenAsk { given: Vec::new(), request, at_once: None };
    for (name, value) in assignments(words, names)? {
        written.set(&name, &value, names)?;
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
            (_, _, Some((_, value))) if takes_words || value.is_empty() => {
                let gap = if value.is_empty() { "" } else { " " };
                *value = format!("{value}{gap}{word}");
            }
            _ => return Err(no_assignment(word)),
        }
    }
    Ok(found)
}

impl WrittenAsk {
    fn set(&mut self, name: &str, value: &str, names: SettingNames) -> Result<(), Problem> {
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

fn within<T: Copy + PartialOrd + From<u8> + std::fmt::Display>(
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
            let WrittenAsk { given, request, at_once } = read(words).unwrap();
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
        ] {
            assert_eq!(read(words).unwrap_err().message, said);
        }
    }
}
