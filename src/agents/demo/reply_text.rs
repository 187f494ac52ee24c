//! The text of a reply: an analysis in two to four sentences and the action, in the asked form or in a wrong one.

#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

use super::decision::Decision;
use super::script::{Fate, Purpose, Script, Shape};
use mageyard_domain::{Action, ActionSpace, DecisionInput};

/// How an analysis begins.
const OPENINGS: [&str; 4] = [
    "I look at the newest state first.",
    "Let me compare the present state with the goal.",
    "I check what has changed since my last action.",
    "First I look at where everything is now.",
];

/// An action that no environment has.
const UNKNOWN_ACTION: &str = "Teleport";

/// The text of a reply with this fate. A refused one is not written here; that of a cut one is complete.
pub(super) fn reply_text(
    script: &Script<'_>,
    fate: Fate,
    decision: &Decision,
    input: &DecisionInput<'_>,
) -> String {
    let analysis = analysis(script, decision, input.form.list);
    let write = |actions: &[Action]| input.form.write(&analysis, actions, input.space);
    match fate {
        Fate::ParseError(shape) => in_shape(shape, &analysis, decision, input),
        Fate::InvalidAction => write(&[Action::plain(unknown_action(input.space))]),
        Fate::Readable | Fate::Refused | Fate::Cut => {
            write(decision.written.as_ref().unwrap_or(&decision.actions))
        }
    }
}

/// The reason as a model would tell it.
fn analysis(script: &Script<'_>, decision: &Decision, is_list: bool) -> String {
    let opening = script.pick(Purpose::Words, 1, &OPENINGS).unwrap_or(OPENINGS[0]);
    let reason = decision.reason.trim().trim_end_matches('.');
    let closing = match decision.actions.as_slice() {
        [] => "I have no action to propose.".to_owned(),
        actions if is_list && actions.len() == 1 => "One action is enough for that.".to_owned(),
        actions if is_list => format!("That takes {} actions in all.", actions.len()),
        [action, ..] => format!("So my next action is {}.", action.name),
    };
    format!("{opening} {reason}. {closing}")
}

/// A reply that a strict reader refuses.
pub(super) fn in_shape(
    shape: Shape,
    analysis: &str,
    decision: &Decision,
    input: &DecisionInput<'_>,
) -> String {
    // Arguments and code would be read all the same.
    let has_arguments = decision.actions.iter().any(|action| !action.args.is_empty());
    if shape == Shape::MissingBlock || has_arguments {
        return format!("{analysis}\n");
    }
    let changed = decision.actions.iter().map(|action| Action::plain(changed(shape, &action.name, input)));
    input.form.write(analysis, &changed.collect::<Vec<_>>(), input.space)
}

/// The name of an action as this mistake writes it.
fn changed(shape: Shape, name: &str, input: &DecisionInput<'_>) -> String {
    match shape {
        Shape::MissingBlock => String::new(),
        Shape::ProseAround => format!("The best action is {name} because it brings me nearer"),
        Shape::WrongVerb => format!("Move {name}"),
        Shape::TwoActions => {
            let other = input.space.specs().iter().find(|spec| spec.name != name);
            let other = other.map_or(name, |spec| &*spec.name);
            format!("{name}{}{other}", if input.form.list { " and " } else { ", " })
        }
        Shape::CodeFence => format!("```\n{name}\n```"),
        Shape::OtherCase => {
            let lower = name.to_lowercase();
            if lower == name { name.to_uppercase() } else { lower }
        }
    }
}

/// A name that is not in the action space.
fn unknown_action(space: &ActionSpace) -> String {
    let mut name = UNKNOWN_ACTION.to_owned();
    while space.find(&name).is_some() {
        name.push('!');
    }
    name
}
