//! The environments of this program, one crate each: the one place that names them all.
//!
//! It has no code of an environment; what several of them share is in `kit`. To add one, write its crate, name it in the
//! manifest, and add a row to [`environments`]: `docs/environments.md` has the recipe.

pub use mageyard_desktop as desktop;
use mageyard_domain::EnvironmentSpec;
pub use mageyard_football as football;
pub use mageyard_hanoi as hanoi;
pub use mageyard_looks as looks;
pub use mageyard_sokoban as sokoban;
pub use mageyard_web as web;
pub use mageyard_webui as webui;

/// Every environment; the first is the default.
pub fn environments() -> &'static [&'static dyn EnvironmentSpec] {
    &[
        &sokoban::Sokoban,
        &hanoi::Hanoi,
        &webui::WebUi,
        &football::Football,
        &looks::Ground,
        &looks::Idm,
        &looks::Critic,
        &web::Web,
        &desktop::Desktop,
    ]
}

/// The environment with exactly this name.
pub fn environment(name: &str) -> Option<&'static dyn EnvironmentSpec> {
    environments().iter().copied().find(|kind| kind.name() == name)
}
