//! `doctor`: what this terminal, these folders and these variables can do.

use std::io::IsTerminal;
use std::path::Path;

use super::check;
use super::config;
use super::context::Context;
use super::exit::Exit;
use super::exit::Failure;
use super::finding::Finding;
use super::finding::Verdict;
use super::finding::print_findings;
use super::model_probe;
use crate::config::Config;
use crate::config::Origin;
use crate::config::Problem;
use crate::config::SettingOverride;
use crate::tui::ColorDepth;

/// Say what this terminal, these folders and settings can do
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Print one object a line
    #[arg(long)]
    json: bool,
    /// Ask a model too, by a few tiny calls; the one of the settings when no name is given
    #[arg(id = PROBE_MODEL, long = "model", value_name = "NAME", num_args = 0..=1, default_missing_value = "")]
    model: Option<String>,
}

/// The name of the flag `--model` here: it sets nothing, and a variable must not make calls.
pub(super) const PROBE_MODEL: &str = "probe";

/// Below this many bytes free, a long experiment is at risk.
const LOW_SPACE: u64 = 256 << 20;

pub(super) fn run(args: &Args, house: &Context) -> Result<Exit, Failure> {
    let variable = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    let mut findings = vec![terminal_size()];
    findings.extend(terminal(&variable));
    findings.extend(folders(house));
    findings.extend(config::findings(house));
    findings.push(shipped_files(house));
    if let Some(name) = &args.model {
        findings.extend(model_probe::findings(&with_model(house, name)?));
    }
    print_findings(&findings, args.json)
}

/// The settings, with this model in them if it is one.
fn with_model(house: &Context, name: &str) -> Result<Config, Problem> {
    let mut sources = house.sources.clone();
    if !name.is_empty() {
        let origin = Origin::Flag("--model".to_owned());
        sources.overrides.push(SettingOverride { name: "model.name", text: name.to_owned(), origin });
    }
    sources.read()
}

fn terminal_size() -> Finding {
    if !std::io::stdout().is_terminal() {
        let advice = "run it in a terminal to see what play can do";
        return Finding::warn("terminal", "standard output is no terminal", advice);
    }
    match crossterm::terminal::size() {
        Ok((columns, rows)) => judge_size(columns, rows),
        Err(error) => Finding::warn("terminal", format!("size unknown: {error}"), "try another terminal"),
    }
}

fn judge_size(columns: u16, rows: u16) -> Finding {
    let found = format!("{columns}x{rows}");
    match (columns, rows) {
        (120.., 40..) => Finding::ok("terminal", format!("{found}, all panes fit")),
        (60.., 16..) => Finding::ok("terminal", format!("{found}, panes are tabs; 120x40 shows all")),
        _ => Finding::warn("terminal", found, "the screen needs 60x16, better 120x40"),
    }
}

/// What variables tell about the terminal.
fn terminal(variable: &dyn Fn(&str) -> Option<String>) -> Vec<Finding> {
    let term = variable("TERM").unwrap_or_default();
    let kind = match term.as_str() {
        "" => Finding::warn("TERM", "not set", "set it to what your terminal is, such as xterm-256color"),
        "dumb" => Finding::warn("TERM", "dumb", "the screen needs more: set it to what your terminal is"),
        term => Finding::ok("TERM", term),
    };
    let inside = if variable("TMUX").is_some() { "tmux" } else { "none" };
    let far = variable("SSH_CONNECTION").or_else(|| variable("SSH_TTY")).is_some();
    vec![
        kind,
        colour(variable, &term),
        encoding(variable),
        Finding::ok("multiplexer", inside),
        Finding::ok("connection", if far { "SSH" } else { "local" }),
    ]
}

fn colour(variable: &dyn Fn(&str) -> Option<String>, term: &str) -> Finding {
    let no_color = variable("NO_COLOR").is_some();
    let more = "if the terminal can do more, set COLORTERM=truecolor";
    match ColorDepth::detect(Some(term), variable("COLORTERM").as_deref(), no_color) {
        ColorDepth::TrueColor => Finding::ok("colour", "24 bit"),
        ColorDepth::Ansi256 => Finding::warn("colour", "256 colours", more),
        ColorDepth::Ansi16 => Finding::warn("colour", "16 colours", more),
        ColorDepth::None if no_color => Finding::ok("colour", "none, as NO_COLOR asks"),
        ColorDepth::None => Finding::warn("colour", "none", more),
    }
}

fn encoding(variable: &dyn Fn(&str) -> Option<String>) -> Finding {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].iter().find_map(|name| variable(name)).unwrap_or_default();
    let plain = locale.to_lowercase().replace('-', "");
    if plain.contains("utf8") {
        return Finding::ok("letters", locale);
    }
    let found = if locale.is_empty() { "no locale is set".to_owned() } else { locale };
    Finding::warn("letters", found, "lines and blocks need UTF-8: set LANG=C.UTF-8")
}

fn folders(house: &Context) -> Vec<Finding> {
    let folders = house.folders();
    let store = house.config().map_or_else(|_| folders.data.clone(), |config| config.store_folder());
    let writable = [
        ("config", &folders.config),
        ("state", &folders.state),
        ("cache", &folders.cache),
        ("store", &store),
    ]
    .map(|(name, folder)| Finding::of(format!("{name} folder"), can_write(folder)));
    writable.into_iter().chain(std::iter::once(free_space(&store))).collect()
}

/// Whether the folder can be written, or made where there is none yet. Nothing is made.
fn can_write(folder: &Path) -> Result<String, Problem> {
    let there = nearest_existing(folder);
    let refused = |what: String| Problem::new(what).with_help("make it a folder that you can write");
    if !there.is_dir() {
        return Err(refused(format!("{} is a file, not a folder", there.display())));
    }
    rustix::fs::access(there, rustix::fs::Access::WRITE_OK | rustix::fs::Access::EXEC_OK)
        .map_err(|error| refused(format!("{} cannot be written: {error}", there.display())))?;
    let note = if there == folder { "" } else { " (none yet)" };
    Ok(format!("{}{note}", folder.display()))
}

/// The folder, or the nearest one above it that exists.
fn nearest_existing(folder: &Path) -> &Path {
    folder.ancestors().find(|path| path.exists()).unwrap_or(Path::new("/"))
}

fn free_space(store: &Path) -> Finding {
    match rustix::fs::statvfs(nearest_existing(store)) {
        Ok(found) => {
            let free = found.f_bavail.saturating_mul(found.f_frsize);
            let words = format!("{} MiB free", free >> 20);
            if free < LOW_SPACE {
                return Finding::warn("store space", words, "make room, or set --store");
            }
            Finding::ok("store space", words)
        }
        Err(error) => Finding::warn("store space", format!("unknown: {error}"), "see df"),
    }
}

fn shipped_files(house: &Context) -> Finding {
    let all = check::findings(house);
    let failed = all.iter().filter(|finding| finding.verdict == Verdict::Fail).count();
    Finding::of(
        "shipped files",
        match failed {
            0 => Ok(format!("{} checked", all.len())),
            count => {
                Err(Problem::new(format!("{count} of {} are wrong", all.len()))
                    .with_help("see mageyard check"))
            }
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn colour_of(vars: &[(&str, &str)]) -> (Verdict, String) {
        let variable =
            |name: &str| vars.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned());
        let term = variable("TERM").unwrap_or_default();
        let finding = colour(&variable, &term);
        (finding.verdict, finding.detail)
    }

    #[test]
    fn the_colour_depth_is_told_from_variables() {
        let ok = |detail: &str| (Verdict::Ok, detail.to_owned());
        assert_eq!(colour_of(&[("COLORTERM", "truecolor")]), ok("24 bit"));
        assert_eq!(colour_of(&[("COLORTERM", "truecolor"), ("NO_COLOR", "1")]), ok("none, as NO_COLOR asks"));
        assert_eq!(colour_of(&[("TERM", "xterm-256color")]).1, "256 colours");
        assert_eq!(colour_of(&[("TERM", "linux")]).1, "16 colours");
    }

    #[test]
    fn a_folder_below_a_file_cannot_be_written() {
        let root = tempfile::tempdir().unwrap();
        let file = root.path().join("file");
        std::fs::write(&file, "").unwrap();
        assert!(can_write(&file.join("below")).unwrap_err().message.ends_with("is a file, not a folder"));
        assert!(can_write(&root.path().join("new")).unwrap().ends_with("(none yet)"));
        assert!(!root.path().join("new").exists());
    }
}
