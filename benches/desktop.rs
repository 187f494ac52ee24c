//! Speed of tasks on a computer: a sandbox, its kernel, cells, the shipped tasks by their written cells, episodes at once, and a
//! long document.
//!
//! Run with `cargo bench --bench desktop`. Each figure is compared with a floor: the same done by hand, without this program. Where no
//! sandbox or no Python is, it says so and ends.

#![allow(clippy::expect_used, clippy::print_stdout, missing_docs, reason = "a benchmark may panic and print")]

use std::fs;
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use mageyard::domain::{
    Conclusion, Ending, EnvironmentContext, EnvironmentSpec, Level, Options, Policy, Status,
};
use mageyard::sandbox::{
    CellLimits, Confinement, Limits, Sandbox, SandboxFailure, Settings, found, supervisor,
};
use mageyard_desktop::Desktop;
use mageyard_desktop::evaluate::{Episode, evaluate};
use mageyard_desktop::handlers::{FolderComputer, Mount, Rules};
use mageyard_desktop::task::{Variables, read_procedures};

/// How many times each short figure is measured; the median is printed.
const RUNS: usize = 7;

/// How many episodes run at once.
const AT_ONCE: usize = 20;

const PYTHON: &str = "/usr/bin/python3";

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

fn print(what: &str, time: Duration, (floor, least): (&str, Duration)) {
    let ratio = time.as_secs_f64() / least.as_secs_f64();
    let (time, least) = (milliseconds(time), milliseconds(least));
    println!("{what:<44} {time:>9.1} ms   {ratio:>6.1} times {floor} ({least:.1} ms)");
}

/// The median time of a program that is started and awaited.
fn program(arguments: &[&str]) -> Duration {
    let once = |_| {
        let mut command = Command::new(arguments[0]);
        command.args(&arguments[1..]).stdin(Stdio::null()).stdout(Stdio::null());
        let begin = Instant::now();
        assert!(command.status().expect("a program").success(), "{arguments:?} fails");
        begin.elapsed()
    };
    median((0..RUNS).map(once).collect())
}

/// The shortest command that starts Bubblewrap.
fn bubblewrap() -> Option<Duration> {
    let place = found().bubblewrap.as_ref().ok()?.to_str()?;
    Some(program(&[place, "--unshare-all", "--ro-bind", "/", "/", "/usr/bin/true"]))
}

async fn start(confinement: Confinement) -> Result<Sandbox, SandboxFailure> {
    let program = std::env::current_exe().expect("this program");
    let limits = Limits::default();
    let python = PYTHON.into();
    Sandbox::start(&Settings { confinement, program, python, network: false, limits }).await
}

/// Sandboxes, kernels and cells of a form.
async fn parts(form: Confinement, python: (&str, Duration)) {
    let floor = match (form, bubblewrap()) {
        (Confinement::Bubblewrap, Some(time)) => ("bwrap true", time),
        _ => ("true", program(&["/usr/bin/true"])),
    };
    let (mut ready, mut kernels, mut cells, mut closed) = (vec![], vec![], vec![], vec![]);
    for _ in 0..RUNS {
        let begin = Instant::now();
        let sandbox = start(form).await.expect("a sandbox");
        ready.push(begin.elapsed());
        let begin = Instant::now();
        sandbox.start_kernel().await.expect("a kernel");
        kernels.push(begin.elapsed());
        for _ in 0..RUNS {
            let begin = Instant::now();
            sandbox.run_cell("pass", CellLimits::default()).await.expect("a cell");
            cells.push(begin.elapsed());
        }
        let begin = Instant::now();
        sandbox.close().await;
        closed.push(begin.elapsed());
    }
    print(&format!("{form}: sandbox ready"), median(ready), floor);
    print(&format!("{form}: kernel ready"), median(kernels), python);
    print(&format!("{form}: a cell that does nothing"), median(cells), python);
    print(&format!("{form}: closed, folder removed"), median(closed), floor);
}

/// Plays a task by its written cell, judges it, and returns the score.
async fn play(level: &Level) -> Option<f64> {
    let options = Options::from([("observe".to_owned(), "text".into())]);
    let context = EnvironmentContext::default();
    let oracle = Desktop.capabilities().policies.oracle.expect("an oracle");
    let mut policy: Box<dyn Policy> = oracle();
    let mut environment = Desktop.open(level, &options, 0).expect("an episode");
    let opening = environment.open(&context).await.expect("an opening");
    // A task with a question has its answer in the cell.
    let cell = opening.observation.facts()["oracle"].as_str().unwrap_or_default();
    let last_reply = Some(cell.into());
    let stop = std::sync::atomic::AtomicBool::new(false);
    let (mut seen, mut space) = (opening.observation, opening.space);
    for step in 1..=3 {
        let next = policy.next_action(step, &seen, &space, &stop).expect("an action");
        let Some((action, _)) = next else { break };
        let outcome = environment.act(&action, &context).await.expect("an outcome");
        (seen, space) = (outcome.observation, outcome.space);
        if outcome.status != Status::Running {
            break;
        }
    }
    let conclusion =
        Conclusion { ending: Ending::Finished, last_reply, answers: Vec::new(), steps: Vec::new() };
    let verdict = environment.judge(&conclusion, &context).await.expect("a verdict");
    environment.close().await;
    verdict.score
}

async fn tasks(python: (&str, Duration)) {
    let levels = Desktop.parse_levels(Desktop.level_sets()[0].text).expect("tasks");
    let begin = Instant::now();
    let mut done = 0;
    for level in &levels {
        done += usize::from(play(level).await == Some(100.0));
    }
    let each = begin.elapsed() / u32::try_from(levels.len()).expect("a few");
    print(&format!("{} tasks, {done} with 100, each", levels.len()), each, python);
    let times = (0..AT_ONCE).map(|_| async {
        let begin = Instant::now();
        play(&levels[0]).await;
        begin.elapsed()
    });
    let slowest = futures_util::future::join_all(times).await.into_iter().max().unwrap_or_default();
    print(&format!("the slowest of {AT_ONCE} episodes at once"), slowest, ("one alone", each));
}

/// Writes a document of this many paragraphs.
const WRITE: &str = "import sys, zipfile\n\
    w = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main'\n\
    text = ''.join('<w:p><w:r><w:t>Paragraph %d of a long text.</w:t></w:r></w:p>' % n for n in range(int(sys.argv[2])))\n\
    document = '<?xml version=\"1.0\"?><w:document xmlns:w=\"%s\"><w:body>%s</w:body></w:document>' % (w, text)\n\
    p = 'http://schemas.openxmlformats.org/package/2006/'\n\
    o = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument'\n\
    m = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml'\n\
    rels = '<Relationships xmlns=\"%srelationships\"><Relationship Id=\"r\" Type=\"%s\" Target=\"word/document.xml\"/></Relationships>' % (p, o)\n\
    types = '<Types xmlns=\"%scontent-types\"><Override PartName=\"/word/document.xml\" ContentType=\"%s\"/></Types>' % (p, m)\n\
    with zipfile.ZipFile(sys.argv[1], 'w', zipfile.ZIP_DEFLATED) as file:\n    \
    for name, text in [('[Content_Types].xml', types), ('_rels/.rels', rels), ('word/document.xml', document)]: file.writestr(name, text)";

/// Reads the same document by the shortest program that does.
const READ: &str = "import sys, zipfile, xml.etree.ElementTree as t\n\
    for _ in range(2): t.fromstring(zipfile.ZipFile(sys.argv[1]).read('word/document.xml'))";

fn document() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.docx");
    let file = path.to_str().expect("a path");
    program(&[PYTHON, "-c", WRITE, file, "1000"]);
    fs::copy(&path, folder.path().join("b.docx")).expect("a copy");
    let mounts = [Mount { path: "/w".to_owned(), folder: folder.path().to_owned() }];
    let line = r#"{"evaluator": "docs", "function": "compare_docx_files",
        "params": {"docx_file1": "/w/a.docx", "docx_file2": "/w/b.docx"}}"#;
    let variables = Variables { root: "/w".to_owned(), home: "/w".to_owned(), ..Variables::default() };
    let procedures = read_procedures(&line.replace('\n', " "), &variables).expect("a procedure");
    let once = |_| {
        let mut computer = FolderComputer::new(&mounts, "/w").expect("a folder");
        let episode = Episode { rules: Rules::Standard, reply: None, answers: &[] };
        let begin = Instant::now();
        let evaluation = evaluate(&procedures, &mut computer, episode);
        let time = begin.elapsed();
        assert_eq!(evaluation.score(), Some(1), "{evaluation:?}");
        time
    };
    let compared = median((0..RUNS).map(once).collect());
    let floor = program(&[PYTHON, "-c", READ, file]);
    print("two documents of 1,000 paragraphs compared", compared, ("read by Python", floor));
}

fn main() -> ExitCode {
    // This program is its own supervisor.
    let mut arguments = std::env::args().skip(1);
    if arguments.next().is_some_and(|first| first == supervisor::VERB) {
        return supervisor::run(&arguments.collect::<Vec<_>>());
    }
    if found().best() == Confinement::Nothing || !Path::new(PYTHON).exists() {
        println!("there is no sandbox or no {PYTHON} here");
        return ExitCode::SUCCESS;
    }
    let python = ("python3 -c pass", program(&[PYTHON, "-c", "pass"]));
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(async {
        for form in [Confinement::Bubblewrap, Confinement::Landlock] {
            if found().why_not(form).is_none() {
                parts(form, python).await;
            }
        }
        tasks(python).await;
    });
    document();
    ExitCode::SUCCESS
}
