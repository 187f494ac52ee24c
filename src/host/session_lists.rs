//! The list of the sessions of a store, for home and the list of sessions: names at once with what is kept of them, then what
//! had to be read, newest first. So 10,000 sessions are listed before one journal is read.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::runtime::Handle;

use mageyard_config::Config;
use mageyard_domain::CancelOnDrop;
use mageyard_engine::{Store, StoreError};
use mageyard_lab::{Lab, SessionFacts, SessionIndex, stored_session};
use mageyard_screen::{SessionBatch, SessionSummary};

/// How many of the newest sessions are asked whether they can be continued: some are restored for it.
const NEWEST: usize = 50;
/// What is read within this time is in the first list.
const AT_ONCE: Duration = Duration::from_millis(40);
/// How long the first of the other sessions waits for more of them.
const TOGETHER: Duration = Duration::from_millis(100);

/// The sessions that a screen lists: what is kept of them between one list and the next.
#[derive(Clone, Default)]
pub(crate) struct SessionLists(Arc<Mutex<Kept>>);

#[derive(Default)]
struct Kept {
    index: Option<SessionIndex>,
    /// The sessions that could be continued when they were listed last, newest first.
    unfinished: Vec<String>,
}

impl Kept {
    /// Forgets what is kept of another store.
    fn keep_only(&mut self, store: &Store) {
        if self.index.as_ref().is_some_and(|index| !index.is_of(store)) {
            *self = Self::default();
        }
    }
}

/// The sessions as they are listed first.
pub(crate) struct FirstList {
    /// The sessions, newest first, then the sweeps.
    pub(crate) sessions: Vec<SessionSummary>,
    /// Those that can be continued, as far as is known.
    pub(crate) unfinished: Vec<String>,
}

/// Where the parts of a list go.
pub(crate) trait ListReceiver {
    /// Takes the first list.
    fn first(&mut self, list: Result<FirstList, StoreError>);
    /// Takes what was read after it.
    fn more(&mut self, batch: SessionBatch);
}

/// Ends the reading of a list when it is dropped, as when another one begins.
#[derive(Debug, Default)]
pub(crate) struct Reading(CancelOnDrop);

impl Reading {
    /// The flag that ends it.
    pub(crate) fn flag(&self) -> Arc<AtomicBool> {
        self.0.flag()
    }
}

impl SessionLists {
    /// Lists the sessions of the configured store, on a thread of a runtime that may wait for the disk.
    pub(crate) fn read(&self, lab: &Lab, config: &Config, stop: &AtomicBool, to: &mut dyn ListReceiver) {
        let store = Store::new(config.store_folder());
        let names = store.sessions().and_then(|sessions| Ok((sessions, store.sweeps()?)));
        let (mut sessions, sweeps) = match names {
            Ok(names) => names,
            Err(error) => return to.first(Err(error)),
        };
        sessions.reverse();
        self.kept().keep_only(&store);
        let mut list = List { kept: self, lab, store: &store, unfinished: Vec::new() };
        let read = list.read_at_once(&sessions);
        to.first(Ok(list.first(&sessions, &sweeps, &read)));
        if self.kept().index.is_none() {
            let index = SessionIndex::open(config.folders(), &store);
            self.kept().index = Some(index);
            to.more(list.kept_of(sessions.get(read.len()..).unwrap_or_default()));
        }
        list.read_rest(&sessions, sweeps, read.len(), stop, to);
        let mut kept = self.kept();
        if let Some(Err(error)) = kept.index.as_mut().map(|index| index.save(&sessions)) {
            tracing::warn!(%error, "what lists show of sessions is not kept");
        }
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A list that is being read.
struct List<'a> {
    kept: &'a SessionLists,
    lab: &'a Lab,
    store: &'a Store,
    /// The sessions that can be continued, of those that were read.
    unfinished: Vec<String>,
}

impl List<'_> {
    /// Reads the newest sessions, as many as there is time for before anything is shown.
    fn read_at_once(&mut self, names: &[String]) -> HashMap<String, Option<SessionFacts>> {
        let began = Instant::now();
        let mut read = HashMap::new();
        for (place, name) in names.iter().enumerate() {
            if began.elapsed() > AT_ONCE {
                break;
            }
            read.insert(name.clone(), self.facts(name, place));
        }
        read
    }

    /// What is known of a session now. One of the newest is also asked whether it can be continued.
    fn facts(&mut self, name: &str, place: usize) -> Option<SessionFacts> {
        let kept = match &mut self.kept.kept().index {
            Some(index) => Some(index.facts(self.lab, self.store, name)),
            None => None,
        };
        // The file with what is kept is read after the first list.
        let facts = kept.unwrap_or_else(|| self.read_facts(name))?;
        if place < NEWEST && !facts.is_over && self.is_unfinished(name) {
            self.unfinished.push(name.to_owned());
        }
        Some(facts)
    }

    fn read_facts(&self, name: &str) -> Option<SessionFacts> {
        let session = stored_session(self.lab, self.store, name.to_owned()).ok()?;
        SessionFacts::read(self.lab, self.store, &session)
    }

    /// What is kept of these sessions, before it is known whether they have changed.
    fn kept_of(&self, names: &[String]) -> SessionBatch {
        let kept = self.kept.kept();
        let row = |name: &String| Some(summary(name, kept.index.as_ref()?.kept(name)?));
        SessionBatch { read: names.iter().filter_map(row).collect(), ..SessionBatch::default() }
    }

    fn is_unfinished(&self, name: &str) -> bool {
        stored_session(self.lab, self.store, name.to_owned())
            .is_ok_and(|session| Handle::current().block_on(session.unfinished(self.store)).is_some())
    }

    fn first(
        &self,
        names: &[String],
        sweeps: &[String],
        read: &HashMap<String, Option<SessionFacts>>,
    ) -> FirstList {
        let kept = self.kept.kept();
        let row = |name: &String| match (read.get(name), &kept.index) {
            (Some(facts), _) => facts.as_ref().map(|facts| summary(name, facts)),
            (None, Some(index)) => {
                Some(index.kept(name).map_or_else(|| unread(name), |it| summary(name, it)))
            }
            (None, None) => Some(unread(name)),
        };
        let sessions = names.iter().filter_map(row);
        let sweeps = sweeps.iter().map(|name| SessionSummary { is_sweep: true, ..unread(name) });
        let sessions = sessions.chain(sweeps).collect();
        let asked_later = names.iter().take(NEWEST).filter(|name| !read.contains_key(*name));
        let before = asked_later.filter(|name| kept.unfinished.contains(name)).cloned();
        FirstList { sessions, unfinished: self.unfinished.iter().cloned().chain(before).collect() }
    }

    /// Reads the sweeps and the other sessions.
    fn read_rest(
        &mut self,
        names: &[String],
        sweeps: Vec<String>,
        from: usize,
        stop: &AtomicBool,
        to: &mut dyn ListReceiver,
    ) {
        let mut batch = SessionBatch::default();
        let mut sent = Instant::now();
        let is_stopped = || stop.load(Ordering::Relaxed);
        for (place, name) in names.iter().enumerate().skip(from).take_while(|_| !is_stopped()) {
            let before = self.kept.kept().index.as_ref().and_then(|index| index.kept(name).cloned());
            match self.facts(name, place) {
                Some(facts) if before.as_ref() == Some(&facts) => {}
                Some(facts) => batch.read.push(summary(name, &facts)),
                None => batch.gone.push(name.clone()),
            }
            let is_last_asked = place + 1 == NEWEST;
            let has_news = !batch.read.is_empty() || !batch.gone.is_empty();
            if is_last_asked || (has_news && sent.elapsed() > TOGETHER) {
                batch.unfinished = is_last_asked.then(|| self.unfinished.clone());
                to.more(std::mem::take(&mut batch));
                sent = Instant::now();
            }
        }
        for name in sweeps.into_iter().take_while(|_| !is_stopped()) {
            match sweep_summary(self.store, &name) {
                Some(summary) => batch.read.push(summary),
                None => batch.gone.push(name),
            }
        }
        if !is_stopped() {
            batch.unfinished = Some(self.unfinished.clone());
            self.kept.kept().unfinished.clone_from(&self.unfinished);
            to.more(batch);
        }
    }
}

fn unread(name: &str) -> SessionSummary {
    SessionSummary { name: name.to_owned(), ..SessionSummary::default() }
}

fn summary(name: &str, facts: &SessionFacts) -> SessionSummary {
    SessionSummary {
        name: name.to_owned(),
        episodes: facts.episodes,
        summary: facts.summary.clone(),
        is_sweep: false,
        fields: facts.fields.clone(),
    }
}

/// A sweep with at least one episode.
fn sweep_summary(store: &Store, name: &str) -> Option<SessionSummary> {
    let cells = store.sweep(name)?;
    let episodes = cells.all_journals().ok().filter(|journals| !journals.is_empty())?.len();
    let count = cells.sessions().ok()?.len();
    let summary = format!("sweep · {count} {}", if count == 1 { "cell" } else { "cells" });
    Some(SessionSummary { episodes, summary, is_sweep: true, ..unread(name) })
}
