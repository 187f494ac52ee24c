//! The heads of a group of new episodes: every level with all its repeats.

use super::Lab;
use super::LabError;
use super::SelectedLevel;
use crate::config::Config;
use crate::config::Problem;
use crate::engine::Head;
use crate::engine::Store;

impl Lab {
    /// The heads of new episodes without a screen, level by level. The first repeat of a level has the configured seed,
    /// each further one the next seed. Recordings that episodes start from or repeat are looked up in this store.
    pub async fn new_heads(
        &self,
        config: &Config,
        levels: &[SelectedLevel],
        repeats: u32,
        store: &Store,
    ) -> Result<Vec<Head>, LabError> {
        self.refuse_person(config)?;
        let first = config.settings().play.seed;
        let head = |(level, repeat): (&SelectedLevel, u32)| {
            let head = self.new_head(config, level, first.saturating_add(u64::from(repeat)))?;
            Ok(Head { repeat: Some(repeat + 1), ..head })
        };
        let episodes = levels.iter().flat_map(|level| (0..repeats).map(move |repeat| (level, repeat)));
        let mut heads: Vec<Head> = episodes.map(head).collect::<Result<_, Problem>>()?;
        self.assign_starts(store, &mut heads).await?;
        if let Some(source) = self.replay_source(config)? {
            heads.iter_mut().try_for_each(|head| source.assign(head, config))?;
        }
        Ok(heads)
    }

    /// Rejects an agent that would wait forever without a screen.
    pub(super) fn refuse_person(&self, config: &Config) -> Result<(), Problem> {
        let agent = &config.settings().play.agent;
        if !self.agent(agent).is_some_and(|row| row.needs_person) {
            return Ok(());
        }
        let what = format!("the agent {agent} needs the screen, which `run` does not open");
        let problem = config.problem_with("play.agent", what);
        Err(problem.with_help(format!("use `mageyard play --agent {agent}`")))
    }
}
