//! One call: the request goes out, and its reply is read by the rules of the state.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use super::order::PlannedCall;
use super::prepare::turns_digest;
use super::record::AskCall;
use super::state::FrozenState;
use mageyard_dialog::{Request, parse_reply, read_probe_answer};
use mageyard_domain::{
    ActionOdds, Agent, AgentError, AgentEvent, AgentObserver, Answer, DecisionInput, DecodedTurn, Digest,
    EndpointFailure, PartId, Probe, Reply, ReplyOrigin, RequestOutcome, SentRequest, Thought, TokenOdds,
    TokenTotals, Usage,
};
use mageyard_engine::ReplyReader;

/// Sends a request and reads the reply. An error of the server is part of the result.
pub(super) async fn send(
    mut agent: Box<dyn Agent>,
    state: Arc<FrozenState>,
    request: Arc<Request>,
    (planned, seed): (PlannedCall, Option<u32>),
    probe: Option<Probe>,
) -> AskCall {
    let probe = probe.as_ref();
    let observer = CallObserver { state: &state, request: &request, probe, seen: Mutex::default() };
    let step = &state.step;
    let input = DecisionInput {
        step: step.number,
        attempt: 1,
        setting: state.head.setting,
        form: &state.form,
        observation: &step.observation,
        space: &step.space,
        steps_left: state.head.max_steps.saturating_sub(step.number - 1),
        request: &request.messages,
        question: None,
        probe,
        observer: &observer,
    };
    let answer = agent.decide(input).await;
    let noted = observer.seen.into_inner().unwrap_or_else(PoisonError::into_inner);
    let empty = AskCall {
        variant: planned.variant,
        sample: planned.sample,
        seed,
        request: noted.request,
        reply: None,
        origin: noted.origin.clone(),
        actions: Vec::new(),
        odds: None,
        rule: None,
        error: None,
        spent: noted.spent,
    };
    match answer {
        Ok(Answer::Replied(reply)) => {
            let reply = continued(request.answer_start(), reply);
            match probe {
                None => replied(&state, reply, &noted, empty),
                Some(probe) => answered(probe, timed(reply, &noted), empty),
            }
        }
        Ok(Answer::GaveUp) => AskCall { error: Some("the agent gave up".to_owned()), ..empty },
        Err(error) => AskCall { error: Some(error.to_string()), ..empty },
    }
}

/// The complete answer: what it began with, and what the server added. Some servers send both.
fn continued(start: Option<&str>, reply: Reply) -> Reply {
    match start.filter(|start| !reply.text.starts_with(start)) {
        Some(start) => {
            let shift = start.len();
            let thoughts =
                reply.thoughts.into_iter().map(|thought| Thought { at: thought.at + shift, ..thought });
            let odds = reply.token_odds.into_iter().map(|token| TokenOdds { at: token.at + shift, ..token });
            let text = format!("{start}{}", reply.text);
            Reply { text, thoughts: thoughts.collect(), token_odds: odds.collect(), ..reply }
        }
        None => reply,
    }
}

/// The call with its reply, read as in an episode.
fn replied(state: &FrozenState, reply: Reply, seen: &Seen, call: AskCall) -> AskCall {
    let reply = timed(reply, seen);
    let read = reply.clone().for_format(&state.form);
    let FrozenState { head, form, step, .. } = state;
    let reader = ReplyReader { rules: &head.rules, format: form, policy: head.conduct };
    let outcome = reader.read(&read.text, &read.ending, &step.space);
    let spent = call.spent.plus(TokenTotals::of_request(reply.usage));
    let (actions, rule) = match outcome.result {
        Ok(actions) => (actions.iter().map(ToString::to_string).collect(), None),
        Err(error) => (Vec::new(), Some(error.rule)),
    };
    let place = outcome.spans.action.filter(|_| rule.is_none());
    let odds = place.and_then(|place| ActionOdds::of(&read.token_odds, &read.thoughts, &place));
    AskCall { reply: Some(reply), actions, odds, rule, spent, ..call }
}

/// The reply with the time that it took.
fn timed(reply: Reply, seen: &Seen) -> Reply {
    let latency_ms = seen.sent_at.and_then(|sent| u32::try_from(sent.elapsed().as_millis()).ok());
    Reply { latency_ms, ..reply }
}

/// The call with its answer to a question about the state.
fn answered(probe: &Probe, reply: Reply, call: AskCall) -> AskCall {
    let (actions, rule) = match read_probe_answer(&reply.text, &probe.form) {
        Ok(answer) => (vec![answer], None),
        Err(rule) => (Vec::new(), Some(rule.to_owned())),
    };
    let spent = call.spent.plus(TokenTotals::of_request(reply.usage));
    AskCall { reply: Some(reply), actions, rule, spent, ..call }
}

/// What was seen of a call.
#[derive(Default)]
struct Seen {
    request: Option<Digest>,
    sent_at: Option<Instant>,
    origin: ReplyOrigin,
    /// Reported for the newest try.
    usage: Option<Usage>,
    /// The tokens of the tries that failed.
    spent: TokenTotals,
}

/// Verifies what is sent against the composed request, and counts its tries.
struct CallObserver<'a> {
    state: &'a FrozenState,
    request: &'a Request,
    probe: Option<&'a Probe>,
    seen: Mutex<Seen>,
}

impl CallObserver<'_> {
    fn seen(&self) -> MutexGuard<'_, Seen> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl AgentObserver for CallObserver<'_> {
    fn verify(
        &self,
        sent: &[&DecodedTurn],
        encoded: &dyn Fn(PartId) -> Option<Digest>,
    ) -> Result<(), AgentError> {
        self.request.verify(sent, encoded).map_err(|error| AgentError::MemoryMismatch(error.to_string()))
    }

    fn sending(&self, request: &Arc<SentRequest>) -> Result<(), AgentError> {
        let mut seen = self.seen();
        (seen.request, seen.sent_at) = (Some(turns_digest(request)), Some(Instant::now()));
        (seen.origin, seen.usage) = (ReplyOrigin::default(), None);
        Ok(())
    }

    fn failed(&self, error: &AgentError) -> Result<(), AgentError> {
        let outcome = EndpointFailure::of(error).map_or(RequestOutcome::Failed, EndpointFailure::outcome);
        let mut seen = self.seen();
        seen.spent = seen.spent.plus(TokenTotals::of(outcome, seen.usage));
        Ok(())
    }

    fn stable_turns(&self) -> usize {
        self.request.stable
    }

    fn gives_action(&self, text: &str) -> bool {
        if let Some(probe) = self.probe {
            return read_probe_answer(text, &probe.form).is_ok();
        }
        let FrozenState { head, form, step, .. } = self.state;
        parse_reply(&head.rules, form, text, &step.space).result.is_ok()
    }

    fn notify(&self, event: AgentEvent) {
        match event {
            AgentEvent::OriginReported(origin) => self.seen().origin = origin,
            AgentEvent::UsageReported(usage) => self.seen().usage = Some(usage),
            _ => {}
        }
    }
}
