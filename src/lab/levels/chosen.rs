//! Levels that a reference names, with the records among them that cannot be played.

use super::SelectedLevel;
use super::named_files::check_level_files;
use mageyard_config::{Config, Problem};
use mageyard_domain::shell_quote;

/// Levels that a reference names.
#[derive(Clone)]
pub struct ChosenLevels {
    /// The levels, in order.
    pub levels: Vec<SelectedLevel>,
    /// What is wrong with the records that cannot be played.
    pub left_out: Vec<Problem>,
}

impl ChosenLevels {
    /// Whether there is neither a level nor a problem.
    pub(super) fn is_empty(&self) -> bool {
        self.levels.is_empty() && self.left_out.is_empty()
    }

    /// The same without levels whose files cannot be read.
    #[must_use]
    pub fn with_files_checked(self) -> Self {
        let Self { levels, mut left_out } = self;
        let check = |one: &SelectedLevel| {
            let problems = check_level_files(one.spec, &one.level, false);
            let first = problems.into_iter().next();
            let is_good = first.is_none();
            left_out.extend(first);
            is_good
        };
        let levels = levels.into_iter().filter(check).collect();
        Self { levels, left_out }
    }

    /// The same without levels that this machine cannot play.
    pub(super) fn with_needs_checked(self, config: &Config) -> Self {
        let Self { levels, mut left_out } = self;
        let playable = |one: &SelectedLevel| {
            let Some(needs) = one.spec.capabilities().files.needs else { return true };
            let options = config.settings().options(one.spec.name());
            let missing = needs.missing(&one.level, &options);
            let is_playable = missing.is_none();
            left_out.extend(missing.map(|why| Problem::new(format!("{}: {why}", one.reference))));
            is_playable
        };
        let levels = levels.into_iter().filter(playable).collect();
        Self { levels, left_out }
    }

    /// The levels, if none had to be left out.
    pub fn all_good(self, reference: &str) -> Result<Vec<SelectedLevel>, Problem> {
        let more = self.left_out.len().saturating_sub(1);
        match self.left_out.into_iter().next() {
            None => Ok(self.levels),
            Some(problem) => {
                let check = shell_quote(reference);
                let help = format!(
                    "{more} more such records: `mageyard levels check {check}` lists all, `run --keep-going` leaves them out"
                );
                Err(problem.with_help(help))
            }
        }
    }

    /// The levels; an error if all were left out.
    pub fn good(self) -> Result<Vec<SelectedLevel>, Problem> {
        match self.left_out.into_iter().next() {
            Some(problem) if self.levels.is_empty() => Err(problem),
            _ => Ok(self.levels),
        }
    }
}
