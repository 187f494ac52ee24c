//! What the verbs need of the screen. The program passes an implementation, so that this crate names no screen.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use async_trait::async_trait;
use mageyard_config::{Config, Folders, Problem};
use mageyard_lab::Spending;
use mageyard_sweep::{SweepEnd, SweepPlan, SweepRun};
use tokio_util::sync::CancellationToken;

use crate::context::Context;
use crate::exit::{Exit, Failure};
use crate::finding::Finding;
use crate::play::StartFrom;
use crate::view::ViewOpening;
use crate::{keys, screen, tutor};

/// A run of a sweep that a dashboard shows.
pub struct ShownRun {
    /// Its plan.
    pub plan: Arc<SweepPlan>,
    /// Its folder.
    pub folder: PathBuf,
    /// What its requests have cost.
    pub spending: Arc<Spending>,
}

/// The verbs, and parts of verbs, that show or describe the screen. Each returns when the user has left the screen.
#[async_trait(?Send)]
pub trait ScreenVerbs: fmt::Debug + Sync {
    /// Shows a new or a resumed episode.
    fn play(&self, start: StartFrom<'_>, context: &Context, config: Config) -> Result<Exit, Failure>;

    /// Shows recorded episodes.
    fn view(&self, opening: ViewOpening<'_>, context: &Context, config: Config) -> Result<Exit, Failure>;

    /// Shows home.
    fn home(&self, context: &Context, config: Config) -> Result<Exit, Failure>;

    /// Shows the list of all sessions.
    fn browse(&self, context: &Context, config: Config) -> Result<Exit, Failure>;

    /// Lists the lessons, or shows one.
    fn tutor(&self, args: &tutor::Args, context: &Context) -> Result<Exit, Failure>;

    /// Prints the commands with their keys.
    fn keys(&self, args: &keys::Args, context: &Context) -> Result<Exit, Failure>;

    /// The number of commands that have keys or a name, after the keymap of these folders was read.
    fn count_commands(&self, folders: &Folders) -> Result<usize, Problem>;

    /// The screen of a level as an SVG file.
    fn draw(&self, args: &screen::Args, context: &Context) -> Result<String, Failure>;

    /// Measures the link to the terminal, and counts the bytes of the screen for each form of pictures.
    fn bandwidth(&self, context: &Context) -> Result<Vec<Finding>, Failure>;

    /// Shows the dashboard of the sweep with this name in the store, or in this folder.
    fn attach(&self, sweep: &str, context: &Context, config: &Config) -> Result<Exit, Failure>;

    /// Shows the dashboard of a run, which stops when the user leaves. A signal is returned with the end.
    async fn follow_run(
        &self,
        run: SweepRun,
        stop: &CancellationToken,
        shown: ShownRun,
        context: &Context,
        config: &Config,
    ) -> Result<(SweepEnd, Option<Exit>), Failure>;
}
