//! What a browser prints about itself.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use tokio::io::AsyncReadExt;
use tokio::process::ChildStderr;

/// Bytes that are kept.
const KEPT: usize = 600;

/// A part of every warning about a bus of the desktop, which pages do not get.
const BUS: &str = ":ERROR:dbus/";

/// The end of the messages of a browser.
#[derive(Clone, Debug)]
pub(super) struct Messages {
    kept: Arc<Mutex<Vec<u8>>>,
    program: PathBuf,
}

/// The last messages of a browser, each kind in one line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct LastWords {
    /// What may be the reason of its end.
    reason: String,
    /// Warnings that many browsers print at every start: of the shell, if the program is a script, and about a bus of
    /// the desktop.
    warnings: String,
}

impl Messages {
    /// Reads the messages of this program for as long as they are written.
    pub(super) fn read(mut pipe: ChildStderr, program: &Path) -> Self {
        let messages = Self { kept: Arc::default(), program: program.to_owned() };
        let kept = messages.clone();
        tokio::spawn(async move {
            let mut part = vec![0; 4096];
            while let Ok(count @ 1..) = pipe.read(&mut part).await {
                kept.push(&part[..count]);
            }
        });
        messages
    }

    fn push(&self, part: &[u8]) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.extend_from_slice(part);
        let excess = kept.len().saturating_sub(KEPT);
        if excess > 0 {
            // Whole lines stay, if there are any.
            let line = kept[excess..].iter().position(|byte| *byte == b'\n');
            kept.drain(..line.map_or(excess, |end| excess + end + 1));
        }
    }

    /// The messages so far.
    pub(super) fn last_words(&self) -> LastWords {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        LastWords::of(&String::from_utf8_lossy(&kept), &self.program)
    }
}

impl LastWords {
    fn of(text: &str, program: &Path) -> Self {
        let is_warning = |line: &&str| is_of_shell(line, program) || line.contains(BUS);
        let (warnings, reason): (Vec<_>, Vec<_>) = text.lines().partition(is_warning);
        let joined = |lines: Vec<&str>| lines.join(" ").split_whitespace().collect::<Vec<_>>().join(" ");
        Self { reason: joined(reason), warnings: joined(warnings) }
    }

    /// Why the browser ended: what it printed, else this. Warnings are not the reason, but they may help.
    pub(crate) fn or(self, otherwise: String) -> String {
        match (self.reason.as_str(), self.warnings.as_str()) {
            ("", "") => otherwise,
            ("", warnings) => format!("{otherwise} (it printed only warnings: {warnings})"),
            (reason, _) => reason.to_owned(),
        }
    }

    /// What happened, and what was printed before.
    pub(crate) fn after(self, what: String) -> String {
        if self.reason.is_empty() { self.or(what) } else { format!("{what}: {}", self.reason) }
    }
}

/// Whether a shell that runs this script wrote the line: `/usr/bin/chromium: 9: …` or `/usr/bin/chromium: line 9: …`.
fn is_of_shell(line: &str, program: &Path) -> bool {
    let rest = program.to_str().and_then(|program| line.strip_prefix(program)?.strip_prefix(": "));
    let number = rest.map(|rest| rest.strip_prefix("line ").unwrap_or(rest));
    let number = number.and_then(|rest| rest.split_once(':')).map(|(number, _)| number);
    number.is_some_and(|number| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> LastWords {
        LastWords::of(text, Path::new("/usr/bin/chromium"))
    }

    #[test]
    fn a_warning_is_not_the_reason() {
        let warning = "/usr/bin/chromium: 9: [: 25276502016: unexpected operator";
        let closed = || "the pipe was closed".to_owned();
        let both = format!("{warning}\n[1:ERROR] no display\nand more\n");
        assert_eq!(words(&both).or(closed()), "[1:ERROR] no display and more");
        assert_eq!(words(&both).after(closed()), "the pipe was closed: [1:ERROR] no display and more");
        let alone = format!("the pipe was closed (it printed only warnings: {warning})");
        assert_eq!(words(warning).or(closed()), alone);
        assert_eq!(words(warning).after(closed()), alone);
        let bus = "[9:9:1/2:ERROR:dbus/bus.cc:405] Failed to connect to the bus: no address";
        assert_eq!(words(&format!("{bus}\nno room\n{bus}")).or(closed()), "no room");
        assert_eq!((words("").or(closed()), words(" \n").after(closed())), (closed(), closed()));
    }

    #[test]
    fn other_lines_with_the_name_of_the_program_are_its_own() {
        for line in ["/usr/bin/chromium: error", "/usr/bin/chromium: : x", "/usr/bin/chromium2: 9: x", "9: x"]
        {
            assert_eq!(words(line).or(String::new()), line);
        }
        assert_eq!(words("/usr/bin/chromium: line 9: exec: x: not found").reason, "");
    }

    #[test]
    fn whole_lines_are_kept() {
        let messages = Messages { kept: Arc::default(), program: "x".into() };
        messages.push("a line\n".repeat(200).as_bytes());
        messages.push(b"the end");
        let said = messages.last_words().or(String::new());
        assert!(said.starts_with("a line a line") && said.ends_with("a line the end"), "{said}");
        assert!(said.len() <= KEPT, "{}", said.len());
    }
}
