//! The places of a prompt file that are not plain text, for editors that colour them. A text that is not valid yet has them too.

use std::ops::Range;

use super::variables::find_variables;

/// What a place of a prompt file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PromptMark {
    /// The front matter, with its fences.
    FrontMatter,
    /// The heading of a segment.
    Heading,
    /// A variable, which is filled in.
    Variable,
}

/// The marked places of a prompt file, in order; they do not overlap.
pub fn prompt_marks(text: &str) -> Vec<(Range<usize>, PromptMark)> {
    let mut marks = Vec::new();
    let mut at = 0;
    let mut fences = 0;
    for line in text.split_inclusive('\n') {
        let range = at..at + line.len();
        at = range.end;
        let is_fence = line.trim_end() == "+++" && fences < 2;
        fences += usize::from(is_fence);
        if is_fence || fences == 1 {
            marks.push((range, PromptMark::FrontMatter));
        } else if line.starts_with("## ") {
            marks.push((range, PromptMark::Heading));
        } else {
            let variables = find_variables(line).into_iter();
            let moved = |(_, span): (&str, Range<usize>)| range.start + span.start..range.start + span.end;
            marks.extend(variables.map(moved).map(|span| (span, PromptMark::Variable)));
        }
    }
    marks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn segments_and_variables_are_marked_also_in_a_text_that_is_not_valid() {
        let text = "+++\nname = \"{x}\"\n+++\n## system\nYou {{see}} {actions} and {soup\n## trun\n{format}";
        let marks = prompt_marks(text);
        let found: Vec<_> = marks.iter().map(|(range, mark)| (&text[range.clone()], *mark)).collect();
        let expected = [
            ("+++\n", PromptMark::FrontMatter),
            ("name = \"{x}\"\n", PromptMark::FrontMatter),
            ("+++\n", PromptMark::FrontMatter),
            ("## system\n", PromptMark::Heading),
            ("{actions}", PromptMark::Variable),
            ("## trun\n", PromptMark::Heading),
            ("{format}", PromptMark::Variable),
        ];
        assert_eq!(found, expected);
        assert_eq!(prompt_marks(""), []);
    }
}
