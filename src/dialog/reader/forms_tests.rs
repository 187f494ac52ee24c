//! Replies in the common forms that models write, each with what four readers read. A list member is read, refused, or
//! counted as dropped.

use super::table_tests::described;
use super::*;

/// The text below the heading of the list, or the reply with one action, and what `strict`, `lenient`, `rescue` and
/// `magebench` read, with what was dropped in parentheses.
type Form = (&'static str, [&'static str; 4]);

const LISTS: &[Form] = &[
    (
        "```python\n[Up, Left, Down]\n```",
        [
            "Left (```python\n[Up; Down]\n```)",
            "Up, Left, Down",
            "Up, Left, Down",
            "Left (```python\n[Up; Down]\n```)",
        ],
    ),
    (
        "**Up, Left, Down**",
        ["Left (**Up; Down**)", "Up, Left, Down", "Up, Left, Down", "Left (**Up; Down**)"],
    ),
    (
        "Up (move above the cart), Left (nudge), Down",
        [
            "Down (Up (move above the cart); Left (nudge))",
            "Up, Left, Down",
            "Up, Left, Down",
            "Down (Up (move above the cart); Left (nudge))",
        ],
    ),
    (
        "Up x2, Left, Down",
        ["Left, Down (Up x2)", "Up, Up, Left, Down", "Up, Up, Left, Down", "Left, Down (Up x2)"],
    ),
    (
        "Up, Left, and Down",
        ["Up, Left (and Down)", "Up, Left, Down", "Up, Left, Down", "Up, Left (and Down)"],
    ),
    (
        "Up, Left, Down<|im_end|>",
        ["Up, Left (Down<|im_end|>)", "Up, Left, Down", "Up, Left, Down", "Up, Left (Down<|im_end|>)"],
    ),
    ("[Up, Left, Down]", ["Left ([Up; Down])", "Up, Left, Down", "Up, Left, Down", "Left ([Up; Down])"]),
    ("(Up, Left, Down)", ["Left ((Up; Down))", "Up, Left, Down", "Up, Left, Down", "Left ((Up; Down))"]),
    ("[\"Up\", \"Left\", \"Down\"]", ["!list", "Up, Left, Down", "Up, Left, Down", "!list"]),
    ("`Up`, `Left`, `Down`", ["!list", "Up, Left, Down", "Up, Left, Down", "!list"]),
    ("`Up, Left, Down`", ["Left (`Up; Down`)", "Up, Left, Down", "Up, Left, Down", "Left (`Up; Down`)"]),
    ("**Up**, **Left**, **Down**", ["!list", "Up, Left, Down", "Up, Left, Down", "!list"]),
    ("Up and Left and Down", ["!list", "Up, Left, Down", "Up, Left, Down", "!list"]),
    ("Up then Left then Down", ["!list", "Up, Left, Down", "Up, Left, Down", "!list"]),
    ("Up -> Left -> Down", ["!list", "Up, Left, Down", "Up, Left, Down", "!list"]),
    ("Up → Left → Down", ["!list", "Up, Left, Down", "Up, Left, Down", "!list"]),
    ("Up，Left，Down", ["!list", "Up, Left, Down", "Up, Left, Down", "!list"]),
    ("Up、Left、Down", ["!list", "Up, Left, Down", "Up, Left, Down", "!list"]),
    ("Up; Left; Down", ["!list", "Up, Left, Down", "Up, Left, Down", "!list"]),
    ("Up | Left | Down", ["!list", "Up, Left, Down", "Up, Left, Down", "!list"]),
    ("2x Up, Left", ["Left (2x Up)", "Up, Up, Left", "Up, Up, Left", "Left (2x Up)"]),
    ("Up ×2, Left", ["Left (Up ×2)", "Up, Up, Left", "Up, Up, Left", "Left (Up ×2)"]),
    ("Up*2, Left", ["Left (Up*2)", "Up, Up, Left", "Up, Up, Left", "Left (Up*2)"]),
    ("Up (x2), Left", ["Left (Up (x2))", "Up, Up, Left", "Up, Up, Left", "Left (Up (x2))"]),
    ("Up twice, Left", ["Left (Up twice)", "Up, Up, Left", "Up, Up, Left", "Left (Up twice)"]),
    ("Up 2 times, Left", ["Left (Up 2 times)", "Up, Up, Left", "Up, Up, Left", "Left (Up 2 times)"]),
    ("Up (2 times), Left", ["Left (Up (2 times))", "Up, Up, Left", "Up, Up, Left", "Left (Up (2 times))"]),
    ("Up x0, Left", ["Left (Up x0)", "Left (Up x0)", "Left (Up x0)", "Left (Up x0)"]),
    ("Up x100, Left", ["Left (Up x100)", "Left (Up x100)", "Left (Up x100)", "Left (Up x100)"]),
    ("Up (2), Left", ["Left (Up (2))", "Left (Up (2))", "Up, Left", "Left (Up (2))"]),
    (
        "1. Up (nudge)\n2. Left – move above the cart\n3. Down: done",
        ["!list", "Up, Left, Down", "Up, Left, Down", "!list"],
    ),
    ("Step 1: Up\nStep 2: Left\nStep 3: Down", ["!list", "Up, Left, Down", "Up, Left, Down", "!list"]),
    ("- Up\n- then Left\n- finally Down", ["!list", "Up, Left, Down", "Up, Left, Down", "!list"]),
    ("– Up\n– Left", ["!list", "Up, Left", "Up, Left", "!list"]),
    ("→ Up\n→ Left", ["!list", "Up, Left", "Up, Left", "!list"]),
    (
        "Here is the plan:\n```\nUp, Left\n```",
        ["!list", "Up, Left (Here is the plan:)", "Up, Left (Here is the plan:)", "!list"],
    ),
    (
        "Up (not Left), Down",
        ["Down (Up (not Left))", "Down (Up (not Left))", "Left, Down", "Down (Up (not Left))"],
    ),
    (
        "Up (then Left, Down), Down",
        [
            "Down (Up (then Left; Down))",
            "Down (Up (then Left, Down))",
            "Up, Left, Down, Down",
            "Down (Up (then Left; Down))",
        ],
    ),
    (
        "Up, Left (so that the cart, which is heavy, moves), Down",
        [
            "Up, Down (Left (so that the cart; which is heavy; moves))",
            "Up, Left, Down",
            "Up, Left, Down",
            "Up, Down (Left (so that the cart; which is heavy; moves))",
        ],
    ),
    (
        "Up (nudge, Left, Down",
        [
            "Left, Down (Up (nudge)",
            "Left, Down (Up (nudge)",
            "Left, Down (Up (nudge)",
            "Left, Down (Up (nudge)",
        ],
    ),
    (
        "Up, Left, maybe Down",
        ["Up, Left (maybe Down)", "Up, Left (maybe Down)", "Up, Left (maybe Down)", "Up, Left (maybe Down)"],
    ),
    ("Up, Left, Down。", ["Up, Left (Down。)", "Up, Left, Down", "Up, Left, Down", "Up, Left (Down。)"]),
    (
        "Up, Left, Down</s>",
        ["Up, Left (Down</s>)", "Up, Left, Down", "Up, Left, Down", "Up, Left (Down</s>)"],
    ),
    (
        "Up, Left, Down<|eot_id|><|start_header_id|>assistant<|end_header_id|>",
        [
            "Up, Left (Down<|eot_id|><|start_header_id|>assistant<|end_header_id|>)",
            "Up, Left, Down",
            "Up, Left, Down",
            "Up, Left (Down<|eot_id|><|start_header_id|>assistant<|end_header_id|>)",
        ],
    ),
    ("**Up, Left\nDown**", ["!list", "Up, Left, Down", "Up, Left, Down", "!list"]),
    (
        "\"Up, Left, Down\"",
        ["Left (\"Up; Down\")", "Up, Left, Down", "Up, Left, Down", "Left (\"Up; Down\")"],
    ),
    ("{Up, Left, Down}", ["Left ({Up; Down})", "Up, Left, Down", "Up, Left, Down", "Left ({Up; Down})"]),
    ("[[Up, Left], [Down]]", ["!list", "Up, Left, Down", "Up, Left, Down", "!list"]),
    ("Up Left Down", ["!list", "!list", "Up, Left, Down", "!list"]),
    (
        "Up, Left, Down (3 moves)",
        [
            "Up, Left (Down (3 moves))",
            "Up, Left (Down (3 moves))",
            "Up, Left, Down",
            "Up, Left (Down (3 moves))",
        ],
    ),
    ("Up/Left, Down", ["Down (Up/Left)", "Down (Up/Left)", "Up, Left, Down", "Down (Up/Left)"]),
    ("1) Up 2) Left 3) Down", ["!list", "!list", "Up, Left, Down", "!list"]),
    ("UP, LEFT, DOWN", ["!list", "Up, Left, Down", "Up, Left, Down", "!list"]),
    ("Up ⬆️, Left ⬅️", ["!list", "Up, Left", "Up, Left", "!list"]),
    ("up & left", ["!list", "Up, Left", "Up, Left", "!list"]),
    ("Up, Left or Down", ["Up (Left or Down)", "Up (Left or Down)", "Up, Left", "Up (Left or Down)"]),
    ("Plan: Up, Left", ["Left (Plan: Up)", "Left (Plan: Up)", "Up, Left", "Left (Plan: Up)"]),
    ("actions = [Up, Left]", ["!list", "Left (actions = [Up)", "Up, Left", "!list"]),
    ("<Up>, <Left>", ["!list", "Up, Left", "Up, Left", "!list"]),
    ("*Up*, _Left_", ["!list", "Up, Left", "Up, Left", "!list"]),
    ("Up, , Left", ["Up, Left", "Up, Left", "Up, Left", "Up, Left"]),
    ("Up: 2, Left", ["Left (Up: 2)", "Left (Up: 2)", "Up, Left", "Left (Up: 2)"]),
    ("Up!!!, Left", ["Left (Up!!!)", "Up, Left", "Up, Left", "Left (Up!!!)"]),
    ("Up … Left", ["!list", "!list", "Up, Left", "!list"]),
    ("Jump (Up), Left", ["Left (Jump (Up))", "Left (Jump (Up))", "Up, Left", "Left (Jump (Up))"]),
    (
        "Up, Left\nThat is all, so Down is not needed",
        [
            "Up (Left\nThat is all; so Down is not needed)",
            "Up, Left (That is all; so Down is not needed)",
            "Up, Left (That is all; so Down is not needed)",
            "Up (Left\nThat is all; so Down is not needed)",
        ],
    ),
    ("Up (up again), Left", ["Left (Up (up again))", "Up, Left", "Up, Left", "Left (Up (up again))"]),
    ("（Up，Left）", ["!list", "Up, Left", "Up, Left", "!list"]),
    ("「Up」，「Left」", ["!list", "Up, Left", "Up, Left", "!list"]),
    ("Up - Left - Down", ["!list", "Up, Left, Down", "Up, Left, Down", "!list"]),
    ("Up x2 (nudge), Left", ["Left (Up x2 (nudge))", "Up, Up, Left", "Up, Up, Left", "Left (Up x2 (nudge))"]),
    ("Up (nudge) x2, Left", ["Left (Up (nudge) x2)", "Up, Up, Left", "Up, Up, Left", "Left (Up (nudge) x2)"]),
    ("and", ["!list", "!list", "!list", "!list"]),
    ("x2", ["!list", "!list", "!list", "!list"]),
    ("()", ["!list", "!list", "!list", "!list"]),
    ("[]", ["!list", "!list", "!list", "!list"]),
    (
        "Up, Left, Down, Up, Left, Do",
        [
            "Up, Left, Down, Up, Left (Do)",
            "Up, Left, Down, Up, Left (Do)",
            "Up, Left, Down, Up, Left (Do)",
            "Up, Left, Down, Up, Left (Do)",
        ],
    ),
];

const SINGLES: &[Form] = &[
    ("**Action: Up**", ["!heading", "Up", "Up", "!action"]),
    ("# action：Up", ["!heading", "Up", "Up", "!action"]),
    ("**Action**：Up", ["!heading", "Up", "Up", "!action"]),
    ("# action\n– Up", ["!action", "Up", "Up", "!action"]),
    ("# action\nUp ⬆️", ["!action", "Up", "Up", "!action"]),
    ("# action\n— Up", ["!action", "Up", "Up", "!action"]),
    ("# action\n-> Up", ["!action", "Up", "Up", "!action"]),
    ("# action\n→ Up", ["!action", "Up", "Up", "!action"]),
    ("# action\nUp。", ["!action", "Up", "Up", "!action"]),
    ("# action\nUp<|im_end|>", ["!action", "Up", "Up", "!action"]),
    ("# action\nUp</s>", ["!action", "Up", "Up", "!action"]),
    ("# action\n\"Up\"<|eot_id|>", ["!action", "Up", "Up", "!action"]),
    ("**Action:** Up", ["!heading", "Up", "Up", "!action"]),
    ("**Action:** **Up**", ["!heading", "Up", "Up", "!action"]),
    ("**Action: `Up`**", ["!heading", "Up", "Up", "!action"]),
    ("### Action : Up", ["!heading", "Up", "Up", "!action"]),
    ("# Action：\n**Up**", ["!heading", "Up", "Up", "!action"]),
    ("# action\nUp\n<|im_end|>\n<|im_start|>user", ["!action", "Up", "Up", "!action"]),
    ("# action\n[Up]", ["!action", "Up", "Up", "!action"]),
    ("# action\n(Up)", ["!action", "Up", "Up", "!action"]),
    ("# action\nUp x2", ["!action", "!action", "Up", "!action"]),
    ("# action\nUp, Left", ["!action", "!action", "!action", "!action"]),
    ("# action\nUp (nudge)", ["!action", "!action", "Up", "!action"]),
    ("# action\nUp - nudge the cart", ["!action", "!action", "Up", "!action"]),
    ("# action\n1、Up", ["!action", "Up", "Up", "!action"]),
    ("# action\n✅ Up", ["!action", "!action", "Up", "!action"]),
    ("__Action:__ Up", ["!heading", "Up", "Up", "!action"]),
    ("# action\n> Up", ["!action", "Up", "Up", "!action"]),
];

fn wrong(forms: &[Form], own: &ReplyFormat, before: &str) -> Vec<String> {
    let moves = ActionSpace::new(&[("Left", ""), ("Right", ""), ("Up", ""), ("Down", "")]);
    let mut wrong = Vec::new();
    for (text, expected) in forms {
        let reply = format!("{before}{text}");
        for (name, expected) in ["strict", "lenient", "rescue", "magebench"].into_iter().zip(expected) {
            let rules = ReaderRules::named(name).unwrap();
            let outcome = parse_reply(&rules, &rules.reply_format(own), &reply, &moves);
            let read = described(&outcome, &reply);
            if read != *expected {
                wrong.push(format!("{text:?} by {name}: {read}, expected {expected}"));
            }
        }
    }
    wrong
}

#[test]
fn common_forms_of_a_list_are_read_or_counted() {
    let own = ReplyFormat::headings("### Analyze", "### Actions", true);
    let found = wrong(LISTS, &own, "### Analyze\nPush along.\n\n### Actions\n");
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn common_forms_of_one_action_are_read() {
    let own = ReplyFormat::headings("# analyze", "# action", false);
    let found = wrong(SINGLES, &own, "# analyze\nThe cart is above.\n");
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn a_list_after_a_full_width_colon_is_complete() {
    let own = ReplyFormat::headings("### Analyze", "### Actions", true);
    let rows = [(
        "### Analyze：x\n\n### Actions：Up, Left, Down",
        ["!heading", "Up, Left, Down", "Up, Left, Down", "Left, Down (：Up)"],
    )];
    assert_eq!(wrong(&rows, &own, ""), Vec::<String>::new());
}

#[test]
fn the_forms_that_were_read_are_noted() {
    let own = ReplyFormat::headings("### Analyze", "### Actions", true);
    let lenient = ReaderRules::named("lenient").unwrap();
    let space = ActionSpace::new(&[("Up", ""), ("Left", "")]);
    for (list, note) in [
        ("Up x2, Left", Leniency::Count),
        ("Up (nudge), Left", Leniency::Explanation),
        ("Up, and Left", Leniency::Joint),
        ("Up -> Left", Leniency::Joint),
        ("Up, Left<|im_end|>", Leniency::Token),
        ("[Up, Left]", Leniency::Around),
        ("Plan:\n```\nUp\n```", Leniency::Fence),
    ] {
        let spans = parse_reply(&lenient, &own, &format!("### Actions\n{list}"), &space).spans;
        assert!(spans.liberties.contains(&note), "{list}: {:?}", spans.liberties);
    }
}

#[test]
fn repetitions_have_a_limit() {
    let own = ReplyFormat::headings("### Analyze", "### Actions", true);
    let lenient = ReaderRules::named("lenient").unwrap();
    let space = ActionSpace::new(&[("Up", "")]);
    let reply = format!("### Actions\n{}", "Up x99, ".repeat(1000));
    let outcome = parse_reply(&lenient, &own, &reply, &space);
    assert_eq!((outcome.result.unwrap().len(), outcome.spans.dropped_count()), (101 * 99, 899));
}
