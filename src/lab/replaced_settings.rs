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
        head.limits_of_level.steps = false;
    }
    if POLICY.into_iter().any(is_given) {
        let EpisodePolicy {
            attempts, continue_replies, last_look, time_checked, time_counted, confirm, ..
        } = head.conduct;
        head.conduct = EpisodePolicy {
            attempts,
            continue_replies,
            last_look,
            time_checked,
            time_counted,
            confirm,
            ..settings.episode_policy()
        };
    }
    if is_given("play.confirm") {
        head.conduct.confirm = settings.play.confirm;
    }
    if is_given("play.attempts") {
        head.conduct.attempts = settings.play.attempts;
    }
    if is_given("play.time_checked") {
        head.conduct.time_checked = settings.play.time_checked;
    }
    if is_given("play.max_time") {
        *head = head.clone().limited_to(settings.play.max_time());
        head.limits_of_level.time = false;
    }
    Ok(())
}
