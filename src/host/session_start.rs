//! Starts the session of an episode for the screen.

use mageyard_lab::episode_services;
use std::time::Duration;

use mageyard_config::Config;
use mageyard_engine::{Session, SessionOptions};
use mageyard_lab::{Lab, PreparedEpisode, SeatRules, search_limits};

/// Starts the session of a prepared episode. Must be called within a Tokio runtime.
pub(crate) fn start_session(staged: PreparedEpisode, lab: &Lab, config: &Config) -> Session {
    let PreparedEpisode { driver, spec, person, id, .. } = staged;
    let rules = SeatRules { has_person: true, one_model: false };
    let services = episode_services(lab, spec, driver.episode().head().clone(), config, rules);
    let driver = driver.with_services(services);
    let folder = id.session;
    let pace = Duration::from_millis(config.settings().screen.pace);
    let searched = config.settings().screen.distance;
    let distance_limits = searched.then(|| search_limits(spec, driver.episode().head(), config));
    Session::start(driver, SessionOptions { kind: spec, person, pace, distance_limits, folder })
}
