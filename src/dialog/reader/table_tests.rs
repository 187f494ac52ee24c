//! A table of replies, each with what `strict`, `lenient` and `magebench` read.

use super::*;
use mageyard_domain::{ActionSpec, ParamKind, ParamSpec};

/// What each reader reads: the actions with what was dropped in parentheses, or the rule that failed.
struct Row {
    reply: &'static str,
    strict: &'static str,
    lenient: &'static str,
    magebench: &'static str,
}

const fn row(
    reply: &'static str,
    strict: &'static str,
    lenient: &'static str,
    magebench: &'static str,
) -> Row {
    Row { reply, strict, lenient, magebench }
}

const fn same(reply: &'static str, all: &'static str) -> Row {
    row(reply, all, all, all)
}

const ONLINE: &[Row] = &[
    same("# analyze\nThe goal is left.\n\n# action\nLeft\n", "Left"),
    same("# action\n\n  Left \r\n", "Left"),
    same("# action Left", "Left"),
    // The heading within a line, within a longer one, and none at all.
    row("So my # action Left", "!heading", "!heading", "Left"),
    row("### analyze\nx\n### action\nLeft", "!heading", "Left", "Left"),
    row("Left", "!heading", "!heading", "Left"),
    row("  # action\nLeft", "!heading", "Left", "Left"),
    row("\u{feff}# action\nLeft", "!heading", "!heading", "Left"),
    // Decorations.
    row("**Action**\nLeft", "!heading", "Left", "!action"),
    row("# Action\nLeft", "!heading", "Left", "!action"),
    row("# action:\nLeft", "!heading", "Left", "!action"),
    row("# action\n**Left**", "!action", "Left", "!action"),
    row("# action\n`Left`", "!action", "Left", "!action"),
    row("# action\n```\nLeft\n```", "!action", "Left", "!action"),
    row("# action\nleft", "!action", "Left", "!action"),
    row("# action\nLEFT", "!action", "Left", "!action"),
    row("# action\nLeft.", "!action", "Left", "!action"),
    row("# action\n- Left", "!action", "Left", "!action"),
    // Other texts.
    same("# action\nLeft, because the goal is there", "!action"),
    same("# action\nLeft\n\nThis reaches the goal.", "!action"),
    same("# action\nLeft Up", "!action"),
    same("# action\nJump", "!action"),
    same("# action\n", "!action"),
    row("", "!heading", "!heading", "!action"),
    row("# actions\nLeft", "!action", "!action", "!action"),
    // Two headings: what is between them is read by the released code.
    row("# action\nLeft\n# action\nUp", "!action", "!action", "Left"),
    row("# action\nLeft\n# action", "!action", "!action", "Left"),
    row("# analyze\nThe # action is clear.\n# action\nLeft", "Left", "Left", "!action"),
    row("# analyze\nI write # action Left # action\n# action\nUp", "Up", "Up", "Left"),
    // A reply that ended early.
    same("# analyze\nThe goal is left.\n# action\nLe", "!action"),
    row("# analyze\nThe goal is", "!heading", "!heading", "!action"),
];

const GLOBAL: &[Row] = &[
    same("### Analyze\nx\n### Actions\nLeft, Up, Down", "Left, Up, Down"),
    same("### Actions\nLeft,Up,\nDown", "Left, Up, Down"),
    same("### Actions\nLeft", "Left"),
    // Of `### Actions:` the colon remains with the first member, but only where the heading may be anywhere.
    row("### Actions:\nLeft, Up", "!heading", "Left, Up", "Up (:\nLeft)"),
    row("### Actions: Left, Up", "!heading", "Left, Up", "Up (: Left)"),
    row("### Actions:\nLeft", "!heading", "Left", "!list"),
    row("**Actions**\nLeft, Up", "!heading", "Left, Up", "Up (**Actions**\nLeft)"),
    row("**Actions:** Left, Up", "!heading", "Left, Up", "Up (**Actions:** Left)"),
    row("Left, Up", "!heading", "!heading", "Left, Up"),
    row("#### Actions\nLeft, Up", "!heading", "Left, Up", "Left, Up"),
    row("I plan ### Actions Left, Up", "!heading", "!heading", "Left, Up"),
    // Members that are not actions.
    same("### Actions\nLeft, Jump, Up", "Left, Up (Jump)"),
    same("### Actions\nJump, Fly", "!list"),
    row("### Actions\nLeft, up, Down", "Left, Down (up)", "Left, Up, Down", "Left, Down (up)"),
    row("### Actions\nLeft, Up.", "Left (Up.)", "Left, Up", "Left (Up.)"),
    row("### Actions\n`Left`, Up", "Up (`Left`)", "Left, Up", "Up (`Left`)"),
    row("### Actions\n[Left, Up, Down]", "Up ([Left; Down])", "Left, Up, Down", "Up ([Left; Down])"),
    row("### Actions\nLeft\nUp", "!list", "Left, Up", "!list"),
    row("### Actions\n1. Left\n2. Up", "!list", "Left, Up", "!list"),
    row(
        "### Actions\nLeft, Up\n\nThat is all.",
        "Left (Up\n\nThat is all.)",
        "Left, Up (That is all.)",
        "Left (Up\n\nThat is all.)",
    ),
    same("### Actions\nLeft, Up,", "Left, Up"),
    same("### Actions\n", "!list"),
    row("", "!heading", "!heading", "!list"),
    row(
        "### Actions\nLeft, Up\n### Actions\nDown",
        "Left (Up\n### Actions\nDown)",
        "Left, Up, Down (### Actions)",
        "Left, Up",
    ),
    // A reply that ended early.
    same("### Actions\nLeft, Left, Le", "Left, Left (Le)"),
];

const NOTHING: &str = "# Analyze\nBoth pages are alike.\n# Regenerate\n*The HTML does not need to be changed.*\n\
    *The CSS does not need to be changed.*\n*The JavaScript does not need to be changed.*\n";

const PAGE_ONLINE: &[Row] = &[
    row(
        "# Analyze\nx\n# Regenerate\n*The HTML does not need to be changed.*\n```css\na\n```\n",
        r#"write(css="a")"#,
        r#"write(css="a")"#,
        r#"write(css="\na\n")"#,
    ),
    row("# Regenerate\n```css\na", "!fence", r#"write(css="a")"#, r#"write(css="\na")"#),
    row(
        "# Regenerate\n```css\na{}\n```\n# Regenerate\n```css\nb{}\n```",
        r#"write(css="b{}")"#,
        r#"write(css="b{}")"#,
        r#"write(css="\na{}\n")"#,
    ),
    row("```css\na{}\n```", "!heading", "!heading", r#"write(css="\na{}\n")"#),
    row("# Regenerate\n```\n<p>a</p>\n```", "!block", "!block", r#"write(html="a</p>\n")"#),
    // Nothing changes.
    same(NOTHING, "write"),
    same("# Regenerate\nThe HTML, CSS and JavaScript do not need to be changed.", "write"),
    same(
        "# Regenerate\n- index.html stays as it is.\n- style.css stays as it is.\n- script.js stays as it is.",
        "write",
    ),
    same("# Regenerate\nHTML: no changes needed. CSS: unchanged. JS: **no change**", "write"),
    same(
        "# Regenerate\nThe html file doesn’t need any changes; the css file needs no changes; the js remains unchanged.",
        "write",
    ),
    same("# Regenerate\nNo changes are needed for the HTML, the CSS and the JavaScript.", "write"),
    row(
        "*The HTML does not need to be changed.*\n*The CSS does not need to be changed.*\n*The JavaScript does not need to be changed.*",
        "!heading",
        "!heading",
        "write",
    ),
    same("# Regenerate\nThe HTML, CSS and JavaScript stay as they are.", "write"),
    // Not all files, an exception, another sentence, code.
    same(
        "# Regenerate\n*The HTML does not need to be changed.*\n*The CSS does not need to be changed.*",
        "!block",
    ),
    same("# Regenerate\nThe HTML and the CSS do not need to be changed, but the JavaScript does.", "!block"),
    same(
        "# Regenerate\nThe HTML needs to be changed. CSS and JavaScript do not need to be changed.",
        "!block",
    ),
    same(
        "# Regenerate\nThe HTML, CSS and JavaScript do not need to be changed apart from the title.",
        "!block",
    ),
    same("# Regenerate\nNothing changes.", "!block"),
    same("# Regenerate\n", "!block"),
    row(
        "# Regenerate\nThe HTML, CSS and JavaScript do not need to be changed.\n```text\nx\n```",
        "!block",
        "!block",
        "!block",
    ),
];

const PAGE_GLOBAL: &[Row] = &[
    same("So:\n```html\n<p>\n```\nand\n```css\na\n```", r#"write(css="a", html="<p>")"#),
    row("```HTML\n<p>\n```", "!block", r#"write(html="<p>")"#, "!block"),
    row("```js\nf()\n```", "!block", r#"write(js="f()")"#, "!block"),
    row(
        "```html\n<p>\n```\n```css\na",
        "!fence",
        r#"write(css="a", html="<p>")"#,
        r#"write(css="a", html="<p>")"#,
    ),
    row(
        "```css\na\n```\n```text\nx\n```",
        "write(css=\"a\") (```text\nx\n```)",
        "write(css=\"a\") (```text\nx\n```)",
        "!block",
    ),
    same(
        "The page is\n*The HTML does not need to be changed.*\n*The CSS does not need to be changed.*\n*The JavaScript does not need to be changed.*\n",
        "write",
    ),
    same("no code", "!block"),
    same("", "!block"),
];

/// Replies that the token limit cut, read as what has come.
const CUT_PAGE_GLOBAL: &[Row] = &[
    same("```html\n<p>\n```\n```css\na {\n  co", r#"write(css="a {\n  co", html="<p>")"#),
    same("```html\n<p>", r#"write(html="<p>")"#),
    row("```html\n<p>\n```\n```c", r#"write(html="<p>") (```c)"#, r#"write(html="<p>") (```c)"#, "!block"),
    same("The page has a head", "!block"),
];

pub(super) fn pages() -> ActionSpace {
    let file = |name: &str, language: &str| {
        ParamSpec::new(name, "a file", ParamKind::Code { language: language.into() }).optional()
    };
    let files = [file("html", "html"), file("css", "css"), file("js", "javascript")];
    ActionSpace::from_iter([files.into_iter().fold(ActionSpec::new("write", ""), ActionSpec::with_param)])
}

pub(super) fn described(outcome: &ParseOutcome, reply: &str) -> String {
    let actions = match &outcome.result {
        Ok(actions) => actions.iter().map(Action::to_string).collect::<Vec<_>>().join(", "),
        Err(error) => return format!("!{}", error.rule),
    };
    let dropped: Vec<_> = outcome.spans.dropped.iter().map(|at| &reply[at.clone()]).collect();
    assert_eq!(outcome.spans.dropped_count(), dropped.len());
    if dropped.is_empty() { actions } else { format!("{actions} ({})", dropped.join("; ")) }
}

fn wrong(rows: &[Row], own: &ReplyFormat, space: &ActionSpace, is_cut: bool) -> Vec<String> {
    let mut wrong = Vec::new();
    for row in rows {
        for (name, expected) in
            [("strict", row.strict), ("lenient", row.lenient), ("magebench", row.magebench)]
        {
            let rules = ReaderRules::named(name).unwrap();
            let rules = if is_cut { rules.for_cut_reply() } else { rules };
            let outcome = parse_reply(&rules, &rules.reply_format(own), row.reply, space);
            let read = described(&outcome, row.reply);
            if read != expected {
                wrong.push(format!("{:?} by {name}: {read}, expected {expected}", row.reply));
            }
        }
    }
    wrong
}

#[test]
fn each_reader_reads_a_reply_as_the_table_says() {
    let moves = ActionSpace::new(&[("Left", ""), ("Right", ""), ("Up", ""), ("Down", "")]);
    let online = ReplyFormat::headings("# analyze", "# action", false);
    let global = ReplyFormat::headings("### Analyze", "### Actions", true);
    let page = ReplyFormat::headings("# Analyze", "# Regenerate", false).with_notation(Notation::CodeBlocks);
    let pages_at_once = ReplyFormat::whole_blocks(true);
    let found = [
        wrong(ONLINE, &online, &moves, false),
        wrong(GLOBAL, &global, &moves, false),
        wrong(PAGE_ONLINE, &page, &pages(), false),
        wrong(PAGE_GLOBAL, &pages_at_once, &pages(), false),
        wrong(CUT_PAGE_GLOBAL, &pages_at_once, &pages(), true),
    ];
    let found = found.concat();
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn the_table_has_replies_of_every_kind() {
    let tables = [ONLINE, GLOBAL, PAGE_ONLINE, PAGE_GLOBAL, CUT_PAGE_GLOBAL];
    assert!(tables.iter().map(|table| table.len()).sum::<usize>() >= 80);
}

#[test]
fn a_page_that_does_not_change_is_read_with_the_sentence_of_each_file() {
    let page = ReplyFormat::headings("# Analyze", "# Regenerate", false).with_notation(Notation::CodeBlocks);
    for name in ["strict", "lenient", "magebench", "rescue"] {
        let rules = ReaderRules::named(name).unwrap();
        let outcome = parse_reply(&rules, &rules.reply_format(&page), NOTHING, &pages());
        let blocks = outcome.spans.blocks.iter();
        let said: Vec<_> = blocks
            .map(|block| (block.parameter.as_deref(), &NOTHING[block.label.clone()], block.rule))
            .collect();
        let unchanged = BlockRule::Unchanged;
        let expected = [("html", "HTML"), ("css", "CSS"), ("js", "JavaScript")]
            .map(|(file, word)| (Some(file), word, unchanged));
        assert_eq!(said, expected, "{name}");
        assert_eq!(&NOTHING[outcome.spans.blocks[1].at.clone()], "*The CSS does not need to be changed.*");
        assert_eq!(&NOTHING[outcome.spans.analysis.unwrap()], "Both pages are alike.", "{name}");
        let action = &NOTHING[outcome.spans.action.unwrap()];
        assert!(action.starts_with("*The HTML") && action.ends_with("changed.*"), "{name}: {action}");
    }
}

#[test]
fn a_page_that_does_not_change_is_written_as_it_is_read() {
    let write = [Action::plain("write")];
    let page = ReplyFormat::headings("# Analyze", "# Regenerate", false).with_notation(Notation::CodeBlocks);
    for (own, name) in
        [(page.clone(), "strict"), (ReplyFormat::whole_blocks(true), "magebench"), (page, "think")]
    {
        let rules = ReaderRules::named(name).unwrap();
        let form = rules.reply_format(&own);
        let reply = form.write("so", &write, &pages());
        assert!(reply.contains("*The javascript does not need to be changed.*"), "{reply}");
        assert_eq!(
            parse_reply(&rules, &form, &reply, &pages()).result,
            Ok(write.to_vec()),
            "{name}: {reply}"
        );
    }
}

#[test]
fn all_dropped_members_are_counted_and_twenty_are_kept() {
    let rules = ReaderRules::named("magebench").unwrap();
    let global = ReplyFormat::headings("### Analyze", "### Actions", true);
    let reply = format!("### Actions\nLeft, {}", "Jump, ".repeat(75));
    let space = ActionSpace::new(&[("Left", "")]);
    let spans = parse_reply(&rules, &global, &reply, &space).spans;
    assert_eq!((spans.dropped.len(), spans.dropped_count()), (20, 75));
    let stored = serde_json::to_value(&spans).unwrap();
    assert_eq!(serde_json::from_value::<Spans>(stored).unwrap(), spans);
    let old = serde_json::from_str::<Spans>(r#"{"dropped":[{"start":0,"end":1}]}"#).unwrap();
    assert_eq!(old.dropped_count(), 1);
}

#[test]
fn the_earlier_name_of_the_released_rules_still_works() {
    assert_eq!(ReaderRules::named("parity"), ReaderRules::named("magebench"));
    // The rules that journals have under the earlier name.
    let stored = r#"{"name":"parity","version":1,"about":"x","requires_analysis":false,
        "headings":{"any_level":false,"bold":false,"capitals":false,"last":false},
        "tolerate":{"capitals":false,"ending":"","around":[],"markers":false,"fence":false,"lines":false,"unknown":true},
        "blocks":{"split":"backticks","labels":false,"fences":false,"open":false}}"#;
    let rules: ReaderRules = serde_json::from_str(stored).unwrap();
    assert_eq!((rules.to_string().as_str(), rules.counts_dropped_as_invalid()), ("parity/1", false));
    let page = ReplyFormat::headings("# Analyze", "# Regenerate", false).with_notation(Notation::CodeBlocks);
    let css = Action::plain("write").with("css", mageyard_domain::Arg::Code("a".into()));
    assert_eq!(parse_reply(&rules, &page, "So: ## Regenerate ```cssa", &pages()).result, Ok(vec![css]));
    let up = ActionSpace::new(&[("Up", "")]);
    let online = ReplyFormat::headings("# analyze", "# action", false);
    assert!(parse_reply(&rules, &online, "So: ## action Up", &up).result.is_err(), "as by strict");
}
