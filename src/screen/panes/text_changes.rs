//! Marks what is new in the lines of a text: single characters where both texts have the same shape, otherwise lines.

use ratatui::style::Modifier;
use ratatui::text::{Line, Span};

use mageyard_terminal::{LineChange, line_changes};

/// The new lines with what differs from the old ones reversed, and how much that is in words.
pub(super) fn marked(before: &[Line<'static>], after: Vec<Line<'static>>) -> (Vec<Line<'static>>, String) {
    let same_shape = before.len() == after.len()
        && before.iter().zip(&after).all(|(before, after)| before.width() == after.width());
    if same_shape { marked_letters(before, after) } else { marked_lines(before, after) }
}

fn marked_letters(before: &[Line<'static>], after: Vec<Line<'static>>) -> (Vec<Line<'static>>, String) {
    let mut count = 0;
    let lines = after.into_iter().zip(before).map(|(line, before)| {
        let before: Vec<char> = letters(before).map(|(letter, _)| letter).collect();
        let mut spans: Vec<Span<'static>> = Vec::new();
        for (index, (letter, style)) in letters(&line).enumerate() {
            let changed = before.get(index) != Some(&letter);
            count += usize::from(changed);
            let style = if changed { style.add_modifier(Modifier::REVERSED) } else { style };
            match spans.last_mut().filter(|span| span.style == style) {
                Some(span) => span.content.to_mut().push(letter),
                None => spans.push(Span::styled(letter.to_string(), style)),
            }
        }
        Line::from(spans)
    });
    (lines.collect(), words(count, "character"))
}

fn letters(line: &Line<'static>) -> impl Iterator<Item = (char, ratatui::style::Style)> {
    line.spans.iter().flat_map(|span| span.content.chars().map(|letter| (letter, span.style)))
}

fn marked_lines(before: &[Line<'static>], mut after: Vec<Line<'static>>) -> (Vec<Line<'static>>, String) {
    let text = |lines: &[Line<'static>]| lines.iter().map(Line::to_string).collect::<Vec<_>>().join("\n");
    let changes = line_changes(&text(before), &text(&after));
    let added = changes.into_iter().filter(|line| line.change == LineChange::Added);
    let numbers: Vec<usize> = added.map(|line| line.number).collect();
    for number in &numbers {
        for span in after.get_mut(number - 1).into_iter().flat_map(|line| &mut line.spans) {
            span.style = span.style.add_modifier(Modifier::REVERSED);
        }
    }
    let count = numbers.len();
    (after, words(count, "line"))
}

fn words(count: usize, what: &str) -> String {
    match count {
        0 => format!("changed: no {what}"),
        count => format!("changed: {}", mageyard_terminal::count_of(count, what)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<Line<'static>> {
        text.lines().map(|line| Line::raw(line.to_owned())).collect()
    }

    fn shown(before: &str, after: &str) -> (String, String) {
        let (marked, words) = marked(&lines(before), lines(after));
        let span = |span: &Span<'static>| {
            let is_marked = span.style.add_modifier.contains(Modifier::REVERSED);
            if is_marked { format!("[{}]", span.content) } else { span.content.to_string() }
        };
        let line = |line: &Line<'static>| line.spans.iter().map(span).collect::<String>();
        (marked.iter().map(line).collect::<Vec<_>>().join("|"), words)
    }

    #[test]
    fn a_text_of_the_same_shape_has_its_new_characters_marked() {
        assert_eq!(shown("#@ #\n#  #", "# @#\n#  #"), ("#[ @]#|#  #".into(), "changed: 2 characters".into()));
        assert_eq!(shown("ab", "ab"), ("ab".into(), "changed: no character".into()));
    }

    #[test]
    fn another_text_has_its_new_lines_marked() {
        let want = ("one|[new]|two".to_owned(), "changed: 1 line".to_owned());
        assert_eq!(shown("one\ntwo", "one\nnew\ntwo"), want);
    }
}
