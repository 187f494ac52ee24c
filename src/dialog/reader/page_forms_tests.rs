//! Replies with files in code blocks, each with what four readers read: no file is lost or cut without a parse error, a
//! dropped block or a note.

use super::table_tests::{described, pages};
use super::*;

/// A reply, and what `strict`, `lenient`, `rescue` and `magebench` read, with what was dropped in parentheses.
const PAGES: &[(&str, [&str; 4])] = &[
    (
        "```markdown\n### Analyze\nok\n\n### Actions\n```html\n<h1>Hi</h1>\n```\n```css\nh1 { color: red; }\n```\n```\n",
        [
            "!fence",
            "write(css=\"h1 { color: red; }\", html=\"<h1>Hi</h1>\")",
            "write(css=\"h1 { color: red; }\", html=\"<h1>Hi</h1>\")",
            "!block",
        ],
    ),
    (
        "```md\n```html\n<h1>Hi</h1>\n```\n```css\nh1 { color: red; }\n```\n```",
        [
            "!fence",
            "write(css=\"h1 { color: red; }\", html=\"<h1>Hi</h1>\")",
            "write(css=\"h1 { color: red; }\", html=\"<h1>Hi</h1>\")",
            "!block",
        ],
    ),
    (
        "````markdown\n```html\n<h1>Hi</h1>\n```\n```css\nh1 { color: red; }\n```\n````",
        [
            "write(css=\"h1 { color: red; }\", html=\"<h1>Hi</h1>\")",
            "write(css=\"h1 { color: red; }\", html=\"<h1>Hi</h1>\")",
            "write(css=\"h1 { color: red; }\", html=\"<h1>Hi</h1>\")",
            "!block",
        ],
    ),
    (
        "```\n### Actions\n```html\n<h1>Hi</h1>\n```\n```css\nh1 { color: red; }\n```\n```",
        [
            "!fence",
            "write(css=\"h1 { color: red; }\", html=\"<h1>Hi</h1>\")",
            "write(css=\"h1 { color: red; }\", html=\"<h1>Hi</h1>\")",
            "!block",
        ],
    ),
    (
        "```\n```html\n<h1>Hi</h1>\n```\n```",
        ["!fence", "write(html=\"<h1>Hi</h1>\")", "write(html=\"<h1>Hi</h1>\")", "!block"],
    ),
    (
        "Here it is:\n\n```markdown\n```html\n<h1>Hi</h1>\n```\n\n```css\nh1 { color: red; }\n```\n```\nDone.",
        [
            "!fence",
            "write(css=\"h1 { color: red; }\", html=\"<h1>Hi</h1>\")",
            "write(css=\"h1 { color: red; }\", html=\"<h1>Hi</h1>\")",
            "!block",
        ],
    ),
    (
        "```markdown\n```html\n<h1>Hi</h1>\n```\n```css\nh1 { color: red; }\n```\n",
        [
            "write(css=\"h1 { color: red; }\") (```markdown\n```html\n<h1>Hi</h1>\n```)",
            "write(css=\"h1 { color: red; }\", html=\"<h1>Hi</h1>\")",
            "write(css=\"h1 { color: red; }\", html=\"<h1>Hi</h1>\")",
            "!block",
        ],
    ),
    (
        "```markdown\nonly notes\n```\n```html\n<h1>Hi</h1>\n```\n",
        [
            "write(html=\"<h1>Hi</h1>\") (```markdown\nonly notes\n```)",
            "write(html=\"<h1>Hi</h1>\") (```markdown\nonly notes\n```)",
            "write(html=\"<h1>Hi</h1>\") (```markdown\nonly notes\n```)",
            "!block",
        ],
    ),
    (
        "```text\nonly notes\n```\n```html\n<h1>Hi</h1>\n```\n",
        [
            "write(html=\"<h1>Hi</h1>\") (```text\nonly notes\n```)",
            "write(html=\"<h1>Hi</h1>\") (```text\nonly notes\n```)",
            "write(html=\"<h1>Hi</h1>\") (```text\nonly notes\n```)",
            "!block",
        ],
    ),
    (
        "```html\n<!DOCTYPE html>\n<html><body><pre>\n```\ncode\n```\n</pre><p>after</p></body></html>\n```\n```css\nh1 { color: red; }\n```\n",
        [
            "write(css=\"h1 { color: red; }\", html=\"<!DOCTYPE html>\\n<html><body><pre>\") (```\n</pre><p>after</p></body></html>\n```)",
            "write(css=\"h1 { color: red; }\", html=\"<!DOCTYPE html>\\n<html><body><pre>\\n```\\ncode\\n```\\n</pre><p>after</p></body></html>\")",
            "write(css=\"h1 { color: red; }\", html=\"<!DOCTYPE html>\\n<html><body><pre>\\n```\\ncode\\n```\\n</pre><p>after</p></body></html>\")",
            "!block",
        ],
    ),
    (
        "```html\n<!DOCTYPE html>\n<html><body><pre>\n```\ncode\n```\n</pre><p>after</p></body></html>\n```\n",
        [
            "write(html=\"<!DOCTYPE html>\\n<html><body><pre>\") (```\n</pre><p>after</p></body></html>\n```)",
            "write(html=\"<!DOCTYPE html>\\n<html><body><pre>\\n```\\ncode\\n```\\n</pre><p>after</p></body></html>\")",
            "write(html=\"<!DOCTYPE html>\\n<html><body><pre>\\n```\\ncode\\n```\\n</pre><p>after</p></body></html>\")",
            "!block",
        ],
    ),
    (
        "```html\n<html><body><pre>\n```js\nf()\n```\n</pre></body></html>\n```\n```css\nh1 { color: red; }\n```\n",
        [
            "write(html=\"<html><body><pre>\\n```js\\nf()\") (```\n```css\nh1 { color: red; }\n```)",
            "write(css=\"h1 { color: red; }\", html=\"<html><body><pre>\\n```js\\nf()\\n```\\n</pre></body></html>\")",
            "write(css=\"h1 { color: red; }\", html=\"<html><body><pre>\\n```js\\nf()\\n```\\n</pre></body></html>\")",
            "!block",
        ],
    ),
    (
        "```html\n<pre>\n```\na\n```\n</pre>\n<pre>\n```\nb\n```\n</pre>\n```\n```css\nh1 { color: red; }\n```\n",
        [
            "write(css=\"h1 { color: red; }\", html=\"<pre>\") (```\n</pre>\n<pre>\n```; ```\n</pre>\n```)",
            "write(css=\"h1 { color: red; }\", html=\"<pre>\\n```\\na\\n```\\n</pre>\\n<pre>\\n```\\nb\\n```\\n</pre>\")",
            "write(css=\"h1 { color: red; }\", html=\"<pre>\\n```\\na\\n```\\n</pre>\\n<pre>\\n```\\nb\\n```\\n</pre>\")",
            "!block",
        ],
    ),
    (
        "```javascript\nconst text = `\n```\ncode\n```\n`;\n```\n```css\nh1 { color: red; }\n```\n",
        [
            "write(css=\"h1 { color: red; }\", js=\"const text = `\") (```\n`;\n```)",
            "write(css=\"h1 { color: red; }\", js=\"const text = `\\n```\\ncode\\n```\\n`;\")",
            "write(css=\"h1 { color: red; }\", js=\"const text = `\\n```\\ncode\\n```\\n`;\")",
            "!block",
        ],
    ),
    (
        "```css\na {\n```\n}\n```\n```html\n<h1>Hi</h1>\n```\n",
        [
            "write(css=\"a {\") (```\n```html\n<h1>Hi</h1>\n```)",
            "write(css=\"a {\\n```\\n}\", html=\"<h1>Hi</h1>\")",
            "write(css=\"a {\\n```\\n}\", html=\"<h1>Hi</h1>\")",
            "!block",
        ],
    ),
    (
        "```html\n<h1>Hi</h1>\n```css\nh1 { color: red; }\n```\n",
        [
            "write(html=\"<h1>Hi</h1>\\n```css\\nh1 { color: red; }\")",
            "write(css=\"h1 { color: red; }\", html=\"<h1>Hi</h1>\")",
            "write(css=\"h1 { color: red; }\", html=\"<h1>Hi</h1>\")",
            "!block",
        ],
    ),
    (
        "```html\n<html><body><h1>Hi\n```\n```css\nh1 { color: red; }\n```\n",
        [
            "write(css=\"h1 { color: red; }\", html=\"<html><body><h1>Hi\")",
            "write(css=\"h1 { color: red; }\", html=\"<html><body><h1>Hi\")",
            "write(css=\"h1 { color: red; }\", html=\"<html><body><h1>Hi\")",
            "write(css=\"h1 { color: red; }\", html=\"<html><body><h1>Hi\")",
        ],
    ),
    (
        "```html\n<html><body>Hi\n```\nAnd the style:\n```css\nh1 { color: red; }\n```\n",
        [
            "write(css=\"h1 { color: red; }\", html=\"<html><body>Hi\")",
            "write(css=\"h1 { color: red; }\", html=\"<html><body>Hi\")",
            "write(css=\"h1 { color: red; }\", html=\"<html><body>Hi\")",
            "write(css=\"h1 { color: red; }\", html=\"<html><body>Hi\")",
        ],
    ),
    (
        "```html\n<p>a</p>\n```\nAs before:\n```\nplain\n```\n```css\nh1 { color: red; }\n```\n",
        [
            "write(css=\"h1 { color: red; }\", html=\"<p>a</p>\") (```\nplain\n```)",
            "write(css=\"h1 { color: red; }\", html=\"<p>a</p>\") (```\nplain\n```)",
            "write(css=\"h1 { color: red; }\", html=\"<p>a</p>\") (```\nplain\n```)",
            "!block",
        ],
    ),
    (
        "```css\na{}\n```\n```css\nb{}\n```",
        ["write(css=\"b{}\")", "write(css=\"b{}\")", "write(css=\"b{}\")", "write(css=\"b{}\")"],
    ),
    (
        "```html\n<h1>Hi</h1>\n```\n```css\nh1 { color: red; }\n```\n```javascript\nf();\n```\n",
        [
            "write(css=\"h1 { color: red; }\", html=\"<h1>Hi</h1>\", js=\"f();\")",
            "write(css=\"h1 { color: red; }\", html=\"<h1>Hi</h1>\", js=\"f();\")",
            "write(css=\"h1 { color: red; }\", html=\"<h1>Hi</h1>\", js=\"f();\")",
            "write(css=\"h1 { color: red; }\", html=\"<h1>Hi</h1>\", js=\"f();\")",
        ],
    ),
    (
        "index.html\n```\n<p>\n```\nstyle.css\n```\na{}\n```\n",
        ["!block", "write(css=\"a{}\", html=\"<p>\")", "write(css=\"a{}\", html=\"<p>\")", "!block"],
    ),
    ("```markdown\nindex.html\n```\n<p>\n```\n```", ["!block", "!block", "!block", "!block"]),
    (
        "````html\n<pre>\n```\na\n```\n</pre>\n````\n```css\nh1 { color: red; }\n```\n",
        [
            "write(css=\"h1 { color: red; }\") (```\na\n```)",
            "write(css=\"h1 { color: red; }\", html=\"<pre>\\n```\\na\\n```\\n</pre>\")",
            "write(css=\"h1 { color: red; }\", html=\"<pre>\\n```\\na\\n```\\n</pre>\")",
            "!block",
        ],
    ),
    (
        "~~~html\n<pre>\n```\na\n```\n</pre>\n~~~\n```css\nh1 { color: red; }\n```\n",
        [
            "write(css=\"h1 { color: red; }\") (```\na\n```)",
            "write(css=\"h1 { color: red; }\", html=\"<pre>\\n```\\na\\n```\\n</pre>\")",
            "write(css=\"h1 { color: red; }\", html=\"<pre>\\n```\\na\\n```\\n</pre>\")",
            "!block",
        ],
    ),
    (
        "```html\n<pre>\n```\ncode",
        ["write(html=\"<pre>\")", "write(html=\"<pre>\")", "write(html=\"<pre>\")", "write(html=\"<pre>\")"],
    ),
    ("```html\n<p>\n```\n```", ["!fence", "write(html=\"<p>\")", "write(html=\"<p>\")", "!block"]),
    (
        "```html\n<p>a</p>\n```css\na{}",
        [
            "!fence",
            "write(css=\"a{}\", html=\"<p>a</p>\")",
            "write(css=\"a{}\", html=\"<p>a</p>\")",
            "write(html=\"<p>a</p>\")",
        ],
    ),
];

#[test]
fn fences_around_and_within_files_do_not_lose_them() {
    let own = ReplyFormat::whole_blocks(true);
    let mut wrong = Vec::new();
    for (reply, expected) in PAGES {
        for (name, expected) in ["strict", "lenient", "rescue", "magebench"].into_iter().zip(expected) {
            let rules = ReaderRules::named(name).unwrap();
            let outcome = parse_reply(&rules, &rules.reply_format(&own), reply, &pages());
            let read = described(&outcome, reply);
            if read != *expected {
                wrong.push(format!("{reply:?} by {name}: {read}, expected {expected}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn a_fence_that_markdown_reads_otherwise_is_noted() {
    let own = ReplyFormat::whole_blocks(true);
    let lenient = ReaderRules::named("lenient").unwrap();
    let notes = |reply: &str| parse_reply(&lenient, &own, reply, &pages()).spans.liberties;
    for reply in [
        "```markdown\n```html\n<p>\n```\n```",
        "```html\n<pre>\n```\n</pre>\n```",
        "```html\n<p>a</p>\n```css\na{}\n```",
    ] {
        assert!(notes(reply).contains(&Leniency::Fence), "{reply}");
    }
    assert!(notes("```html\n<p>\n```").is_empty());
}

#[test]
fn an_outer_fence_around_the_headings_keeps_all_files() {
    let page = ReplyFormat::headings("# Analyze", "# Regenerate", false).with_notation(Notation::CodeBlocks);
    let lenient = ReaderRules::named("lenient").unwrap();
    let reply = "```markdown\n# Analyze\nok\n# Regenerate\n```html\n<p>\n```\n```css\na{}\n```\n```\n";
    let outcome = parse_reply(&lenient, &page, reply, &pages());
    assert_eq!(described(&outcome, reply), r#"write(css="a{}", html="<p>")"#);
}
