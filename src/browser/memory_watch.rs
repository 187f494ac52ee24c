//! Ends the process of a page that uses too much memory. The limit of the script engine covers scripts only: elements,
//! pictures and array buffers lie outside it.

use std::pin::pin;
use std::sync::{Arc, Weak};
use std::time::Duration;

use rustix::process::{Pid, Signal, getpgid, kill_process};
use serde::Deserialize;
use serde_json::json;
use tokio::time::timeout;

use super::connection::Connection;
use super::crash_handler;
use super::event_handler::EventHandler;

/// How often memory is read.
const PERIOD: Duration = Duration::from_millis(200);

/// How long the browser may take to list its processes before a reason for its silence is looked for.
const SILENCE: Duration = Duration::from_secs(2);

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Processes {
    process_info: Vec<Process>,
}

#[derive(Deserialize)]
struct Process {
    r#type: String,
    id: i32,
}

/// Watches the pages of a browser until it is gone.
pub(super) async fn watch<H: EventHandler>(
    connection: Weak<Connection>,
    router: Arc<H>,
    group: Pid,
    most_mib: u64,
) {
    loop {
        tokio::time::sleep(PERIOD).await;
        let Some(connection) = connection.upgrade().filter(|it| it.ended().is_none()) else { return };
        if !router.is_used() {
            continue;
        }
        let mut listing = pin!(renderers(&connection, group));
        // A browser that is merely slow still gets its pages measured.
        let renderers = loop {
            match timeout(SILENCE, &mut listing).await {
                Ok(renderers) => break renderers,
                Err(_) => crash_handler::release(group),
            }
        };
        for pid in renderers {
            if memory_mib(pid).is_some_and(|used| used > most_mib) {
                router.expect_out_of_memory(most_mib);
                // Refused only if it has ended by itself.
                let _ = kill_process(pid, Signal::KILL);
            }
        }
    }
}

/// The processes of pages, as the browser lists them and as they are in its group.
async fn renderers(connection: &Connection, group: Pid) -> Vec<Pid> {
    let answer = connection.call(None, "SystemInfo.getProcessInfo", json!({})).await;
    let listed = answer.ok().and_then(|answer| serde_json::from_str::<Processes>(answer.get()).ok());
    let listed = listed.map_or_else(Vec::new, |listed| listed.process_info);
    let pages = listed.into_iter().filter(|process| process.r#type == "renderer");
    let pids = pages.filter_map(|process| Pid::from_raw(process.id));
    pids.filter(|pid| getpgid(Some(*pid)).is_ok_and(|of| of == group)).collect()
}

/// Memory of a process without what it shares with others.
#[cfg(target_os = "linux")]
fn memory_mib(pid: Pid) -> Option<u64> {
    let text = std::fs::read_to_string(format!("/proc/{}/statm", pid.as_raw_nonzero())).ok()?;
    let mut pages = text.split(' ').skip(1).map(|count| count.trim().parse::<u64>());
    let resident = pages.next()?.ok()?;
    let shared = pages.next()?.ok()?;
    let page = u64::try_from(rustix::param::page_size()).ok()?;
    Some((resident.saturating_sub(shared) * page) >> 20)
}

/// Memory of a process, as `ps` prints it.
#[cfg(not(target_os = "linux"))]
fn memory_mib(pid: Pid) -> Option<u64> {
    let pid = pid.as_raw_nonzero().to_string();
    let output = std::process::Command::new("ps").args(["-o", "rss=", "-p", &pid]).output().ok()?;
    let kib: u64 = String::from_utf8(output.stdout).ok()?.trim().parse().ok()?;
    Some(kib >> 10)
}
