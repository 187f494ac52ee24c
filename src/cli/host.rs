//! The host of the screen: starts sessions for it, and reads the files that people edit for it.

use std::collections::BTreeSet;
use std::path::Path;
use std::path::PathBuf;
use std::time::Duration;

use tokio::sync::mpsc;

use super::exit::Failure;
use super::house::House;
use super::look;
use super::readers;
use super::reference;
use super::reference::Chosen;
use super::reference::Source;
use super::session;
use super::stage;
use super::stage::Staged;
use super::stage::allowance;
use super::tape::Tape;
use super::trouble;
use super::variants;
use crate::config::Config;
use crate::config::Problem;
use crate::config::Watch;
use crate::dialog::Prompt;
use crate::engine::Session;
use crate::engine::Store;
use crate::engine::Terms;
use crate::envs;
use crate::tui;
use crate::tui::Look;
use crate::tui::Theme;

/// Whoever started the screen.
pub(super) struct Host<'a> {
    house: &'a House,
    config: Config,
    /// The folder of the session under way; made when the first episode starts.
    session: Option<PathBuf>,
    /// The recording that was set, read once: by now the newest session may be the one under way.
    tape: Option<(String, Tape)>,
}

impl<'a> Host<'a> {
    pub(super) fn new(house: &'a House, config: Config) -> Self {
        Self { house, config, session: None, tape: None }
    }

    /// A new episode on a level.
    pub(super) fn start(&mut self, chosen: &Chosen) -> Result<Session, Failure> {
        let rules = readers::chosen(self.house.folders(), &self.config)?;
        let store = Store::new(self.config.store());
        let mut head = stage::head(&self.config, chosen, rules, self.config.settings().play.seed)?;
        if let Some(tape) = self.tape()? {
            tape.cast(&mut head)?;
        }
        let session = match &self.session {
            Some(session) => session.clone(),
            None => session::create(&store, std::slice::from_ref(chosen), &self.config)?,
        };
        let number = store.next(&session).map_err(Failure::running)?;
        let staged = stage::open(&store, &session, number, head, &self.config)?;
        self.session = Some(session);
        Ok(self.seat(staged))
    }

    fn tape(&mut self) -> Result<Option<&Tape>, Failure> {
        let from = &self.config.settings().play.from;
        if self.tape.as_ref().is_none_or(|(known, _)| known != from) {
            self.tape = Tape::of(&self.config)?.map(|tape| (from.clone(), tape));
        }
        Ok(self.tape.as_ref().map(|(_, tape)| tape))
    }

    /// The last episode of a session that was left, and what is to be said about its journal.
    pub(super) async fn pick_up(&mut self, run: &str) -> Result<(Session, Option<String>), Failure> {
        let journals = Store::new(self.config.store()).find(run).map_err(|error| trouble::unfound(&error))?;
        let journal = journals.last().map_or(Path::new(run), PathBuf::as_path);
        let mut staged = stage::pick_up(journal, &self.config).await?;
        let note = staged.note.take();
        self.session = Some(staged.session.clone());
        Ok((self.seat(staged), note))
    }

    fn seat(&self, staged: Staged) -> Session {
        let Staged { driver, kind, person, session: folder, .. } = staged;
        let pace = Duration::from_millis(self.config.settings().screen.pace);
        let searched = self.config.settings().screen.distance;
        let allowance = searched.then(|| allowance(driver.episode().head(), &self.config));
        Session::start(driver, Terms { kind, person, pace, allowance, folder })
    }

    /// The folder of the session under way.
    pub(super) fn session(&self) -> Option<&Path> {
        self.session.as_deref()
    }
}

impl tui::House for Host<'_> {
    fn open(&mut self, reference: &str) -> Result<Session, Problem> {
        let chosen = reference::level(self.house.folders(), reference)?;
        self.start(&chosen).map_err(Failure::into_problem)
    }

    fn levels(&self) -> Vec<String> {
        let folders = self.house.folders();
        let sets = envs::kinds().iter().flat_map(|kind| {
            let entries = reference::shelf(*kind, folders).entries();
            entries.into_iter().filter_map(|entry| Source::entry(*kind, folders, &entry).ok())
        });
        sets.flat_map(|source| source.all()).map(|chosen| chosen.reference).collect()
    }

    fn themes(&self) -> Vec<String> {
        let entries = look::themes(self.house.folders()).entries();
        entries.into_iter().map(|entry| entry.name).collect::<BTreeSet<_>>().into_iter().collect()
    }

    fn theme(&mut self, name: &str) -> Result<Theme, Problem> {
        look::theme(self.house.folders(), name)
    }

    fn draft(&mut self, environment: &str, from: &str) -> Result<String, Problem> {
        variants::draft(stage::kind(environment)?, self.house.folders(), from)
    }

    fn keep(&mut self, environment: &str, text: &str) -> Result<Prompt, Problem> {
        let kind = stage::kind(environment)?;
        let picture = kind.picture(&self.config.settings().options(environment));
        Ok(variants::keep(kind, self.house.folders(), text)?.pictured(picture))
    }

    fn editor(&self) -> Option<String> {
        let named = ["VISUAL", "EDITOR"].into_iter().filter_map(|name| std::env::var(name).ok());
        named.into_iter().find(|editor| !editor.trim().is_empty())
    }

    fn reload(&mut self) -> Result<Look, Problem> {
        let config = self.house.config()?;
        let look = look::look(self.house.folders(), &config)?;
        readers::chosen(self.house.folders(), &config)?;
        self.config = config;
        Ok(look)
    }
}

/// Tells of changes to the files that people edit, from now on.
pub(super) fn changes(house: &House) -> mpsc::UnboundedReceiver<()> {
    let (tell, changes) = mpsc::unbounded_channel();
    if let Some(mut watch) = Watch::start(house.folders()) {
        tokio::spawn(async move {
            while !tell.is_closed() {
                watch.changed().await;
                // The screen may have gone, which ends the loop.
                let _ = tell.send(());
            }
        });
    }
    changes
}
