//! The difference of two texts, line by line.

use std::ops::Range;

use mageyard_domain::{SequenceChange, sequence_changes};

/// Equal lines shown beside a change.
const CONTEXT: usize = 3;

/// What happened to a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineChange {
    /// It is in both texts.
    Same,
    /// It is in the new text only.
    Added,
    /// It is in the old text only.
    Removed,
}

/// A line of the old or of the new text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangedLine {
    /// Which of the texts have it.
    pub change: LineChange,
    /// Its number in the new text; of a removed line in the old one.
    pub number: usize,
    /// The line without its break.
    pub text: String,
}

/// The lines of both texts: removed ones before those that replace them.
pub fn line_changes(old: &str, new: &str) -> Vec<ChangedLine> {
    let (old, new): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    let changes = sequence_changes(&old, &new).into_iter();
    changes
        .map(|change| match change {
            SequenceChange::Same(_, at) => line(LineChange::Same, &new, at),
            SequenceChange::Removed(at) => line(LineChange::Removed, &old, at),
            SequenceChange::Added(at) => line(LineChange::Added, &new, at),
        })
        .collect()
}

fn line(change: LineChange, text: &[&str], at: usize) -> ChangedLine {
    ChangedLine { change, number: at + 1, text: text[at].to_owned() }
}

/// A part of a difference as it is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ShownLines {
    /// These lines.
    Lines(Range<usize>),
    /// So many equal lines that are left out.
    Folded(usize),
}

/// The lines with the changes and some equal lines around them; long ranges of equal lines are folded.
pub fn folded(changes: &[ChangedLine]) -> Vec<ShownLines> {
    let is_near = |at: usize| {
        let near = at.saturating_sub(CONTEXT)..(at + CONTEXT + 1).min(changes.len());
        changes[near].iter().any(|line| line.change != LineChange::Same)
    };
    let mut parts = Vec::new();
    let mut at = 0;
    while at < changes.len() {
        let shown = is_near(at);
        let end = (at..changes.len()).find(|next| is_near(*next) != shown).unwrap_or(changes.len());
        // A fold takes a line itself.
        let part =
            if shown || end - at < 2 { ShownLines::Lines(at..end) } else { ShownLines::Folded(end - at) };
        parts.push(part);
        at = end;
    }
    parts
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn written(old: &str, new: &str) -> String {
        let sign = |change| match change {
            LineChange::Same => ' ',
            LineChange::Added => '+',
            LineChange::Removed => '-',
        };
        let lines = line_changes(old, new);
        let words = lines.iter().map(|line| format!("{}{}{}|", line.number, sign(line.change), line.text));
        words.collect::<Vec<_>>().concat()
    }

    #[test]
    fn lines_are_kept_removed_and_added() {
        assert_eq!(written("a\nb\nc\n", "a\nx\nc\n"), "1 a|2-b|2+x|3 c|");
        assert_eq!(written("", "a\nb"), "1+a|2+b|");
        assert_eq!(written("a\nb", ""), "1-a|2-b|");
        assert_eq!(written("a\nb\nc\nd", "b\nd\ne"), "1-a|1 b|3-c|2 d|3+e|");
        assert_eq!(written("same", "same"), "1 same|");
        assert_eq!(written("", ""), "");
    }

    #[test]
    fn equal_lines_far_from_changes_are_folded() {
        let old = (0..20).map(|line| format!("{line}\n")).collect::<Vec<_>>().concat();
        let changes = line_changes(&old, &old.replace("10\n", "ten\n"));
        // Lines 7 to 9, the removed and the added one, lines 11 to 13.
        let expected = [ShownLines::Folded(7), ShownLines::Lines(7..15), ShownLines::Folded(6)];
        assert_eq!(folded(&changes), expected);
        assert_eq!(folded(&line_changes(&old, &old)), [ShownLines::Folded(20)]);
        let near = folded(&line_changes("a\nb\nc\nd\ne", "a\nb\nc\nd\nx"));
        assert_eq!(near, [ShownLines::Lines(0..1), ShownLines::Lines(1..6)], "one line is not worth a fold");
    }

    #[test]
    fn large_texts_that_differ_much_are_not_compared() {
        let text =
            |letter: char| (0..3000).map(|line| format!("{letter}{line}\n")).collect::<Vec<_>>().concat();
        let changes = line_changes(&text('a'), &format!("{}a7\n{}", text('b'), text('b')));
        assert!(changes.iter().all(|line| line.change != LineChange::Same));
        assert_eq!(changes.len(), 9001);
    }

    proptest! {
        #[test]
        fn both_texts_can_be_read_from_the_difference(
            old in proptest::collection::vec("[abc]", 0..12), new in proptest::collection::vec("[abc]", 0..12),
        ) {
            let changes = line_changes(&old.join("\n"), &new.join("\n"));
            let without = |left_out: LineChange| -> Vec<String> {
                changes.iter().filter(|line| line.change != left_out).map(|line| line.text.clone()).collect()
            };
            prop_assert_eq!(without(LineChange::Added), old);
            prop_assert_eq!(without(LineChange::Removed), new);
        }
    }
}
