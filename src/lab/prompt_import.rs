//! Prompt variants with texts of another program: the text of the prompt file.

use std::fmt::Write;

use mageyard_domain::ImportedPrompt;

/// Segments of the shipped variant that an imported one keeps: the released programs have nothing for them.
const KEPT: [&str; 5] = ["turn", "skipped", "placeholder", "retry", "continue"];

/// The text of the file of an imported variant: these texts by the headings of their segments, and the further segments
/// of the shipped variant that it is based on. An error says which line of a text a prompt file cannot have.
pub fn imported_prompt_text(
    variant: &ImportedPrompt,
    program: &str,
    base: &str,
    texts: &[(&'static str, String)],
) -> Result<String, String> {
    let given = |heading: &str| texts.iter().any(|(segment, _)| *segment == heading);
    let mut sections: Vec<(String, String)> = Vec::new();
    for (segment, text) in texts {
        sections.push(((*segment).to_owned(), escaped(text)?));
    }
    let (front_matter, shipped) = split(base);
    for (heading, body) in shipped {
        let segment = heading.split_whitespace().next().unwrap_or_default();
        // A setting without an imported text keeps the shipped one, which every prompt needs.
        let is_missing = matches!(segment, "system" | "io") && !given(segment);
        if KEPT.contains(&segment) || is_missing && !given(heading) {
            sections.push((heading.to_owned(), body.to_owned()));
        }
    }
    let images = front_matter.lines().find(|line| line.starts_with("images")).map(|line| format!("{line}\n"));
    let name = variant.name;
    let images = images.unwrap_or_default();
    let mut file = format!(
        "+++\nname = \"{name}\"\nsummary = \"texts of {program}, from your checkout; further segments of {}\"\n{images}+++\n",
        variant.base
    );
    for (heading, body) in sections {
        let body = body.trim_matches('\n');
        // Writing to a string does not fail.
        let _ = write!(file, "## {heading}\n{body}\n\n");
    }
    Ok(file)
}

/// The front matter of a prompt file, and its segments with their headings.
fn split(text: &str) -> (&str, Vec<(&str, &str)>) {
    let body = text.strip_prefix("+++\n").unwrap_or(text);
    let (front_matter, rest) = body.split_once("\n+++\n").unwrap_or(("", body));
    let sections = rest.split("\n## ").map(|section| section.trim_start_matches("## "));
    let sections = sections.filter_map(|section| section.split_once('\n'));
    (front_matter, sections.map(|(heading, body)| (heading.trim(), body)).collect())
}

/// A text as a prompt file has it: with its line breaks, and with braces that are no variables.
fn escaped(text: &str) -> Result<String, String> {
    if let Some(line) = text.lines().find(|line| line.starts_with("## ")) {
        return Err(format!("the line {line:?} would begin a segment of a prompt file"));
    }
    let text = text.replace('{', "{{").replace('}', "}}");
    // Two spaces at the end keep the break of a line.
    Ok(text.trim().lines().map(|line| format!("{}  ", line.trim_end())).collect::<Vec<_>>().join("\n"))
}

#[cfg(test)]
mod tests {
    use mageyard_dialog::{Prompt, VariableValues};
    use mageyard_domain::{ActionSpace, ReplyFormat, Segment, Setting};

    use super::*;

    const BASE: &str = "+++\nname = \"a\"\nsummary = \"b\"\nimages = \"task\"\n+++\n## system\nOurs.\n\n## task\nOurs.\n\n\
                        ## cot\nOurs.\n\n## io\nOurs {format}\n\n## turn\nThe turn:\n\n## placeholder\nnone.\n\n## retry\n{format}\n";
    const VARIANT: ImportedPrompt = ImportedPrompt { name: "magebench-a", base: "a", texts: &[] };

    #[test]
    fn an_imported_text_is_sent_as_it_is() {
        let words = "You play.\nA {brace}:\n- one\n- two\n\n### Analyze\n(your analysis)\n```html\n<p>\n```";
        let texts = [("system", words.to_owned()), ("io online", "Reply.\nSo.".to_owned())];
        let file = imported_prompt_text(&VARIANT, "MageBench", BASE, &texts).unwrap();
        let prompt = Prompt::parse(&file).unwrap();
        let space = ActionSpace::new(&[("Go", "")]);
        let answer = ReplyFormat::headings("# a", "# b", false);
        let values =
            VariableValues { action_space: &space, reply_format: &answer, steps_left: 1, exact_words: true };
        let sent = |segment, setting| prompt.fill(segment, setting, &values).to_string();
        assert_eq!(sent(Segment::System, Setting::Online), words);
        assert_eq!(sent(Segment::Io, Setting::Online), "Reply.\nSo.");
        assert!(sent(Segment::Io, Setting::Global).starts_with("Ours "), "not imported for Global");
        assert_eq!(sent(Segment::Task, Setting::Online), "", "no text of ours beside imported ones");
        assert_eq!(sent(Segment::Cot, Setting::Online), "");
        assert_eq!(
            (prompt.name.as_str(), prompt.images),
            ("magebench-a", mageyard_dialog::PromptImages::Task)
        );
    }

    #[test]
    fn a_line_that_would_begin_a_segment_is_refused() {
        let texts = [("system", "a\n## b".to_owned())];
        let why = imported_prompt_text(&VARIANT, "MageBench", BASE, &texts).unwrap_err();
        assert_eq!(why, "the line \"## b\" would begin a segment of a prompt file");
    }
}
