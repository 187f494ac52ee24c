//! `web nodes`: compares key nodes with given facts of acts.

use serde::Serialize;

use mageyard_cli::{Exit, Failure, Output};
use mageyard_config::SourceFile;
use mageyard_web::nodes::{Comparison, GivenAct, JudgeAt, Moment, NodeSettings, Rules, read_given};

/// The largest file of facts, in bytes.
const LIMIT: u64 = 64 << 20;

/// Compare key nodes with given facts of acts, by both rule sets
///
/// Each line of the file is an object with a node of a task and the facts of an act, such as
/// `{"node": {"match_function_name": "url_included_match", "content": {...}}, "act": {"before": "https://...", "verb": "click"}}`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// File with one object per line, or an array of them
    #[arg(value_name = "FILE")]
    file: String,
    /// When addresses are compared: before or after the act, or both [default: both]
    #[arg(long, value_name = "WHEN", value_parser = judge_at)]
    judge_at: Option<JudgeAt>,
    /// Print JSON, one object per line
    #[arg(long)]
    json: bool,
}

fn judge_at(text: &str) -> Result<JudgeAt, String> {
    let found = JudgeAt::ALL.into_iter().find(|judge_at| judge_at.name() == text);
    found.ok_or_else(|| format!("is not one of {}", JudgeAt::ALL.map(JudgeAt::name).join(", ")))
}

/// A comparison as JSON.
#[derive(Serialize)]
struct Printed<'a> {
    line: usize,
    function: &'a str,
    rules: &'a str,
    judge_at: &'a str,
    when: Moment,
    score: Option<f64>,
    expected: &'a str,
    found: Option<&'a str>,
    sentence: &'a str,
}

pub(super) fn run(args: &Args) -> Result<Exit, Failure> {
    let file = SourceFile::read(&args.file, LIMIT)?;
    let given =
        read_given(&file.text).map_err(|fault| file.problem_in_line(fault.error.to_string(), fault.line))?;
    let judge_at = args.judge_at.unwrap_or_default();
    let compared = given.iter().flat_map(|given| {
        Rules::ALL
            .into_iter()
            .filter_map(move |rules| Some((given, rules, given.compare(NodeSettings { rules, judge_at })?)))
    });
    let compared: Vec<(&GivenAct, Rules, Comparison)> = compared.collect();
    let mut out = Output::open();
    if args.json {
        for (given, rules, comparison) in &compared {
            out.object_line("web_node", &printed(given, *rules, judge_at, comparison))?;
        }
        return Ok(Exit::Done);
    }
    let head = ["line", "function", "rules", "score", "when", "reason"];
    let mut rows = vec![head.map(str::to_owned).to_vec()];
    rows.extend(compared.iter().map(|(given, rules, comparison)| row(given, *rules, comparison)));
    out.table(&rows)?;
    Ok(Exit::Done)
}

fn printed<'a>(
    given: &'a GivenAct,
    rules: Rules,
    judge_at: JudgeAt,
    comparison: &'a Comparison,
) -> Printed<'a> {
    Printed {
        line: given.line,
        function: given.node.function.name(),
        rules: rules.name(),
        judge_at: judge_at.name(),
        when: comparison.when,
        score: comparison.score,
        expected: &comparison.expected,
        found: comparison.found.as_deref(),
        sentence: &comparison.sentence,
    }
}

fn row(given: &GivenAct, rules: Rules, comparison: &Comparison) -> Vec<String> {
    let when = match comparison.when {
        Moment::Before => "before",
        Moment::After => "after",
    };
    vec![
        given.line.to_string(),
        given.node.function.name().to_owned(),
        rules.name().to_owned(),
        comparison.score.map_or("–".to_owned(), |score| score.to_string()),
        when.to_owned(),
        comparison.sentence.clone(),
    ]
}
