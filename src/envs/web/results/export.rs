//! Recorded episodes as `out.json` and `result.json`: a folder's worth of files for each agent.

use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::out_file::{OutTask, TraceDescription};
use super::record::{StepTrace, record};
use super::summary_file::result_file;
use mageyard_domain::{ResultEpisode, ResultFile, ResultFormat, file_name_of, read_json5};

/// The only form.
pub(crate) const FORMATS: &[ResultFormat] = &[ResultFormat {
    name: "webcanvas",
    summary: "the result files of WebCanvas's evaluation: out.json, result.json",
    entry,
    files,
}];

fn entry(episode: &ResultEpisode<'_>) -> Result<Value, String> {
    let steps = episode.stored.conclusion.steps.iter().filter(|step| step.action.is_some()).count();
    let mut traces = vec![StepTrace::default(); steps];
    for reply in episode.replies {
        let index = usize::try_from(reply.step).unwrap_or(usize::MAX).wrapping_sub(1);
        if let Some(trace) = traces.get_mut(index) {
            trace.description = description(&reply.text);
        }
    }
    let task = record(&episode.stored, &traces)?;
    Ok(json!({"agent": episode.agent, "task": task}))
}

/// What a reply says of its action: its thought and its description if it is an object with those, else all of it.
fn description(reply: &str) -> TraceDescription {
    let object = reply.find('{').zip(reply.rfind('}')).and_then(|(start, end)| reply.get(start..=end));
    let object: Map<String, Value> = object
        .and_then(|object| read_json5(object).ok())
        .and_then(|value| value.as_object().cloned())
        .unwrap_or_default();
    let text = |name: &str| object.get(name).and_then(Value::as_str).map(str::to_owned);
    match text("thought") {
        Some(thought) => TraceDescription { thought, action: text("description").unwrap_or_default() },
        None => TraceDescription { thought: reply.to_owned(), action: String::new() },
    }
}

/// `out.json` and `result.json`; with the name of the agent before it where there are several.
fn files(entries: &[Value]) -> Vec<ResultFile> {
    let mut agents: Vec<&str> = entries.iter().filter_map(|entry| entry["agent"].as_str()).collect();
    agents.sort_unstable();
    agents.dedup();
    let mut files = Vec::new();
    for agent in &agents {
        let own = entries.iter().filter(|entry| entry["agent"] == **agent);
        let tasks: Vec<OutTask> = own.filter_map(|entry| OutTask::deserialize(&entry["task"]).ok()).collect();
        let before = if agents.len() > 1 { format!("{}_", file_name_of(agent)) } else { String::new() };
        files.push(ResultFile { name: format!("{before}out.json"), text: pretty(&json!(tasks)) });
        files.push(ResultFile {
            name: format!("{before}result.json"),
            text: pretty(&result_file(&tasks, None)),
        });
    }
    files
}

fn pretty(value: &Value) -> String {
    format!("{value:#}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reply_says_thought_and_description_in_its_keys_or_is_all_thought() {
        let keyed = description("{thought: 'why', action: 'click', description: 'what'} ");
        assert_eq!((keyed.thought.as_str(), keyed.action.as_str()), ("why", "what"));
        assert_eq!(description("no object").thought, "no object");
    }

    #[test]
    fn agents_have_files_of_their_own() {
        let task = json!({"task_id": 0, "task_name": "t", "task_status": "finished", "step_list": [], "evaluation": []});
        let entry = |agent: &str| json!({"agent": agent, "task": task});
        let names = |entries: &[Value]| files(entries).into_iter().map(|file| file.name).collect::<Vec<_>>();
        assert_eq!(names(&[entry("a"), entry("a")]), ["out.json", "result.json"]);
        assert_eq!(names(&[entry("a"), entry("b/c")]).len(), 4);
    }
}
