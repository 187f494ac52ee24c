//! The published tables of `AgentStudio` (ICLR 2025) over its 205 tasks, and the groups of tasks that are their columns.
//! Temperature 0; Gemini 001, Claude 20240620, `GPT-4o` 0806.

use mageyard_domain::{PublishedColumn, PublishedTable};

use crate::task::{Need, Program, Task};

/// How what is shipped here differs.
pub(crate) const DEVIATIONS: &str =
    "tasks of our own, or those that were given; cells in a sandbox, and no desktop yet";

const fn column(title: &'static str, levels: &'static [(&'static str, &'static str)]) -> PublishedColumn {
    PublishedColumn { title, levels }
}

/// The property of tasks that tells the columns apart.
const GROUP: &str = "group";

const GROUPS: &[PublishedColumn] = &[
    column("API OS", &[(GROUP, "API OS")]),
    column("API Google", &[(GROUP, "API Google")]),
    column("GUI OS", &[(GROUP, "GUI OS")]),
    column("GUI Office", &[(GROUP, "GUI Office")]),
    column("GUI VS Code", &[(GROUP, "GUI VS Code")]),
    column("GUI GIMP", &[(GROUP, "GUI GIMP")]),
    column("compositional", &[(GROUP, "compositional")]),
    column("all", &[]),
];

const ALL: &[PublishedColumn] = &[column("all", &[])];

type Rows = &'static [(&'static str, &'static [f64])];

const fn table(
    title: &'static str,
    measure: &'static str,
    columns: &'static [PublishedColumn],
    rows: Rows,
) -> PublishedTable {
    PublishedTable { title, measure, levels: None, option: None, columns, rows }
}

/// Success, active finishes and failure modes.
pub(crate) const TABLES: &[PublishedTable] = &[
    table("Tasks, success in % (AgentStudio, ICLR 2025)", "success", GROUPS, SUCCESS),
    table("Tasks, active finish in % (AgentStudio)", "active_finish", ALL, ACTIVE_FINISH),
    table("Failures by false finish in % (AgentStudio, section 4.2)", "false_finish", ALL, FALSE_FINISH),
    table("Failures by parse error in % (AgentStudio, section 4.2)", "parse_error", ALL, PARSE_ERROR),
    table("Failures by step limit in % (AgentStudio, section 4.2)", "step_limit", ALL, STEP_LIMIT),
    table("Failures by time limit in % (AgentStudio, section 4.2)", "time_limit", ALL, TIME_LIMIT),
    table("Failures by repetition in % (AgentStudio, section 4.2)", "repetition", ALL, REPETITION),
];

const CLAUDE: &str = "Claude 3.5 Sonnet";
const GPT_4O: &str = "GPT-4o";
const PRO: &str = "Gemini 1.5 Pro";
const FLASH: &str = "Gemini 1.5 Flash";

const SUCCESS: Rows = &[
    (CLAUDE, &[94.7, 74.2, 94.7, 0.0, 5.0, 0.0, 25.0, 36.6]),
    (GPT_4O, &[100.0, 54.8, 94.7, 4.4, 15.0, 0.0, 23.3, 35.6]),
    (PRO, &[68.4, 16.1, 63.2, 0.0, 5.0, 0.0, 5.0, 16.6]),
    (FLASH, &[52.6, 12.9, 47.4, 0.0, 0.0, 0.0, 6.7, 13.2]),
    ("humans", &[73.7, 83.9, 73.7, 51.1, 85.0, 54.6, 80.0, 72.2]),
];

const ACTIVE_FINISH: Rows = &[(CLAUDE, &[97.6]), (GPT_4O, &[28.8]), (PRO, &[74.1]), (FLASH, &[67.8])];
const FALSE_FINISH: Rows = &[(CLAUDE, &[96.2]), (GPT_4O, &[31.8]), (PRO, &[70.8]), (FLASH, &[62.9])];
const PARSE_ERROR: Rows = &[(CLAUDE, &[2.3]), (GPT_4O, &[48.5]), (PRO, &[2.9]), (FLASH, &[35.4])];
const STEP_LIMIT: Rows = &[(CLAUDE, &[0.8]), (GPT_4O, &[4.5]), (PRO, &[11.7]), (FLASH, &[0.0])];
const TIME_LIMIT: Rows = &[(CLAUDE, &[0.8]), (GPT_4O, &[8.3]), (PRO, &[9.4]), (FLASH, &[0.0])];
const REPETITION: Rows = &[(CLAUDE, &[0.0]), (GPT_4O, &[6.8]), (PRO, &[5.3]), (FLASH, &[1.7])];

/// The group of a task as a column of the paper.
///
/// The files do not name it, so it follows from them: tasks of single programs open theirs before the episode, and those of
/// several leave that to the agent, or prepare an account and are judged by files.
pub(crate) fn group(task: &Task) -> &'static str {
    let judged_by = |names: &[&str]| task.evaluation.iter().any(|one| names.contains(&&*one.evaluator));
    if !task.visual {
        let accounts = |procedures: &[crate::task::Procedure]| {
            procedures.iter().any(crate::task::Procedure::needs_account)
        };
        return match (accounts(&task.evaluation), accounts(&task.reset)) {
            (true, _) => "API Google",
            (false, true) => "compositional",
            (false, false) => "API OS",
        };
    }
    let opened = opened(task);
    if opened.contains(&Program::VsCode) || judged_by(&["vscode"]) {
        return "GUI VS Code";
    }
    match opened.as_slice() {
        [Program::LibreOffice] => "GUI Office",
        [Program::Gimp] => "GUI GIMP",
        [] if !judged_by(&["docs", "sheets", "slides", "gimp"]) && !compares_files(task) => "GUI OS",
        _ => "compositional",
    }
}

/// Whether files are compared by a program, as only tasks of several programs do.
fn compares_files(task: &Task) -> bool {
    task.evaluation.iter().any(|one| one.evaluator == "system" && one.function == "diff")
}

/// The programs that are opened before the episode.
fn opened(task: &Task) -> Vec<Program> {
    let mut prepared = task.clone();
    prepared.evaluation.clear();
    prepared.cleanup.clear();
    programs(&prepared)
}

fn programs(task: &Task) -> Vec<Program> {
    let program = |need| if let Need::Program(program) = need { Some(program) } else { None };
    task.needs().into_iter().filter_map(program).collect()
}

/// The properties of a task by which reports tell rows apart: its group, whether it is visual, its evaluators, and the programs that
/// it needs, if any.
pub(crate) fn properties(task: &Task) -> Vec<(&'static str, String)> {
    let mut evaluators: Vec<String> = task.evaluation.iter().map(|one| one.evaluator.clone()).collect();
    evaluators.sort_unstable();
    evaluators.dedup();
    let programs: Vec<String> = programs(task).iter().map(ToString::to_string).collect();
    let mut properties = vec![
        (GROUP, group(task).to_owned()),
        ("visual", task.visual.to_string()),
        ("evaluators", evaluators.join("+")),
    ];
    if !programs.is_empty() {
        properties.push(("programs", programs.join("+")));
    }
    properties
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn task(visual: bool, judge: &Value, reset: &Value) -> Task {
        let record = json!({
            "task_id": "t", "instruction": "i", "visual": visual, "max_steps": 1, "max_time": 30.0,
            "eval_procedure": [judge], "reset_procedure": reset, "cleanup_procedure": [],
        });
        Task::read(record.as_object().unwrap()).unwrap()
    }

    #[test]
    fn tasks_have_the_groups_of_the_paper() {
        let files = json!({"evaluator": "filesystem", "function": "exists", "params": {"file_to_check": {"/a": true}}});
        let mail = json!({"evaluator": "gmail", "function": "is_email_sent", "params": {}});
        let diff =
            json!({"evaluator": "system", "function": "diff", "params": {"file1": "/a", "file2": "/b"}});
        let open = |program: &str| {
            json!([{"evaluator": "process", "function": "create_process",
                "params": {"cmd": [program, "/a"], "wait_for": program}}])
        };
        for (visual, judge, reset, expected) in [
            (false, &files, json!([]), "API OS"),
            (false, &mail, json!([]), "API Google"),
            (false, &files, json!([mail]), "compositional"),
            (true, &files, json!([]), "GUI OS"),
            (true, &diff, json!([]), "compositional"),
            (true, &files, open("code"), "GUI VS Code"),
            (true, &files, open("gimp"), "GUI GIMP"),
            (true, &files, open("libreoffice"), "GUI Office"),
        ] {
            let task = task(visual, judge, &reset);
            assert_eq!(group(&task), expected, "{judge} {reset}");
            assert!(properties(&task).contains(&(GROUP, expected.to_owned())));
            assert!(GROUPS.iter().any(|column| column.levels == [(GROUP, expected)]));
        }
        let code = properties(&task(true, &files, &open("code")));
        assert!(code.contains(&("programs", "VS Code".to_owned())), "{code:?}");
    }

    #[test]
    fn every_row_has_a_value_for_each_column_of_a_known_measure() {
        let measures = crate::capabilities::CAPABILITIES.scoring.set_measures();
        for table in TABLES {
            assert!(measures.iter().any(|measure| measure.name == table.measure), "{}", table.title);
            assert!(table.rows.iter().all(|(_, row)| row.len() == table.columns.len()), "{}", table.title);
        }
    }
}
