//! Reads a long journal ahead: one thread reads lines and checks their seals, a second one parses them, and the caller
//! applies those before them. Lines, and damage after them, come in their order.

use std::path::{Path, PathBuf};
use std::sync::mpsc as threads;
use std::{io, thread, vec};

use tokio::sync::mpsc;

use super::error::JournalError;
use super::lineage::Lineage;
use super::reader::{JournalReader, LineParser};
use super::sealed_lines::{Position, SealedLine, disk};
use super::stored_event::JournalLine;

/// A shorter journal is read without threads, in bytes.
const LONG: u64 = 1 << 20;
/// Lines are handed over in groups of about this size, in bytes.
const GROUP: usize = 1 << 17;
/// The number of groups that wait for the next thread.
const WAITING: usize = 4;

/// A journal that is read ahead.
pub(crate) struct ReadAhead {
    source: Source,
    lines: vec::IntoIter<JournalLine>,
}

/// Where the next lines come from.
enum Source {
    /// From the reader itself: the journal is short, or everything has been read.
    Reader(Box<JournalReader>),
    Threads(mpsc::Receiver<Parsed>, PathBuf),
}

/// What the first thread sends: lines with checked seals. At the end it hands the file over.
enum Checked {
    Lines(TextGroup),
    End(Result<Box<Lineage>, JournalError>),
}

/// What the second thread sends: events. The error is that of the line after the last one.
enum Parsed {
    Lines(Vec<JournalLine>),
    End(Result<Box<JournalReader>, JournalError>),
}

/// Lines in one text, each with its end in the text and in its file.
#[derive(Default)]
struct TextGroup {
    text: String,
    ends: Vec<(usize, Position, usize)>,
}

impl ReadAhead {
    /// Reads on from where this reader is.
    pub(crate) fn new(reader: JournalReader) -> Result<Self, JournalError> {
        let long = reader.lines.unread_length()? >= LONG;
        let source = if long { start(reader)? } else { Source::Reader(reader.into()) };
        Ok(Self { source, lines: Vec::new().into_iter() })
    }

    /// The next complete line; `None` at the end of the file.
    pub(crate) async fn next_line(&mut self) -> Result<Option<JournalLine>, JournalError> {
        loop {
            if let Some(line) = self.lines.next() {
                return Ok(Some(line));
            }
            let parsed = match &mut self.source {
                Source::Reader(reader) => return reader.next_line(),
                Source::Threads(parsed, path) => parsed.recv().await.ok_or_else(|| lost(path))?,
            };
            match parsed {
                Parsed::Lines(lines) => self.lines = lines.into_iter(),
                Parsed::End(reader) => self.source = Source::Reader(reader?),
            }
        }
    }

    /// The reader, once all lines were read.
    pub(crate) fn into_reader(self) -> Result<JournalReader, JournalError> {
        match self.source {
            Source::Reader(reader) => Ok(*reader),
            Source::Threads(_, path) => Err(lost(&path)),
        }
    }
}

fn lost(path: &Path) -> JournalError {
    disk(path, io::Error::other("the thread that reads it has ended"))
}

fn start(reader: JournalReader) -> Result<Source, JournalError> {
    let path = reader.path().to_owned();
    let (to_parser, checked) = threads::sync_channel(WAITING);
    let (to_caller, parsed) = mpsc::channel(WAITING);
    let JournalReader { lines, parser, heads } = reader;
    spawn(&path, move || check_lines(lines, &to_parser))?;
    spawn(&path, move || {
        let mut parser = parser;
        let lines = parse_lines(&mut parser, &checked, &to_caller);
        let reader = lines.map(|lines| JournalReader { lines: *lines, parser, heads }.into());
        // Nothing receives it if a line was refused.
        let _ = to_caller.blocking_send(Parsed::End(reader));
    })?;
    Ok(Source::Threads(parsed, path))
}

fn spawn(path: &Path, work: impl FnOnce() + Send + 'static) -> Result<(), JournalError> {
    let started = thread::Builder::new().name("journal".to_owned()).spawn(work);
    started.map(drop).map_err(|source| disk(path, source))
}

/// Sends all lines of the file, until it ends or nothing receives them.
fn check_lines(mut lines: Lineage, to: &threads::SyncSender<Checked>) {
    loop {
        let mut group = TextGroup::default();
        let ended = group.fill(&mut lines);
        if to.send(Checked::Lines(group)).is_err() {
            return;
        }
        match ended {
            Ok(false) => {}
            Ok(true) => return drop(to.send(Checked::End(Ok(lines.into())))),
            Err(error) => return drop(to.send(Checked::End(Err(error)))),
        }
    }
}

impl TextGroup {
    /// Adds lines until it is full; whether the file has ended.
    fn fill(&mut self, lines: &mut Lineage) -> Result<bool, JournalError> {
        while self.text.len() < GROUP {
            let Some(line) = lines.next()? else { return Ok(true) };
            self.text.push_str(line.text);
            self.ends.push((self.text.len(), line.end, line.file));
        }
        Ok(false)
    }

    /// Its lines in order.
    fn lines(&self) -> impl Iterator<Item = SealedLine<'_>> {
        let mut start = 0;
        self.ends.iter().map(move |&(to, end, file)| {
            let from = std::mem::replace(&mut start, to);
            SealedLine { text: self.text.get(from..to).unwrap_or_default(), end, file }
        })
    }
}

/// Parses lines and sends their events until the file ends.
fn parse_lines(
    parser: &mut LineParser,
    checked: &threads::Receiver<Checked>,
    to: &mpsc::Sender<Parsed>,
) -> Result<Box<Lineage>, JournalError> {
    loop {
        let group = match checked.recv() {
            Ok(Checked::Lines(group)) => group,
            Ok(Checked::End(end)) => return end,
            Err(_) => return Err(lost(parser.path())),
        };
        let mut events = Vec::with_capacity(group.ends.len());
        let parsed = group.lines().try_for_each(|line| parser.parse(&line).map(|line| events.push(line)));
        let received = to.blocking_send(Parsed::Lines(events)).is_ok();
        parsed?;
        if !received {
            return Err(lost(parser.path()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::Event;
    use crate::journal::Journal;
    use crate::tests::corridor::head;
    use mageyard_domain::Setting;

    /// A journal that is long enough for the threads, and its lines after the head.
    fn long_journal(folder: &Path) -> (PathBuf, Vec<JournalLine>) {
        let mut journal = Journal::create(folder, &head(Setting::Online, 3, 6)).unwrap();
        while journal.length < 2 * LONG {
            journal.append(7, &Event::PromptSet("p".repeat(200))).unwrap();
        }
        let mut reader = JournalReader::open(journal.path()).unwrap();
        let lines = std::iter::from_fn(|| reader.next_line().unwrap()).collect();
        (journal.path().to_owned(), lines)
    }

    async fn read_ahead(path: &Path) -> (Vec<JournalLine>, Result<JournalReader, String>) {
        let mut ahead = ReadAhead::new(JournalReader::open(path).unwrap()).unwrap();
        assert!(matches!(ahead.source, Source::Threads(..)));
        let mut lines = Vec::new();
        loop {
            match ahead.next_line().await {
                Ok(Some(line)) => lines.push(line),
                Ok(None) => return (lines, Ok(ahead.into_reader().unwrap())),
                Err(error) => return (lines, Err(error.to_string())),
            }
        }
    }

    #[tokio::test]
    async fn a_long_journal_is_read_to_its_end_and_the_reader_continues_there() {
        let folder = tempfile::tempdir().unwrap();
        let (path, expected) = long_journal(folder.path());
        let (lines, reader) = read_ahead(&path).await;
        assert_eq!(lines, expected);
        let mut reader = reader.unwrap();
        assert_eq!((reader.offset(), reader.elapsed().as_millis()), (path.metadata().unwrap().len(), 7));
        let (mut journal, _) = Journal::open(&path).unwrap();
        journal.append(9, &Event::Expired).unwrap();
        assert_eq!(reader.next_line().unwrap().map(|line| line.at), Some(9));
    }

    #[tokio::test]
    async fn damage_is_reported_after_the_lines_before_it_and_a_torn_line_is_known() {
        let folder = tempfile::tempdir().unwrap();
        let (path, expected) = long_journal(folder.path());
        let whole = std::fs::read(&path).unwrap();
        let line_break = whole.iter().skip(whole.len() / 2).position(|byte| *byte == b'\n').unwrap();
        let in_prompt = whole.len() / 2 + line_break + 100;
        for (at, line) in [(in_prompt, "the seal does not match"), (whole.len() - 3, "end with a seal")] {
            let mut bytes = whole.clone();
            bytes[at] ^= 1;
            std::fs::write(&path, &bytes).unwrap();
            let number = 1 + bytes[..at].iter().filter(|byte| **byte == b'\n').count();
            let (lines, reader) = read_ahead(&path).await;
            let error = reader.err().unwrap();
            assert_eq!(lines, expected[..number - 2]);
            assert!(error.contains(&format!(":{number}: ")) && error.contains(line), "{error}");
        }
        std::fs::write(&path, &whole[..whole.len() - 1]).unwrap();
        let (lines, reader) = read_ahead(&path).await;
        assert_eq!(lines.len(), expected.len() - 1);
        assert!(reader.unwrap().torn().is_some());
    }
}
