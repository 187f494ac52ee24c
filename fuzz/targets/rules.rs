//! User files for the dialog. The first byte selects: a file of reader rules, a zero byte and a reply to parse; or a
//! prompt file.
#![no_main]

use std::ops::Range;
use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use mageyard::dialog::Prompt;
use mageyard::dialog::ReaderRules;
use mageyard::dialog::VariableValues;
use mageyard::domain::Action;
use mageyard::domain::ActionSpace;
use mageyard::domain::ReplyFormat;
use mageyard::domain::Segment;
use mageyard::domain::Setting;
use mageyard_fuzz::parse_and_check;

static SPACE: LazyLock<ActionSpace> =
    LazyLock::new(|| ActionSpace::new(&[("Up", "a row up"), ("Left", "a column to the left")]));

const FORMATS: [ReplyFormat; 2] = [
    ReplyFormat::headings("# analyze", "# action", false),
    ReplyFormat::headings("### Analyze", "### Actions", true),
];

const SEGMENTS: [Segment; 8] = [
    Segment::System,
    Segment::Task,
    Segment::Cot,
    Segment::Io,
    Segment::Turn,
    Segment::Skipped,
    Segment::Placeholder,
    Segment::Retry,
];

fuzz_target!(|bytes: &[u8]| {
    let Some((choice, bytes)) = bytes.split_first() else { return };
    let text = String::from_utf8_lossy(bytes);
    if choice % 2 == 0 {
        let (file, reply) = text.split_once('\0').unwrap_or((&text, ""));
        check_rules(file, reply);
    } else {
        check_prompt(&text);
    }
});

/// An error has a message and a valid location.
fn check_error(message: &str, span: Range<usize>, text: &str) {
    assert!(!message.is_empty());
    assert!(text.get(span.clone()).is_some(), "{message}: {span:?} is not a span of {text:?}");
}

fn check_rules(text: &str, reply: &str) {
    let rules = match ReaderRules::parse("mine", text) {
        Err(error) => return check_error(&error.message, error.span, text),
        Ok(rules) => rules,
    };
    let stored = serde_json::to_string(&rules).expect("plain data");
    assert_eq!(
        serde_json::from_str::<ReaderRules>(&stored).ok().as_ref(),
        Some(&rules),
        "stored as {stored}"
    );
    for own in &FORMATS {
        let format = rules.reply_format(own);
        assert_eq!(rules.reply_format(&format), format, "applied twice");
        parse_and_check(&rules, &format, reply, &SPACE);
        let action = Action::plain("Left");
        let reply = format.write("The analysis.", std::slice::from_ref(&action), &SPACE);
        let outcome = parse_and_check(&rules, &format, &reply, &SPACE);
        assert_eq!(outcome.result, Ok(vec![action]), "{reply:?} by the rules {stored}");
    }
}

fn check_prompt(text: &str) {
    let prompt = match Prompt::parse(text) {
        Err(error) => return check_error(&error.message, error.span, text),
        Ok(prompt) => prompt,
    };
    assert_eq!(Prompt::parse(text).as_ref(), Ok(&prompt), "parsing twice");
    for (setting, form) in [Setting::Online, Setting::Global].into_iter().zip(&FORMATS) {
        let values =
            VariableValues { action_space: &SPACE, reply_format: form, steps_left: 7, exact_words: true };
        let segments = SEGMENTS.iter().filter(|segment| prompt.segment(**segment, setting).is_some()).count();
        assert_eq!(prompt.digests(setting).len(), segments);
        for segment in SEGMENTS {
            let filled = prompt.fill(segment, setting, &values);
            let template = prompt.segment(segment, setting).map_or("", |text| text);
            assert!(template.contains(['{', '}']) || *filled == *template, "{template:?} became {filled:?}");
            assert!(
                !template.contains("{format}")
                    || template.contains("{{")
                    || filled.contains("(your analysis)")
            );
        }
    }
}
