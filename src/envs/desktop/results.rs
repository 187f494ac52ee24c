//! Results in the form of `AgentStudio`: a line for each task, with what a stored episode has of it. What it does not have is
//! null: films, times of steps, pictures of the screen.

use mageyard_domain::{
    Arg, Ending, ResultEpisode, ResultFile, ResultFormat, ResultPart, ResultReply, StoredStep, Usage,
    file_name_of,
};
use serde_json::{Value, json};

use crate::inspector;
use crate::judging::FULL_SCORE;
use crate::task::Task;

/// The only form.
pub(crate) const FORMATS: &[ResultFormat] = &[ResultFormat {
    name: "agentstudio",
    summary: "the results of AgentStudio's tasks, result.jsonl",
    entry,
    files,
}];

/// The agent and the line of an episode.
fn entry(episode: &ResultEpisode<'_>) -> Result<Value, String> {
    let stored = &episode.stored;
    let task = Task::of_level(stored.level).map_err(|error| error.to_string())?;
    let verdict = stored.verdict.ok_or("it has no verdict")?;
    let line = json!({
        "task_id": task.id,
        "instruction": task.instruction,
        "score": verdict.score.map(|score| score / FULL_SCORE),
        "feedback": verdict.feedback.join("\n"),
        "token_count": tokens(episode.replies.iter()),
        "time_cost": episode.seconds,
        "video": null,
        "trajectory": trajectory(&stored.conclusion.steps, episode.replies, stored.conclusion.ending),
    });
    Ok(json!({"agent": episode.agent, "line": line}))
}

/// The tokens of replies; `None` if no server has said any.
fn tokens<'a>(replies: impl Iterator<Item = &'a ResultReply>) -> Option<u64> {
    let counts = replies.filter_map(|reply| reply.usage.as_ref());
    counts.map(|usage: &Usage| usage.input + usage.output).reduce(|sum, count| sum + count)
}

/// An entry for each action, and one for what ended the episode by force: its action, if there is one, was not run.
fn trajectory(steps: &[StoredStep], replies: &[ResultReply], ending: Ending) -> Vec<Value> {
    let stopped = stop_reason(ending);
    let mut entries = Vec::new();
    for ((index, step), number) in steps.iter().enumerate().zip(1_u32..) {
        let is_last = index + 1 == steps.len();
        let replies: Vec<&ResultReply> = replies.iter().filter(|reply| reply.step == number).collect();
        let result = match (stopped, step.action.is_some()) {
            (Some(reason), _) if is_last => json!({"force_stop_reason": reason}),
            (_, true) => result(step, steps.get(index + 1)),
            (_, false) => continue,
        };
        entries.push(json!({
            "obs": null,
            "prompt": replies.last().map(|reply| prompt(reply)),
            "response": replies.last().map(|reply| &*reply.text),
            "action": cell(step),
            "info": {"total_tokens": tokens(replies.iter().copied())},
            "result": result,
            "timestamp": null,
        }));
    }
    entries
}

/// The text of the released code for an episode that did not end by its agent (section 3 of its rules).
fn stop_reason(ending: Ending) -> Option<&'static str> {
    match ending {
        Ending::Stopped | Ending::Abandoned => Some("Cancelled by human."),
        Ending::StepLimit => Some("Max step reached."),
        Ending::TimeLimit => Some("Time limit reached."),
        Ending::Unreadable | Ending::ReplyCut | Ending::Refusal => Some("Failed to generate action."),
        Ending::Repetition => Some("Repeated action."),
        Ending::Won
        | Ending::Lost
        | Ending::Finished
        | Ending::PlanEnded
        | Ending::Stood
        | Ending::Budget => None,
    }
}

/// The cell of a step, with its sign of being done.
fn cell(step: &StoredStep) -> Option<&str> {
    step.action.as_ref()?.args.values().find_map(|value| match value {
        Arg::Code(code) => Some(&**code),
        _ => None,
    })
}

/// What the cell of a step led to: the result in the state after it, and why it was not run to its end.
fn result(step: &StoredStep, after: Option<&StoredStep>) -> Value {
    let texts = after.and_then(|after| inspector::texts(&after.observation));
    let output: Vec<&str> = texts.map(|[_, result]| result).into_iter().collect();
    match &step.problem {
        Some(problem) => json!({"output": output, "error": problem.reason().to_string()}),
        None => json!({"output": output}),
    }
}

/// The parts of the request, each as a message.
fn prompt(reply: &ResultReply) -> Vec<Value> {
    let message = |role: &str, part: &ResultPart| {
        let content = match part {
            ResultPart::Text(text) => text.as_str(),
            ResultPart::Picture(_) => "",
        };
        json!({"role": role, "content": content})
    };
    reply.turns.iter().flat_map(|turn| turn.parts.iter().map(|part| message(&turn.role, part))).collect()
}

/// `result.jsonl`; with the name of the agent before it where there are several.
fn files(entries: &[Value]) -> Vec<ResultFile> {
    let mut agents: Vec<&str> = entries.iter().filter_map(|entry| entry["agent"].as_str()).collect();
    agents.sort_unstable();
    agents.dedup();
    let mut files: Vec<ResultFile> = Vec::new();
    for agent in &agents {
        let own = entries.iter().filter(|entry| entry["agent"] == **agent);
        let lines: Vec<String> = own.map(|entry| entry["line"].to_string()).collect();
        let text = lines.join("\n") + "\n";
        let before = if agents.len() > 1 { format!("{}_", file_name_of(agent)) } else { String::new() };
        // Two models may differ only in characters that file names do not have.
        let names = std::iter::once(format!("{before}result.jsonl"));
        let mut names = names.chain((2..).map(|number| format!("{before}result-{number}.jsonl")));
        let free = names.find(|name| files.iter().all(|file| file.name != *name));
        files.push(ResultFile { name: free.unwrap_or_default(), text });
    }
    files
}

#[cfg(test)]
mod tests {
    use mageyard_domain::Observation;

    use super::*;
    use crate::actions::run;

    fn step(code: Option<&str>, shown: &str) -> StoredStep {
        let parts = ["The task: t", shown].map(|text| mageyard_domain::ObservationPart::Text(text.into()));
        let observation = Observation::from_parts(parts.to_vec(), shown, json!({}));
        StoredStep { observation, action: code.map(run), problem: None, reward: 0.0 }
    }

    fn reply(step: u32, text: &str) -> ResultReply {
        let usage = None;
        ResultReply { step, turns: Vec::new(), text: text.into(), usage }
    }

    #[test]
    fn results_are_beside_their_cells_and_a_forced_stop_comes_last() {
        let steps = [step(Some("1"), "none"), step(Some("2"), "one"), step(None, "two")];
        let replies = [reply(1, "a"), reply(2, "b")];
        let entries = trajectory(&steps, &replies, Ending::StepLimit);
        let results: Vec<&Value> = entries.iter().map(|entry| &entry["result"]).collect();
        let stop = json!({"force_stop_reason": "Max step reached."});
        assert_eq!(results, [&json!({"output": ["one"]}), &json!({"output": ["two"]}), &stop]);
        assert_eq!([&entries[1]["response"], &entries[1]["action"]], ["b", "2"]);
        assert!(entries[2]["action"].is_null() && entries[2]["response"].is_null());
        assert_eq!(trajectory(&steps, &replies, Ending::Finished).len(), 2);
    }

    #[test]
    fn a_refused_cell_has_the_reason_and_no_result() {
        let steps = [step(Some("1"), "none"), step(Some("1"), "one")];
        let entries = trajectory(&steps, &[], Ending::Repetition);
        assert_eq!(entries[1]["action"], "1");
        assert_eq!(entries[1]["result"], json!({"force_stop_reason": "Repeated action."}));
    }

    #[test]
    fn agents_have_files_of_their_own() {
        let entry = |agent: &str, line: u32| json!({"agent": agent, "line": line});
        let made = files(&[entry("a/b", 1), entry("a:b", 2), entry("a/b", 3)]);
        let made: Vec<(&str, &str)> =
            made.iter().map(|file| (file.name.as_str(), file.text.as_str())).collect();
        assert_eq!(made, [("a-b_result.jsonl", "1\n3\n"), ("a-b_result-2.jsonl", "2\n")]);
        assert_eq!(files(&[entry("a", 1)])[0].name, "result.jsonl");
    }
}
