//! Nothing is left behind: no process and no folder, however the program that held a browser ended.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use libtest_mimic::Trial;
use mageyard::browser::{BrowserPool, Viewport};
use rustix::process::{Pid, Signal, kill_process, kill_process_group};
use signal_hook::consts::SIGINT;
use signal_hook::low_level::emulate_default_handler;
use tokio::signal::unix::{SignalKind, signal};

use crate::harness::{folder, settings, trial};

/// The variable that makes this program hold a browser instead of testing.
pub(crate) const HOLD: &str = "MAGEYARD_TEST_HOLD_BROWSER";

pub(crate) fn list() -> Vec<Trial> {
    vec![
        trial("left_behind::nothing_after_return_error_and_panic", nothing_after_return_and_panic),
        trial("left_behind::nothing_after_kill_9", nothing_after_kill_9),
        trial("left_behind::nothing_after_a_signal", nothing_after_a_signal),
    ]
}

/// Holds a browser with a page that is busy, and prints its process group.
pub(crate) fn hold(site: &Path) -> ExitCode {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        let pool = BrowserPool::new(settings());
        let page = pool.page(site, Viewport::default()).await.unwrap();
        page.open("index.html").await.unwrap();
        let mut terminate = signal(SignalKind::terminate()).unwrap();
        let mut interrupt = signal(SignalKind::interrupt()).unwrap();
        println!("{}", pool.process_group().await.unwrap());
        tokio::select! {
            _ = terminate.recv() => {}
            // Ends the process without its handlers, even if it was started with the signal ignored.
            _ = interrupt.recv() => emulate_default_handler(SIGINT).unwrap(),
        }
    });
    ExitCode::SUCCESS
}

/// Processes of a group that are alive.
pub(crate) fn members(group: i32) -> usize {
    let processes = fs::read_dir("/proc").unwrap().filter_map(|entry| {
        let stat = fs::read_to_string(entry.ok()?.path().join("stat")).ok()?;
        // After the name in parentheses: state, parent, group.
        let mut rest = stat.rsplit(')').next()?.split_whitespace();
        let state = rest.next()?;
        _ = rest.next()?;
        let of = rest.next()?;
        (of == group.to_string() && !matches!(state, "Z" | "X")).then_some(())
    });
    processes.count()
}

/// Processes of pages in a group.
pub(crate) fn renderers(group: i32) -> usize {
    commands(group).iter().filter(|command| command.contains("--type=renderer")).count()
}

/// Ends the processes of pages in a group.
pub(crate) fn kill_renderers(group: i32) {
    // All of them before the first one ends: a new one may begin then.
    let processes: Vec<_> = fs::read_dir("/proc").unwrap().collect();
    for entry in processes {
        let folder = entry.unwrap().path();
        let Ok(stat) = fs::read_to_string(folder.join("stat")) else { continue };
        let of = stat.rsplit(')').next().and_then(|rest| rest.split_whitespace().nth(2)).unwrap_or_default();
        let command = fs::read(folder.join("cmdline")).unwrap_or_default();
        if of != group.to_string() || !String::from_utf8_lossy(&command).contains("--type=renderer") {
            continue;
        }
        let pid = folder.file_name().and_then(|name| name.to_str()?.parse().ok()).and_then(Pid::from_raw);
        // Refused only if it has ended by itself.
        let _ = kill_process(pid.unwrap(), Signal::KILL);
    }
}

/// The profile folders of a group, by what its processes were started with.
pub(crate) fn profiles(group: i32) -> Vec<String> {
    let flag = |command: &String| {
        let flag = command.split(['\0', ' ']).find_map(|word| word.strip_prefix("--user-data-dir="))?;
        Some(flag.trim_end_matches("/profile").to_owned())
    };
    let mut found: Vec<_> = commands(group).iter().filter_map(flag).collect();
    found.sort();
    found.dedup();
    found
}

/// The command lines of a group.
fn commands(group: i32) -> Vec<String> {
    let processes = fs::read_dir("/proc").unwrap().filter_map(|entry| {
        let folder = entry.ok()?.path();
        let stat = fs::read_to_string(folder.join("stat")).ok()?;
        let of = stat.rsplit(')').next()?.split_whitespace().nth(2)?.to_owned();
        let command = fs::read(folder.join("cmdline")).ok()?;
        (of == group.to_string()).then(|| String::from_utf8_lossy(&command).into_owned())
    });
    processes.collect()
}

pub(crate) fn kill_browser(group: i32) {
    kill_process_group(Pid::from_raw(group).unwrap(), Signal::KILL).unwrap();
}

pub(crate) fn stop_browser(group: i32) {
    kill_process_group(Pid::from_raw(group).unwrap(), Signal::STOP).unwrap();
}

/// Waits until a group has no process and its folders are gone.
pub(crate) async fn ended(group: i32, folders: &[String]) {
    for _ in 0..250 {
        if members(group) == 0 && folders.iter().all(|folder| !Path::new(folder).exists()) {
            return;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!("{} processes are left, and the folders {folders:?}", members(group));
}

async fn nothing_after_return_and_panic() {
    let folder = folder(&[("index.html", "<!doctype html>")]);
    for panics in [false, true] {
        let site = folder.path().to_owned();
        let (sender, receiver) = tokio::sync::oneshot::channel();
        let holder = tokio::spawn(async move {
            let pool = BrowserPool::new(settings());
            let page = pool.page(&site, Viewport::default()).await.unwrap();
            page.open("index.html").await.unwrap();
            let group = pool.process_group().await.unwrap();
            sender.send((group, profiles(group))).unwrap();
            assert!(!panics, "on purpose");
        });
        let (group, folders) = receiver.await.unwrap();
        assert_eq!((holder.await.is_err(), folders.len()), (panics, 1));
        ended(group, &folders).await;
    }
}

/// A process that holds a browser with a busy page, and the group of the browser.
fn holder(site: &Path) -> (Child, i32, Vec<String>) {
    let program = std::env::current_exe().unwrap();
    let mut child = Command::new(program).env(HOLD, site).stdout(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let group = line.trim().parse().unwrap();
    let folders = profiles(group);
    assert!(members(group) > 2 && folders.len() == 1, "{} {folders:?}", members(group));
    (child, group, folders)
}

/// Waits for the end of a process that holds a browser.
pub(crate) fn wait(child: &mut Child) {
    let begun = Instant::now();
    while child.try_wait().unwrap().is_none() {
        assert!(begun.elapsed() < Duration::from_secs(30), "the process did not end");
        std::thread::sleep(Duration::from_millis(5));
    }
}

async fn nothing_after_kill_9() {
    let busy = "<!doctype html><script>setTimeout(() => { while (true); }, 10)</script>";
    for text in ["<!doctype html>", busy] {
        let folder = folder(&[("index.html", text)]);
        let (mut child, group, folders) = holder(folder.path());
        tokio::time::sleep(Duration::from_millis(100)).await;
        child.kill().unwrap();
        wait(&mut child);
        ended(group, &folders).await;
    }
}

async fn nothing_after_a_signal() {
    let folder = folder(&[("index.html", "<!doctype html>")]);
    for sent in [Signal::TERM, Signal::INT] {
        let (mut child, group, folders) = holder(folder.path());
        kill_process(Pid::from_raw(child.id().cast_signed()).unwrap(), sent).unwrap();
        wait(&mut child);
        ended(group, &folders).await;
    }
}
