//! Composes side requests: the prompt of the role, filled in with the values of the question, and the parts of observations
//! that it shows. Its ledger has a row for each step that is shown, so it is proven like the requests of the agent.

use std::collections::BTreeMap;

use super::prompt::SidePrompt;
use crate::compose::{Request, message_part, remove_empty_parts};
use crate::memory::{Inclusion, Ledger, LedgerPart, LedgerRow};
use mageyard_domain::{Message, MessagePart, Observation, PartKind, Question, Role, Segment, ShownPart};

/// The request for a question. `observations` are those of the episode with their steps, the newest one last; `system_role` says
/// whether the model takes a system turn.
///
/// # Errors
/// The part that the question shows and no observation has.
pub fn compose_side(
    prompt: &SidePrompt,
    question: &Question,
    observations: &[(u32, &Observation)],
    system_role: bool,
) -> Result<Request, ShownPart> {
    let mut rows: BTreeMap<u32, (LedgerRow, &Observation)> = BTreeMap::new();
    for part in &question.shown {
        let (step, observation) = shown_observation(observations, *part).ok_or(*part)?;
        let kind = kind_of(observation, part.index).ok_or(*part)?;
        let (row, _) = rows.entry(step).or_insert_with(|| (LedgerRow::shown(step), observation));
        row.parts.push(LedgerPart { index: Some(part.index), kind, inclusion: Inclusion::Included });
    }
    let system = MessagePart::Text(Segment::System, prompt.templates.system(question));
    let mut parts = vec![MessagePart::Text(Segment::Task, prompt.templates.task(question))];
    for (step, (row, observation)) in &mut rows {
        row.parts.sort_by_key(|part| part.index);
        row.parts.dedup_by_key(|part| part.index);
        parts.extend(row.parts.iter_mut().filter_map(|part| message_part(observation, *step, part)));
    }
    let messages = one_exchange(system, parts, system_role);
    let rows = rows.into_values().rev().map(|(row, _)| row).collect();
    let ledger = Ledger { rows, ..Ledger::default() };
    Ok(Request { messages, ledger, stable: 0, left_out: None })
}

/// The turns of a request without history: the text of the system, in a turn of its own if the model takes one, and the parts of the
/// user. Empty parts and turns are left out.
pub(super) fn one_exchange(
    system: MessagePart,
    mut parts: Vec<MessagePart>,
    system_role: bool,
) -> Vec<Message> {
    let mut messages = Vec::with_capacity(2);
    if system_role {
        messages.push(Message { role: Role::System, parts: vec![system] });
    } else {
        parts.insert(0, system);
    }
    messages.push(Message { role: Role::User, parts });
    messages.iter_mut().for_each(remove_empty_parts);
    messages.retain(|message| !message.parts.is_empty());
    messages
}

fn shown_observation<'a>(
    observations: &[(u32, &'a Observation)],
    part: ShownPart,
) -> Option<(u32, &'a Observation)> {
    let back = usize::try_from(part.back).ok()?;
    observations.get(observations.len().checked_sub(back.checked_add(1)?)?).copied()
}

fn kind_of(observation: &Observation, index: u16) -> Option<PartKind> {
    Some(observation.parts().get(usize::from(index))?.kind())
}
