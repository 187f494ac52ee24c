//! `doctor --model`: tests what a model server supports with a few small requests.

use std::sync::Arc;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::time::Instant;

use super::finding::Finding;
use super::runtime::single_thread_runtime;
use crate::agents::RequestLimits;
use crate::config::Config;
use crate::config::Problem;
use crate::dialog::verify;
use crate::domain::ActionSpace;
use crate::domain::AgentError;
use crate::domain::AgentEvent;
use crate::domain::AgentObserver;
use crate::domain::Answer;
use crate::domain::DecisionInput;
use crate::domain::DecodedTurn;
use crate::domain::Digest;
use crate::domain::Message;
use crate::domain::MessagePart;
use crate::domain::Observation;
use crate::domain::PartId;
use crate::domain::Picture;
use crate::domain::ReplyFormat;
use crate::domain::Role;
use crate::domain::Segment;
use crate::domain::SentRequest;
use crate::domain::Setting;
use crate::lab::Lab;

/// One test request.
struct Trial {
    name: &'static str,
    images: u32,
    stream: bool,
    /// What to do if the server does not support it.
    advice: &'static str,
}

const TRIALS: [Trial; 4] = [
    Trial { name: "text", images: 0, stream: false, advice: "" },
    Trial { name: "streaming", images: 0, stream: true, advice: "set model.stream = false" },
    Trial {
        name: "image",
        images: 1,
        stream: false,
        advice: "play with --prompt HD-CoT-NoIMG, which sends none",
    },
    Trial {
        name: "three images",
        images: 3,
        stream: false,
        advice: "set model.images_most = 1 and keep OM at 1",
    },
];

/// What to do if the user's own settings forbid the request.
const OWN_LIMIT_ADVICE: &str = "your own setting forbids this request: relax it to test the server";

/// The results. The tests stop if even plain text fails.
pub(super) fn findings(lab: &Lab, config: &Config) -> Vec<Finding> {
    let mut findings =
        vec![limits(lab, config).unwrap_or_else(|problem| Finding::fail("model, limits", problem))];
    for trial in &TRIALS {
        let finding = run_trial(lab, config, trial);
        let hopeless = finding.is_err();
        findings.push(finding.unwrap_or_else(|problem| Finding::fail("model", problem)));
        if hopeless {
            break;
        }
    }
    findings
}

/// The limits in the settings, and whether the frames respect them.
fn limits(lab: &Lab, config: &Config) -> Result<Finding, Problem> {
    let RequestLimits { images, side, resolution } = lab.request_limits(config)?;
    let most = |most: Option<u32>, what: &str| {
        most.map_or_else(|| format!("any {what}"), |most| format!("at most {most} {what}"))
    };
    let sent = resolution.map_or_else(|| "at their original size".to_owned(), |edge| format!("at {edge} px"));
    let found = format!("{}, {}; frames are sent {sent}", most(images, "images"), most(side, "px a side"));
    Ok(match (side, resolution) {
        (Some(side), Some(edge)) if edge > side => {
            Finding::warn("model, limits", found, "set model.resolution to model.side_most or less")
        }
        _ => Finding::ok("model, limits", found),
    })
}

fn run_trial(lab: &Lab, config: &Config, trial: &Trial) -> Result<Finding, Problem> {
    let name = format!("model, {}", trial.name);
    let began = Instant::now();
    match call(lab, config, trial)? {
        Ok(usage) => Ok(Finding::ok(name, format!("works, {} ms, {usage}", began.elapsed().as_millis()))),
        Err(error) if trial.advice.is_empty() => Err(Problem::new(error.to_string())),
        Err(error @ AgentError::InvalidRequest(_)) => {
            Ok(Finding::warn(name, error.to_string(), OWN_LIMIT_ADVICE))
        }
        Err(error) => Ok(Finding::warn(name, error.to_string(), trial.advice)),
    }
}

/// Sends one request; returns its token usage as text.
fn call(lab: &Lab, config: &Config, trial: &Trial) -> Result<Result<String, AgentError>, Problem> {
    let mut agent = lab
        .trial_agent(config, trial.stream)
        .map_err(|problem| problem.with_help("use `mageyard doctor --model NAME`"))?;
    let ear = CountingObserver { expected: request(trial.images), pieces: Mutex::new(0) };
    let (space, nothing) = (ActionSpace::new(&[]), Observation::from_parts(vec![], "", ()));
    let ask = DecisionInput {
        step: 1,
        attempt: 1,
        setting: Setting::Online,
        form: &ReplyFormat::headings("", "", false),
        observation: &nothing,
        space: &space,
        steps_left: 1,
        request: &ear.expected,
        observer: &ear,
    };
    let runtime = single_thread_runtime().map_err(super::exit::Failure::into_problem)?;
    let answer = runtime.block_on(agent.decide(ask));
    Ok(answer.and_then(readable).map(|answer| describe(&answer, &ear)))
}

/// A reply that was cut or refused is an error here.
fn readable(answer: Answer) -> Result<Answer, AgentError> {
    match answer {
        Answer::Replied(reply) if !reply.ending.is_readable() => Err(AgentError::ReplyFailed(reply.ending)),
        answer => Ok(answer),
    }
}

fn describe(answer: &Answer, ear: &CountingObserver) -> String {
    let Answer::Replied(reply) = answer else { return String::new() };
    let usage = reply.usage.map_or("token usage not reported".to_owned(), |usage| {
        format!("{} tokens in, {} out", usage.input, usage.output)
    });
    let pieces = *ear.pieces.lock().unwrap_or_else(PoisonError::into_inner);
    let model = reply.model.as_ref().map_or_else(String::new, |model| format!(", by {model}"));
    format!("{usage}{model}, in {pieces} {}", if pieces == 1 { "chunk" } else { "chunks" })
}

fn request(images: u32) -> Vec<Message> {
    let text = MessagePart::Text(Segment::Task, "Answer with the one word: ok".into());
    let frames = (1..=images).filter_map(|step| {
        let shade = u8::try_from(step * 60).unwrap_or(u8::MAX);
        Some(MessagePart::Image(
            PartId { step, index: 0 },
            Arc::new(Picture::new(32, 32, 1, [shade, 40, 40].repeat(1024))?),
        ))
    });
    vec![Message { role: Role::User, parts: std::iter::once(text).chain(frames).collect() }]
}

/// Verifies what is sent against the expected turns and counts the chunks of the reply.
struct CountingObserver {
    expected: Vec<Message>,
    pieces: Mutex<usize>,
}

impl AgentObserver for CountingObserver {
    fn verify(
        &self,
        sent: &[DecodedTurn],
        encoded: &dyn Fn(PartId) -> Option<Digest>,
    ) -> Result<(), AgentError> {
        verify(&self.expected, sent, encoded).map_err(|error| AgentError::MemoryMismatch(error.to_string()))
    }

    fn sending(&self, _: &Arc<SentRequest>) -> Result<(), AgentError> {
        Ok(())
    }

    fn failed(&self, _: &AgentError) -> Result<(), AgentError> {
        Ok(())
    }

    fn notify(&self, news: AgentEvent) {
        if let AgentEvent::TextReceived(_) = news {
            *self.pieces.lock().unwrap_or_else(PoisonError::into_inner) += 1;
        }
    }
}
