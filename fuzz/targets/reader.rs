//! Any reply, parsed with each shipped rule set, environment and setting, and with similar action names. The first
//! byte selects the case, the rest is the reply.
#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use mageyard::dialog::ReaderRules;
use mageyard::domain::Action;
use mageyard::domain::ActionSpace;
use mageyard::domain::ActionSpec;
use mageyard::domain::EnvironmentContext;
use mageyard::domain::Notation;
use mageyard::domain::Options;
use mageyard::domain::ParamKind;
use mageyard::domain::ParamSpec;
use mageyard::domain::ReplyFormat;
use mageyard::domain::Setting;
use mageyard::envs::environments;
use mageyard_fuzz::parse_and_check;
use mageyard_fuzz::poll_once;

/// A reply format and an action space.
struct Case {
    format: ReplyFormat,
    space: ActionSpace,
}

static CASES: LazyLock<Vec<Case>> = LazyLock::new(|| {
    let mut cases = Vec::new();
    for environment in environments() {
        let level =
            environment.parse_levels(environment.level_sets()[0].text).expect("it is shipped").remove(0);
        let mut world = environment.open(&level, &Options::new(), 0).expect("it is shipped");
        let space = poll_once(world.open(&EnvironmentContext::default())).expect("it is shipped").space;
        let settings = [Setting::Online, Setting::Global].into_iter();
        let formats = settings.filter_map(|setting| environment.reply_format(setting));
        cases.extend(formats.map(|format| Case { format, space: space.clone() }));
    }
    let similar =
        ActionSpace::new(&[("Up", ""), ("up", ""), ("UP.", ""), ("(A -> B)", ""), ("a, b", ""), ("1", "")]);
    for format in
        [ReplyFormat::headings("# analyze", "# action", false), ReplyFormat::headings("### A", "### B", true)]
    {
        cases.push(Case { format: format.clone(), space: similar.clone() });
        for notation in [Notation::Call, Notation::Json, Notation::CodeBlocks] {
            cases.push(Case { format: format.clone().with_notation(notation), space: space_with_params() });
        }
    }
    cases.extend(
        [false, true].map(|list| Case { format: ReplyFormat::whole_blocks(list), space: space_with_files() }),
    );
    cases
});

/// Actions with a parameter of every kind.
fn space_with_params() -> ActionSpace {
    let number = ParamKind::Number { min: -10.0, max: 10.0, integer: true };
    ActionSpace::from_iter([
        ActionSpec::new("click", "")
            .with_param(ParamSpec::new("at", "", ParamKind::Point { width: 1280, height: 720 }))
            .with_param(ParamSpec::new("button", "", ParamKind::choice(["left", "right"])).optional()),
        ActionSpec::new("type", "")
            .with_param(ParamSpec::new("text", "", ParamKind::Text { max_chars: Some(100) }))
            .with_param(ParamSpec::new("by", "", number).optional()),
        ActionSpec::new("write", "")
            .with_param(ParamSpec::new("html", "", ParamKind::Code { language: "html".into() }))
            .with_param(ParamSpec::new("css", "", ParamKind::Code { language: "css".into() }).optional()),
        ActionSpec::new("(A -> B)", ""),
    ])
}

/// One action whose parameters are three files.
fn space_with_files() -> ActionSpace {
    let file = |name: &str, language: &str| {
        ParamSpec::new(name, "", ParamKind::Code { language: language.into() }).optional()
    };
    let files = [file("html", "html"), file("css", "css"), file("js", "javascript")];
    ActionSpace::from_iter([files.into_iter().fold(ActionSpec::new("write", ""), ActionSpec::with_param)])
}

static RULES: LazyLock<Vec<ReaderRules>> =
    LazyLock::new(|| ReaderRules::shipped().iter().filter_map(|row| ReaderRules::named(row.0)).collect());

fuzz_target!(|bytes: &[u8]| {
    let Some((choice, reply)) = bytes.split_first() else { return };
    let (choice, reply) = (usize::from(*choice), String::from_utf8_lossy(reply));
    let Case { format: own, space } = &CASES[choice % CASES.len()];
    let rules = &RULES[choice / CASES.len() % RULES.len()];
    let format = rules.reply_format(own);
    let outcome = parse_and_check(rules, &format, &reply, space);
    // Lenient rules find more code blocks, and the rules of the released code are of another kind.
    if format.notation == Notation::CodeBlocks {
        return;
    }
    // In a list, strict rules drop items that are no actions; lenient rules may recognise them.
    if let ("strict", Ok(actions), []) = (rules.name(), &outcome.result, &*outcome.spans.dropped) {
        check_same_actions("lenient", own, &reply, space, actions);
    }
    if let ("lenient", Ok(actions)) = (rules.name(), &outcome.result) {
        check_same_actions("rescue", own, &reply, space, actions);
    }
    check_quoting(rules, &format, &reply, space);
});

/// The rules of this name parse the same actions as stricter rules.
fn check_same_actions(name: &str, own: &ReplyFormat, reply: &str, space: &ActionSpace, actions: &[Action]) {
    let rules = RULES.iter().find(|rules| rules.name() == name).expect("it is shipped");
    let parsed = parse_and_check(rules, &rules.reply_format(own), reply, space).result;
    assert_eq!(parsed.as_deref(), Ok(actions), "stricter rules parse {reply:?} differently");
}

/// No analysis hides the action of a reply that is written in the format.
fn check_quoting(rules: &ReaderRules, format: &ReplyFormat, analysis: &str, space: &ActionSpace) {
    let Some(action) = space.specs().first().map(ActionSpec::example) else { return };
    let reply = format.write(analysis, std::slice::from_ref(&action), space);
    let outcome = parse_and_check(rules, format, &reply, space);
    assert_eq!(outcome.result, Ok(vec![action]), "{reply:?} by {rules}");
    assert_eq!(outcome.spans.liberties, [], "{reply:?} by {rules}");
}
