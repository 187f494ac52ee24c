//! What a request has of past steps: outputs with their results, and older observations that keep rules keep.

use super::{RequestBuilder, message_part, named_part, remove_empty_parts};
use crate::RequestSpec;
use crate::memory::History;
use mageyard_domain::{Message, MessagePart, Role, Segment};

impl RequestBuilder<'_> {
    /// Adds an output of the agent and the user message that answered it, with the state at the index `next`. A step without
    /// an output adds no assistant message; the user message is then appended to the one before, so that roles keep
    /// alternating.
    pub(super) fn push_exchange(&mut self, messages: &mut Vec<Message>, answered: usize, next: usize) {
        let start = self.turn_segment(answered);
        let mut turn = Message { role: Role::User, parts: vec![self.segment_part(start)] };
        turn.parts.extend(self.feedback_part(next));
        turn.parts.extend(self.reflection_part(next));
        turn.parts.extend(self.state_parts(next));
        remove_empty_parts(&mut turn);
        if self.spec.layout.history == History::Code {
            let is_newest = next == self.past.len();
            return self.push_code_exchange(messages, answered, turn.parts, is_newest);
        }
        match (&self.past[answered].output, messages.last_mut()) {
            (None, Some(last)) => last.parts.append(&mut turn.parts),
            (output, _) => {
                messages.extend(output.iter().map(|output| self.assistant_turn(output)));
                messages.push(turn);
            }
        }
    }

    /// Adds an output of the agent with the texts of its result before the first picture to the turn of the agent, and the
    /// rest as a turn of the user. A newest observation without a picture is a turn of the user, because many servers refuse a
    /// request that ends with a turn of the agent, or continue it.
    fn push_code_exchange(
        &self,
        messages: &mut Vec<Message>,
        answered: usize,
        mut results: Vec<MessagePart>,
        is_newest: bool,
    ) {
        let picture = results.iter().position(|part| matches!(part, MessagePart::Image(..)));
        let rest = results.split_off(picture.unwrap_or(if is_newest { 0 } else { results.len() }));
        let output = self.past[answered].output.as_ref().map(|output| self.assistant_turn(output));
        let has_output = output.is_some();
        let words = output.into_iter().flat_map(|turn| turn.parts).chain(results);
        match messages.last_mut() {
            Some(last) if last.role == Role::Assistant || !has_output => last.parts.extend(words),
            _ => messages.push(Message { role: Role::Assistant, parts: words.collect() }),
        }
        match messages.last_mut() {
            _ if rest.is_empty() => {}
            Some(last) if last.role == Role::User => last.parts.extend(rest),
            _ => messages.push(Message { role: Role::User, parts: rest }),
        }
    }

    /// The segment that begins the turn after this step: if it had no action, the one that says so.
    fn turn_segment(&self, answered: usize) -> Segment {
        let RequestSpec { prompt, setting, .. } = *self.spec;
        let says_so = self.spec.layout.exact_words && prompt.segment(Segment::Skipped, setting).is_some();
        let is_wanted = says_so && !self.is_segment_left_out(Segment::Turn);
        if self.past[answered].skipped && is_wanted { Segment::Skipped } else { Segment::Turn }
    }

    /// The observations that are older than the turns and stay by keep rules, oldest first, each with its step.
    pub(super) fn kept_parts(&mut self) -> Vec<MessagePart> {
        let mut kept = std::mem::take(&mut self.ledger.kept);
        let mut sent = Vec::new();
        for row in kept.iter_mut().rev().filter(|row| row.observation.is_included()) {
            let back =
                usize::try_from(self.current.number - row.step).unwrap_or(usize::MAX) - self.past.len();
            let Some(past) = self.older.len().checked_sub(back).and_then(|index| self.older.get(index))
            else {
                continue;
            };
            let step = row.step;
            if !self.is_segment_left_out(Segment::Turn) {
                let words = format!("An earlier state, that of step {step}:");
                sent.push(MessagePart::Text(Segment::Turn, words.into()));
            }
            let included = row.parts.iter_mut().filter(|part| part.inclusion.is_included());
            sent.extend(included.filter_map(|part| {
                if self.sketches {
                    Some(named_part(step, *part))
                } else {
                    message_part(&past.observation, step, part)
                }
            }));
        }
        self.ledger.kept = kept;
        sent
    }
}
