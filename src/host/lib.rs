//! Opens the screen for the verbs: reads the settings of its appearance, gives it what the lab knows, and carries out what
//! it orders. It draws nothing and parses no command line. Start reading at [`Screen`], then at `lab_task`.

mod annotations;
mod appearance;
mod asking;
mod bandwidth;
mod branches;
mod builder;
mod comparing;
mod drawing;
mod finding;
mod home;
mod keys;
mod lab_task;
mod models;
mod opening;
mod outlines;
mod played_session;
mod readers;
mod session_browser;
mod session_lists;
mod session_start;
mod sweep;
mod tutor;
mod workshop;

use async_trait::async_trait;
use mageyard_cli::context::Context;
use mageyard_cli::exit::{Exit, Failure};
use mageyard_cli::finding::Finding;
use mageyard_cli::play::StartFrom;
use mageyard_cli::screen_verbs::{ScreenVerbs, ShownRun};
use mageyard_cli::view::ViewOpening;
use mageyard_config::{Config, Folders, Problem};
use mageyard_sweep::{SweepEnd, SweepRun};
use tokio_util::sync::CancellationToken;

/// The screen in the terminal.
#[derive(Clone, Copy, Debug)]
pub struct Screen;

#[async_trait(?Send)]
impl ScreenVerbs for Screen {
    fn play(&self, start: StartFrom<'_>, context: &Context, config: Config) -> Result<Exit, Failure> {
        opening::play(start, context, config)
    }

    fn view(&self, opening: ViewOpening<'_>, context: &Context, config: Config) -> Result<Exit, Failure> {
        opening::view(opening, context, config)
    }

    fn home(&self, context: &Context, config: Config) -> Result<Exit, Failure> {
        opening::home(context, config)
    }

    fn browse(&self, context: &Context, config: Config) -> Result<Exit, Failure> {
        opening::browse(context, config)
    }

    fn tutor(&self, args: &mageyard_cli::tutor::Args, context: &Context) -> Result<Exit, Failure> {
        tutor::run(args, context)
    }

    fn keys(&self, args: &mageyard_cli::keys::Args, context: &Context) -> Result<Exit, Failure> {
        keys::run(args, context)
    }

    fn count_commands(&self, folders: &Folders) -> Result<usize, Problem> {
        appearance::load_keymap(folders).map(|keys| keys.rows().len())
    }

    fn draw(&self, args: &mageyard_cli::screen::Args, context: &Context) -> Result<String, Failure> {
        drawing::draw(args, context)
    }

    fn bandwidth(&self, context: &Context) -> Result<Vec<Finding>, Failure> {
        bandwidth::findings(context)
    }

    fn attach(&self, sweep: &str, context: &Context, config: &Config) -> Result<Exit, Failure> {
        sweep::attach(sweep, context, config)
    }

    async fn follow_run(
        &self,
        run: SweepRun,
        stop: &CancellationToken,
        shown: ShownRun,
        context: &Context,
        config: &Config,
    ) -> Result<(SweepEnd, Option<Exit>), Failure> {
        sweep::follow_run(run, stop, shown, context, config).await
    }
}
