//! `doctor`: checks the terminal, the folders, the settings, the browser and, on request, the model server.

use std::io::IsTerminal;
use std::path::Path;

use super::context::Context;
use super::exit::{Exit, Failure};
use super::finding::{Finding, Verdict, print_findings};
use super::picture_finding::AskedTerminal;
use super::runtime::single_thread_runtime;
use super::{browser_finding, check, config, picture_finding, program_finding, suggested_fix};
use mageyard_config::{Config, Origin, Problem, SettingOverride};
use mageyard_lab::{Lab, ModelCheck, check_model, unix_time};
use mageyard_terminal::ColorDepth;
use mageyard_terminal::surroundings;

/// Check the terminal, folders, settings, browser and model server
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Print JSON, one object per line
    #[arg(long)]
    json: bool,
    /// Also test a model or profile with a few small requests [default: the model.name setting]
    #[arg(id = PROBE_MODEL, long = "model", value_name = "NAME", num_args = 0..=1, default_missing_value = "")]
    model: Option<String>,
    /// Also count the bytes that the screen sends, and measure the link to the terminal
    #[arg(long)]
    bandwidth: bool,
    /// Fail if there is no browser that works, for environments with pages
    #[arg(long)]
    browser: bool,
    /// Write the settings that would avoid errors of the model server into mageyard.toml
    #[arg(long, requires = PROBE_MODEL)]
    fix: bool,
}

/// The id of the flag `--model` here. It has no variable, so that a variable never causes requests.
pub(super) const PROBE_MODEL: &str = "probe";

/// Free bytes below which a long experiment is at risk.
const LOW_SPACE: u64 = 256 << 20;

pub(super) fn run(args: &Args, context: &Context) -> Result<Exit, Failure> {
    let variable = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    let asked = AskedTerminal::ask();
    let mut findings = vec![terminal_size()];
    findings.extend(terminal(&variable, asked.depth()));
    findings.push(picture_finding::finding(&asked));
    if args.bandwidth {
        findings.extend(context.screen.bandwidth(context)?);
    }
    findings.extend(folders(context));
    findings.extend(config::findings(context));
    findings.push(shipped_files(context));
    if let Ok(config) = context.config() {
        findings.push(browser_finding::finding(&config, args.browser)?);
        findings.extend(program_finding::findings(context, &config)?);
    }
    if let Some(name) = &args.model {
        let config = with_model(context, name)?;
        let checks = checks(&context.lab, &config)?;
        findings.extend(checks.iter().map(Finding::from));
        if args.fix {
            let settings: Vec<_> = checks.into_iter().filter_map(|check| check.setting).collect();
            findings.extend(suggested_fix::apply(&config, &settings));
        }
    }
    print_findings(&findings, args.json)
}

/// The checks of the model server.
fn checks(lab: &Lab, config: &Config) -> Result<Vec<ModelCheck>, Failure> {
    let seed = u64::try_from(unix_time().as_nanos() % u128::from(u64::MAX)).unwrap_or_default();
    Ok(single_thread_runtime()?.block_on(check_model(lab, config, seed, &mut |_| ())))
}

impl From<&ModelCheck> for Finding {
    fn from(check: &ModelCheck) -> Self {
        let ModelCheck { name, evidence, advice, ability, problem, .. } = check;
        let finding = match (problem, advice) {
            (Some(problem), _) => Self::fail(name, problem.clone()),
            (None, Some(advice)) => Self::warn(name, evidence, advice),
            (None, None) => Self::ok(name, evidence),
        };
        finding.of_ability(*ability)
    }
}

/// The settings with this model or profile, if a name is given.
fn with_model(context: &Context, name: &str) -> Result<Config, Problem> {
    let mut sources = context.sources.clone();
    if !name.is_empty() {
        let origin = Origin::Flag("--model".to_owned());
        sources.overrides.push(SettingOverride::new("model.name", name, origin));
    }
    sources.read()
}

fn terminal_size() -> Finding {
    if !std::io::stdout().is_terminal() {
        let advice = "run this in a terminal to check what the screen can show";
        return Finding::warn("terminal", "standard output is not a terminal", advice);
    }
    let (columns, rows) = surroundings::terminal_size();
    judge_size(columns, rows)
}

fn judge_size(columns: u16, rows: u16) -> Finding {
    let found = format!("{columns}x{rows}");
    match (columns, rows) {
        (120.., 40..) => Finding::ok("terminal", format!("{found}, shows all panes")),
        (60.., 16..) => Finding::ok("terminal", format!("{found}, shows panes as tabs; 120x40 shows all")),
        _ => Finding::warn("terminal", found, "the screen needs at least 60x16, better 120x40"),
    }
}

/// Checks of the terminal by its variables, and its colours.
fn terminal(variable: &dyn Fn(&str) -> Option<String>, depth: (ColorDepth, &'static str)) -> Vec<Finding> {
    let term = variable("TERM").unwrap_or_default();
    let kind = match term.as_str() {
        "" => Finding::warn("TERM", "not set", "set it to the type of your terminal, such as xterm-256color"),
        "dumb" => Finding::warn(
            "TERM",
            "dumb",
            "the screen is written in lines (--linear); for the full screen set it to the type of your terminal",
        ),
        term => Finding::ok("TERM", term),
    };
    let inside = match (variable("TMUX"), variable("STY")) {
        (Some(_), _) => "tmux",
        (None, Some(_)) => "GNU screen",
        (None, None) => "none",
    };
    let far = variable("SSH_CONNECTION").or_else(|| variable("SSH_TTY")).is_some();
    vec![
        kind,
        colour(depth, variable("NO_COLOR").is_some()),
        encoding(variable),
        Finding::ok("multiplexer", inside),
        Finding::ok("connection", if far { "SSH" } else { "local" }),
    ]
}

fn colour((depth, why): (ColorDepth, &'static str), no_color: bool) -> Finding {
    let more = "if the terminal can do more, set COLORTERM=truecolor";
    match depth {
        ColorDepth::TrueColor => Finding::ok("colour", format!("24 bit: {why}")),
        ColorDepth::Ansi256 => Finding::warn("colour", format!("256 colours: {why}"), more),
        ColorDepth::Ansi16 => Finding::warn("colour", format!("16 colours: {why}"), more),
        ColorDepth::None if no_color => Finding::ok("colour", "none, as NO_COLOR asks"),
        ColorDepth::None => Finding::warn("colour", format!("none: {why}"), more),
    }
}

fn encoding(variable: &dyn Fn(&str) -> Option<String>) -> Finding {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].iter().find_map(|name| variable(name)).unwrap_or_default();
    let plain = locale.to_lowercase().replace('-', "");
    if plain.contains("utf8") {
        return Finding::ok("letters", locale);
    }
    let found = if locale.is_empty() { "no locale set".to_owned() } else { locale };
    Finding::warn("encoding", found, "box drawing needs UTF-8: set LANG=C.UTF-8")
}

fn folders(context: &Context) -> Vec<Finding> {
    let folders = context.folders();
    let store = context.config().map_or_else(|_| folders.data.clone(), |config| config.store_folder());
    let writable = [
        ("config", &folders.config),
        ("state", &folders.state),
        ("cache", &folders.cache),
        ("store", &store),
    ]
    .map(|(name, folder)| Finding::of(format!("{name} folder"), can_write(folder)));
    writable.into_iter().chain(std::iter::once(free_space(&store))).collect()
}

/// Whether the folder is writable, or can be created. Nothing is created.
fn can_write(folder: &Path) -> Result<String, Problem> {
    let there = nearest_existing(folder);
    let refused = |what: String| Problem::new(what).with_help("choose a folder that you can write to");
    if !there.is_dir() {
        return Err(refused(format!("{} is a file, not a folder", there.display())));
    }
    rustix::fs::access(there, rustix::fs::Access::WRITE_OK | rustix::fs::Access::EXEC_OK)
        .map_err(|error| refused(format!("{} cannot be written: {error}", there.display())))?;
    let note = if there == folder { "" } else { " (does not exist yet)" };
    Ok(format!("{}{note}", folder.display()))
}

/// The folder, or its nearest ancestor that exists.
fn nearest_existing(folder: &Path) -> &Path {
    folder.ancestors().find(|path| path.exists()).unwrap_or(Path::new("/"))
}

fn free_space(store: &Path) -> Finding {
    match rustix::fs::statvfs(nearest_existing(store)) {
        Ok(found) => {
            let free = found.f_bavail.saturating_mul(found.f_frsize);
            let words = format!("{} MiB free", free >> 20);
            if free < LOW_SPACE {
                return Finding::warn(
                    "store space",
                    words,
                    "free some space, or use another folder with --store",
                );
            }
            Finding::ok("store space", words)
        }
        Err(error) => Finding::warn("store space", format!("unknown: {error}"), "check with df"),
    }
}

fn shipped_files(context: &Context) -> Finding {
    let all = check::findings(context);
    let failed = all.iter().filter(|finding| finding.verdict == Verdict::Fail).count();
    Finding::of(
        "shipped files",
        match failed {
            0 => Ok(format!("{} checked", all.len())),
            count => {
                Err(Problem::new(format!("{count} of {} failed", all.len()))
                    .with_help("run `mageyard check`"))
            }
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_said_with_their_reason() {
        let said = |depth, no_color| {
            let finding = colour((depth, "by TERM and COLORTERM"), no_color);
            (finding.verdict, finding.detail)
        };
        let ok = |detail: &str| (Verdict::Ok, detail.to_owned());
        assert_eq!(said(ColorDepth::TrueColor, false), ok("24 bit: by TERM and COLORTERM"));
        assert_eq!(said(ColorDepth::None, true), ok("none, as NO_COLOR asks"));
        assert_eq!(said(ColorDepth::Ansi256, false).1, "256 colours: by TERM and COLORTERM");
        assert_eq!(said(ColorDepth::None, false), (Verdict::Warn, "none: by TERM and COLORTERM".to_owned()));
    }

    #[test]
    fn a_folder_below_a_file_cannot_be_written() {
        let root = tempfile::tempdir().unwrap();
        let file = root.path().join("file");
        std::fs::write(&file, "").unwrap();
        assert!(can_write(&file.join("below")).unwrap_err().message.ends_with("is a file, not a folder"));
        assert!(can_write(&root.path().join("new")).unwrap().ends_with("(does not exist yet)"));
        assert!(!root.path().join("new").exists());
    }
}
