//! Tests of replies whose actions are code blocks: the rules of each reader on literal replies, and properties of any
//! text.

use std::sync::LazyLock;

use proptest::prelude::*;

use super::*;
use mageyard_domain::{ActionSpec, ParamKind, ParamSpec};

static ONLINE: LazyLock<ReplyFormat> = LazyLock::new(|| {
    ReplyFormat::headings("# Analyze", "# Regenerate", false).with_notation(Notation::CodeBlocks)
});
static RULES: LazyLock<Vec<ReaderRules>> =
    LazyLock::new(|| ReaderRules::shipped().iter().filter_map(|row| ReaderRules::named(row.0)).collect());
const GLOBAL: ReplyFormat = ReplyFormat::whole_blocks(true);

fn space() -> ActionSpace {
    let file = |name: &str, language: &str| {
        ParamSpec::new(name, "a file", ParamKind::Code { language: language.into() }).optional()
    };
    let files = [file("html", "html"), file("css", "css"), file("js", "javascript")];
    ActionSpace::from_iter([files.into_iter().fold(ActionSpec::new("write", ""), ActionSpec::with_param)])
}

fn parse(reader: &str, own: &ReplyFormat, reply: &str) -> ParseOutcome {
    let rules = RULES.iter().find(|rules| rules.name() == reader).unwrap();
    let outcome = parse_reply(rules, &rules.reply_format(own), reply, &space());
    for block in &outcome.spans.blocks {
        assert!(
            reply.get(block.at.clone()).is_some() && reply.get(block.label.clone()).is_some(),
            "{block:?}"
        );
    }
    outcome
}

/// The action in written form, or the rule that failed and its bytes.
fn read(reader: &str, own: &ReplyFormat, reply: &str) -> String {
    match parse(reader, own, reply).result {
        Ok(actions) => actions.iter().map(Action::to_string).collect::<Vec<_>>().join("; "),
        Err(error) => format!("!{}@{}", error.rule, error.at.map_or("-", |at| &reply[at])),
    }
}

#[test]
fn lenient_and_strict_differ_in_labels_and_fences() {
    let both = |reply: &str, lenient: &str, strict: &str| {
        assert_eq!(read("lenient", &GLOBAL, reply), lenient, "lenient: {reply:?}");
        assert_eq!(read("strict", &GLOBAL, reply), strict, "strict: {reply:?}");
    };
    let same = |reply: &str, read: &str| both(reply, read, read);
    same("```html\n<p>\n```", r#"write(html="<p>")"#);
    same("So:\n\n```css\na\n```\nand\n```javascript\nf()\n\n```\nDone.", r#"write(css="a", js="f()\n")"#);
    same("```css\na\n```\n```css\nb\n```", r#"write(css="b")"#);
    same("```python\nx\n```\n```css\na\n```", r#"write(css="a")"#);
    same("```css\n```", r#"write(css="")"#);
    same("", "!block@");
    same("no code", "!block@no code");
    same("write", "!block@write");
    same("```python\nx\n```", "!block@python");
    for reply in ["```CSS\na\n```", "```style.css\na\n```", "**css**\n```\na\n```", "Css:\n\n```\na\n```"] {
        both(reply, r#"write(css="a")"#, &read("strict", &GLOBAL, reply));
        assert!(read("strict", &GLOBAL, reply).starts_with("!block@"), "{reply:?}");
    }
    both("```js\nf()\n```", r#"write(js="f()")"#, "!block@js");
    both("```script.js\nf()\n```", r#"write(js="f()")"#, "!block@script.js");
    both("```html main page\n<p>\n```", r#"write(html="<p>")"#, "!block@html main page");
    both("~~~css\na\n~~~", r#"write(css="a")"#, "!block@~~~css\na\n~~~");
    both("````css\n```\na\n````", r#"write(css="```\na")"#, "!fence@```\na\n````");
    both(
        "1. Styles\n   ```css\n   a\n   ```",
        r#"write(css="   a")"#,
        "!block@1. Styles\n   ```css\n   a\n   ```",
    );
    both("```css\r\na\r\nb\r\n```\r\n", r#"write(css="a\r\nb")"#, "!block@css\r");
    both("```css\na\n```  \n", r#"write(css="a")"#, r#"write(css="a")"#);
    both("```css\na\n```  \nx", r#"write(css="a")"#, "!fence@```css\na\n```  \nx");
    both("```css\na", r#"write(css="a")"#, "!fence@```css\na");
    both("```html\n<p>\n```\n```css", r#"write(css="", html="<p>")"#, "!fence@```css");
}

#[test]
fn blocks_of_the_online_setting_are_below_the_heading() {
    let reply = "# Analyze\n```css\nold\n```\n# Regenerate\nThe script stays.\n```css\nnew\n```\n";
    for reader in ["lenient", "strict", "magebench"] {
        let code = if reader == "magebench" { "\nnew\n" } else { "new" };
        let expected = Action::plain("write").with("css", mageyard_domain::Arg::Code(code.into()));
        assert_eq!(parse(reader, &ONLINE, reply).result, Ok(vec![expected]), "{reader}");
    }
    for reader in ["lenient", "strict"] {
        assert_eq!(read(reader, &ONLINE, "```css\na\n```"), "!heading@-", "{reader}");
        assert_eq!(read(reader, &ONLINE, "```css\na\n```\n# Regenerate\nNothing."), "!block@Nothing.");
    }
    assert_eq!(read("lenient", &ONLINE, "## REGENERATE:\n```css\na\n```"), r#"write(css="a")"#);
}

#[test]
fn magebench_reads_a_complete_reply_as_the_released_code_does() {
    for (reply, expected) in [
        ("x\n```html\n<p>\n\n\n</p>\n```\n", r#"write(html="<p>\n</p>")"#),
        ("a```css\n\n a \n```b```javascript\nf()", r#"write(css=" a", js="f()")"#),
        ("``` \n css\nx```", r#"write(css="x")"#),
        ("```css\na```css\n```css\nb```", r#"write(css="b")"#),
        ("```css\na\n```\n```html", "!block@htm"),
        ("```html```", "!block@htm"),
        ("```htmlx```", r#"write(html="htmlx")"#),
        ("```HTML\n<p>```", "!block@HTML"),
        ("```html \n<p>```", "!block@html "),
        ("```js\nf()```", "!block@js"),
        ("```\nf()\n```", "!block@f("),
        ("```css\na\n``````", "!block@"),
        ("```css\na\n```\ncall `f`: ```", "!block@"),
        ("```html\r\n<p>```", "!block@html\r"),
        ("no code", "!block@no code"),
    ] {
        assert_eq!(read("magebench", &GLOBAL, reply), expected, "{reply:?}");
    }
}

#[test]
fn magebench_guesses_labels_below_the_heading() {
    let regenerate = |body: &str| format!("# Analyze\n```css\nz{{}}\n```\n# Regenerate{body}");
    for (body, expected) in [
        ("\n```html\n\n<p>\n\n```", r#"write(html="\n<p>\n")"#),
        ("```htmlx<p>```", r#"write(html="x<p>")"#),
        ("\n```css\na{}", r#"write(css="\na{}")"#),
        ("\n```javascripts\nf\n```", r#"write(js="s\nf\n")"#),
        // The label js is not known: guessed as javascript, and ten characters are lost.
        ("\n```js\nconst x = 1;\n```", r#"write(js=" = 1;\n")"#),
        ("\n```\n<p>é</p>\n```", r#"write(html="é</p>\n")"#),
        ("\n```\nälle;\n```", r#"write(js="")"#),
        ("\n```\n.a { b }\n```", r#"write(css=" { b }\n")"#),
        // One angle bracket a line is not enough, and a semicolon comes before braces.
        ("\n```\n<\n>\n```", "!block@\n```\n<\n>\n```"),
        ("\n```\na { b: c; }\n```", r#"write(js=" }\n")"#),
        // Backticks whose text is unknown are skipped alone: the next ones begin a block.
        ("\n```text\n```const y\n```css\nb\n```", r#"write(js="")"#),
        ("\n```text\nx\n```\nSo:\n```css\nb\n```", r#"write(css="\nb\n")"#),
        ("\n```css\na\n```\n# Regenerate\n```css\nb\n```", r#"write(css="\na\n")"#),
        ("\nNothing changes.", "!block@\nNothing changes."),
    ] {
        assert_eq!(read("magebench", &ONLINE, &regenerate(body)), expected, "{body:?}");
    }
    assert_eq!(read("magebench", &ONLINE, "```css\na\n```"), r#"write(css="\na\n")"#, "without the heading");
    assert_eq!(read("magebench", &ONLINE, "So: ## Regenerate ```cssa"), r#"write(css="a")"#);
}

#[test]
fn a_verdict_says_which_rule_took_which_characters() {
    let reply = "```css\na\n```\n```JS\nf()\n```\n```text\nx\n```\n```css\nb\n```";
    let spans = parse("lenient", &GLOBAL, reply).spans;
    let rows: Vec<_> = spans
        .blocks
        .iter()
        .map(|block| {
            let label = &reply[block.label.clone()];
            let code = &reply[block.at.clone()];
            (label, block.parameter.as_deref(), code, block.rule, block.replaced)
        })
        .collect();
    assert_eq!(
        rows,
        [
            ("css", Some("css"), "a", BlockRule::Exact, true),
            ("JS", Some("js"), "f()", BlockRule::Other, false),
            ("text", None, "x", BlockRule::Unknown, false),
            ("css", Some("css"), "b", BlockRule::Exact, false),
        ]
    );
    assert_eq!(spans.liberties, [Leniency::Label]);
    let stored = serde_json::to_value(&spans).unwrap();
    assert_eq!(
        stored["blocks"][0],
        serde_json::json!({
            "label": {"start": 3, "end": 6}, "parameter": "css", "at": {"start": 7, "end": 8},
            "rule": "exact", "replaced": true
        })
    );
    assert_eq!(serde_json::from_value::<Spans>(stored).unwrap(), spans);
    let guessed = "# Regenerate\n```\n<p>text</p>\n```";
    let spans = parse("magebench", &ONLINE, guessed).spans;
    assert_eq!(spans.blocks[0].rule, BlockRule::AngleBrackets);
    assert_eq!(
        &guessed[spans.blocks[0].at.clone()],
        "text</p>\n",
        "the line break and three characters are lost"
    );
}

#[test]
fn the_json_reader_takes_files_under_their_labels() {
    let files = |reply: &str, expected: &str| {
        assert_eq!(read("json", &ONLINE, reply), expected, "{reply}");
        assert_eq!(read("json", &GLOBAL, reply), expected, "{reply}");
    };
    files(
        r#"{"analysis": "so", "html": "<p>\n", "css": null, "javascript": "f()"}"#,
        r#"write(html="<p>\n", js="f()")"#,
    );
    files("```json\n{\"css\": \"a\", \"note\": \"css\"}\n```", r#"write(css="a")"#);
    files(r#"{"HTML": "<p>", "js": "f()"}"#, r#"write(html="<p>", js="f()")"#);
    files(r#"{"js": "f()", "javascript": "g()"}"#, r#"!key@"g()""#);
    files(r#"{"css": "a", "css": "b"}"#, r#"!key@"b""#);
    files(r#"{"css": ["a"]}"#, r#"!block@["a"]"#);
    files(r#"{"analysis": "so", "css": null, "": "x"}"#, "!key@-");
    let outcome = parse("json", &ONLINE, r#"{"analysis": "so", "js": "f()"}"#);
    assert_eq!((outcome.spans.analysis, outcome.spans.liberties), (Some(14..16), [Leniency::Label].into()));
    assert_eq!(
        (outcome.spans.blocks[0].at.clone(), outcome.spans.blocks[0].rule),
        (26..29, BlockRule::Other)
    );
}

#[test]
fn the_json_reader_takes_the_files_as_arguments() {
    let reply = r#"{"analysis": "x", "actions": [{"name": "write", "args": {"html": "<p>", "js": "f()"}}]}"#;
    assert_eq!(read("json", &GLOBAL, reply), r#"write(html="<p>", js="f()")"#);
}

fn any_reply() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        any::<String>(),
        proptest::sample::select(vec![
            "```",
            "`",
            "~~~",
            "````",
            "html",
            "css",
            "javascript",
            "\n",
            "\r\n",
            "# Regenerate",
            " ",
            "<p>",
            ";",
            "{",
            "}",
            "write",
            "js",
            "é",
        ])
        .prop_map(str::to_owned),
    ];
    proptest::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

/// What the released code does with a complete reply, written with the plain operations of strings.
fn public_global(reply: &str) -> Option<Vec<(String, String)>> {
    let mut text = reply.to_owned();
    while text.contains("\n\n") {
        text = text.replace("\n\n", "\n");
    }
    let is_space = |c: char| c.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&c);
    let blocks = text.split("```").skip(1).step_by(2).map(|piece| piece.trim_matches(is_space));
    let blocks: Vec<_> = blocks
        .map(|piece| {
            let last = piece.chars().next_back().map_or(0, char::len_utf8);
            let whole = (&piece[..piece.len() - last], piece);
            let (label, code) = piece.split_once('\n').unwrap_or(whole);
            (label.to_owned(), code.to_owned())
        })
        .collect();
    let known = |label: &str| ["html", "css", "javascript"].contains(&label);
    (!blocks.is_empty() && blocks.iter().all(|(label, _)| known(label))).then_some(blocks)
}

proptest! {
    #[test]
    fn any_text_is_read_without_a_panic(reply in any_reply()) {
        for (reader, _) in ReaderRules::shipped() {
            for own in [&*ONLINE, &GLOBAL] {
                parse(reader, own, &reply);
                parse(reader, own, &format!("# Regenerate\n{reply}"));
            }
        }
    }

    #[test]
    fn magebench_equals_the_operations_of_the_released_code(reply in any_reply()) {
        let expected = public_global(&reply).map(|blocks| {
            blocks.into_iter().fold(Action::plain("write"), |action, (label, code)| {
                let name = if label == "javascript" { "js".to_owned() } else { label };
                action.with(name, mageyard_domain::Arg::Code(code))
            })
        });
        prop_assert_eq!(parse("magebench", &GLOBAL, &reply).result.ok(), expected.map(|action| vec![action]));
    }

    /// Text after a complete reply does not change its blocks, unless it has fences.
    #[test]
    fn text_after_the_last_block_is_ignored(html in "[a-z<> \n]{0,40}", after in "[a-z<> \n]{0,40}") {
        let reply = format!("```html\n{html}\n```\n");
        for reader in ["lenient", "strict", "magebench"] {
            let alone = parse(reader, &GLOBAL, &reply).result;
            prop_assert_eq!(&parse(reader, &GLOBAL, &format!("{reply}{after}")).result, &alone);
            prop_assert!(alone.is_ok() || reader == "magebench" && html.trim().is_empty());
        }
    }
}

/// In quadratic time this would take hours.
#[test]
fn floods_are_read_in_linear_time() {
    for unit in ["```", "`", "```\n", "```css\na\n```\n", "\n", "~~~\n", "``` ", "<", "```text```js\n"] {
        let long = unit.repeat(1_000_000 / unit.len());
        let short = &long[..unit.len() * (50_000 / unit.len())];
        for reader in ["lenient", "magebench"] {
            parse(reader, &GLOBAL, &long);
        }
        for (reader, _) in ReaderRules::shipped() {
            parse(reader, &GLOBAL, short);
            parse(reader, &ONLINE, &format!("# Regenerate\n{short}"));
        }
    }
}
