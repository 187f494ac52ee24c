//! Nothing is left behind: no process and no folder, however the program that held a browser of the web ended.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, ExitCode, Stdio};
use std::time::Duration;

use libtest_mimic::Trial;
use rustix::process::{Pid, Signal, kill_process};
use signal_hook::consts::SIGINT;
use signal_hook::low_level::emulate_default_handler;
use tokio::signal::unix::{SignalKind, signal};

use super::sites::{Sites, html};
use super::{browser_with, rules, session_of};
use crate::harness::trial;
use crate::left_behind::{ended, members, profiles, wait};

/// The variable that makes this program hold a browser of the web instead of testing. Its value is the page.
pub(crate) const HOLD: &str = "MAGEYARD_TEST_HOLD_WEB";

pub(super) fn list() -> Vec<Trial> {
    vec![
        trial("web::left_behind::nothing_after_return_and_panic", nothing_after_return_and_panic),
        trial("web::left_behind::nothing_after_kill_9", nothing_after_kill_9),
        trial("web::left_behind::nothing_after_a_signal", nothing_after_a_signal),
        trial("web::left_behind::an_idle_browser_is_closed", an_idle_browser_is_closed),
    ]
}

/// Holds a browser with a page, and prints its process group.
pub(crate) fn hold() -> ExitCode {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        let page = std::env::var(HOLD).unwrap();
        let browser = browser_with(rules(&Sites::default().page("held.test", "/", html(&page))));
        let session = session_of(&browser).await;
        session.goto("http://held.test/").await.unwrap();
        let mut terminate = signal(SignalKind::terminate()).unwrap();
        let mut interrupt = signal(SignalKind::interrupt()).unwrap();
        println!("{}", browser.process_group().await.unwrap());
        tokio::select! {
            _ = terminate.recv() => {}
            // Ends the process without its handlers, even if it was started with the signal ignored.
            _ = interrupt.recv() => emulate_default_handler(SIGINT).unwrap(),
        }
    });
    ExitCode::SUCCESS
}

async fn nothing_after_return_and_panic() {
    for panics in [false, true] {
        let (sender, receiver) = tokio::sync::oneshot::channel();
        let holder = tokio::spawn(async move {
            let browser = browser_with(rules(&Sites::all()));
            let session = session_of(&browser).await;
            session.goto("http://shop.test/").await.unwrap();
            let group = browser.process_group().await.unwrap();
            sender.send((group, profiles(group), browser.proxy_port().await.unwrap())).unwrap();
            assert!(!panics, "on purpose");
        });
        let (group, folders, port) = receiver.await.unwrap();
        assert_eq!((holder.await.is_err(), folders.len()), (panics, 1));
        ended(group, &folders).await;
        for _ in 0..100 {
            if tokio::net::TcpStream::connect(("127.0.0.1", port)).await.is_err() {
                break;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        let late = tokio::net::TcpStream::connect(("127.0.0.1", port)).await;
        assert!(late.is_err(), "the proxy still answers");
    }
}

/// A process that holds a browser with a page, and the group of the browser.
fn holder(page: &str) -> (Child, i32, Vec<String>) {
    let program = std::env::current_exe().unwrap();
    let mut child = Command::new(program).env(HOLD, page).stdout(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let group = line.trim().parse().unwrap();
    let folders = profiles(group);
    assert!(members(group) > 2 && folders.len() == 1, "{} {folders:?}", members(group));
    (child, group, folders)
}

async fn nothing_after_kill_9() {
    let busy = "<!doctype html><script>setTimeout(() => { while (true); }, 10)</script>";
    for page in ["<!doctype html>", busy] {
        let (mut child, group, folders) = holder(page);
        child.kill().unwrap();
        wait(&mut child);
        ended(group, &folders).await;
    }
}

async fn nothing_after_a_signal() {
    for sent in [Signal::TERM, Signal::INT] {
        let (mut child, group, folders) = holder("<!doctype html>");
        kill_process(Pid::from_raw(child.id().cast_signed()).unwrap(), sent).unwrap();
        wait(&mut child);
        ended(group, &folders).await;
    }
}

async fn an_idle_browser_is_closed() {
    let browser = super::short_browser(rules(&Sites::all()));
    let session = session_of(&browser).await;
    let group = browser.process_group().await.unwrap();
    let folders = profiles(group);
    tokio::time::sleep(Duration::from_millis(800)).await;
    assert!(members(group) > 0, "it is closed although a session is open");
    session.close().await;
    ended(group, &folders).await;
    assert_eq!(browser.process_group().await, None);
    session_of(&browser).await.goto("http://shop.test/").await.unwrap();
}
