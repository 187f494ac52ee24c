//! The palette: every command by name, then its argument, with completion.

use nucleo_matcher::Config;
use nucleo_matcher::Matcher;
use nucleo_matcher::Utf32Str;
use nucleo_matcher::pattern::CaseMatching;
use nucleo_matcher::pattern::Normalization;
use nucleo_matcher::pattern::Pattern;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;
use ratatui::text::Span;
use ratatui::text::Text;
use ratatui::widgets::Widget;
use unicode_segmentation::UnicodeSegmentation;

use crate::domain::visible;
use crate::engine::Break;
use crate::engine::Extract;
use crate::engine::Mark;
use crate::tui::command::Argument;
use crate::tui::command::COMMANDS;
use crate::tui::command::named;
use crate::tui::model::Model;
use crate::tui::model::Viewed;
use crate::tui::panes::cells;
use crate::tui::panes::many;
use crate::tui::theme::Role;
use crate::tui::wrap::clip;

/// Rows shown at a time.
const ROWS: usize = 12;
/// More than anybody types; a paste is cut here.
const LONGEST: usize = 2000;

/// What was typed, and the row chosen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Palette {
    input: String,
    chosen: usize,
}

/// A row: what it would make of the input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Offer {
    /// The line it stands for.
    pub(crate) line: String,
    /// What is shown, and which of its characters match.
    shown: String,
    matched: Vec<u32>,
    help: String,
}

impl Palette {
    /// A palette with this already typed.
    pub(crate) fn with(input: String) -> Self {
        Self { input, chosen: 0 }
    }

    pub(crate) fn input(&self) -> &str {
        &self.input
    }

    pub(crate) fn write(&mut self, text: &str) {
        let line: String = text.chars().filter(|c| !c.is_control()).collect();
        if self.input.len() + line.len() <= LONGEST {
            self.input.push_str(&line);
        }
        self.chosen = 0;
    }

    pub(crate) fn erase(&mut self) {
        let last = self.input.grapheme_indices(true).next_back();
        self.input.truncate(last.map_or(0, |(at, _)| at));
        self.chosen = 0;
    }

    pub(crate) fn erase_word(&mut self) {
        let kept = self.input.trim_end();
        self.input.truncate(kept.rfind(' ').map_or(0, |space| space + 1));
        self.chosen = 0;
    }

    pub(crate) fn choose_before(&mut self, offers: &[Offer]) {
        self.chosen = self.chosen.checked_sub(1).unwrap_or(offers.len().saturating_sub(1));
    }

    pub(crate) fn choose_after(&mut self, offers: &[Offer]) {
        self.chosen = if self.chosen + 1 < offers.len() { self.chosen + 1 } else { 0 };
    }

    /// Takes the chosen row over into the input.
    pub(crate) fn complete(&mut self, offers: &[Offer]) {
        if let Some(offer) = offers.get(self.chosen) {
            *self = Self::with(offer.line.clone());
        }
    }

    /// The line that Enter means: what was typed when it says enough, otherwise the chosen row.
    pub(crate) fn line(&self, offers: &[Offer]) -> String {
        let typed = self.input.trim();
        let word = typed.split(' ').next().unwrap_or_default();
        let number = !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
        let taken = |argument| match argument {
            Argument::None | Argument::Breaks => true,
            Argument::Edited => typed == word,
            // The last of a list may be half written: only Tab or an arrow takes an offer.
            Argument::Actions | Argument::Marks => typed != word,
            _ => false,
        };
        let whole = typed.is_empty() || number || named(word).is_some_and(|command| taken(command.argument));
        match offers.get(self.chosen) {
            Some(offer) if !whole || self.chosen > 0 => offer.line.clone(),
            _ => typed.to_owned(),
        }
    }

    /// The rows that fit what was typed, best first.
    pub(crate) fn offers(&self, model: &Model) -> Vec<Offer> {
        match self.input.trim_start().split_once(' ') {
            Some((word, rest)) => match named(word) {
                Some(command) => arguments(model, command.argument, word, rest),
                None => Vec::new(),
            },
            None => commands(model, self.input.trim_start()),
        }
    }
}

fn commands(model: &Model, typed: &str) -> Vec<Offer> {
    let keys = |deed| model.look.keys.keys(deed).join(" ");
    let rows = COMMANDS.iter().map(|row| {
        let space = if row.argument == Argument::None { "" } else { " " };
        let keys = keys(row.deed);
        let help = if keys.is_empty() { row.help.to_owned() } else { format!("{keys} · {}", row.help) };
        (row.name.to_owned(), format!("{}{space}", row.name), help)
    });
    ranked(typed, rows)
}

fn arguments(model: &Model, argument: Argument, word: &str, typed: &str) -> Vec<Offer> {
    let (before, last) = match argument {
        Argument::Breaks => typed.rfind([',', ' ']).map_or(("", typed), |at| typed.split_at(at + 1)),
        Argument::Actions | Argument::Marks => {
            typed.rfind(',').map_or(("", typed), |comma| typed.split_at(comma + 1))
        }
        _ => ("", typed),
    };
    let plain = |names: Vec<String>| names.into_iter().map(|name| (name, String::new())).collect();
    let rows: Vec<(String, String)> = match argument {
        Argument::Level => plain(model.levels.clone()),
        Argument::Theme => plain(model.themes.clone()),
        Argument::Prompt => plain(prompts(model)),
        Argument::Extract => plain(Extract::ALL.map(|extract| extract.name().to_owned()).to_vec()),
        Argument::Action | Argument::Actions => plain(actions(model)),
        Argument::Marks => marks(model),
        Argument::Breaks => {
            let all = Break::ALL.map(|one| (one.name().to_owned(), one.title().to_owned()));
            all.into_iter().chain([("none".to_owned(), "a run goes on to its end".to_owned())]).collect()
        }
        Argument::Edited => plain(["reply", "action", "prompt"].map(String::from).to_vec()),
        Argument::None | Argument::Step => Vec::new(),
    };
    let line = |name: &str| format!("{word} {before}{name}");
    ranked(last.trim(), rows.into_iter().map(|(name, help)| (name.clone(), line(&name), help)))
}

/// Each mark with what it is called and how many steps have it.
fn marks(model: &Model) -> Vec<(String, String)> {
    let faults = model.viewed().map(|viewed| viewed.snapshot.faults.clone()).unwrap_or_default();
    let marks = Mark::ALL.into_iter().map(|mark| {
        let count = many(faults.count(mark), "step");
        (mark.name().to_owned(), format!("{}: {count}", mark.title()))
    });
    marks.chain([("any".to_owned(), "a step with any of them".to_owned())]).collect()
}

fn prompts(model: &Model) -> Vec<String> {
    let prompts = model.viewed().map(|viewed| viewed.snapshot.prompts.iter());
    prompts.into_iter().flatten().map(|prompt| prompt.name.clone()).collect()
}

fn actions(model: &Model) -> Vec<String> {
    let step = model.viewed().and_then(Viewed::step);
    step.map(|step| step.space.names().map(str::to_owned).collect()).unwrap_or_default()
}

/// The rows that match, best first; all of them, in their own order, while nothing is typed.
fn ranked(typed: &str, rows: impl Iterator<Item = (String, String, String)>) -> Vec<Offer> {
    let mut matcher = Matcher::new(Config::DEFAULT.match_paths());
    let pattern = Pattern::parse(typed, CaseMatching::Ignore, Normalization::Smart);
    let mut scored: Vec<(u32, Offer)> = rows
        .filter_map(|(name, line, help)| {
            let (mut buffer, mut hits) = (Vec::new(), Vec::new());
            let score = pattern.indices(Utf32Str::new(&name, &mut buffer), &mut matcher, &mut hits)?;
            hits.sort_unstable();
            let exact = u32::from(name == typed) * 10_000;
            Some((score + exact, Offer { line, shown: name, matched: hits, help }))
        })
        .collect();
    scored.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
    scored.into_iter().map(|(_, offer)| offer).collect()
}

pub(super) fn draw(model: &Model, palette: &Palette, whole: Rect, buf: &mut Buffer) {
    let offers = palette.offers(model);
    let rows = cells(offers.len().clamp(1, ROWS));
    let width = 84.min(whole.width.saturating_sub(4));
    let height = (rows + 4).min(whole.height.saturating_sub(2));
    let place =
        Rect { x: whole.x + (whole.width - width) / 2, y: whole.y + whole.height.min(5) / 3, width, height };
    let foot = "Tab completes · ↑ ↓ choose · Enter does · Esc closes";
    let inner = super::open(model, "Commands", foot, Role::BorderFocus, place, buf);
    let mut lines = vec![prompt(model, palette, inner.width), Line::default()];
    lines.extend(list(model, palette, &offers, usize::from(inner.height.saturating_sub(2)), inner.width));
    Text::from(lines).render(inner, buf);
}

/// The input, its end in sight, and a block where the next letter will stand.
fn prompt(model: &Model, palette: &Palette, width: u16) -> Line<'static> {
    let shown = visible(&palette.input).into_owned();
    let room = usize::from(width.saturating_sub(2));
    let mut rest = shown.as_str();
    while Span::raw(rest).width() > room {
        rest = rest.grapheme_indices(true).nth(1).map_or("", |(at, _)| &rest[at..]);
    }
    Line::from(vec![
        Span::styled(":", model.style(Role::Key)),
        Span::styled(rest.to_owned(), model.style(Role::Text)),
        Span::styled("█", model.style(Role::Key)),
    ])
}

fn list(model: &Model, palette: &Palette, offers: &[Offer], room: usize, width: u16) -> Vec<Line<'static>> {
    if offers.is_empty() {
        return vec![Line::styled(nothing(palette), model.style(Role::Dim))];
    }
    let from = palette.chosen.saturating_sub(room.saturating_sub(1));
    let shown = offers.iter().enumerate().skip(from).take(room);
    shown.map(|(index, offer)| row(model, offer, index == palette.chosen, width)).collect()
}

fn nothing(palette: &Palette) -> &'static str {
    let word = palette.input.split(' ').next().unwrap_or_default();
    match named(word).map(|command| command.argument) {
        Some(Argument::Step) => "the number of a step",
        Some(Argument::None) => "no argument is wanted",
        Some(_) => "nothing known by this name; Enter tries it all the same",
        None if word.parse::<u32>().is_ok() => "Enter looks at this step",
        None => "no such command",
    }
}

fn row(model: &Model, offer: &Offer, chosen: bool, width: u16) -> Line<'static> {
    let base = model.style(if chosen { Role::Selection } else { Role::Text });
    let mut spans = vec![Span::styled(if chosen { "▸ " } else { "  " }, model.style(Role::Key))];
    let (name, name_room) = (clip(&offer.shown, width.saturating_sub(2)), 18);
    for (at, letter) in (0u32..).zip(name.chars()) {
        let hit = offer.matched.binary_search(&at).is_ok();
        spans.push(Span::styled(
            letter.to_string(),
            if hit { base.patch(model.style(Role::Match)) } else { base },
        ));
    }
    let used = Span::raw(name.as_str()).width();
    if !offer.help.is_empty() {
        spans.push(Span::raw(" ".repeat(name_room - used.min(name_room - 1))));
        let room = width.saturating_sub(cells(name_room.max(used + 1) + 2));
        spans.push(Span::styled(clip(&offer.help, room), model.style(Role::Dim)));
    }
    Line::from(spans)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::testing;

    fn offered(typed: &str) -> Vec<String> {
        let mut model = testing::model(120, 40);
        model.levels = ["sokoban/mini/1", "sokoban/mini/8", "sokoban/full/18"].map(String::from).to_vec();
        model.themes = vec!["dark".into(), "light".into()];
        Palette::with(typed.into()).offers(&model).into_iter().map(|offer| offer.line).collect()
    }

    #[test]
    fn the_best_stands_first() {
        assert_eq!(offered("step")[0], "step");
        assert_eq!(offered("ope")[0], "open ");
        assert_eq!(offered("open mini8"), ["open sokoban/mini/8"]);
        assert_eq!(offered("theme l")[0], "theme light");
        assert_eq!(offered("plan Up,Le")[0], "plan Up,Left");
        assert_eq!(offered("").len(), COMMANDS.len());
        assert!(offered("qqqq").is_empty() && offered("nonsense x").is_empty());
    }

    #[test]
    fn what_is_typed_whole_is_taken_as_it_stands() {
        let line = |typed: &str| {
            let palette = Palette::with(typed.into());
            palette.line(&palette.offers(&testing::model(80, 24)))
        };
        assert_eq!((line("42").as_str(), line("step").as_str()), ("42", "step"));
        assert_eq!(line("aband"), "abandon");
        assert_eq!(line("open my/file.xsb#3"), "open my/file.xsb#3");
        assert_eq!((line("").as_str(), line("plan Up,").as_str()), ("", "plan Up,"));
    }

    #[test]
    fn a_paste_cannot_press_enter_nor_flood() {
        let mut palette = Palette::default();
        palette.write("open\n\u{1b}x");
        assert_eq!(palette.input(), "openx");
        palette.write(&"y".repeat(3000));
        assert_eq!(palette.input(), "openx");
    }
}
