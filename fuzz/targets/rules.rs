//! The files that people write for the dialog. The first byte picks: a file of reading rules, followed by a zero and
//! a reply that they are to read; or the file of a prompt variant.
#![no_main]

use std::ops::Range;
use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use mageyard::dialog::Prompt;
use mageyard::dialog::Rules;
use mageyard::dialog::Words;
use mageyard::domain::Action;
use mageyard::domain::ActionSpace;
use mageyard::domain::Form;
use mageyard::domain::Segment;
use mageyard::domain::Setting;
use mageyard_fuzz::lawful;

static SPACE: LazyLock<ActionSpace> =
    LazyLock::new(|| ActionSpace::of(&[("Up", "a row up"), ("Left", "a column to the left")]));

const OWN: [Form; 2] =
    [Form::headings("# analyze", "# action", false), Form::headings("### Analyze", "### Actions", true)];

const SEGMENTS: [Segment; 7] = [
    Segment::System,
    Segment::Task,
    Segment::Cot,
    Segment::Io,
    Segment::Turn,
    Segment::Placeholder,
    Segment::Retry,
];

fuzz_target!(|bytes: &[u8]| {
    let Some((pick, bytes)) = bytes.split_first() else { return };
    let text = String::from_utf8_lossy(bytes);
    if pick % 2 == 0 {
        let (file, reply) = text.split_once('\0').unwrap_or((&text, ""));
        reading_rules(file, reply);
    } else {
        prompt(&text);
    }
});

/// A mistake is named, and its place can be shown.
fn named(what: &str, span: Range<usize>, text: &str) {
    assert!(!what.is_empty());
    assert!(text.get(span.clone()).is_some(), "{what}: {span:?} cannot be cut out of {text:?}");
}

fn reading_rules(text: &str, reply: &str) {
    let rules = match Rules::parse("mine", text) {
        Err(error) => return named(&error.what, error.span, text),
        Ok(rules) => rules,
    };
    let kept = serde_json::to_string(&rules).expect("plain data");
    assert_eq!(serde_json::from_str::<Rules>(&kept).ok().as_ref(), Some(&rules), "kept as {kept}");
    for own in &OWN {
        let form = rules.form(own);
        assert_eq!(rules.form(&form), form, "the form of its own form");
        lawful(&rules, &form, reply, &SPACE);
        let action = Action::plain("Left");
        let said = form.write("So it is.", std::slice::from_ref(&action));
        let reading = lawful(&rules, &form, &said, &SPACE);
        assert_eq!(reading.verdict, Ok(vec![action]), "{said:?} by the rules {kept}");
    }
}

fn prompt(text: &str) {
    let prompt = match Prompt::parse(text) {
        Err(error) => return named(&error.why, error.span, text),
        Ok(prompt) => prompt,
    };
    assert_eq!(Prompt::parse(text).as_ref(), Ok(&prompt), "reading twice");
    for (setting, form) in [Setting::Online, Setting::Global].into_iter().zip(&OWN) {
        let words = Words { space: &SPACE, form, steps_left: 7 };
        let there = SEGMENTS.iter().filter(|segment| prompt.segment(**segment, setting).is_some()).count();
        assert_eq!(prompt.digests(setting).len(), there);
        for segment in SEGMENTS {
            let filled = prompt.fill(segment, setting, &words);
            let open = prompt.segment(segment, setting).map_or("", |text| text);
            assert!(open.contains(['{', '}']) || *filled == *open, "{open:?} became {filled:?}");
            assert!(!open.contains("{format}") || open.contains("{{") || filled.contains("(your analysis)"));
        }
    }
}
