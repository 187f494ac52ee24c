//! Colours: the mean over red, green and blue, without the alpha, so that transparent is black.

use super::super::python::number;
use super::super::rules::{PaperRule, Rules};
use super::equal;

/// The largest change of a channel.
const CHANGE: f64 = 256.0;

/// A computed colour.
#[derive(Debug)]
pub(in super::super) struct Colour<'a> {
    source: &'a str,
    channels: Option<[f64; 3]>,
}

impl<'a> Colour<'a> {
    pub(super) fn new(source: &'a str) -> Self {
        Self { source, channels: channels(source) }
    }

    pub(super) fn likeness(&self, generated: &Self, rules: Rules) -> Option<f64> {
        if let (Some(target), Some(generated)) = (self.channels, generated.channels) {
            return Some(mean(target, generated));
        }
        rules.has(PaperRule::CompareMissing).then(|| equal(&self.source, &generated.source))
    }
}

/// The same for two texts.
pub(super) fn likeness(target: &str, generated: &str, rules: Rules) -> Option<f64> {
    Colour::new(target).likeness(&Colour::new(generated), rules)
}

/// The first three numbers in the first parentheses. All numbers there must be readable.
fn channels(source: &str) -> Option<[f64; 3]> {
    if !source.starts_with("rgb") && !source.contains("rgb") {
        return None;
    }
    let inside = source.split('(').nth(1)?.trim_matches(')');
    let mut channels = [None; 3];
    for (index, piece) in inside.split(',').enumerate() {
        // A comma without a space does not separate, and no number has one.
        let piece = if index == 0 { piece } else { piece.strip_prefix(' ')? };
        let read = number(piece)?;
        if let Some(channel) = channels.get_mut(index) {
            *channel = Some(read);
        }
    }
    Some([channels[0]?, channels[1]?, channels[2]?])
}

fn mean(target: [f64; 3], generated: [f64; 3]) -> f64 {
    let share = |channel: usize| {
        let share = 1.0 - (target[channel] - generated[channel]).abs() / CHANGE;
        if share < 0.0 { 0.0 } else { share }
    };
    (share(0) + share(1) + share(2)) / 3.0
}
