//! A text handed to the person's own editor and taken back. The terminal is the editor's meanwhile.

use std::io;
use std::io::Write;
use std::process::ExitStatus;
use std::time::Duration;

use rustix::process;
use tempfile::NamedTempFile;
use tokio::process::Child;
use tokio::process::Command;

use super::exit::Exit;
use super::inbox::Inbox;
use super::inbox::ScreenSignal;
use crate::config::SourceFile;
use crate::tui::text_editor::MAX_BYTES;

/// How long an editor may take to end when it is told to.
const TERMINATE_TIMEOUT: Duration = Duration::from_secs(1);

/// What became of it.
pub(super) enum EditorOutcome {
    /// The text as the editor left it, or in a sentence why there is none.
    Finished(Result<String, String>),
    /// A signal ended the screen.
    Signalled(Exit),
}

/// A text in a file of its own, which only this user can read and which goes with the value.
pub(super) struct ExternalEdit {
    command: Vec<String>,
    file: NamedTempFile,
    /// Editors end a text with a line break; this one had none.
    lacked_final_newline: bool,
}

impl ExternalEdit {
    /// Lays the text into a file for this editor: words as a shell parts them, though there is no shell.
    pub(super) fn new(editor: Option<&str>, text: &str, extension: &str) -> Result<Self, String> {
        let editor = editor.map(str::trim).filter(|editor| !editor.is_empty());
        let editor = editor.ok_or("no editor is known: set VISUAL or EDITOR, such as EDITOR=nano")?;
        let command = shlex::split(editor).filter(|words| !words.is_empty());
        let command = command.ok_or_else(|| format!("the editor {editor:?} has a quote that never ends"))?;
        let file = write_temp_file(text, extension);
        let file =
            file.map_err(|error| format!("the text cannot be laid into a file for the editor: {error}"))?;
        Ok(Self { command, file, lacked_final_newline: !text.ends_with('\n') })
    }

    /// Runs the editor to its end. The terminal must be given back before and taken again after it.
    pub(super) async fn edit(self, inbox: &mut Inbox) -> EditorOutcome {
        let mut command = Command::new(&self.command[0]);
        let mut child = match command.args(&self.command[1..]).arg(self.file.path()).spawn() {
            Ok(child) => child,
            Err(error) => {
                return EditorOutcome::Finished(Err(format!(
                    "the editor {:?} did not start: {error}",
                    self.command[0]
                )));
            }
        };
        match wait(&mut child, inbox).await {
            Ok(status) => EditorOutcome::Finished(self.read_back(status)),
            Err(exit) => EditorOutcome::Signalled(exit),
        }
    }

    fn read_back(&self, status: io::Result<ExitStatus>) -> Result<String, String> {
        let editor = &self.command[0];
        match status {
            Ok(status) if status.success() => {}
            Ok(status) => {
                return Err(format!("the editor {editor:?} failed ({status}): the text is as it was"));
            }
            Err(error) => return Err(format!("the editor {editor:?} was lost: {error}")),
        }
        let sheet = SourceFile::read(self.file.path(), MAX_BYTES as u64)
            .map_err(|problem| format!("what the editor left {}: the text is as it was", problem.message))?;
        let cut = sheet.text.strip_suffix('\n').filter(|_| self.lacked_final_newline);
        Ok(cut.unwrap_or(&sheet.text).to_owned())
    }
}

fn write_temp_file(text: &str, extension: &str) -> io::Result<NamedTempFile> {
    let mut file = tempfile::Builder::new().prefix("mageyard-").suffix(extension).tempfile()?;
    file.write_all(text.as_bytes())?;
    file.flush()?;
    Ok(file)
}

/// Waits for the editor. An interrupt is the editor's own affair; who stops the job stops both.
async fn wait(child: &mut Child, inbox: &mut Inbox) -> Result<io::Result<ExitStatus>, Exit> {
    loop {
        let sign = tokio::select! {
            status = child.wait() => return Ok(status),
            sign = inbox.next_signal() => sign,
        };
        let exit = match sign {
            ScreenSignal::Interrupt | ScreenSignal::Continue | ScreenSignal::Resize => continue,
            ScreenSignal::Stop => {
                // The shell's `fg` wakes the whole job again.
                let _ = process::kill_process(process::getpid(), process::Signal::STOP);
                continue;
            }
            ScreenSignal::Terminate => Exit::Terminated,
            ScreenSignal::HangUp => Exit::HungUp,
        };
        terminate(child).await;
        return Err(exit);
    }
}

/// Asks the editor to end, so that it leaves the terminal in order.
async fn terminate(child: &mut Child) {
    let pid = child.id().and_then(|id| i32::try_from(id).ok()).and_then(process::Pid::from_raw);
    if let Some(pid) = pid {
        let _ = process::kill_process(pid, process::Signal::TERM);
    }
    let _ = tokio::time::timeout(TERMINATE_TIMEOUT, child.wait()).await;
}
