//! Branches for the screen: planned, made, listed and continued beside it; the results reach it as events.

use std::path::PathBuf;

use tokio::sync::mpsc::UnboundedSender;

use super::exit::Failure;
use super::flags;
use super::session_start::start_session;
use super::set_flag::SET;
use crate::config::Config;
use crate::config::Problem;
use crate::config::SettingOverride;
use crate::config::Sources;
use crate::engine::Condition;
use crate::engine::ConditionError;
use crate::engine::Session;
use crate::engine::branch_name;
use crate::lab::Branch;
use crate::lab::ForkPlan;
use crate::lab::ForkRequest;
use crate::lab::Lab;
use crate::lab::LabError;
use crate::lab::condition_problem;
use crate::tui::BranchRow;
use crate::tui::ForkOrder;
use crate::tui::HostEvent;

/// Plans or makes a branch.
pub(super) fn fork(lab: Lab, sources: Sources, order: ForkOrder, events: UnboundedSender<HostEvent>) {
    tokio::spawn(async move {
        let changes = order.changes.clone();
        let answer = match (order.is_made, planned(&lab, sources, &order).await) {
            (true, Ok((plan, config))) => HostEvent::Continued(made(&lab, plan, &config).map_err(problem)),
            (true, Err(failed)) => HostEvent::Continued(Err(failed)),
            (false, planned) => HostEvent::ForkPlanned(changes, planned.map(|(plan, _)| plan_lines(&plan))),
        };
        // The screen may be closed.
        let _ = events.send(answer);
    });
}

async fn planned(lab: &Lab, sources: Sources, order: &ForkOrder) -> Result<(ForkPlan, Config), Problem> {
    let (given, request) = read_changes(order)?;
    let mut sources = sources;
    sources.overrides.extend(given);
    let config = sources.read()?;
    let plan = lab.plan_fork(&order.journal, &request, &config).await.map_err(problem)?;
    Ok((plan, config))
}

fn made(lab: &Lab, plan: ForkPlan, config: &Config) -> Result<Session, LabError> {
    Ok(start_session(lab.make_fork(plan, config)?.episode, config))
}

/// Continues an unfinished episode.
pub(super) fn resume(lab: Lab, journal: PathBuf, config: Config, events: UnboundedSender<HostEvent>) {
    tokio::spawn(async move {
        let resumed = lab.resume(&journal, &config).await;
        let _ = events.send(HostEvent::Continued(
            resumed.map(|staged| start_session(staged, &config)).map_err(problem),
        ));
    });
}

/// Opens the recording of a journal.
pub(super) fn open(lab: Lab, journal: PathBuf, config: Config, events: UnboundedSender<HostEvent>) {
    tokio::spawn(async move {
        let opened = lab.open_recorded(&journal, false, &config).await;
        let _ = events.send(HostEvent::Recorded(opened.map(|session| vec![session]).map_err(problem)));
    });
}

/// Lists the branches of an episode.
pub(super) fn list(lab: Lab, journal: PathBuf, config: Config, events: UnboundedSender<HostEvent>) {
    tokio::spawn(async move {
        let branches = lab.branches(&journal, &config).await;
        let rows = branches.map(|branches| tree(&branches)).map_err(problem);
        let _ = events.send(HostEvent::Branches(rows));
    });
}

fn problem(error: LabError) -> Problem {
    Failure::from(error).into_problem()
}

/// Reads `NAME=VALUE` words, `unsafe`, the condition after `expect=`, and after `why` the hypothesis.
fn read_changes(order: &ForkOrder) -> Result<(Vec<SettingOverride>, ForkRequest), Problem> {
    let mut request = ForkRequest { step: order.step, ..ForkRequest::default() };
    let changes = order.changes.trim_end();
    let (mut given, mut rest) = (Vec::new(), changes.trim_start());
    while !rest.is_empty() {
        if let Some(text) = rest.strip_prefix(EXPECT) {
            let length = condition_length(text, changes)?;
            request.expect = Some(text[..length].trim().to_owned());
            rest = text[length..].trim_start();
            continue;
        }
        let (word, after) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        rest = after.trim_start();
        match word {
            "why" if rest.is_empty() => return Err(Problem::new("no hypothesis follows the word why")),
            "why" => {
                request.why = Some(rest.to_owned());
                break;
            }
            "unsafe" | "--unsafe" => request.allow_unsafe = true,
            word => given.push(assignment(word)?),
        }
    }
    request.given = given.iter().map(|given| given.name.clone()).collect();
    Ok((given, request))
}

/// What a condition begins with.
const EXPECT: &str = "expect=";

/// The length of the condition that the end of the changes begins with. What follows it is another change.
fn condition_length(text: &str, changes: &str) -> Result<usize, Problem> {
    let before = changes.len() - text.len();
    let wrong = |error: ConditionError| {
        let span = before + error.span.start..before + error.span.end;
        condition_problem(&ConditionError { span, ..error }, "changes", changes)
    };
    let (_, length) = Condition::read_start(text).map_err(wrong)?;
    let rest = &text[length..];
    if rest.is_empty() || rest.starts_with(char::is_whitespace) {
        return Ok(length);
    }
    Err(wrong(ConditionError::new("expected and, or or a space here", length..length + 1)))
}

fn assignment(word: &str) -> Result<SettingOverride, Problem> {
    let Some((name, value)) = word.split_once('=') else {
        let problem = Problem::new(format!("{word:?} is not a change"));
        return Err(problem.with_help(
            "write NAME=VALUE, such as prompt=HD-CoT or am=1; expect=CONDITION tests a hypothesis, which follows the word why",
        ));
    };
    let name = flags::setting_of(name).unwrap_or(name);
    SettingOverride::parse(&format!("{name}={value}"), SET)
}

/// What a branch would be.
fn plan_lines(plan: &ForkPlan) -> Vec<String> {
    let state = format!("the state of the step is restored: {}", plan.restored);
    std::iter::once(state).chain(super::fork::plan_lines(plan)).collect()
}

/// The rows of the tree: each branch below its parent.
fn tree(branches: &[Branch]) -> Vec<BranchRow> {
    let mut rows = Vec::new();
    let roots = branches.iter().filter(|branch| branch.number.is_none());
    roots.for_each(|root| add_rows(root, branches, 0, &mut rows));
    rows
}

fn add_rows(branch: &Branch, all: &[Branch], depth: usize, rows: &mut Vec<BranchRow>) {
    rows.push(row(branch, depth));
    let is_child = |other: &&Branch| {
        other.head.parent.as_ref().is_some_and(|parent| parent.branch == branch.number)
            && other.number.is_some()
    };
    all.iter().filter(is_child).for_each(|child| add_rows(child, all, depth + 1, rows));
}

fn row(branch: &Branch, depth: usize) -> BranchRow {
    let parent = branch.head.parent.as_deref();
    let place = parent.map_or(String::new(), |parent| format!(" at step {}", parent.step));
    let mut notes: Vec<String> = parent.map_or(Vec::new(), |parent| {
        let changes = parent.changes.iter().map(ToString::to_string);
        std::iter::once(parent.restored.to_string()).chain(changes).chain(parent.why.clone()).collect()
    });
    if depth == 0 {
        notes.push(format!("{}, {}", branch.head.agent.display_name(), branch.head.prompt));
    }
    notes.extend(branch.expectation.as_ref().map(ToString::to_string));
    notes.extend(branch.meeting.map(|meeting| super::fork::meeting_text(&meeting)));
    BranchRow {
        journal: branch.journal.clone(),
        depth,
        name: format!("{}{place}", branch.number.map_or("episode".to_owned(), branch_name)),
        rewards: branch
            .steps
            .iter()
            .map(|step| step.action.as_ref().map_or(0.0, |action| action.1))
            .collect(),
        ending: branch.ending(),
        notes,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order(changes: &str) -> ForkOrder {
        ForkOrder { journal: PathBuf::new(), step: 3, changes: changes.to_owned(), is_made: false }
    }

    #[test]
    fn changes_are_words_and_the_hypothesis_is_the_rest() {
        let (given, request) = read_changes(&order("prompt=HD-CoT  am=1 why it forgets x=1")).unwrap();
        let given: Vec<_> = given.iter().map(|one| (one.name.as_str(), one.text.as_str())).collect();
        assert_eq!(given, [("play.prompt", "HD-CoT"), ("memory.am", "1")]);
        assert_eq!((request.step, request.why.as_deref()), (3, Some("it forgets x=1")));
        assert_eq!(request.given, ["play.prompt", "memory.am"]);
        let text = "expect=not ra and text~\"no way\" am=1 why it turns";
        let (given, request) = read_changes(&order(text)).unwrap();
        assert_eq!((given[0].text.as_str(), request.why.as_deref()), ("1", Some("it turns")));
        assert_eq!(request.expect.as_deref(), Some("not ra and text~\"no way\""));
        let wrong = read_changes(&order("am=1 expect=ra>x why")).unwrap_err();
        assert_eq!(wrong.location.unwrap().span, 15..16);
        assert!(read_changes(&order("unsafe")).unwrap().1.allow_unsafe);
        assert!(read_changes(&order("")).unwrap().0.is_empty());
        for (changes, error) in
            [("am", "\"am\" is not a change"), ("why", "no hypothesis follows the word why")]
        {
            assert_eq!(read_changes(&order(changes)).unwrap_err().message, error);
        }
    }
}
