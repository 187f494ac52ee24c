//! Settings that replace what an episode was recorded with, in a replay or in a branch.

use super::configured_reader;
use mageyard_config::{Config, Problem};
use mageyard_domain::{EpisodePolicy, Window};
use mageyard_engine::Head;

/// What happens after a failed or repeated reply.
const POLICY: [&str; 4] = ["play.on_unreadable", "play.on_repeating", "play.on_cut", "play.on_refusal"];

/// Replaces the memory window, the prompt, the reader, the limits of steps and time, and the rules of conduct by those of
/// `config`, as far as `is_given` says that the setting with this name was given for it.
pub(super) fn replace_settings(
    head: &mut Head,
    is_given: &dyn Fn(&str) -> bool,
    config: &Config,
) -> Result<(), Problem> {
    let settings = config.settings();
    if is_given("memory.am") || is_given("memory.om") {
        let own = head.window;
        let set = config.window();
        let am = if is_given("memory.am") { set.am() } else { own.am() };
        let om = if is_given("memory.om") { set.om() } else { own.om() };
        head.window = Window::new(am, om).map_err(|error| Problem::new(error.to_string()))?;
    }
    if is_given("play.prompt") {
        head.prompt.clone_from(&settings.play.prompt);
    }
    if is_given("play.reader") {
        head.rules = configured_reader(config.folders(), config)?;
    }
    if is_given("play.max_steps") {
        head.max_steps = settings.play.max_steps;
    }
    if is_given("play.max_time") {
        head.max_time = settings.play.max_time();
    }
    if POLICY.into_iter().any(is_given) {
        let continue_replies = head.conduct.continue_replies;
        head.conduct = EpisodePolicy { continue_replies, ..settings.episode_policy() };
    }
    Ok(())
}
