//! Each folder reaches only what it may: files, sockets, processes, clocks. Which crate may use which is in `crates.rs`.

use std::fs;
use std::path::Path;

use crate::source_paths::{Mention, Named, SourceFile, crate_sources, mentions};

/// What code can reach outside its own memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Reach {
    /// Waiting: timers, channels, threads, locks.
    Wait,
    /// Files and standard streams.
    File,
    Socket,
    /// Starting and signalling processes.
    Process,
    Clock,
    /// Environment variables and the working folder.
    Variables,
}

use Reach::{Clock, File, Process, Socket, Variables, Wait};

/// What the code of a folder or a file may reach; the longest name that fits decides. A row with nothing is a pure
/// module. Every environment has a row of its own: a pure one reaches nothing, a live one says what it needs.
const MAY_REACH: &[(&str, &[Reach])] = &[
    ("domain", &[]),
    // Names a point in time as data; the lints still refuse to read the clock.
    ("domain::environment_context", &[Clock]),
    ("domain::blob", &[Wait]),
    ("domain::picture", &[Wait]),
    ("domain::shared_resources", &[Wait]),
    ("dialog", &[]),
    ("config", &[Wait, File, Variables]),
    ("browser", &[Wait, Clock]),
    // PATH and HOME: where the program of the browser is.
    ("browser::finder", &[File, Variables]),
    ("browser::launch", &[Wait, File, Process]),
    ("browser::crash_handler", &[File, Process]),
    ("browser::memory_watch", &[Wait, File, Process]),
    ("browser::instance", &[Wait, Process]),
    // The pipe of the browser has the types of a process.
    ("browser::transport", &[Wait, Process]),
    ("browser::probe", &[Wait, Clock, File]),
    ("browser::site", &[File]),
    // The limits of waiting for pages.
    ("browser::web", &[Wait, Clock]),
    // The proxy through which all traffic of the web goes.
    ("browser::web::proxy", &[Wait, Socket]),
    ("browser::web::user_proxy", &[Variables]),
    // Programs of an episode: their processes, files and pipes, and how long they run.
    ("sandbox", &[Wait, Clock, File, Process]),
    // The name of the processor, for a filter of system calls.
    ("sandbox::confine::landlock", &[File, Process, Variables]),
    ("envs", &[]),
    ("envs::kit", &[]),
    ("envs::desktop", &[]),
    // Whether a program that a task needs is installed.
    ("envs::desktop::needs", &[File]),
    // Folders that are judged without an agent.
    ("envs::desktop::handlers::folder", &[File, Clock]),
    // This program is the supervisor of a sandbox too.
    ("envs::desktop::live", &[Wait, Variables]),
    // How long a sandbox and its kernel take to start.
    ("envs::desktop::program_checks", &[Wait, Clock]),
    ("envs::football", &[]),
    // A process with the real engine.
    ("envs::football::grf", &[Wait, Process]),
    ("envs::football::program_check", &[Wait]),
    ("envs::hanoi", &[]),
    ("envs::looks", &[]),
    ("envs::sokoban", &[]),
    ("envs::web", &[]),
    // Sessions of a browser: waits, files of cookies.
    ("envs::web::live", &[Wait]),
    ("envs::web::live::browsers", &[Wait, File]),
    ("envs::web::page", &[Wait]),
    ("envs::web::live::tree", &[Wait, File]),
    // The element of a recorded step is looked for in the page.
    ("envs::web::workflow", &[Wait]),
    // A small web for tests: each answer depends on the request alone.
    ("envs::web::sites", &[]),
    ("envs::webui", &[]),
    // Pages in a browser: temporary folders, waits, limits of time.
    ("envs::webui::live", &[Wait, File, Clock]),
    ("envs::webui::aes", &[]),
    ("envs::webui::snapshot", &[]),
    ("agents", &[Wait, Clock]),
    ("agents::model", &[Wait, Clock, Socket]),
    // Certificates are files.
    ("agents::model::http::tls", &[Socket, File]),
    ("agents::argument_mistakes", &[]),
    // A simulated model: no socket, no file, no clock; it waits for the solver of the environment.
    ("agents::demo", &[Wait]),
    ("agents::demo::reply_text", &[]),
    ("agents::demo::script", &[]),
    ("agents::demo::server", &[]),
    ("agents::demo::settings", &[]),
    ("agents::random", &[]),
    ("agents::random_arguments", &[]),
    ("agents::seeded_choice", &[]),
    ("engine", &[Wait, File, Clock]),
    ("engine::breakpoints", &[]),
    ("engine::condition", &[]),
    ("engine::distance", &[]),
    ("engine::edit", &[]),
    ("engine::episode", &[]),
    ("engine::error_analysis", &[]),
    ("engine::event", &[]),
    ("engine::head", &[]),
    ("engine::persistent_list", &[]),
    ("engine::recorded_replies", &[]),
    ("engine::repetition", &[]),
    ("engine::step", &[]),
    ("engine::journal::stored_event", &[]),
    ("lab", &[Wait, File, Clock]),
    ("report", &[Wait, File, Clock]),
    ("statistics", &[]),
    ("study", &[Wait, File, Clock]),
    ("sweep", &[Wait, File, Clock]),
    // Whether the process of another worker has ended.
    ("sweep::claims::processes", &[File, Process]),
    // Limits that processes share through a server.
    ("sweep::permits::redis", &[Wait, Socket]),
    ("terminal::surroundings", &[File, Variables, Process]),
    ("terminal", &[Wait, File, Clock, Process]),
    ("screen", &[Wait, File, Clock]),
    ("screen::external_editor", &[Wait, File, Clock, Process, Variables]),
    ("screen::inbox", &[Wait, File, Clock, Process]),
    ("screen::run", &[Wait, File, Clock, Process]),
    ("screen::update", &[]),
    ("cli", &[Wait, File, Socket, Process, Clock, Variables]),
    ("host", &[Wait, File, Clock, Variables]),
    // The arguments of a role in a sandbox, and the exit code.
    ("main", &[Process, Variables]),
    // The verb of the score of web pages.
    ("aes", &[File]),
    // A server of the local web for a person's browser.
    ("web::serve", &[Wait, Socket]),
    // The verbs of tasks on a computer; one of them opens the screen in place of itself.
    ("desktop", &[File]),
    ("desktop::trial", &[Process, Variables]),
    // The verbs of tasks on the web.
    ("web", &[File]),
];

/// Paths that reach outside, and what they reach.
const REACHING: &[(&str, Reach)] = &[
    ("tokio::fs", File),
    ("tokio::net", Socket),
    ("tokio::process", Process),
    ("tokio::signal", Wait),
    ("tokio", Wait),
    ("std::thread", Wait),
    ("std::sync::Mutex", Wait),
    ("std::sync::RwLock", Wait),
    ("std::sync::Condvar", Wait),
    ("std::sync::Barrier", Wait),
    ("std::sync::mpsc", Wait),
    ("std::fs", File),
    ("std::io::stdin", File),
    ("std::io::stdout", File),
    ("std::io::stderr", File),
    ("std::os::unix::net", Socket),
    ("std::os::unix::fs", File),
    ("std::os::fd", File),
    ("tempfile", File),
    ("image::open", File),
    ("rustix::fs", File),
    ("rustix::process", Process),
    ("rustix::event", Wait),
    ("rustix::time", Clock),
    ("std::net", Socket),
    ("reqwest", Socket),
    ("rustls", Socket),
    ("std::process", Process),
    ("std::time::Instant", Clock),
    ("std::time::SystemTime", Clock),
    ("time::OffsetDateTime::now_utc", Clock),
    ("std::env", Variables),
];

/// Methods of paths that look at the disk, and of futures' friends that wait.
const REACHING_METHODS: &[(&str, Reach)] = &[
    ("exists", File),
    ("try_exists", File),
    ("is_file", File),
    ("is_dir", File),
    ("is_symlink", File),
    ("metadata", File),
    ("symlink_metadata", File),
    ("canonicalize", File),
    ("read_dir", File),
    ("read_link", File),
];

const LINTS: &str = "#![deny(clippy::disallowed_methods, clippy::disallowed_types)]";

/// What is wrong in one file, a line each.
fn violations(file: &SourceFile) -> Vec<String> {
    let found = mentions(file);
    let wrong = found.iter().filter_map(|mention| Some((wrong_name(file, mention)?, mention.1)));
    wrong.map(|(what, line)| format!("{}:{line}: {what}", file.path.display())).collect()
}

fn wrong_name(file: &SourceFile, (named, _): &Mention) -> Option<String> {
    match named {
        Named::Hidden(how) => Some(format!("{how} hides what is named")),
        Named::Await if reach_of(&file.module).is_empty() && !file.module.starts_with("domain") => {
            Some(format!("{} is pure and waits", file.module))
        }
        Named::Await => None,
        Named::External(path) => wrong_reach(&file.module, &path.join("::"), REACHING),
        Named::Method(name) => wrong_reach(&file.module, name, REACHING_METHODS),
    }
}

fn wrong_reach(module: &str, path: &str, table: &[(&str, Reach)]) -> Option<String> {
    let covers = |row: &&(&str, Reach)| {
        path == row.0 || path.strip_prefix(row.0).is_some_and(|rest| rest.starts_with("::"))
    };
    let (name, reach) = table.iter().find(covers)?;
    (!reach_of(module).contains(reach)).then(|| format!("{module} may not reach {reach:?} ({name})"))
}

fn reach_of(module: &str) -> &'static [Reach] {
    let covers =
        |name: &str| module == name || module.strip_prefix(name).is_some_and(|rest| rest.starts_with("::"));
    let rows = MAY_REACH.iter().filter(|row| covers(row.0));
    rows.max_by_key(|row| row.0.len()).map_or(&[], |row| row.1)
}

fn source(module: &str) -> SourceFile {
    let file = crate_sources().iter().find(|file| file.module == module);
    file.unwrap_or_else(|| panic!("no module {module}")).clone()
}

/// What the rules say of a copy of a file with more code at its end.
fn planted(module: &str, code: &str) -> Vec<String> {
    let mut file = source(module);
    assert_eq!(violations(&file), [""; 0], "{module} is clean before");
    file.text = format!("{}\n{code}\n", file.text);
    violations(&file)
}

#[test]
fn folders_reach_only_what_they_may() {
    let found: Vec<_> = crate_sources().iter().flat_map(violations).collect();
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn every_crate_says_what_it_may_reach() {
    for file in crate_sources() {
        let name = file.module.split("::").next().unwrap();
        let is_root = file.path.parent().unwrap().ends_with("src");
        assert!(is_root || MAY_REACH.iter().any(|row| row.0 == name), "{name} has no row in MAY_REACH");
    }
}

#[test]
fn every_environment_says_what_it_may_reach() {
    let envs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../src/envs");
    for entry in fs::read_dir(envs).unwrap() {
        let path = entry.unwrap().path();
        let name = format!("envs::{}", path.file_name().unwrap().to_str().unwrap());
        let is_crate = path.join("Cargo.toml").exists();
        assert!(!is_crate || MAY_REACH.iter().any(|row| row.0 == name), "{name} has no row in MAY_REACH");
    }
}

#[test]
fn every_row_names_a_module_and_pure_modules_enable_the_lints() {
    for (module, reach) in MAY_REACH {
        let file = source(module);
        // The list of environments names live ones too, so its lints would reach them; each module of the kit has them.
        let enables = file.text.contains(LINTS) || ["envs", "envs::kit"].contains(module);
        assert!(!reach.is_empty() || enables, "{module} is pure and does not enable the lints");
    }
}

#[test]
fn what_hides_a_path_is_found() {
    for code in [
        "extern crate std as other;",
        "#[path = \"../../cli/lib.rs\"] mod verbs;",
        "include!(\"../../cli/lib.rs\");",
        "fn f() { println!(\"{:?}\", std::fs::read(\"x\")); }",
        "macro_rules! m { () => { std::fs::read(\"x\") }; }",
        "macro_rules! m { () => { use std::{fs}; }; }",
        "mod inner { use std::fs; }",
        "fn f() { use std::fs; }",
        "fn f() { ::std::fs::read(\"x\"); }",
        "use std as s; fn f() { s::fs::read(\"x\"); }",
    ] {
        let found = planted("envs::sokoban::rules", code);
        assert!(!found.is_empty(), "not found: {code}");
    }
}

#[test]
fn a_pure_environment_cannot_wait_start_a_process_open_a_socket_or_touch_a_file() {
    for code in [
        "use std::fs;",
        "use std::{fs::File, io::Read};",
        "fn f() { let _ = std::fs::read(\"x\"); }",
        "fn f(path: &std::path::Path) -> bool { path.exists() }",
        "fn f() { std::thread::sleep(D); }",
        "fn f() { tokio::time::sleep(D); }",
        "async fn f() { g().await }",
        "use std::process::Command;",
        "fn f() { std::process::Command::new(\"x\"); }",
        "use std::net::TcpListener as L;",
        "use std::net; fn f() { net::TcpStream::connect(\"x\"); }",
        "fn f() { reqwest::get(\"x\"); }",
        "fn f() { vec![std::time::Instant::now()]; }",
        "fn f() { std::env::var(\"HOME\"); }",
        "static S: std::sync::Mutex<u8> = std::sync::Mutex::new(0);",
    ] {
        let found = planted("envs::sokoban::rules", code);
        assert!(!found.is_empty(), "not found: {code}");
    }
}

#[test]
fn what_is_allowed_is_not_reported() {
    for code in [
        "use mageyard_domain::Level;",
        "use super::super::hanoi;",
        "use crate::fs::read;",
        "use std::collections::BTreeMap;",
        "// use std::fs;",
        "fn f() { let _ = \"std::fs\"; }",
        "#[cfg(test)] mod more { use std::fs; }",
        "fn f(a: u8) -> core::time::Duration { core::time::Duration::from_secs(a.into()) }",
    ] {
        assert_eq!(planted("envs::sokoban::rules", code), [""; 0], "{code}");
    }
    assert_eq!(planted("agents::model::client", "use std::net::TcpStream;"), [""; 0]);
}
