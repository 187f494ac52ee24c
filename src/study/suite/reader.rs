//! Reads a suite file. Names, types and digests are checked here, with line and field; what only an environment can say is not.

use toml::Spanned;

use super::file::{MOST_STATES, SCHEMA, Suite, SuiteLevel, SuiteState, checked_suite_name};
use super::raw::{RawLevel, RawSettings, RawState, RawSuite};
use crate::Margin;
use mageyard_config::{AssignedSetting, Origin, Problem, SourceFile, SourceLocation};
use mageyard_domain::Digest;
use mageyard_lab::parse_step_reference;

/// Reads a suite file.
pub fn parse_suite(file: &SourceFile) -> Result<Suite, Problem> {
    let raw: RawSuite = toml::from_str(&file.text).map_err(|error| file.toml_problem(&error))?;
    let reader = Reader { file };
    reader.check_schema(&raw.schema)?;
    let levels = reader.levels(&raw.level)?;
    let states = raw.state.iter().map(|state| reader.state(state, &levels)).collect::<Result<Vec<_>, _>>()?;
    reader.refuse_repeated(&raw.state)?;
    if states.is_empty() || states.len() > MOST_STATES {
        let what = format!("a suite has 1 to {MOST_STATES} states, and this one has {}", states.len());
        return Err(file.problem_at(what, 0..0));
    }
    Ok(Suite {
        name: reader.name(raw.name.as_ref())?,
        about: raw.about,
        environment: raw.environment,
        margin: raw.margin.as_ref().map(|margin| reader.margin(margin)).transpose()?,
        settings: reader.settings(&raw.settings)?,
        levels,
        states,
        file: file.clone(),
    })
}

struct Reader<'a> {
    file: &'a SourceFile,
}

impl Reader<'_> {
    fn at<T>(&self, written: &Spanned<T>, what: impl Into<String>) -> Problem {
        self.file.problem_at(what, written.span())
    }

    /// Refuses an address that two states have: they would be one ask.
    fn refuse_repeated(&self, states: &[Spanned<RawState>]) -> Result<(), Problem> {
        let addresses: Vec<&Spanned<String>> =
            states.iter().filter_map(|state| state.get_ref().address.as_ref()).collect();
        let repeated = addresses.iter().enumerate().find(|(index, address)| {
            addresses[..*index].iter().any(|other| other.get_ref() == address.get_ref())
        });
        let Some((_, address)) = repeated else { return Ok(()) };
        let problem = self.at(address, format!("address: two states have {}", address.get_ref()));
        Err(problem.with_help("remove one of them"))
    }

    fn check_schema(&self, written: &Spanned<i64>) -> Result<(), Problem> {
        if *written.get_ref() == SCHEMA {
            return Ok(());
        }
        let problem = self.at(written, format!("schema: {} is not {SCHEMA}", written.get_ref()));
        Err(problem.with_help("use the program that the file was written for"))
    }

    fn margin(&self, written: &Spanned<f64>) -> Result<Margin, Problem> {
        Margin::of_size(*written.get_ref()).ok_or_else(|| {
            let problem = self.at(written, format!("margin: {} is not from 0 to 1", written.get_ref()));
            problem.with_help("write a difference of shares, such as 0.05 for five points")
        })
    }

    fn name(&self, written: Option<&Spanned<String>>) -> Result<String, Problem> {
        if let Some(name) = written {
            return checked_suite_name(name.get_ref()).map_err(|what| self.at(name, format!("name: {what}")));
        }
        let stem = self.file.path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
        let help = "add a line such as name = \"corners\" to the file";
        checked_suite_name(stem).map_err(|what| self.file.problem_at(what, 0..0).with_help(help))
    }

    fn levels(&self, raw: &[RawLevel]) -> Result<Vec<SuiteLevel>, Problem> {
        let mut levels: Vec<SuiteLevel> = Vec::new();
        for level in raw {
            let reference = level.reference.get_ref();
            if levels.iter().any(|other| other.reference == *reference) {
                let problem =
                    self.at(&level.reference, format!("reference: two levels are named {reference}"));
                return Err(problem.with_help("give each level a reference of its own"));
            }
            levels.push(self.level(level)?);
        }
        Ok(levels)
    }

    fn level(&self, raw: &RawLevel) -> Result<SuiteLevel, Problem> {
        let text = raw.text.as_ref().map(|text| text.get_ref().clone());
        let written = raw.digest.as_ref().map(|digest| self.digest(digest)).transpose()?;
        let own = text.as_ref().map(|text| Digest::of(text.as_bytes()));
        let digest = match (written, own) {
            (Some(written), Some(own)) if written != own => {
                let at = raw.text.as_ref().map_or(0..0, Spanned::span);
                let problem = self.file.problem_at(format!("text: its digest is {own}, not {written}"), at);
                return Err(
                    problem.with_help("restore the text, or remove the digest if the change is meant")
                );
            }
            (written, own) => own.or(written),
        };
        let missing = || self.at(&raw.reference, "the level has neither text nor digest");
        Ok(SuiteLevel {
            reference: raw.reference.get_ref().clone(),
            number: raw.number.max(1),
            title: raw.title.clone(),
            text,
            digest: digest.ok_or_else(missing)?,
        })
    }

    fn state(&self, written: &Spanned<RawState>, levels: &[SuiteLevel]) -> Result<SuiteState, Problem> {
        let raw = written.get_ref();
        let name = raw.level.get_ref();
        let level = levels.iter().position(|level| level.reference == *name).ok_or_else(|| {
            let known = levels.iter().map(|level| level.reference.as_str());
            self.at(&raw.level, format!("level: there is no [[level]] {name}")).with_suggestions(name, known)
        })?;
        if raw.address.is_none() && raw.actions.is_none() {
            let problem =
                self.at(&raw.digest, "the state has neither address nor actions, so it cannot be found");
            return Err(problem.with_help("add actions = [] for the first state of the level"));
        }
        Ok(SuiteState {
            address: raw.address.as_ref().map(|address| self.address(address)).transpose()?,
            digest: self.digest(&raw.digest)?,
            why: raw.why.clone(),
            category: raw.category.clone(),
            accept: raw.accept.clone(),
            mistake: raw.mistake.clone(),
            taken: raw.taken.clone(),
            level,
            seed: raw.seed,
            actions: raw.actions.clone(),
            settings: self.settings(&raw.settings)?,
            span: raw.digest.span(),
        })
    }

    fn digest(&self, written: &Spanned<String>) -> Result<Digest, Problem> {
        Digest::try_from(written.get_ref().as_str())
            .map_err(|what| self.at(written, format!("digest: {what}")))
    }

    fn address(&self, written: &Spanned<String>) -> Result<String, Problem> {
        let address = written.get_ref();
        match parse_step_reference(address) {
            Ok((_, Some(_))) => Ok(address.clone()),
            Ok((_, None)) => Err(self
                .at(written, format!("address: {address:?} names no step"))
                .with_help("write SESSION/EPISODE#STEP")),
            Err(problem) => Err(Problem {
                help: problem.help,
                ..self.at(written, format!("address: {}", problem.message))
            }),
        }
    }

    fn settings(&self, raw: &RawSettings) -> Result<Vec<AssignedSetting>, Problem> {
        let mut settings = Vec::new();
        for (table, rows) in raw {
            for (key, value) in rows {
                settings.push(self.setting(format!("{}.{}", table.get_ref(), key.get_ref()), value)?);
            }
        }
        Ok(settings)
    }

    fn setting(&self, name: String, written: &Spanned<toml::Value>) -> Result<AssignedSetting, Problem> {
        let file = self.file.path.clone();
        let text = self.file.text.clone();
        let origin = Origin::File(SourceLocation { file, text, lines_before: 0, span: written.span() });
        let value = serde_json::to_value(written.get_ref())
            .map_err(|error| origin.problem(&format!("{name}: {error}")))?;
        AssignedSetting { name, value, origin }.checked()
    }
}
