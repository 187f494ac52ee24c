//! The diagnostic spans of requests. Their fields are numbers and names, never texts of a request, a reply or a
//! server, and never a key.

use std::time::Duration;

use tracing::Span;
use tracing::field::Empty;

use super::error::RequestError;
use mageyard_domain::{AgentError, DecisionInput, EndpointFailure, Reply};

/// One decision, or one side request with its role: everything from encoding to the complete reply, with its tries.
pub(super) fn request(input: &DecisionInput<'_>) -> Span {
    let role = input.question.map(|question| question.role.name());
    tracing::debug_span!("request", step = input.step, attempt = input.attempt, role)
}

/// One try of a request.
pub(super) fn send(number: u32) -> Span {
    tracing::debug_span!(
        "try",
        number,
        status = Empty,
        failure = Empty,
        input_tokens = Empty,
        output_tokens = Empty
    )
}

/// Adds the result to the span of a try.
pub(super) fn record(span: &Span, result: &Result<Reply, RequestError>) {
    match result {
        Ok(reply) => {
            span.record("status", 200);
            if let Some(usage) = reply.usage {
                span.record("input_tokens", usage.input);
                span.record("output_tokens", usage.output);
            }
        }
        Err(RequestError { error: AgentError::Api { status, .. }, .. }) => {
            span.record("status", status);
        }
        Err(error) => {
            span.record("failure", failure(&error.error));
        }
    }
}

/// Reports that a request is retried.
pub(super) fn retry(error: &RequestError, attempt: u32, delay: Duration) {
    let milliseconds = u64::try_from(delay.as_millis()).unwrap_or(u64::MAX);
    tracing::warn!(attempt, milliseconds, failure = failure(&error.error), "the request is retried");
}

fn failure(error: &AgentError) -> String {
    EndpointFailure::of(error).map_or_else(|| "reply".to_owned(), |class| class.to_string())
}
