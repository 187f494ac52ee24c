//! `doctor --bandwidth`: the bytes that the screen sends, and how fast the link to the terminal is.

use std::io::IsTerminal;
use std::sync::Arc;

use tokio_util::sync::CancellationToken;

use crate::{appearance, drawing};
use mageyard_agents::request_reader;
use mageyard_cli::context::Context;
use mageyard_cli::exit::Failure;
use mageyard_cli::finding::Finding;
use mageyard_cli::runtime::single_thread_runtime;
use mageyard_config::{Config, LinkSetting, Origin, PictureForm, SettingOverride};
use mageyard_engine::Snapshot;
use mageyard_screen::{Appearance, CountedTerminal, OffscreenScreen};
use mageyard_terminal::surroundings::{can_ask_terminal, is_in_tmux, terminal_size};
use mageyard_terminal::{LinkProbe, measure_link};

/// The agent whose screens are counted, on the level that `play` opens: it needs no key.
const AGENT: (&str, &str) = ("play.agent", "random");
/// The half-steps that are played: two steps.
const HALVES: usize = 4;
/// The size of the screen without a terminal.
const LARGE: (u16, u16) = (120, 40);
/// What is counted: a slow link draws letters, whatever the form.
const COUNTED: [(LinkSetting, PictureForm); 6] = [
    (LinkSetting::Slow, PictureForm::HalfBlocks),
    (LinkSetting::Fast, PictureForm::Kitty),
    (LinkSetting::Fast, PictureForm::Iterm2),
    (LinkSetting::Fast, PictureForm::Sixel),
    (LinkSetting::Fast, PictureForm::HalfBlocks),
    (LinkSetting::Fast, PictureForm::Braille),
];

/// The bytes of a screen.
struct ScreenBytes {
    first: usize,
    /// Of each half-step: the reply, and what its action does.
    halves: Vec<usize>,
    closed: usize,
}

/// Measures the link, and counts the bytes of the screen for each form of pictures.
pub(crate) fn findings(context: &Context) -> Result<Vec<Finding>, Failure> {
    let mut sources = context.sources.clone();
    let origin = Origin::Flag("--bandwidth".to_owned());
    sources.overrides.push(SettingOverride::new(AGENT.0, AGENT.1, origin));
    let config = sources.read()?;
    let look = appearance::load(context.folders(), &config)?;
    let snapshots = single_thread_runtime()?.block_on(snapshots(context, &config))?;
    let (link, rate) = link_finding();
    let size = if std::io::stdout().is_terminal() { terminal_size() } else { LARGE };
    let mut findings = vec![link];
    for (link, form) in COUNTED {
        let bytes = count(&snapshots, &look, CountedTerminal { form, link, repeats: true }, size)?;
        let shown = if link == LinkSetting::Slow { "letters" } else { form.name() };
        findings.push(Finding::ok(format!("link {}, {shown}", link.name()), describe(&bytes, size, rate)));
    }
    Ok(findings)
}

/// The snapshots after each half of the first steps.
async fn snapshots(context: &Context, config: &Config) -> Result<Vec<Arc<Snapshot>>, Failure> {
    let level = &config.settings().play.level;
    let halves = u32::try_from(HALVES).unwrap_or(u32::MAX);
    let mut controller = drawing::controller(context, config, level, halves, false)?;
    let mut snapshots = Vec::new();
    for _ in 0..=HALVES {
        controller.half(&CancellationToken::new()).await.map_err(Failure::running)?;
        snapshots.push(Arc::new(controller.snapshot(&config.store_folder())));
    }
    Ok(snapshots)
}

/// The bytes of the first screen, of each half-step, and of closing the help.
fn count(
    snapshots: &[Arc<Snapshot>],
    look: &Appearance,
    terminal: CountedTerminal,
    size: (u16, u16),
) -> Result<ScreenBytes, Failure> {
    let (Some(first), halves) = (snapshots.first(), snapshots.get(1..).unwrap_or_default()) else {
        return Err(Failure::running("the level has no steps"));
    };
    let mut screen = OffscreenScreen::new(first.clone(), look, request_reader(), size);
    screen.set_terminal(terminal);
    let first = screen.send().len();
    let half = |snapshot: &Arc<Snapshot>| {
        screen.show(snapshot.clone());
        screen.send().len()
    };
    let halves = halves.iter().map(half).collect();
    let mut press = |keys: &str| screen.press(keys).map(|()| screen.send().len()).map_err(Failure::running);
    press("?")?;
    Ok(ScreenBytes { first, halves, closed: press("esc")? })
}

/// `120x40: first screen 3.6 KB, steps 0.4 + 0.8, 0.5 + 0.8 KB, help closed 3.7 KB; at 1.5 KB/s: 2.4 s, ...`.
fn describe(bytes: &ScreenBytes, (width, height): (u16, u16), rate: Option<f64>) -> String {
    let kilobytes = |bytes: usize| f64::from(u32::try_from(bytes).unwrap_or(u32::MAX)) / 1e3;
    let steps: Vec<String> = bytes
        .halves
        .chunks(2)
        .map(|step| {
            step.iter().map(|half| format!("{:.1}", kilobytes(*half))).collect::<Vec<_>>().join(" + ")
        })
        .collect();
    let step = bytes.halves.iter().sum::<usize>() / bytes.halves.len().div_ceil(2).max(1);
    let first = kilobytes(bytes.first);
    let closed = kilobytes(bytes.closed);
    let times = rate.map(|rate| {
        let seconds = |kilobytes: f64| kilobytes * 1e3 / rate;
        format!("; here {:.1} s and {:.1} s a step", seconds(first), seconds(kilobytes(step)))
    });
    format!(
        "{width}x{height}: first screen {first:.1} KB, steps {} KB, help closed {closed:.1} KB{}",
        steps.join(", "),
        times.unwrap_or_default()
    )
}

/// The link as measured now, and its bytes a second.
fn link_finding() -> (Finding, Option<f64>) {
    const NAME: &str = "bandwidth";
    if !(std::io::stdin().is_terminal() && std::io::stdout().is_terminal()) {
        return (Finding::ok(NAME, "not measured: standard input and output are not a terminal"), None);
    }
    if !can_ask_terminal() {
        return (Finding::ok(NAME, "not measured: the terminal of this TERM is not asked"), None);
    }
    let LinkProbe { round_trip, rate, .. } = match measure_link() {
        Ok(probe) => probe,
        Err(error) => {
            let found = format!("the terminal cannot be asked: {error}");
            return (Finding::warn(NAME, found, "set screen.link"), None);
        }
    };
    let found = match (round_trip, rate) {
        (Some(trip), Some(rate)) => {
            format!("{:.1} KB/s, round trip {} ms", rate / 1e3, trip.as_millis())
        }
        (Some(_), None) => "so slow that the second answer did not come in time".to_owned(),
        (None, _) => "the terminal did not answer".to_owned(),
    };
    if is_in_tmux() {
        let found = format!("{found}, as far as tmux, which answers itself");
        return (Finding::warn(NAME, found, "if the terminal is far away, set screen.link to slow"), rate);
    }
    (Finding::ok(NAME, found), rate)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bytes_are_said_with_their_time() {
        let bytes = ScreenBytes { first: 3_600, halves: vec![400, 800, 500, 700], closed: 3_700 };
        assert_eq!(
            describe(&bytes, (120, 40), Some(1_500.0)),
            "120x40: first screen 3.6 KB, steps 0.4 + 0.8, 0.5 + 0.7 KB, help closed 3.7 KB; here 2.4 s and 0.8 s a step"
        );
        assert!(describe(&bytes, (80, 24), None).ends_with("help closed 3.7 KB"));
    }
}
