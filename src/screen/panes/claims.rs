//! What an analysis claims: on the frame where a thing is claimed to be and where it is, and in the reply which words hold.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Modifier;
use ratatui::text::{Line, Span};

use super::boxes;
use super::paragraph::hanging_indent;
use crate::model::{ClaimMark, Model};
use mageyard_domain::{ActionShape, Claim, PixelBox, sanitize};
use mageyard_engine::{Attempt, Step};
use mageyard_terminal::{Placement, StyleRole};

impl ClaimMark {
    /// Its sign, by which it can be told apart without colours.
    pub(super) fn sign(self) -> &'static str {
        match self {
            Self::Claimed => "✗",
            Self::Actual => "○",
        }
    }

    pub(super) fn role(self) -> StyleRole {
        match self {
            Self::Claimed => StyleRole::Fault,
            Self::Actual => StyleRole::Ok,
        }
    }

    fn words(self) -> &'static str {
        match self {
            Self::Claimed => "claimed",
            Self::Actual => "is there",
        }
    }
}

/// The signs that are drawn, with what they mean: `✗ claimed ○ is there`. `None` if none has a place.
pub(super) fn legend(model: &Model) -> Option<String> {
    let signs: Vec<String> =
        drawn_marks(model).iter().map(|mark| format!("{} {}", mark.sign(), mark.words())).collect();
    (!signs.is_empty()).then(|| signs.join(" "))
}

/// The kinds of marks that have a place.
fn drawn_marks(model: &Model) -> Vec<ClaimMark> {
    let marks = model.claim_marks();
    let has = |kind: &ClaimMark| marks.iter().any(|(mark, _)| mark == kind);
    [ClaimMark::Claimed, ClaimMark::Actual].into_iter().filter(has).collect()
}

/// Draws the marks over the shown part of the first picture of the step in this area.
pub(super) fn draw(model: &Model, shown: Placement, area: Rect, buf: &mut Buffer) {
    for (mark, shape) in model.claim_marks() {
        boxes::mark(model, place_of(shape), (mark.sign(), mark.role()), shown, area, buf);
    }
}

/// The part of the picture that a shape is about.
pub(super) fn place_of(shape: &ActionShape) -> PixelBox {
    match shape {
        ActionShape::Area(part) => *part,
        ActionShape::Point { at: (left, top), .. } | ActionShape::Arrow { to: (left, top), .. } => {
            PixelBox { left: *left, top: *top, width: 1, height: 1 }
        }
    }
}

/// How many claims of a reply were read, which are wrong, and what the signs on the frame mean.
pub(super) fn lines(model: &Model, step: &Step, attempt: &Attempt, width: u16) -> Vec<Line<'static>> {
    let claims = model.claims_of(step, attempt);
    if claims.is_empty() {
        return Vec::new();
    }
    let wrong: Vec<&Claim> = claims.iter().filter(|claim| !claim.holds).collect();
    let count = match wrong.len() {
        0 => "none wrong".to_owned(),
        count => format!("{count} wrong"),
    };
    let words = format!("· claims: {} read, {count}", claims.len());
    let mut lines = hanging_indent(model, &words, StyleRole::Text, width);
    for claim in wrong {
        let words = format!("{} {}", ClaimMark::Claimed.sign(), claim.says);
        lines.extend(hanging_indent(model, &words, ClaimMark::Claimed.role(), width));
    }
    let signs = drawn_marks(model);
    if !signs.is_empty() {
        let mut spans = vec![Span::styled("· on the frame:".to_owned(), model.style(StyleRole::Dim))];
        for mark in signs {
            spans.push(Span::styled(format!(" {}", mark.sign()), model.style(mark.role())));
            spans.push(Span::styled(format!(" {}", mark.words()), model.style(StyleRole::Dim)));
        }
        lines.push(Line::from(spans));
    }
    lines
}

/// Marks the words of claims in the wrapped lines of a part of a reply that begins at `start`: those that hold are underlined, the
/// others reversed. Wrapping changes blanks only, so letters are matched in their order.
pub(super) fn mark_words(
    model: &Model,
    claims: &[Claim],
    (text, start): (&str, usize),
    lines: Vec<Line<'static>>,
) -> Vec<Line<'static>> {
    let letters = letters(claims, text, start);
    if letters.iter().all(|(_, holds)| holds.is_none()) {
        return lines;
    }
    let mut letters = letters.into_iter().peekable();
    let mut styled = |line: Line<'static>| {
        let mut spans = line.spans.into_iter();
        let mut marked: Vec<Span<'static>> = spans.next().into_iter().collect();
        for span in spans {
            for sign in span.content.chars() {
                // What was left out at the end of a line.
                while letters.peek().is_some_and(|(known, _)| *known != sign && known.is_whitespace()) {
                    letters.next();
                }
                let holds = letters.next_if(|(known, _)| *known == sign).and_then(|(_, holds)| holds);
                let style = match holds {
                    None => span.style,
                    Some(true) => model.style(StyleRole::Ok).add_modifier(Modifier::UNDERLINED),
                    Some(false) => model.style(StyleRole::Fault).add_modifier(Modifier::REVERSED),
                };
                match marked.last_mut().filter(|last| last.style == style) {
                    Some(last) => last.content.to_mut().push(sign),
                    None => marked.push(Span::styled(sign.to_string(), style)),
                }
            }
        }
        Line::from(marked)
    };
    lines.into_iter().map(&mut styled).collect()
}

/// The letters of a text as they are shown, each with whether the claim that it belongs to holds.
fn letters(claims: &[Claim], text: &str, start: usize) -> Vec<(char, Option<bool>)> {
    let mut letters = Vec::new();
    let mut at = 0;
    let mut add = |part: &str, holds: Option<bool>| {
        letters.extend(sanitize(part).chars().map(|sign| (sign, holds)));
    };
    for claim in claims {
        let range = claim.at.start.saturating_sub(start)..claim.at.end.saturating_sub(start);
        if range.start < at {
            continue;
        }
        let (Some(before), Some(words)) = (text.get(at..range.start), text.get(range.clone())) else {
            continue;
        };
        add(before, None);
        add(words, Some(claim.holds));
        at = range.end;
    }
    add(text.get(at..).unwrap_or_default(), None);
    letters
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::testing;
    use mageyard_terminal::wrap;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn marking_words_changes_no_letter(
            text in "([a-z\u{1b}\u{200b}箱 \n\t.]{0,9} ?){0,9}",
            ranges in proptest::collection::vec((0_usize..80, 0_usize..20, any::<bool>()), 0..4),
            width in 1_u16..40,
        ) {
            let model = testing::model(80, 24);
            let claim = |(from, length, holds): (usize, usize, bool)| Claim {
                at: from..from + length,
                says: String::new(),
                holds,
                claimed: Vec::new(),
                actual: Vec::new(),
            };
            let mut claims: Vec<Claim> = ranges.into_iter().map(claim).collect();
            claims.sort_by_key(|claim| claim.at.start);
            let style = model.style(StyleRole::Analysis);
            let plain = wrap(&text, width, &Span::styled("│ ", style), style);
            let marked = mark_words(&model, &claims, (&text, 0), plain.clone());
            let texts = |lines: &[Line<'_>]| lines.iter().map(ToString::to_string).collect::<Vec<_>>();
            prop_assert_eq!(texts(&marked), texts(&plain));
        }
    }

    #[test]
    fn the_marked_letters_are_those_of_the_claims() {
        let model = testing::model(80, 24);
        let text = "I am at (2, 3).\nThe box is at (4, 1), so I go left.";
        let claim = |words: &str, holds: bool| {
            let start = text.find(words).unwrap();
            let at = 5 + start..5 + start + words.len();
            Claim { at, says: String::new(), holds, claimed: Vec::new(), actual: Vec::new() }
        };
        let claims = [claim("(2, 3)", true), claim("box is at (4, 1)", false)];
        for width in [8, 12, 60] {
            let style = model.style(StyleRole::Analysis);
            let lines = mark_words(&model, &claims, (text, 5), wrap(text, width, &Span::raw("│ "), style));
            let with = |modifier: Modifier| -> String {
                let spans = lines.iter().flat_map(|line| &line.spans);
                let marked = spans.filter(|span| span.style.add_modifier.contains(modifier));
                marked.map(|span| span.content.replace(' ', "")).collect()
            };
            assert_eq!(with(Modifier::UNDERLINED), "(2,3)", "{width}");
            assert_eq!(with(Modifier::REVERSED), "boxisat(4,1)", "{width}");
        }
    }
}
