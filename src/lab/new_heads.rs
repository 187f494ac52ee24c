//! The heads of a group of new episodes: every level with all its repeats.

use crate::new_head::{confirm, destroyed, verdict_limit};
use crate::roles::RoleChoice;
use crate::{assign_starts, config_for, given_replies, new_head, replay_source};
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use super::{EpisodeLimits, Lab, LabError, SelectedLevel};
use mageyard_config::{Config, Problem};
use mageyard_domain::{Confirm, EpisodePolicy, WithoutPerson};
use mageyard_engine::{Head, Store};

/// The heads of new episodes without a screen, level by level. The first repeat of a level has the configured seed,
/// each further one the next seed. Recordings that episodes start from or repeat are looked up in this store.
pub async fn new_heads(
    lab: &Lab,
    config: &Config,
    levels: &[SelectedLevel],
    repeats: u32,
    store: &Store,
) -> Result<Vec<Head>, LabError> {
    refuse_person(lab, config)?;
    let first = config.settings().play.seed;
    let mut heads = Vec::new();
    // The settings of an environment are read once, not for each level.
    let mut known = BTreeMap::new();
    for level in levels {
        let (head, own, roles) = match known.entry(level.spec.name()) {
            Entry::Vacant(vacant) => {
                let own = config_for(lab, config, level.spec)?;
                let head = new_head(lab, &own, level, first)?;
                let roles = RoleChoice::new(lab, &own, level.spec, &head.agent)?;
                vacant.insert((head, own, roles))
            }
            Entry::Occupied(known) => known.into_mut(),
        };
        let limits = EpisodeLimits::of(own, level.spec, &level.level);
        let roles = roles.of_level(&level.level, &head.options)?;
        let verdict_limit = verdict_limit(level.spec, &level.level, &head.options, &own.settings().play);
        let allow = destroyed(level.spec, &level.level, &head.options);
        let confirm = confirm(own, level, &head.options, &head.agent)?;
        let conduct = EpisodePolicy { confirm, ..head.conduct };
        let of_level = head.with_level(&level.reference, level.level.clone());
        let head = Head { verdict_limit, roles, allow, conduct, ..of_level };
        let head = limits.limit(head);
        heads.extend((0..repeats).map(|repeat| Head {
            left_out: level.left_out,
            seed: first.saturating_add(u64::from(repeat)),
            repeat: Some(repeat + 1),
            ..head.clone()
        }));
    }
    assign_starts(lab, store, &mut heads).await?;
    if let Some(source) = replay_source(lab, config)? {
        heads.iter_mut().try_for_each(|head| source.assign(head, config))?;
    }
    if let Some(replies) = given_replies(lab, config)? {
        replies.assign(&mut heads)?;
    }
    Ok(heads)
}

/// Rejects an agent that would wait forever without a screen.
pub fn refuse_person(lab: &Lab, config: &Config) -> Result<(), Problem> {
    let agent = &config.settings().play.agent;
    if !lab.agent(agent).is_some_and(|row| row.needs_person) {
        return Ok(());
    }
    let what = format!("the agent {agent} needs the screen, which `run` does not open");
    let problem = config.problem_with("play.agent", what);
    Err(problem.with_help(format!("use `mageyard play --agent {agent}`")))
}

/// Rejects episodes that need a person where none is, unless the settings say that they are parked.
pub fn refuse_without_person(lab: &Lab, heads: &[Head], config: &Config) -> Result<(), Problem> {
    if config.settings().play.without_person == WithoutPerson::Park {
        return Ok(());
    }
    let needing = heads.iter().find_map(|head| Some((head, head.needs_person()?)));
    let Some((head, needs)) = needing else { return Ok(()) };
    let what = format!("{} {needs}, and no person is here", head.reference);
    let help = "run it on a terminal with one job, or park such episodes with play.without_person = \"park\" (--without-person park)";
    let help = match instead_of_confirming(lab, head, config) {
        Some(instead) => format!("{instead}; or {help}"),
        None => help.to_owned(),
    };
    Err(config.problem_with("play.without_person", what).with_help(help))
}

/// What the environment says, if its levels and not the settings are why a person confirms each action.
fn instead_of_confirming(lab: &Lab, head: &Head, config: &Config) -> Option<&'static str> {
    if config.settings().play.confirm == Confirm::Each {
        return None;
    }
    let persons = lab.environment(&head.environment)?.capabilities().persons?;
    let must = persons.must_confirm(&head.to_level(), &head.options);
    persons.instead_of_confirming().filter(|_| must)
}
