//! What happened in a session beside what was requested. Texts of pages are as the pages wrote them: sanitize before
//! display.

use serde::Serialize;

use super::LoadError;

/// The most happenings that are kept until they are taken.
const KEPT: usize = 200;

/// The most characters of a text of a page that are kept.
const KEPT_TEXT: usize = 1000;

/// Something that happened, in the order of its time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Happening {
    /// A page opened a dialog, which was accepted at once; a prompt with its default text.
    Dialog {
        /// `alert`, `confirm`, `prompt` or `beforeunload`.
        dialog: String,
        /// Its text, cut to 1,000 characters.
        text: String,
    },
    /// A download was denied.
    Download {
        /// Its address, cut to 1,000 characters.
        url: String,
        /// The name of the file.
        name: String,
    },
    /// A page wanted a file, and got none.
    FileChooser,
    /// A new tab; it is the current one.
    TabOpened {
        /// Its number.
        number: u32,
    },
    /// A tab was closed.
    TabClosed {
        /// Its number.
        number: u32,
    },
    /// A tab crashed or used too much memory.
    TabLost {
        /// Its number.
        number: u32,
        /// Why.
        why: String,
    },
    /// A tab beyond the limit of [`MOST_TABS`](super::MOST_TABS) was closed at once.
    TooManyTabs {
        /// Its address.
        url: String,
    },
    /// A request was refused by the rules of the network.
    Refused {
        /// Its address; of an encrypted request only the host.
        url: String,
        /// Why.
        why: String,
    },
    /// A script of a page did not end and was stopped.
    ScriptStopped {
        /// The number of the tab.
        tab: u32,
    },
    /// More happened than is kept.
    LeftOut {
        /// The number of happenings that are missing.
        count: u64,
    },
}

/// What a main document is, and how it was loaded.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct DocumentState {
    /// Its address; of one that was not loaded the one that was requested.
    pub url: String,
    /// The HTTP status; `None` if it is not from the network or was not loaded.
    pub status: Option<u16>,
    /// The redirects before it, in their order.
    pub redirects: Vec<Redirect>,
    /// Why it was not loaded, or not in full.
    pub error: Option<LoadError>,
}

/// A redirect of the server.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Redirect {
    /// The address that redirected.
    pub url: String,
    /// Its HTTP status.
    pub status: u16,
}

/// A tab of a session.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TabInfo {
    /// Its number in the order of opening, from 1; never used again.
    pub number: u32,
    /// The address of its document.
    pub url: String,
    /// The title of its document.
    pub title: String,
    /// Whether it is the current one.
    pub current: bool,
}

/// A frame of a page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FrameInfo {
    /// What the browser calls it; stays the same when its document is replaced.
    pub id: String,
    /// The frame that holds it; `None` for the main frame.
    pub parent: Option<String>,
    /// The address of its document.
    pub url: String,
}

/// What went over the network for a session.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct RequestCounts {
    /// Requests; encrypted ones are counted by connection.
    pub requests: u64,
    /// Bytes of bodies and of encrypted connections, in both directions.
    pub bytes: u64,
    /// Requests that the rules of the network refused.
    pub refused: u64,
}

/// How waiting for a page ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "settled", rename_all = "snake_case")]
pub enum Settled {
    /// Nothing happened for long enough.
    Quiet,
    /// The longest time passed.
    TimedOut {
        /// Whether the document was still loading.
        loading: bool,
        /// The number of requests without an answer.
        requests: usize,
        /// Whether the document was still changing.
        changing: bool,
    },
    /// A script that did not end was stopped.
    Stopped,
    /// There was no browser or no tab to wait for; the next call says why.
    Lost,
}

/// The happenings that have not been taken.
#[derive(Debug, Default)]
pub(super) struct Happenings {
    kept: Vec<Happening>,
    left_out: u64,
}

impl Happenings {
    /// Adds one, unless too many are kept; then it is counted.
    pub(super) fn add(&mut self, happening: Happening) {
        if self.kept.len() < KEPT {
            self.kept.push(happening);
        } else {
            self.left_out += 1;
        }
    }

    /// Takes them.
    pub(super) fn take(&mut self) -> Vec<Happening> {
        let mut taken = std::mem::take(&mut self.kept);
        let count = std::mem::take(&mut self.left_out);
        if count > 0 {
            taken.push(Happening::LeftOut { count });
        }
        taken
    }
}

/// The beginning of a text of a page.
pub(super) fn beginning(text: &str) -> String {
    text.chars().take(KEPT_TEXT).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_out_is_counted() {
        let mut happenings = Happenings::default();
        for number in 0..KEPT + 3 {
            happenings.add(Happening::TabOpened { number: u32::try_from(number).unwrap() });
        }
        let taken = happenings.take();
        assert_eq!((taken.len(), taken.last()), (KEPT + 1, Some(&Happening::LeftOut { count: 3 })));
        assert_eq!(happenings.take(), []);
    }
}
