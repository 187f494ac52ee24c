//! Draws the arguments of an action by seed, within what its parameters allow.

#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

use super::seeded_choice::SeededChoice;
use mageyard_domain::{Action, ActionSpec, Arg, Number, ParamKind};

/// Texts that are drawn, also ones that are hard to write.
const TEXTS: [&str; 6] = ["hello", "42", "two words", "", "\"a\", (b)\n", "é \u{202e}\u{1b}[2J"];
/// Programs and files that are drawn, for any language.
const CODES: [&str; 4] = ["", "hello\n", "<p class=\"a\">b</p>", "```\nf()\n```"];
/// Pages that are drawn.
const PAGES: [&str; 4] = [
    "<!DOCTYPE html>\n<link rel=\"stylesheet\" href=\"style.css\">\n<h1>Hello</h1>\n<script src=\"script.js\"></script>\n",
    "<!DOCTYPE html>\n<style>p { color: red; }</style>\n<p class=\"a\">One</p>\n<p>Two</p>\n",
    "<h1>Menu</h1>\n<ul><li><a href=\"#a\">First</a></li><li>Second</li></ul>\n<button id=\"send\">Send</button>\n",
    "<p class=\"a\">b</p>",
];
const STYLES: [&str; 3] = [
    "body { margin: 0; }\n",
    "h1 { color: rgb(20, 60, 120); }\np { font-size: 20px; }\n",
    ".a { border-radius: 8px; }\n",
];
const SCRIPTS: [&str; 3] =
    ["\"use strict\";\n", "document.title = \"Hello\";\n", "addEventListener(\"click\", () => {});\n"];
/// The largest magnitude of a number, unless the parameter allows only larger ones.
const LARGEST_NUMBER: f64 = 1e6;
/// The number of values that are drawn of a range that is not of whole numbers, less one.
const FRACTIONS: u32 = 1000;

/// This action with arguments for its required and for half of its other parameters. `purpose` is that of the choice
/// of the action.
pub(super) fn draw_action(choice: &SeededChoice, purpose: &[u32], spec: &ActionSpec) -> Action {
    let mut action = Action::plain(&*spec.name);
    for (index, param) in (0..).zip(&spec.params) {
        let over = |part: u32| [purpose, &[index, part]].concat();
        let given = param.required || choice.below(&over(0), 2) == 0;
        if let Some(arg) =
            Some(()).filter(|()| given).and_then(|()| draw_argument(choice, &over, &param.kind))
        {
            action.args.insert(param.name.clone(), arg);
        }
    }
    // An action of nothing but code has no written form without any.
    let first = spec.params.first().filter(|_| spec.is_program());
    if let Some(first) = first.filter(|_| action.args.is_empty()) {
        let code = choice.pick(&[purpose, &[0, 1]].concat(), &CODES).copied().unwrap_or_default();
        action.args.insert(first.name.clone(), Arg::Code(code.to_owned()));
    }
    action
}

/// An argument of this kind; `None` if no value is allowed. `over` gives the purpose of each of its choices, from 1.
fn draw_argument(choice: &SeededChoice, over: &dyn Fn(u32) -> Vec<u32>, kind: &ParamKind) -> Option<Arg> {
    let text = |texts: &[&str]| choice.pick(&over(1), texts).map(|text| (*text).to_owned());
    match kind {
        ParamKind::Text { max_chars } => {
            Some(Arg::Text(text(&TEXTS)?.chars().take(max_chars.unwrap_or(usize::MAX)).collect()))
        }
        ParamKind::Number { min, max, integer } => {
            draw_number(choice, &over(1), *min, *max, *integer).map(Arg::Number)
        }
        ParamKind::Point { width, height } => {
            let below = |part, size: u32| choice.below(&over(part), size.into());
            Some(Arg::Point { x: below(1, *width).try_into().ok()?, y: below(2, *height).try_into().ok()? })
        }
        ParamKind::Choice { values } => choice.pick(&over(1), values).cloned().map(Arg::Text),
        ParamKind::Code { language } => text(match language.as_str() {
            "html" => &PAGES,
            "css" => &STYLES,
            "javascript" => &SCRIPTS,
            _ => &CODES,
        })
        .map(Arg::Code),
    }
}

fn draw_number(choice: &SeededChoice, over: &[u32], min: f64, max: f64, integer: bool) -> Option<Number> {
    let (min, max) = (min.max(-LARGEST_NUMBER).min(max), max.min(LARGEST_NUMBER).max(min));
    if integer {
        let least = min.ceil();
        // At most twice `LARGEST_NUMBER`, so nothing is cut off.
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is small")]
        let count = (max.floor() - least).max(0.0) as u64 + 1;
        #[expect(clippy::cast_precision_loss, reason = "it is small")]
        return Number::new(least + choice.below(over, count) as f64);
    }
    #[expect(clippy::cast_precision_loss, reason = "it is small")]
    let fraction = choice.below(over, u64::from(FRACTIONS) + 1) as f64 / f64::from(FRACTIONS);
    Number::new((min + (max - min) * fraction).min(max))
}

#[cfg(test)]
mod tests {
    use super::*;
    use mageyard_domain::ParamSpec;

    #[test]
    fn arguments_are_drawn_by_seed_within_their_ranges() {
        let number = |min, max, integer| ParamKind::Number { min, max, integer };
        let kinds = [
            ParamKind::Text { max_chars: Some(3) },
            ParamKind::text(),
            number(-2.5, 2.5, true),
            number(0.1, 0.3, false),
            number(-1e300, 1e300, true),
            ParamKind::Point { width: 3, height: 1 },
            ParamKind::choice(["a", "b"]),
            ParamKind::Code { language: "html".into() },
        ];
        let spec = kinds.iter().enumerate().fold(ActionSpec::new("act", ""), |spec, (index, kind)| {
            spec.with_param(ParamSpec::new(format!("p{index}"), "", kind.clone()))
        });
        let spec = spec.with_param(ParamSpec::new("maybe", "", ParamKind::text()).optional());
        let choice = SeededChoice::new(7, "");
        let drawn: Vec<Action> = (1..=200).map(|step| draw_action(&choice, &[step], &spec)).collect();
        let errors: Vec<_> = drawn.iter().filter_map(|action| spec.check(action).err()).collect();
        assert_eq!(errors, []);
        assert_eq!(drawn[3], draw_action(&choice, &[4], &spec));
        let with = drawn.iter().filter(|action| action.args.contains_key("maybe")).count();
        assert!((70..130).contains(&with), "{with}");
        for (param, count) in [("p2", 5), ("p5", 3), ("p6", 2), ("p7", 4)] {
            let mut values: Vec<_> = drawn.iter().map(|action| &action.args[param]).collect();
            values.sort();
            values.dedup();
            assert_eq!(values.len(), count, "{param}: {values:?}");
        }
    }
}
