//! Sweeps that share the requests at once through a real Redis server. Where there is none they are listed as ignored;
//! with `MAGEYARD_REQUIRE_REDIS=1` its absence is a failure.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "these are tests")]
#![allow(dead_code, unused_imports, reason = "parts of the other tests are used")]

#[path = "../it/sandbox.rs"]
mod sandbox;
#[path = "../it/server/mod.rs"]
mod server;
#[path = "../it/sweep_permits.rs"]
mod sweep_permits;

use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, ExitCode, Stdio};
use std::thread;
use std::time::Duration;

use libtest_mimic::{Arguments, Trial};

/// The kind that the list shows where there is no server.
const MISSING: &str = "redis-server is not installed";

/// A Redis server without files, which ends with this value.
struct Redis {
    child: Child,
    port: u16,
}

impl Redis {
    fn start() -> Self {
        let port = TcpListener::bind(("127.0.0.1", 0)).unwrap().local_addr().unwrap().port();
        let text = port.to_string();
        let args = ["--port", &text, "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"];
        let child = Command::new("redis-server").args(args).stdout(Stdio::null()).spawn().unwrap();
        let redis = Self { child, port };
        for _ in 0..200 {
            if TcpStream::connect(("127.0.0.1", port)).is_ok() {
                return redis;
            }
            thread::sleep(Duration::from_millis(20));
        }
        panic!("the Redis server did not start");
    }
}

impl Drop for Redis {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn workers_share_the_requests_at_once_in_redis() {
    let redis = Redis::start();
    sweep_permits::workers_share_the_requests_at_once(&format!("redis://127.0.0.1:{}/3", redis.port));
}

fn main() -> ExitCode {
    let required = std::env::var("MAGEYARD_REQUIRE_REDIS").is_ok_and(|value| value == "1");
    let is_there = Command::new("redis-server").arg("--version").stdout(Stdio::null()).status().is_ok();
    let run = required || is_there;
    let work = || {
        workers_share_the_requests_at_once_in_redis();
        Ok(())
    };
    let trial = Trial::test("workers_share_the_requests_at_once_in_redis", work).with_ignored_flag(!run);
    let trial = if run { trial } else { trial.with_kind(MISSING) };
    libtest_mimic::run(&Arguments::from_args(), vec![trial]).exit_code()
}
