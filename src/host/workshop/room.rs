//! The thread of the workshop: it takes orders, and looks up the answers of versions while there are none.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, TryRecvError};

use super::shop::{Lookup, Shop};
use super::{Given, Newest, Order};
use crate::asking::Asker;
use mageyard_config::Problem;
use mageyard_screen::{Answer, WorkshopAnswer, WorkshopOrder, WorkshopPlace};

/// The prompt that is worked on, and what is not known of its versions.
pub(super) struct Room {
    newest: Arc<Newest>,
    /// How many orders were taken.
    taken: u64,
    shop: Option<Shop>,
    lookups: VecDeque<Lookup>,
    asker: Option<Asker>,
}

impl Room {
    pub(super) fn new(newest: Arc<Newest>, taken: u64) -> Self {
        Self { newest, taken, shop: None, lookups: VecDeque::new(), asker: None }
    }

    pub(super) fn work(mut self, orders: &Receiver<Given>) {
        loop {
            // What a person waits for comes before the next lookup.
            let given = match orders.try_recv() {
                Ok(given) => given,
                Err(TryRecvError::Empty) if !self.lookups.is_empty() => {
                    self.look_up();
                    continue;
                }
                Err(_) => match orders.recv() {
                    Ok(given) => given,
                    Err(_) => return,
                },
            };
            self.taken += 1;
            self.take(given);
        }
    }

    fn say(&self, answer: WorkshopAnswer) {
        if let Some(asker) = &self.asker {
            asker.answers.send(Answer::Workshop(answer));
        }
    }

    fn take(&mut self, Given { number, order, asker }: Given) {
        self.asker = Some(asker.clone());
        let order = match order {
            Order::Draft(text, samples, give) => {
                let drafted = self.opened().and_then(|shop| shop.drafted(&text, samples));
                // The plan may be dropped by now.
                let _ = give.send(drafted.map(Box::new));
                return;
            }
            Order::Keep(text) => return self.or_say(|shop| shop.keep(&asker, &text)),
            Order::Of(order) => order,
        };
        match order {
            WorkshopOrder::Open(place) => {
                if self.newest.opened.load(Ordering::Relaxed) == number {
                    self.open(&asker, &place);
                }
            }
            WorkshopOrder::Fill(text, state) => {
                if self.newest.filled.load(Ordering::Relaxed) == number {
                    let filled = self.opened().and_then(|shop| shop.fill(&text, state));
                    self.say(WorkshopAnswer::Filled(text, filled.map(Box::new)));
                }
            }
            WorkshopOrder::ReadVersions(samples) => {
                self.or_say(|shop| shop.read_versions(samples));
                self.begin_lookups();
            }
            WorkshopOrder::Save(text) => {
                let saved = self.opened().and_then(|shop| shop.save(&text));
                self.say(WorkshopAnswer::Saved(text, saved.map(Box::new)));
            }
            WorkshopOrder::Delete => {
                let deleted = self.opened().and_then(|shop| shop.delete());
                self.say(WorkshopAnswer::Deleted(deleted));
            }
            WorkshopOrder::Pin(journal, step) => {
                let pinned = self.opened().and_then(|shop| shop.pin(&asker, journal, step));
                self.say(WorkshopAnswer::Pinned(pinned));
            }
            WorkshopOrder::Unpin(index) => {
                let unpinned = self.opened().and_then(|shop| shop.unpin(index));
                self.say(WorkshopAnswer::Pinned(unpinned));
            }
            // The task does these.
            WorkshopOrder::Plan { .. }
            | WorkshopOrder::Make(_)
            | WorkshopOrder::Stop
            | WorkshopOrder::Close => {}
        }
    }

    fn opened(&mut self) -> Result<&mut Shop, Problem> {
        self.shop.as_mut().ok_or_else(|| Problem::new("no prompt is open"))
    }

    fn or_say(&mut self, of: impl FnOnce(&mut Shop) -> Result<(), Problem>) {
        if let Err(problem) = self.opened().and_then(of) {
            self.say(WorkshopAnswer::Failed(problem));
        }
    }

    fn open(&mut self, asker: &Asker, place: &WorkshopPlace) {
        self.lookups.clear();
        match Shop::open(asker, place) {
            Ok((shop, opened)) => {
                self.shop = Some(shop);
                self.say(WorkshopAnswer::Opened(Ok(Box::new(opened))));
                self.begin_lookups();
            }
            Err(problem) => {
                self.shop = None;
                self.say(WorkshopAnswer::Opened(Err(problem)));
            }
        }
    }

    fn begin_lookups(&mut self) {
        self.lookups = self.shop.as_ref().map(Shop::lookups).unwrap_or_default();
        self.say_versions();
    }

    fn look_up(&mut self) {
        let (Some(lookup), Some(asker)) = (self.lookups.pop_front(), self.asker.clone()) else { return };
        self.or_say(|shop| shop.look_up(lookup, &asker));
        let is_interrupted = self.newest.sent.load(Ordering::Relaxed) != self.taken;
        if !is_interrupted || self.lookups.is_empty() {
            self.say_versions();
        }
    }

    fn say_versions(&self) {
        if let Some(shop) = &self.shop {
            let (texts, table) = shop.versions();
            let is_complete = self.lookups.is_empty();
            self.say(WorkshopAnswer::Versions { texts, table, is_complete });
        }
    }
}
