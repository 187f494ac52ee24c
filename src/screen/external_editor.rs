//! Edits a text in the user's own editor, which has the terminal meanwhile.

use std::ffi::OsStr;
use std::io;
use std::io::Write;
use std::process::ExitStatus;
use std::time::Duration;

use rustix::process;
use tempfile::NamedTempFile;
use tokio::process::{Child, Command};

use super::inbox::{Inbox, ScreenSignal};
use mageyard_config::SourceFile;
use mageyard_terminal::{ScreenExit, TEXT_LIMIT};

/// How long an editor may take to end after SIGTERM.
const TERMINATE_TIMEOUT: Duration = Duration::from_secs(1);

/// The command of the user's editor.
pub(super) fn editor() -> Option<String> {
    let mut named = ["VISUAL", "EDITOR"].into_iter().filter_map(|name| std::env::var(name).ok());
    named.find(|editor| !editor.trim().is_empty()).or_else(|| {
        let path = std::env::var_os("PATH")?;
        installed_editor(&path).map(str::to_owned)
    })
}

/// Editors that are tried in this order where neither `VISUAL` nor `EDITOR` is set.
const EDITORS: [&str; 6] = ["sensible-editor", "editor", "nano", "vim", "vi", "emacs"];

/// The first of the usual editors in the folders of `PATH`.
fn installed_editor(path: &OsStr) -> Option<&'static str> {
    EDITORS.into_iter().find(|name| std::env::split_paths(path).any(|folder| folder.join(name).is_file()))
}

/// How editing ended.
pub(super) enum EditorOutcome {
    /// The edited text, or why there is none.
    Finished(Result<String, String>),
    /// A signal ends the screen.
    Signalled(ScreenExit),
}

/// A text in a temporary file that only this user can read; the file is removed on drop.
pub(super) struct ExternalEdit {
    command: Vec<String>,
    file: NamedTempFile,
    /// The text had no final newline; the one that editors add is removed.
    lacked_final_newline: bool,
}

impl ExternalEdit {
    /// Writes the text to a file for this editor command, which is split into words as by a shell.
    pub(super) fn new(editor: Option<&str>, text: &str, extension: &str) -> Result<Self, String> {
        let editor = editor.map(str::trim).filter(|editor| !editor.is_empty());
        let editor = editor
            .ok_or("no editor found: set VISUAL or EDITOR, such as EDITOR=nano, or install nano or vi")?;
        let command = shlex::split(editor).filter(|words| !words.is_empty());
        let command =
            command.ok_or_else(|| format!("the editor command {editor:?} has an unclosed quote"))?;
        let file = write_temp_file(text, extension);
        let file =
            file.map_err(|error| format!("cannot write the text to a file for the editor: {error}"))?;
        Ok(Self { command, file, lacked_final_newline: !text.ends_with('\n') })
    }

    /// Runs the editor until it exits. The terminal must be released before and acquired again after.
    pub(super) async fn edit(self, inbox: &mut Inbox) -> EditorOutcome {
        let mut command = Command::new(&self.command[0]);
        let mut child = match command.args(&self.command[1..]).arg(self.file.path()).spawn() {
            Ok(child) => child,
            Err(error) => {
                return EditorOutcome::Finished(Err(format!(
                    "cannot start the editor {:?}: {error}",
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
                return Err(format!("the editor {editor:?} failed ({status}); the text is unchanged"));
            }
            Err(error) => return Err(format!("cannot wait for the editor {editor:?}: {error}")),
        }
        let sheet = SourceFile::read(self.file.path(), TEXT_LIMIT as u64)
            .map_err(|problem| format!("the edited file {}; the text is unchanged", problem.message))?;
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

/// Waits for the editor, which handles an interrupt itself; a stop signal stops both.
async fn wait(child: &mut Child, inbox: &mut Inbox) -> Result<io::Result<ExitStatus>, ScreenExit> {
    loop {
        let sign = tokio::select! {
            status = child.wait() => return Ok(status),
            sign = inbox.next_signal() => sign,
        };
        let exit = match sign {
            ScreenSignal::Interrupt | ScreenSignal::Continue | ScreenSignal::Resize => continue,
            ScreenSignal::Stop => {
                // The shell's `fg` continues the whole job.
                let _ = process::kill_process(process::getpid(), process::Signal::STOP);
                continue;
            }
            ScreenSignal::Terminate => ScreenExit::Terminated,
            ScreenSignal::HangUp => ScreenExit::HungUp,
        };
        terminate(child).await;
        return Err(exit);
    }
}

/// Ends the editor by SIGTERM, so that it can restore the terminal.
async fn terminate(child: &mut Child) {
    let pid = child.id().and_then(|id| i32::try_from(id).ok()).and_then(process::Pid::from_raw);
    if let Some(pid) = pid {
        let _ = process::kill_process(pid, process::Signal::TERM);
    }
    let _ = tokio::time::timeout(TERMINATE_TIMEOUT, child.wait()).await;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_variables_the_first_usual_editor_on_the_path_is_used() {
        let first = tempfile::tempdir().unwrap();
        let second = tempfile::tempdir().unwrap();
        let path = std::env::join_paths([first.path(), second.path()]).unwrap();
        assert_eq!(installed_editor(&path), None);
        std::fs::write(first.path().join("vi"), "").unwrap();
        assert_eq!(installed_editor(&path), Some("vi"));
        std::fs::write(second.path().join("nano"), "").unwrap();
        assert_eq!(installed_editor(&path), Some("nano"));
    }
}
