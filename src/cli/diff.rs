//! `diff`: compares two requests, or finds the first step at which two recordings differ.

use mageyard_lab::recorded_episode;
use std::io;
use std::sync::Arc;

use super::context::Context;
use super::diff_records::{DivergenceRecord, ParameterRecord, RequestsRecord, TurnRecord};
use super::diff_repeats;
use super::exit::{Exit, Failure};
use super::output::{Output, count_noun};
use super::runtime::single_thread_runtime;
use super::session::one_episode;
use super::view::role_parser;
use mageyard_agents::request_reader;
use mageyard_config::{Problem, load_prices};
use mageyard_dialog::{DiffCounts, RequestDiff};
use mageyard_domain::{Cost, Prices, SentRequest, Setting, SideRole, TokenTotals, Usage};
use mageyard_engine::{Episode, Step, Store};
use mageyard_lab::{
    AnswerDifference, Divergence, Lab, answer_differences, check_step_exists, first_divergence,
    parse_step_reference,
};

/// Compare two requests, or find where two recordings part
///
/// With a step on both sides the requests of these steps are compared: turns are aligned, texts are compared by word
/// ([-removed-]{+added+}), images by digest. Without steps the first step is named at which the recordings differ in
/// state or action, and where they meet again; answers to side requests up to there are compared too. Two steps, branches, sessions and levels can be compared in any way.
///
/// With A alone, the repeats of a session are compared: episodes of the same level and settings. The first state at which
/// they part is named, and each choice with its count and its results.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Session, branch or step, such as last, last#b1, last#3 or last#b1@3
    #[arg(value_name = "A")]
    old: String,
    /// What to compare it with [default: the repeats of A with each other]
    #[arg(value_name = "B")]
    new: Option<String>,
    /// Compare the side requests of this role in place of the agent's requests; needs steps
    #[arg(long, value_name = "ROLE", value_parser = role_parser(), requires = "new")]
    role: Option<SideRole>,
    /// Show equal turns and texts in full
    #[arg(long)]
    full: bool,
    /// Print JSON, one object per line
    #[arg(long)]
    json: bool,
}

impl Args {
    /// The second side.
    fn new_name(&self) -> &str {
        self.new.as_deref().unwrap_or_default()
    }
}

pub(super) fn run(args: &Args, context: &Context) -> Result<Exit, Failure> {
    let config = context.config()?;
    let store = Store::new(config.store_folder());
    let Some(second) = &args.new else { return diff_repeats::run(&args.old, &store, args.json) };
    let sides = [parse_step_reference(&args.old)?, parse_step_reference(second)?];
    single_thread_runtime()?.block_on(async {
        let old = episode(&context.lab, &store, sides[0].0).await?;
        let new = episode(&context.lab, &store, sides[1].0).await?;
        let mut out = Output::open();
        match [sides[0].1, sides[1].1] {
            [Some(one), Some(other)] => {
                let prices = load_prices(&config)?;
                let find = |episode: &Episode, step| match args.role {
                    Some(role) => side_request(episode, step, role, &prices),
                    None => request(episode, step, &prices),
                };
                let requests = (find(&old, one)?, find(&new, other)?);
                let diff = RequestDiff::new(&requests.0.sent, &requests.1.sent, request_reader());
                print_requests(args, &diff, (&requests.0, &requests.1), &mut out)
            }
            [None, None] if args.role.is_none() => print_divergence(args, &old, &new, &mut out),
            [None, None] => {
                let problem = Problem::new("--role has no effect without steps");
                Err(problem.with_help("name a step on both sides, such as last#3 last#4").into())
            }
            _ => {
                let problem = Problem::new("one side names a step and the other does not");
                Err(problem
                    .with_help(
                        "name a step on both sides to compare requests, or on none to find where they part",
                    )
                    .into())
            }
        }
    })
}

async fn episode(lab: &Lab, store: &Store, session: &str) -> Result<Episode, Failure> {
    let journal = one_episode(store, session, "")?;
    Ok(recorded_episode(lab, journal).restore().await?.episode)
}

/// A request with what it cost.
struct ComparedRequest {
    sent: Arc<SentRequest>,
    spent: TokenTotals,
    cost: Cost,
}

impl ComparedRequest {
    /// The tokens, if the server counted them.
    fn known_tokens(&self) -> Option<Usage> {
        (self.spent.unmetered == 0).then_some(self.spent.usage)
    }

    fn tokens(&self) -> String {
        self.known_tokens().map_or("unknown".to_owned(), |usage| format!("{}+{}", usage.input, usage.output))
    }

    fn amount(&self) -> Option<String> {
        match &self.cost {
            Cost::Known { unknown: 0, .. } => Some(self.cost.to_string()),
            _ => None,
        }
    }
}

/// The last request of a step. In the Global setting the request belongs to step 1.
fn request(episode: &Episode, number: u32, prices: &Prices) -> Result<ComparedRequest, Problem> {
    let done = usize::try_from(episode.steps_done()).unwrap_or(usize::MAX);
    check_step_exists(done, episode.steps().len(), Some(number))?;
    let number = if episode.head().setting == Setting::Global { 1 } else { number };
    let step = episode.steps().numbered(number);
    let attempt = step.and_then(|step| step.attempts.iter().rev().find(|attempt| attempt.sent.is_some()));
    let found = attempt.and_then(|attempt| {
        let spent = attempt.spent();
        let cost = prices.cost(step?.agent.model.as_deref(), spent);
        Some(ComparedRequest { sent: attempt.sent.clone()?, spent, cost })
    });
    found.ok_or_else(|| {
        let what = format!("step {number} of {} has no request", episode.head().agent.display_name());
        Problem::new(what).with_help("only an agent that asks a model sends requests; leave out the steps to compare states and actions")
    })
}

/// The last side request of a role at a step.
fn side_request(
    episode: &Episode,
    number: u32,
    role: SideRole,
    prices: &Prices,
) -> Result<ComparedRequest, Problem> {
    let done = usize::try_from(episode.steps_done()).unwrap_or(usize::MAX);
    check_step_exists(done, episode.steps().len(), Some(number))?;
    let asked = episode.steps().numbered(number).into_iter().flat_map(|step| step.side.iter().rev());
    let mut sent = asked.filter(|exchange| exchange.role() == role && exchange.attempt.sent.is_some());
    let found = sent.next().and_then(|exchange| {
        let tokens = exchange.spent();
        let cost = prices.cost(episode.head().model_of(role), tokens);
        Some(ComparedRequest { sent: exchange.attempt.sent.clone()?, spent: tokens, cost })
    });
    found.ok_or_else(|| Problem::new(format!("the role {role} was not asked at step {number}")))
}

fn print_requests(
    args: &Args,
    diff: &RequestDiff,
    (old, new): (&ComparedRequest, &ComparedRequest),
    out: &mut Output,
) -> Result<Exit, Failure> {
    let counts = diff.counts();
    if args.json {
        let both = [old, new];
        let tokens = both.map(ComparedRequest::known_tokens);
        out.record(&RequestsRecord {
            old: &args.old,
            new: args.new_name(),
            equal: diff.is_empty(),
            turns_removed: counts.removed,
            turns_added: counts.added,
            turns_changed: counts.changed,
            images: both.map(|side| side.sent.images),
            tokens_in: tokens.map(|usage| usage.map(|usage| usage.input)),
            tokens_out: tokens.map(|usage| usage.map(|usage| usage.output)),
            cost: both.map(ComparedRequest::amount),
            turns: TurnRecord::all(&diff.turns),
            parameters: ParameterRecord::all(&diff.parameters),
        })?;
        return Ok(Exit::Done);
    }
    out.line(format!("--- {}", args.old))?;
    out.line(format!("+++ {}", args.new_name()))?;
    diff.text_lines(args.full).iter().try_for_each(|line| out.line(line))?;
    let DiffCounts { removed, added, changed } = counts;
    out.line(format!(
        "{} removed, {added} added, {changed} changed; images {} -> {}",
        count_noun(removed, "turn", "turns"),
        old.sent.images,
        new.sent.images
    ))?;
    out.line(format!("tokens {} -> {}; cost {} -> {}", old.tokens(), new.tokens(), old.cost, new.cost))?;
    Ok(Exit::Done)
}

fn print_divergence(args: &Args, old: &Episode, new: &Episode, out: &mut Output) -> Result<Exit, Failure> {
    let found = first_divergence(old, new);
    let answers = answer_differences(old, new);
    let sides = [(args.old.as_str(), old), (args.new_name(), new)];
    if args.json {
        out.record(&DivergenceRecord::new(found.as_ref(), &answers, sides))?;
        return Ok(Exit::Done);
    }
    let Some(Divergence { step, is_same_state, meeting }) = found else {
        let what = "every state and every action is equal";
        out.line(if answers.is_empty() { format!("no difference: {what}") } else { what.to_owned() })?;
        print_answers(&answers, sides.map(|side| side.0), out)?;
        return Ok(Exit::Done);
    };
    let what = if is_same_state { "the same state, another action" } else { "another state" };
    out.line(format!("step {step}: {what}"))?;
    for (name, episode) in sides {
        side_lines(name, episode, step).iter().try_for_each(|line| out.line(line))?;
    }
    if let Some((one, other)) = meeting {
        out.line(format!(
            "the same state again: step {one} of {}, step {other} of {}",
            args.old,
            args.new_name()
        ))?;
    }
    print_answers(&answers, sides.map(|side| side.0), out)?;
    Ok(Exit::Done)
}

/// The answers to side requests that differ.
fn print_answers(answers: &[AnswerDifference], names: [&str; 2], out: &mut Output) -> io::Result<()> {
    for AnswerDifference { step, role, answers } in answers {
        out.line(format!("step {step}: {role} answers"))?;
        for (name, answer) in names.iter().zip(answers) {
            out.line(format!("  {name}  {}", answer.as_deref().unwrap_or("was not asked")))?;
        }
    }
    Ok(())
}

/// What one side did at the step, and how it went on.
fn side_lines(name: &str, episode: &Episode, number: u32) -> Vec<String> {
    let step = episode.steps().numbered(number);
    let ending = episode.ending().map_or("unfinished".to_owned(), |ending| ending.to_string());
    let steps = count_noun(episode.steps_done() as usize, "step", "steps");
    let mut lines = vec![format!(
        "  {name}  {}; then {ending} after {steps}, sum {:+}",
        done(step.map(AsRef::as_ref)),
        episode.returns().sum
    )];
    let reply = step.and_then(|step| step.output());
    lines.extend(reply.iter().flat_map(|reply| reply.lines()).map(|line| format!("    | {line}")));
    lines
}

fn done(step: Option<&Step>) -> String {
    let Some(step) = step else { return "has no such step".to_owned() };
    let reward = step.effect.as_ref().map_or(String::new(), |effect| format!(" {:+}", effect.reward));
    step.action.as_ref().map_or("no action".to_owned(), |action| format!("{action}{reward}"))
}
