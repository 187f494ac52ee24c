//! Tests what a model server supports with a few small requests, each of which only a model that received it completely
//! can answer: words and colours are drawn anew each time.

mod added_tokens;
mod call;
mod colors;
mod judge;
mod outcome;
mod table;

use std::time::Duration;

use self::call::Call;
pub use self::outcome::{AbilityResult, AbilityVerdict};
use self::outcome::{judged, newest, stops};
use self::table::{TRIALS, Trial};
use super::Lab;
use mageyard_agents::SuggestedSetting;
use mageyard_config::{Config, Problem};
use mageyard_domain::{AgentError, Reply, Usage};

/// The abilities of a server, in the order of their tests.
#[derive(Clone, Debug)]
pub(crate) struct ServerAbilities {
    /// The results.
    pub results: Vec<AbilityResult>,
    /// The number of requests that were sent.
    pub requests: usize,
    /// Why the tests ended early, if they did.
    pub stopped: Option<String>,
}

/// What came back for a request.
struct Answered {
    reply: Reply,
    chunks: usize,
    took: Duration,
}

/// The result of one request.
struct Attempted {
    trial: &'static Trial,
    answered: Result<Answered, AgentError>,
    /// Whether the reply shows that the model received the request.
    understood: bool,
    suggested: Option<SuggestedSetting>,
}

/// Tests the configured server. The words and colours of the requests are drawn from the seed. `on_result` gets each result
/// once its request is answered, and again at the end if the later ones have changed it.
pub(crate) async fn server_abilities(
    lab: &Lab,
    config: &Config,
    seed: u64,
    on_result: &mut (dyn FnMut(&AbilityResult) + Send),
) -> Result<ServerAbilities, Problem> {
    let mut reported = Vec::new();
    let mut attempts = Vec::new();
    let mut stopped = None;
    let mut requests = 0;
    for (number, trial) in (0..).zip(TRIALS.iter().filter(|trial| (trial.applies)(config))) {
        let task = (trial.task)(&mut table::Draw::new(seed, number));
        let answered = Call { lab, config, trial, task: &task }.send().await?;
        requests += usize::from(!matches!(answered, Err(AgentError::InvalidRequest(_))));
        let understood = answered.as_ref().is_ok_and(|answered| task.expected.is_met(&answered.reply.text));
        let suggested = lab.models.take_suggested_setting();
        stopped = answered.as_ref().err().filter(|error| attempts.is_empty() || stops(error)).cloned();
        attempts.push(Attempted { trial, answered, understood, suggested });
        let result = newest(&attempts);
        result.iter().for_each(&mut *on_result);
        reported.extend(result);
        if stopped.is_some() {
            break;
        }
    }
    let stopped = stopped.map(|error| error.to_string());
    let results = judged(&attempts, config, stopped.is_some());
    results.iter().filter(|result| !reported.contains(result)).for_each(on_result);
    Ok(ServerAbilities { results, requests, stopped })
}

impl Attempted {
    fn usage(&self) -> Option<Usage> {
        self.answered.as_ref().ok()?.reply.usage
    }
}
