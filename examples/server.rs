//! A server to try Mageyard against without a key: it speaks chat completions and has moods.
//!
//! `cargo run --example server -- --mood normal --port 8080`, then in another terminal
//! `mageyard play --agent model --model mock --base-url http://127.0.0.1:8080/v1`.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::print_stderr,
    unreachable_pub,
    reason = "a tool for people who develop"
)]

#[path = "../tests/it/server/mod.rs"]
mod server;

use std::process::ExitCode;
use std::time::Duration;

use clap::Parser;
use tokio::net::TcpListener;

use server::Behavior;
use server::ServerState;

/// Speak chat completions on this machine
#[derive(Parser)]
struct Args {
    /// How it behaves; `list` shows all
    #[arg(long, default_value = "normal")]
    mood: String,
    /// The port on 127.0.0.1
    #[arg(long, default_value_t = 8080)]
    port: u16,
    /// Milliseconds between two pieces of a stream
    #[arg(long, default_value_t = 30)]
    pace: u64,
}

fn main() -> ExitCode {
    let args = Args::parse();
    let Some(mood) = Behavior::find(&args.mood) else {
        for (name, _, what) in Behavior::ALL {
            println!("{name:14} {what}");
        }
        return if args.mood == "list" { ExitCode::SUCCESS } else { ExitCode::from(2) };
    };
    let office = ServerState::new(mood, Duration::from_millis(args.pace));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let ended = runtime.block_on(async {
        let listener = TcpListener::bind(("127.0.0.1", args.port)).await?;
        println!("{} at http://{}/v1", args.mood, listener.local_addr()?);
        server::serve(listener, office).await
    });
    match ended {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("port {}: {error}", args.port);
            ExitCode::FAILURE
        }
    }
}
