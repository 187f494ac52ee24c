//! What is asked at a step, as chips: each has a text, the words of the verb, and most have values that are known.

use std::collections::BTreeSet;

use crate::model::LineText;
use mageyard_domain::{Window, quoted_words};

/// What a chip is about; the order is that on the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Chip {
    Prompts,
    Samples,
    Am,
    Om,
    Models,
    Views,
    Target,
    /// What has no chip: playing on to the end, leaving out parts, beginning with a text, and settings.
    Other,
}

impl Chip {
    pub(super) const ALL: [Self; 8] = [
        Self::Prompts,
        Self::Samples,
        Self::Am,
        Self::Om,
        Self::Models,
        Self::Views,
        Self::Target,
        Self::Other,
    ];

    /// The name, which is that of the flag.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Prompts => "prompts",
            Self::Samples => "samples",
            Self::Am => "am",
            Self::Om => "om",
            Self::Models => "models",
            Self::Views => "views",
            Self::Target => "target",
            Self::Other => "other",
        }
    }

    /// Whether it has several values, separated by commas.
    pub(super) fn is_list(self) -> bool {
        matches!(self, Self::Prompts | Self::Am | Self::Om | Self::Models | Self::Views)
    }
}

/// A value that can be chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Choice {
    pub(super) text: String,
    /// The digit that chooses it.
    pub(super) digit: Option<char>,
    pub(super) is_chosen: bool,
    /// Whether it is possible with any of the other values.
    pub(super) is_possible: bool,
}

/// The word that plays variants on to the end, and its number if none is written.
const TO_END: &str = "to-end";
const TIMES: &str = "5";
/// What counts besides an action.
const NO_TARGET: &str = "none";
const TARGETS: [&str; 3] = ["optimal", "legal", "readable"];
/// The numbers of samples that arrows choose.
const SAMPLES: [u32; 7] = [1, 2, 3, 5, 10, 20, 50];
/// The largest AM and OM that a digit chooses.
const MOST_WINDOW: u16 = 9;

/// The chips.
#[derive(Clone, Debug)]
pub(crate) struct Chips {
    texts: [LineText; Chip::ALL.len()],
    focus: usize,
    /// The value that arrows have reached.
    cursor: usize,
    /// The text before it was typed in; `None` while nothing is typed.
    before: Option<LineText>,
    /// The names that are known.
    pub(crate) prompts: Vec<String>,
    pub(crate) models: Vec<String>,
    pub(super) actions: Vec<String>,
    /// The views of the environment, that of the step first; empty if there is only one.
    pub(super) views: Vec<String>,
    /// What counts besides actions, as far as the environment offers it.
    pub(super) targets: Vec<&'static str>,
}

impl Chips {
    /// The chips with these texts of prompts, AM, OM and models, and so many samples.
    pub(super) fn new([prompt, am, om, model]: [&str; 4], samples: u32) -> Self {
        let samples = samples.to_string();
        let texts = [prompt, &samples, am, om, model, "", "", ""].map(LineText::new);
        let models = if model.is_empty() { Vec::new() } else { vec![model.to_owned()] };
        Self {
            texts,
            focus: 0,
            cursor: 0,
            before: None,
            prompts: Vec::new(),
            models,
            actions: Vec::new(),
            views: Vec::new(),
            targets: TARGETS.to_vec(),
        }
    }

    /// The chip with the focus.
    pub(super) fn focused(&self) -> Chip {
        Chip::ALL[self.focus]
    }

    pub(super) fn text(&self, chip: Chip) -> &str {
        self.texts[chip as usize].as_str()
    }

    pub(super) fn set_text(&mut self, chip: Chip, text: &str) {
        self.texts[chip as usize] = LineText::new(text);
    }

    /// Moves the focus; `false` at an end.
    pub(super) fn move_focus(&mut self, ahead: bool) -> bool {
        let shown: Vec<Chip> = self.shown().collect();
        let at = shown.iter().position(|chip| *chip == self.focused()).unwrap_or(0);
        let to = if ahead { Some(at + 1) } else { at.checked_sub(1) };
        match to.and_then(|to| shown.get(to)) {
            Some(to) => self.focus_on(*to),
            None => return false,
        }
        true
    }

    /// The chips that are shown: all, but for the views where there is only one.
    pub(super) fn shown(&self) -> impl Iterator<Item = Chip> + use<> {
        let has_views = self.views.len() > 1;
        Chip::ALL.into_iter().filter(move |chip| *chip != Chip::Views || has_views)
    }

    pub(super) fn focus_on(&mut self, chip: Chip) {
        self.focus = chip as usize;
        self.cursor = self.choices().iter().position(|choice| choice.is_chosen).unwrap_or(0);
    }

    /// The index of the value that arrows have reached.
    pub(super) fn cursor(&self) -> usize {
        self.cursor.min(self.choices().len().saturating_sub(1))
    }

    /// The names in the text of a chip.
    fn names(&self, chip: Chip) -> Vec<&str> {
        if chip == Chip::Views && self.text(chip).trim().is_empty() {
            return self.views.first().map(String::as_str).into_iter().collect();
        }
        self.text(chip).split(',').map(str::trim).filter(|name| !name.is_empty()).collect()
    }

    /// The values of the chip with the focus.
    pub(super) fn choices(&self) -> Vec<Choice> {
        let chip = self.focused();
        match chip {
            Chip::Prompts => self.listed(chip, &self.prompts),
            Chip::Models => self.listed(chip, &self.models),
            Chip::Views => self.listed(chip, &self.views),
            Chip::Am | Chip::Om => self.numbers(chip),
            Chip::Samples => {
                let own: Option<u32> = self.text(chip).parse().ok();
                let all: BTreeSet<u32> = SAMPLES.into_iter().chain(own).collect();
                let choice = |number: u32| Choice {
                    text: number.to_string(),
                    digit: None,
                    is_chosen: own == Some(number),
                    is_possible: true,
                };
                all.into_iter().map(choice).collect()
            }
            Chip::Target => self.targets(),
            Chip::Other => Vec::new(),
        }
    }

    /// Known names, and those that are written besides.
    fn listed(&self, chip: Chip, known: &[String]) -> Vec<Choice> {
        let written = self.names(chip);
        let besides = written.iter().filter(|name| !known.iter().any(|known| known == *name));
        let all = known.iter().map(String::as_str).chain(besides.copied());
        let choice = |(place, name): (u32, &str)| Choice {
            text: name.to_owned(),
            digit: digit_of(place),
            is_chosen: written.contains(&name),
            is_possible: true,
        };
        (1..).zip(all).map(choice).collect()
    }

    /// Values of AM or OM; those that are not possible with any value of the other are marked.
    fn numbers(&self, chip: Chip) -> Vec<Choice> {
        let own: BTreeSet<u16> = self.names(chip).iter().filter_map(|text| text.parse().ok()).collect();
        let other = if chip == Chip::Am { Chip::Om } else { Chip::Am };
        let others: Vec<u16> = self.names(other).iter().filter_map(|text| text.parse().ok()).collect();
        let is_possible = |number: u16| {
            let pair = |other: &u16| if chip == Chip::Am { (number, *other) } else { (*other, number) };
            others.iter().map(pair).any(|(am, om)| Window::new(am, om).is_ok())
        };
        let least = u16::from(chip == Chip::Om);
        let all: BTreeSet<u16> = (least..=MOST_WINDOW).chain(own.iter().copied()).collect();
        let choice = |number: u16| Choice {
            text: number.to_string(),
            digit: char::from_digit(number.into(), 10),
            is_chosen: own.contains(&number),
            is_possible: is_possible(number),
        };
        all.into_iter().map(choice).collect()
    }

    fn targets(&self) -> Vec<Choice> {
        let own = self.text(Chip::Target);
        let fixed = std::iter::once(NO_TARGET).chain(self.targets.iter().copied());
        let names: Vec<&str> = fixed.chain(self.actions.iter().map(String::as_str)).collect();
        let besides = Some(own).filter(|own| !own.is_empty() && !names.contains(own));
        let choice = |(place, name): (u32, &str)| Choice {
            text: name.to_owned(),
            digit: digit_of(place),
            is_chosen: name == own || (own.is_empty() && name == NO_TARGET),
            is_possible: true,
        };
        (1..).zip(names.iter().copied().chain(besides)).map(choice).collect()
    }

    /// Moves to another value. Where only one can be chosen, that is chosen.
    pub(super) fn move_cursor(&mut self, by: isize) {
        let last = self.choices().len().saturating_sub(1);
        self.cursor = self.cursor().saturating_add_signed(by).min(last);
        if !self.focused().is_list() {
            self.choose(self.cursor);
        }
    }

    /// Chooses the value of this place, or of several no longer; one is always left.
    pub(super) fn choose(&mut self, place: usize) {
        let chip = self.focused();
        let Some(Choice { text, is_chosen, .. }) = self.choices().get(place).cloned() else { return };
        self.cursor = place;
        if !chip.is_list() {
            let text = if chip == Chip::Target && text == NO_TARGET { "" } else { &text };
            return self.set_text(chip, text);
        }
        let mut names: Vec<String> = self.names(chip).into_iter().map(str::to_owned).collect();
        match is_chosen {
            true if names.len() > 1 => names.retain(|name| *name != text),
            true => {}
            false => names.push(text),
        }
        // The view of the step is not written: it is that of every ask without a view.
        let is_own = chip == Chip::Views && names.as_slice() == self.views.get(..1).unwrap_or_default();
        let text = if is_own { String::new() } else { names.join(",") };
        self.set_text(chip, &text);
    }

    /// Chooses the value of this digit; a digit of the samples begins a number. `false` if there is none.
    pub(super) fn choose_digit(&mut self, digit: char) -> bool {
        if self.focused() == Chip::Samples {
            self.begin_typing(true);
            self.insert(digit.encode_utf8(&mut [0; 4]));
            return true;
        }
        let place = self.choices().iter().position(|choice| choice.digit == Some(digit));
        if let Some(place) = place {
            self.choose(place);
        }
        place.is_some()
    }

    /// Begins to type in the text of the chip, or in an empty one.
    pub(super) fn begin_typing(&mut self, is_replaced: bool) {
        let text = &mut self.texts[self.focus];
        self.before.get_or_insert_with(|| text.clone());
        if is_replaced {
            text.clear();
        }
    }

    /// Whether the text of the chip is typed.
    pub(super) fn is_typing(&self) -> bool {
        self.before.is_some()
    }

    /// The text that is typed.
    pub(super) fn typed_mut(&mut self) -> &mut LineText {
        &mut self.texts[self.focus]
    }

    /// Adds to the text of the chip. Playing on has its own number, so that of the samples goes.
    pub(super) fn insert(&mut self, text: &str) {
        let was_to_end = self.plays_on();
        self.typed_mut().insert(text);
        if self.plays_on() && !was_to_end {
            self.set_text(Chip::Samples, "");
        }
    }

    /// Ends typing; the text from before comes back if it is not kept.
    pub(super) fn end_typing(&mut self, is_kept: bool) {
        if let Some(before) = self.before.take().filter(|_| !is_kept) {
            self.texts[self.focus] = before;
        }
        self.cursor = self.choices().iter().position(|choice| choice.is_chosen).unwrap_or(0);
    }

    /// Whether the variants are played on to the end.
    fn plays_on(&self) -> bool {
        let is_it = |word: &str| word.split('=').next() == Some(TO_END);
        quoted_words(self.text(Chip::Other)).into_iter().any(is_it)
    }

    /// What is asked in one line.
    pub(super) fn words(&self) -> String {
        // The target may have several words.
        let order = Chip::ALL.into_iter().filter(|chip| *chip != Chip::Target).chain([Chip::Target]);
        let word = |chip: Chip| match (self.text(chip).trim(), chip) {
            ("", _) => None,
            (text, Chip::Other) => Some(text.to_owned()),
            (text, chip) => Some(format!("{}={text}", chip.name())),
        };
        order.filter_map(word).collect::<Vec<_>>().join(" ")
    }

    /// Changes the chips that these words name, such as `prompts=A,B samples=20` or `--prompts A,B`; the others stay. What
    /// has no chip goes into the last one; the target may have several words. `to-end` needs no number, and takes the place
    /// of the samples.
    pub(super) fn set_words(&mut self, words: &str) {
        let mut at = Chip::Other;
        let mut names_samples = false;
        let mut played = None;
        for word in quoted_words(words) {
            let bare = word.strip_prefix("--").or((word == TO_END).then_some(word));
            let (name, value) = bare.unwrap_or(word).split_once('=').unwrap_or((bare.unwrap_or(""), ""));
            let named = Chip::ALL.into_iter().find(|chip| chip.name() == name && *chip != Chip::Other);
            if let Some(chip) = named {
                names_samples |= chip == Chip::Samples;
                at = chip;
                self.set_text(chip, value);
            } else if name == TO_END {
                at = Chip::Other;
                played = Some(value.to_owned());
            } else if played.as_deref() == Some("") && at == Chip::Other && word.parse::<u32>().is_ok() {
                played = Some(word.to_owned());
            } else {
                at = self.add_word(at, word, bare.is_some());
            }
        }
        if let Some(times) = played {
            let times = if times.is_empty() { TIMES } else { &times };
            self.add_word(Chip::Other, &format!("{TO_END}={times}"), true);
            if !names_samples {
                self.set_text(Chip::Samples, "");
            }
        }
    }

    /// Adds a word that names no chip: to the target or an empty chip before it, else to the last chip, which is returned.
    fn add_word(&mut self, at: Chip, word: &str, is_name: bool) -> Chip {
        let takes_word = !is_name && (at == Chip::Target || self.text(at).is_empty());
        let at = if takes_word { at } else { Chip::Other };
        let text = &mut self.texts[at as usize];
        let gap = if text.as_str().is_empty() { "" } else { " " };
        text.insert(&format!("{gap}{word}"));
        at
    }
}

/// The digit of a place from 1; later ones have none.
fn digit_of(place: u32) -> Option<char> {
    char::from_digit(place, 10)
}
