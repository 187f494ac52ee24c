//! Tests of actions with parameters, in every notation and with every shipped rule set.

mod notations;
mod properties;

use super::*;
use mageyard_domain::{ActionSpec, Arg, Delimiter, ParamKind, ParamSpec};

const ONLINE: ReplyFormat = ReplyFormat::headings("# analyze", "# action", false);
const GLOBAL: ReplyFormat = ReplyFormat::headings("### Analyze", "### Actions", true);
const NOTATIONS: [Notation; 3] = [Notation::Call, Notation::Json, Notation::CodeBlocks];

fn code(name: &str, language: &str) -> ParamSpec {
    ParamSpec::new(name, "a file", ParamKind::Code { language: language.into() }).optional()
}

fn action_space() -> ActionSpace {
    ActionSpace::from_iter([
        ActionSpec::new("Left", "walk left"),
        ActionSpec::new("click", "click a point")
            .with_param(ParamSpec::new("at", "where", ParamKind::Point { width: 1280, height: 720 }))
            .with_param(ParamSpec::new("button", "which", ParamKind::choice(["left", "right"])).optional()),
        ActionSpec::new("type", "type a text")
            .with_param(ParamSpec::new("text", "what", ParamKind::text()))
            .with_param(ParamSpec::new("into", "where", ParamKind::text()).optional()),
        ActionSpec::new("write", "write the files of the page")
            .with_param(code("html", "html"))
            .with_param(code("css", "css"))
            .with_param(code("script", "javascript")),
        ActionSpec::new("run", "run a program")
            .with_param(ParamSpec::new("name", "its name", ParamKind::text()))
            .with_param(ParamSpec::new("program", "its text", ParamKind::Code { language: "python".into() })),
    ])
}

fn rules(name: &str) -> ReaderRules {
    ReaderRules::named(name).unwrap()
}

fn parse(name: &str, own: &ReplyFormat, reply: &str) -> ParseOutcome {
    let rules = rules(name);
    let outcome = parse_reply(&rules, &rules.reply_format(own), reply, &action_space());
    for range in outcome.spans.args.iter().map(|arg| &arg.at).chain(&outcome.spans.action) {
        assert!(reply.get(range.clone()).is_some(), "{range:?} of {reply:?}");
    }
    if let Err(error) = &outcome.result {
        assert!(!error.why.is_empty() && error.why.chars().count() < 600, "{}", error.why);
        assert!(error.at.clone().is_none_or(|at| reply.get(at).is_some()), "{error:?} of {reply:?}");
    }
    if let Ok(actions) = &outcome.result {
        assert!(actions.iter().all(|action| action_space().allows(action)), "{actions:?}");
    }
    outcome
}

/// The actions in written form, or the rule, the message and the place of the error.
fn describe(outcome: &ParseOutcome, reply: &str) -> String {
    match &outcome.result {
        Ok(actions) => actions.iter().map(Action::to_string).collect::<Vec<_>>().join("; "),
        Err(error) => {
            let at = error.at.clone().map_or("-", |at| &reply[at]);
            format!("!{}: {} @{at} ~{}", error.rule, error.why, error.near.join(","))
        }
    }
}

fn arguments<'a>(outcome: &ParseOutcome, reply: &'a str) -> Vec<(String, &'a str)> {
    outcome.spans.args.iter().map(|arg| (arg.parameter.clone(), &reply[arg.at.clone()])).collect()
}

/// Whether a reader reads what the format writes: not if longer fences are needed that it does not accept. `magebench` has
/// its own rules for code blocks, and ends an action at a heading within an argument.
fn reads_written(reader: &str, own: &ReplyFormat, notation: Notation, actions: &[Action]) -> bool {
    let rules = rules(reader);
    let has_heading = |action: &Action| action.to_string().contains(&*own.action);
    if reader == "magebench" && actions.iter().any(has_heading) {
        return false;
    }
    // It ends at any three backticks.
    let has_fence = |action: &Action| action.to_string().contains("```");
    if reader == "cell-code" && (notation == Notation::CodeBlocks || actions.iter().any(has_fence)) {
        return false;
    }
    let plain = |arg: &Arg| !matches!(arg, Arg::Code(code) if code.contains("```"));
    let is_plain = actions.iter().all(|action| action.args.values().all(plain));
    let is_blocks = notation == Notation::CodeBlocks
        && !matches!(rules.reply_format(&ONLINE).delimiter, Delimiter::Json | Delimiter::Keys);
    !is_blocks || rules.blocks.fences || reader != "magebench" && is_plain
}
