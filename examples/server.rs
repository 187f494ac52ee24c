//! A test server with the chat completions API, Anthropic Messages and `OpenAI` Responses: no model, no key, simulated
//! faults. With `--replay FILE` it serves a recording of `mageyard run --record-http FILE`.
//!
//! `cargo run --example server -- --behavior normal --port 8080`, then in another terminal
//! `mageyard play --agent model --model mock --base-url http://127.0.0.1:8080/v1`.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::print_stderr,
    unreachable_pub,
    reason = "a development tool"
)]

#[path = "../tests/it/server/mod.rs"]
mod server;

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::Parser;
use tokio::net::TcpListener;

use server::{Behavior, Recording, ServerState};

/// Serve chat completions on this machine
#[derive(Parser)]
struct Args {
    /// Behavior; `list` prints all
    #[arg(long, default_value = "normal")]
    behavior: String,
    /// The port on 127.0.0.1
    #[arg(long, default_value_t = 8080)]
    port: u16,
    /// Milliseconds between two chunks of a stream
    #[arg(long, default_value_t = 30)]
    pace: u64,
    /// Serve this recording of `mageyard run --record-http`
    #[arg(long, value_name = "FILE")]
    replay: Option<PathBuf>,
}

fn main() -> ExitCode {
    let args = Args::parse();
    let Some(behavior) = Behavior::find(&args.behavior) else {
        for (name, _, what) in Behavior::ALL {
            println!("{name:14} {what}");
        }
        return if args.behavior == "list" { ExitCode::SUCCESS } else { ExitCode::from(2) };
    };
    let state = match args.replay.as_deref().map(Recording::read) {
        None => ServerState::new(behavior, Duration::from_millis(args.pace)),
        Some(Ok(recording)) => ServerState::replaying(recording),
        Some(Err(why)) => {
            eprintln!("{why}");
            return ExitCode::FAILURE;
        }
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let ended = runtime.block_on(async {
        let listener = TcpListener::bind(("127.0.0.1", args.port)).await?;
        println!("{} at http://{}/v1", args.behavior, listener.local_addr()?);
        server::serve(listener, state).await
    });
    match ended {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("port {}: {error}", args.port);
            ExitCode::FAILURE
        }
    }
}
