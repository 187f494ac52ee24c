//! `aes`: scores a page against a target, element by element, both opened in a browser.

use std::path::Path;

use clap::{ArgMatches, Command, FromArgMatches};
use serde::Serialize;
use serde_json::Value;

use mageyard_browser::{BrowserPool, Viewport};
use mageyard_cli::{Context, Exit, Failure, Output, Verb, parallel_runtime};
use mageyard_config::{Problem, SourceFile};
use mageyard_webui::aes::{PageScore, Remark};
use mageyard_webui::{Interaction, PageSource, ScoreError, ScoreSettings, ScoredPages};

/// The largest file of interactions, in bytes.
const ACTIONS_LIMIT: u64 = 1 << 20;
/// The file of a folder that is opened.
const FIRST_FILE: &str = "index.html";

/// The verb `aes`.
pub(crate) struct Aes;

impl Verb for Aes {
    fn command(&self) -> Command {
        <Args as clap::Args>::augment_args(Command::new("aes"))
    }

    fn follows(&self) -> Option<&'static str> {
        Some("export")
    }

    fn run(&self, matches: &ArgMatches, context: &Context) -> Result<Exit, Failure> {
        let args = Args::from_arg_matches(matches).map_err(|error| Problem::new(error.to_string()))?;
        run(&args, context)
    }
}

/// Score a web page against a target page, element by element
#[derive(Debug, clap::Args)]
struct Args {
    /// Folder or HTML file with the annotated target page
    #[arg(value_name = "TARGET")]
    target: String,
    /// Folder or HTML file with the page to score
    #[arg(value_name = "GENERATED")]
    generated: String,
    /// JSON file with interactions to perform on both pages
    #[arg(long, value_name = "FILE")]
    actions: Option<String>,
    /// Rules: parity (the released code), strict (the paper) [default: the setting webui.mode]
    #[arg(long, value_name = "NAME")]
    mode: Option<String>,
    /// Size of the pages in pixels, such as 1920x1080 [default: the setting webui.viewport]
    #[arg(long, value_name = "WxH", value_parser = viewport)]
    viewport: Option<Viewport>,
    /// Wait only until the pages do not change, at most as long as the interactions say
    #[arg(long)]
    settle: bool,
    /// Print JSON, one object per line
    #[arg(long)]
    json: bool,
}

fn viewport(text: &str) -> Result<Viewport, String> {
    mageyard_webui::parse_viewport(text)
        .ok_or_else(|| "needs a width and a height from 100 to 10000, such as 1920x937".to_owned())
}

fn run(args: &Args, context: &Context) -> Result<Exit, Failure> {
    let config = context.config()?;
    let mut options = config.settings().options("webui");
    if let Some(mode) = &args.mode {
        options.insert("mode".to_owned(), Value::from(mode.as_str()));
        options.remove("flags");
    }
    let wrong = |error: mageyard_domain::OptionError| {
        let name = format!("webui.{}", error.name);
        config.problem_with(&name, format!("{name}: {}", error.why))
    };
    let mut settings = ScoreSettings::read(&options).map_err(wrong)?;
    settings.viewport = args.viewport.unwrap_or(settings.viewport);
    if args.settle {
        settings.waiting = mageyard_webui::WaitRule::Settle;
    }
    let pages = [page(&args.target)?, page(&args.generated)?];
    if !pages[0].folder.join(&pages[0].file).is_file() {
        return Err(Problem::new(format!("{}: the folder has no {FIRST_FILE}", args.target)).into());
    }
    let interactions = args.actions.as_deref().map_or(Ok(Vec::new()), read_interactions)?;
    let pool = BrowserPool::new(mageyard_lab::browser_settings(&config));
    let scored = parallel_runtime()?.block_on(async {
        let scored =
            mageyard_webui::score_pages(&pool, [&pages[0], &pages[1]], &interactions, settings).await;
        pool.close().await;
        scored
    });
    let scored = scored.map_err(|error| failure(&error, &args.target))?;
    if let Some(page) = scored.result.pages.iter().find(|_| scored.result.task_error) {
        return Err(annotation_problem(&args.target, page).into());
    }
    print(&scored, settings.waiting.name(), args.json)
}

/// The page of a folder or a file.
fn page(given: &str) -> Result<PageSource, Problem> {
    let path = Path::new(given);
    if path.is_dir() {
        return Ok(PageSource::new(path, FIRST_FILE));
    }
    let name = path.file_name().and_then(|name| name.to_str());
    match (path.is_file(), name) {
        (true, Some(name)) => {
            let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
            Ok(PageSource::new(parent.unwrap_or(Path::new(".")), name))
        }
        _ => Err(Problem::new(format!("there is no folder or file {given}"))),
    }
}

fn read_interactions(path: &str) -> Result<Vec<Interaction>, Problem> {
    let file = SourceFile::read(path, ACTIONS_LIMIT)?;
    mageyard_webui::parse_interactions(&file.text).map_err(|(line, why)| file.problem_in_line(why, line))
}

/// A target that fails is a wrong request; without a browser nothing is wrong with it.
fn failure(error: &ScoreError, target: &str) -> Failure {
    match error {
        ScoreError::Target(why) => Problem::new(format!("{target}: {why}")).into(),
        ScoreError::Browser(failure) => Failure::running(failure),
    }
}

fn annotation_problem(target: &str, page: &PageScore) -> Problem {
    let wrong = page.remarks.iter().filter(|remark| remark.is_task_error());
    let remarks: Vec<String> = wrong.map(Remark::to_string).collect();
    Problem::new(format!("{target}: the page cannot be a target: {}", remarks.join("; ")))
}

/// The score as JSON.
#[derive(Serialize)]
struct Printed<'a> {
    #[serde(flatten)]
    result: &'a mageyard_webui::aes::AesResult,
    waits: &'a str,
    faults: Vec<Fault<'a>>,
    blocked: Blocked<'a>,
}

/// A state that the generated page does not reach.
#[derive(Serialize)]
struct Fault<'a> {
    page: &'a str,
    reason: &'a str,
}

/// Requests that were refused.
#[derive(Serialize)]
struct Blocked<'a> {
    target: &'a [String],
    generated: &'a [String],
}

fn print(scored: &ScoredPages, waits: &str, json: bool) -> Result<Exit, Failure> {
    let mut out = Output::open();
    if json {
        let faults = scored.faults.iter().map(|(page, reason)| Fault { page, reason }).collect();
        let blocked = Blocked { target: &scored.blocked[0], generated: &scored.blocked[1] };
        out.object_line("aes", &Printed { result: &scored.result, waits, faults, blocked })?;
        return Ok(Exit::Done);
    }
    print_text(&mut out, scored, waits)?;
    Ok(Exit::Done)
}

fn print_text(out: &mut Output, scored: &ScoredPages, waits: &str) -> std::io::Result<()> {
    let result = &scored.result;
    let [width, height] = result.rendering.viewport;
    let how = format!("{}, {width}x{height}, {waits} waits, {}", result.mode, result.rendering.browser);
    out.line(format!("AES {:.2} ({how})", 100.0 * result.aes))?;
    let head = ["page", "status", "AES", "weight", "targets", "shown", "matched", "zero", "dropped"];
    let mut rows = vec![head.map(str::to_owned).to_vec()];
    rows.extend(result.pages.iter().map(row));
    out.table(&rows)?;
    let lost = &result.losses;
    let losses = [
        ("not rendered", lost.ren),
        ("failed interactions", lost.act),
        ("unmatched", lost.unmatched),
        ("position", lost.position),
        ("attributes", lost.attributes),
    ];
    let losses: Vec<String> =
        losses.iter().map(|(name, share)| format!("{name} {:.2}", 100.0 * share)).collect();
    out.line(format!("lost: {}", losses.join(", ")))?;
    for (page, reason) in &scored.faults {
        out.line(format!("the generated page fails at {page}: {reason}"))?;
    }
    for (side, requests) in ["target", "generated page"].iter().zip(&scored.blocked) {
        if let Some(first) = requests.first() {
            out.line(format!("{} requests of the {side} were refused, such as {first}", requests.len()))?;
        }
    }
    let remarks = result.pages.iter().flat_map(|page| page.remarks.iter().map(move |remark| (page, remark)));
    remarks.into_iter().try_for_each(|(page, remark)| out.line(format!("{}: {remark}", page.name)))
}

fn row(page: &PageScore) -> Vec<String> {
    let status = serde_json::to_value(page.status).unwrap_or_default();
    let counts = [page.targets, page.shown, page.matched, page.zero, page.dropped];
    let mut cells = vec![
        page.name.clone(),
        status.as_str().unwrap_or_default().to_owned(),
        format!("{:.2}", 100.0 * page.aes),
        format!("{:.0}", page.weight),
    ];
    cells.extend(counts.map(|count| count.to_string()));
    cells
}
