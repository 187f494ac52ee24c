//! Diagnoses and questions about states for the screen: what their words name, and their plan.

use super::Asker;
use super::made::Ready;
use mageyard_config::{Config, Problem};
use mageyard_lab::{WrittenArgs, read_written_args};
use mageyard_screen::PlannedSight;
use mageyard_study::{AskedAbout, DiagnoseArgs, DiagnosisStudy, ProbeArgs, ProbeStudy};

impl Asker {
    /// Plans to find out what is wrong with failed steps.
    pub(super) async fn diagnosed(self, wanted: PlannedSight) -> Result<Ready, Problem> {
        let (subject, values) = split(&wanted.words);
        let written: WrittenArgs<DiagnoseArgs> = read_written_args(&self.lab, &values)?;
        let names = written.given_names();
        let WrittenArgs { args, given } = written;
        let config = self.config(given)?;
        let about = about(&subject, wanted.shown, &config)?;
        let study = DiagnosisStudy::plan(&self.lab, &about, &args, names, &config).await;
        Ok(Ready::Study(Box::new(study.map_err(Problem::from)?)))
    }
}

impl Asker {
    /// Plans to ask questions about states.
    pub(super) async fn probed(self, wanted: PlannedSight) -> Result<Ready, Problem> {
        let (subject, values) = split(&wanted.words);
        let written: WrittenArgs<ProbeArgs> = read_written_args(&self.lab, &values)?;
        let names = written.given_names();
        let WrittenArgs { args, given } = written;
        let config = self.config(given)?;
        let about = about(&subject, wanted.shown, &config)?;
        if let AskedAbout::Sessions(sessions) = &about {
            let what = format!("{} names neither a step nor a suite", sessions.join(" "));
            return Err(Problem::new(what).with_help("name a step, such as last#5, or a suite"));
        }
        let study = ProbeStudy::plan(&self.lab, &about, &args, names, &config).await;
        Ok(Ready::Study(Box::new(study.map_err(Problem::from)?)))
    }
}

/// The words before the first name with a value name what is asked about.
fn split(words: &str) -> (Vec<String>, String) {
    let mut words = words.split_whitespace().peekable();
    let mut named = Vec::new();
    while let Some(word) = words.next_if(|word| !word.contains('=') && !word.starts_with('-')) {
        named.push(word.to_owned());
    }
    (named, words.collect::<Vec<_>>().join(" "))
}

/// What is asked about: what is named, or the shown step.
fn about(
    named: &[String],
    shown: Option<(std::path::PathBuf, u32)>,
    config: &Config,
) -> Result<AskedAbout, Problem> {
    match shown {
        Some((journal, step)) if named.is_empty() => Ok(AskedAbout::Step(journal, step)),
        None if named.is_empty() => {
            let what = "no recorded step is shown";
            Err(Problem::new(what).with_help("name one, such as last#5, a suite, or sessions such as last"))
        }
        _ => AskedAbout::named(named, config).map_err(Problem::from),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_named_comes_before_values() {
        let read = |words: &str| {
            let (named, values) = split(words);
            (named.join("+"), values)
        };
        assert_eq!(read(""), (String::new(), String::new()));
        assert_eq!(
            read("last a/1  samples=2 seed=1"),
            ("last+a/1".to_owned(), "samples=2 seed=1".to_owned())
        );
        assert_eq!(read("views=image,text"), (String::new(), "views=image,text".to_owned()));
        assert_eq!(read("last --samples 2"), ("last".to_owned(), "--samples 2".to_owned()));
    }
}
