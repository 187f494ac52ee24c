//! The dialog of readers: the replies of a session, read by every reader and by a draft, beside the screen.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};

use tokio::runtime::Handle;

use mageyard_config::{Config, Folders, Problem};
use mageyard_dialog::ReaderRules;
use mageyard_engine::Store;
use mageyard_lab::{
    EpisodeReplies, Lab, LabError, ReplyPlace, all_readers, parse_draft, read_again, read_recordings,
    reader_catalog, save_reader, step_reference,
};
use mageyard_screen::{Answer, Answers, ReadReply, ReaderAnswer, ReaderEntry, ReaderOrder};

/// After so many episodes a draft says how far it is.
const SAID_EVERY: usize = 25;

/// What reads replies. Orders are carried out one after the other, on a thread of its own.
#[derive(Default)]
pub(crate) struct ReaderTask {
    orders: Option<Sender<Given>>,
    newest: Arc<Newest>,
}

/// The numbers of the newest orders: what an earlier one reads is not wanted any more.
#[derive(Default)]
struct Newest {
    opened: AtomicU64,
    tried: AtomicU64,
    /// How many orders there were.
    sent: AtomicU64,
}

/// An order with its number, and what it needs.
struct Given {
    number: u64,
    order: ReaderOrder,
    lab: Lab,
    config: Config,
    answers: Answers,
}

impl ReaderTask {
    /// Carries out an order beside the screen.
    pub(crate) fn take(&mut self, order: ReaderOrder, lab: Lab, config: Config, answers: Answers) {
        let number = match order {
            ReaderOrder::Open(_) | ReaderOrder::Close => {
                self.newest.tried.fetch_add(1, Ordering::Relaxed);
                self.newest.opened.fetch_add(1, Ordering::Relaxed) + 1
            }
            ReaderOrder::Try(_) => self.newest.tried.fetch_add(1, Ordering::Relaxed) + 1,
            _ => 0,
        };
        let closes = order == ReaderOrder::Close;
        self.newest.sent.fetch_add(1, Ordering::Relaxed);
        let orders = self.orders.get_or_insert_with(|| start(Arc::clone(&self.newest)));
        // The thread ends only with this task.
        let _ = orders.send(Given { number, order, lab, config, answers });
        if closes {
            self.orders = None;
        }
    }
}

impl Drop for ReaderTask {
    fn drop(&mut self) {
        self.newest.tried.fetch_add(1, Ordering::Relaxed);
        self.newest.opened.fetch_add(1, Ordering::Relaxed);
        self.newest.sent.fetch_add(1, Ordering::Relaxed);
    }
}

fn start(newest: Arc<Newest>) -> Sender<Given> {
    let (orders, received) = channel();
    // The order that it begins with is counted already.
    let taken = newest.sent.load(Ordering::Relaxed).saturating_sub(1);
    tokio::task::spawn_blocking(move || Room { newest, taken, ..Room::default() }.work(&received));
    orders
}

/// The replies and readers that are looked at.
#[derive(Default)]
struct Room {
    newest: Arc<Newest>,
    store: Option<Store>,
    episodes: Vec<EpisodeReplies>,
    readers: Vec<ReaderRules>,
    /// The readers that have not read the replies yet, by their indexes, and who waits for them.
    waiting: VecDeque<usize>,
    opened: Option<Answers>,
    /// How many orders were taken.
    taken: u64,
    draft: Option<ReaderRules>,
}

impl Room {
    fn work(mut self, orders: &Receiver<Given>) {
        loop {
            // What a person waits for comes before the next reader.
            let given = match orders.try_recv() {
                Ok(given) => given,
                Err(TryRecvError::Empty) if !self.waiting.is_empty() => {
                    self.read_next();
                    continue;
                }
                Err(_) => match orders.recv() {
                    Ok(given) => given,
                    Err(_) => return,
                },
            };
            self.taken += 1;
            let answers = given.answers.clone();
            self.take(given, &|answer| answers.send(Answer::Reader(answer)));
        }
    }

    fn take(&mut self, given: Given, say: &dyn Fn(ReaderAnswer)) {
        let Given { number, order, lab, config, answers } = given;
        match order {
            ReaderOrder::Open(scope) => {
                let is_wanted = || self.newest.opened.load(Ordering::Relaxed) == number;
                if !is_wanted() {
                    return;
                }
                self.waiting.clear();
                self.opened = Some(answers);
                match load(&lab, &config, &scope, say, &is_wanted) {
                    Ok(episodes) => self.begin(episodes, &config, say),
                    Err(error) => say(ReaderAnswer::Failed(Problem::from(error))),
                }
            }
            ReaderOrder::Show(place) => {
                if let Some(shown) = self.show(place) {
                    say(ReaderAnswer::Shown(Box::new(shown)));
                }
            }
            ReaderOrder::Text(name) => {
                let text = reader_catalog(config.folders()).find(&name).map(|file| file.text.to_string());
                say(ReaderAnswer::Text(name, text));
            }
            ReaderOrder::Try(text) if text.is_empty() => self.draft = None,
            ReaderOrder::Try(text) => self.try_draft(text, number, say),
            ReaderOrder::Save { name, text, replaces } => {
                let saved = save_reader(config.folders(), &name, &text, replaces);
                if saved.is_ok() {
                    self.draft = None;
                }
                say(ReaderAnswer::Saved(name, saved));
            }
            ReaderOrder::Close => self.waiting.clear(),
        }
    }

    /// Lists the readers for these replies; those that the episodes were played with read them first.
    fn begin(&mut self, episodes: Vec<EpisodeReplies>, config: &Config, say: &dyn Fn(ReaderAnswer)) {
        (self.store, self.draft) = (Some(Store::new(config.store_folder())), None);
        self.readers = match all_readers(config.folders()) {
            Ok(readers) => readers,
            Err(problem) => return say(ReaderAnswer::Failed(problem)),
        };
        self.episodes = episodes;
        let entries = entries(config.folders(), &self.readers, &self.episodes);
        let mut order: Vec<usize> = (0..entries.len()).collect();
        order.sort_by_key(|index| !entries[*index].is_recorded);
        self.waiting = order.into();
        say(ReaderAnswer::Readers(entries));
    }

    /// Reads all replies with the next reader; an order interrupts it.
    fn read_next(&mut self) {
        let (Some(index), Some(answers)) = (self.waiting.pop_front(), &self.opened) else { return };
        let is_idle = |_| self.newest.sent.load(Ordering::Relaxed) == self.taken;
        match read_again(&self.episodes, &self.readers[index], is_idle) {
            Some(read) => answers.send(Answer::Reader(ReaderAnswer::Read(index, read))),
            None => return self.waiting.push_front(index),
        }
        if self.waiting.is_empty() {
            answers.send(Answer::Reader(ReaderAnswer::Complete));
        }
    }

    fn show(&self, place: ReplyPlace) -> Option<ReadReply> {
        let replies = self.episodes.get(place.episode)?;
        let read = |rules: &ReaderRules| replies.read_one(place.step, place.attempt, rules);
        let run = self.store.as_ref()?.reference(replies.journal());
        Some(ReadReply {
            place,
            journal: replies.journal().to_owned(),
            run: step_reference(&run, place.step),
            readings: self.readers.iter().map(read).collect::<Option<_>>()?,
            draft: self.draft.as_ref().and_then(read),
        })
    }

    fn try_draft(&mut self, text: String, number: u64, say: &dyn Fn(ReaderAnswer)) {
        let is_wanted = || self.newest.tried.load(Ordering::Relaxed) == number;
        if !is_wanted() {
            return;
        }
        let rules = match parse_draft(&text) {
            Ok(rules) => rules,
            Err(problem) => return say(ReaderAnswer::Tried(text, Err(problem))),
        };
        let of = self.episodes.len();
        let read = read_again(&self.episodes, &rules, |done| {
            if done > 0 && done % SAID_EVERY == 0 {
                say(ReaderAnswer::Trying { done, of });
            }
            is_wanted()
        });
        if let Some(read) = read {
            self.draft = Some(rules);
            say(ReaderAnswer::Tried(text, Ok(read)));
        }
    }
}

fn load(
    lab: &Lab,
    config: &Config,
    scope: &str,
    say: &dyn Fn(ReaderAnswer),
    is_wanted: &dyn Fn() -> bool,
) -> Result<Vec<EpisodeReplies>, LabError> {
    let store = Store::new(config.store_folder());
    let mut episodes = Vec::new();
    for recording in read_recordings(lab, &store, &[scope.to_owned()]) {
        if !is_wanted() {
            break;
        }
        episodes.push(Handle::current().block_on(recording?.replies())?);
        say(ReaderAnswer::Loading(episodes.len()));
    }
    Ok(episodes)
}

fn entries(folders: &Folders, readers: &[ReaderRules], episodes: &[EpisodeReplies]) -> Vec<ReaderEntry> {
    let files = reader_catalog(folders).entries();
    let entry = |(rules, file): (&ReaderRules, &mageyard_config::CatalogEntry)| ReaderEntry {
        name: file.name.clone(),
        reader: rules.to_string(),
        about: rules.about().to_owned(),
        is_own: file.path.is_some(),
        is_recorded: episodes.iter().any(|replies| replies.recorded_rules() == rules),
    };
    readers.iter().zip(&files).map(entry).collect()
}
