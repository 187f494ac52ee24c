//! Results in the files of the evaluation scripts of `AgentStudio`: a line for each answer, a file for each dataset and model.
//! Its script that makes reports finds the dataset in the name of the file.

use serde_json::{Map, Value, json};

use super::observation::size_seen;
use super::question::{FULL_SCORE, Question, Shown};
use super::{Kind, levels, question_of};
use mageyard_domain::{ResultEpisode, ResultFile, ResultFormat, ResultPart, ResultReply, file_name_of};

/// The only form.
pub(super) const fn formats<K: Kind>() -> &'static [ResultFormat] {
    &[ResultFormat {
        name: "agentstudio",
        summary: "the results files of AgentStudio's evaluation scripts, as JSON Lines",
        entry: entry::<K>,
        files,
    }]
}

/// The dataset, the model and the line of an episode.
fn entry<K: Kind>(episode: &ResultEpisode<'_>) -> Result<Value, String> {
    let stored = &episode.stored;
    let record = levels::object(stored.level.text()).map_err(|error| error.to_string())?;
    let question = question_of::<K>(stored.level, stored.options).map_err(|error| error.to_string())?;
    let verdict = stored.verdict.ok_or("it has no verdict")?;
    let first = stored.conclusion.steps.first();
    let size = size_seen(first.map(|step| &step.observation));
    let answer = first.and_then(|step| step.action.as_ref());
    let reply = episode.replies.last();
    let tokens = |count: fn(&mageyard_domain::Usage) -> u64| {
        episode.replies.iter().filter_map(|reply| reply.usage.as_ref()).map(count).sum::<u64>()
    };
    let text = |name: &str| record.get(name).and_then(Value::as_str).unwrap_or_default();
    let mut line = json!({
        "prompt": prompt(&question, reply),
        "score": verdict.score.unwrap_or(0.0) / FULL_SCORE,
        "source": text("source"),
        "platform": text("platform"),
        "instruction": question.instruction.as_deref().unwrap_or_else(|| text("instruction")),
        "response": reply.map_or("", |reply| &*reply.text),
        "input_tokens": tokens(|usage| usage.input),
        "output_tokens": tokens(|usage| usage.output),
    });
    for (name, value) in question.result_fields(answer, size, &record) {
        line[name] = value;
    }
    Ok(json!({"dataset": question.dataset(), "agent": episode.agent, "line": line}))
}

/// The parts of the request, each as a message; pictures are their names in the record.
fn prompt(question: &Question, reply: Option<&ResultReply>) -> Vec<Value> {
    let turns = reply.map(|reply| reply.turns.as_slice()).unwrap_or_default();
    let message = |role: &str, part: &ResultPart| {
        let content = match part {
            ResultPart::Text(text) => text.as_str(),
            ResultPart::Picture(part) => match question.shown.get(usize::from(part.index)) {
                Some(Shown::Picture(index)) => &question.pictures[*index],
                _ => "",
            },
        };
        json!({"role": role, "content": content})
    };
    turns.iter().flat_map(|turn| turn.parts.iter().map(|part| message(&turn.role, part))).collect()
}

/// A file for each dataset and model, in the order in which they come.
fn files(entries: &[Value]) -> Vec<ResultFile> {
    let mut files: Vec<([&Value; 2], ResultFile)> = Vec::new();
    for entry in entries {
        let of = [&entry["dataset"], &entry["agent"]];
        let line = format!("{}\n", entry["line"]);
        if let Some((_, file)) = files.iter_mut().find(|(other, _)| *other == of) {
            file.text.push_str(&line);
            continue;
        }
        let [dataset, agent] = of.map(|text| text.as_str().unwrap_or_default());
        let name = unused(&format!("{dataset}_{}", file_name_of(agent)), &files);
        files.push((of, ResultFile { name, text: line }));
    }
    files.into_iter().map(|(_, file)| file).collect()
}

/// A name that no other file has: two models may differ only in characters that file names do not have.
fn unused(stem: &str, files: &[([&Value; 2], ResultFile)]) -> String {
    let names = std::iter::once(format!("{stem}.jsonl")).chain((2..).map(|n| format!("{stem}-{n}.jsonl")));
    let mut free = names.filter(|name| files.iter().all(|(_, file)| file.name != *name));
    free.next().unwrap_or_default()
}

/// Fields of a line by name.
pub(super) type Fields = Vec<(&'static str, Value)>;

/// The fields of an answer that is a place in a picture.
pub(super) fn place_fields(
    point: Option<(f64, f64)>,
    (width, height): (f64, f64),
    record: &Map<String, Value>,
) -> Fields {
    let bbox = record.get("bbox").cloned().unwrap_or_default();
    vec![
        ("bbox", bbox),
        ("resolution", json!([whole(width), whole(height)])),
        ("parsed_action", point.map_or(Value::Null, |(x, y)| json!([x, y]))),
    ]
}

/// A number of pixels without a point.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a size of a picture")]
fn whole(pixels: f64) -> u32 {
    pixels as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn models_with_similar_names_have_files_of_their_own() {
        let entry = |agent: &str, line: u32| json!({"dataset": "idm", "agent": agent, "line": line});
        let made = files(&[entry("a/b", 1), entry("a:b", 2), entry("a/b", 3)]);
        let made: Vec<(&str, &str)> =
            made.iter().map(|file| (file.name.as_str(), file.text.as_str())).collect();
        assert_eq!(made, [("idm_a-b.jsonl", "1\n3\n"), ("idm_a-b-2.jsonl", "2\n")]);
    }
}
