//! The integration tests, one module per subject.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::exit,
    reason = "these are tests"
)]

mod ask;
mod bench;
mod conditions;
mod config;
mod crates;
mod demo;
mod diff;
mod distance;
mod docs;
mod environment_words;
mod episodes;
mod export;
mod faulty;
mod find;
mod football_engine;
mod football_episodes;
mod fork;
mod fork_edits;
mod generate;
mod hanoi;
mod imports;
mod jobs;
mod journal_v1;
mod json_schema;
mod killed;
mod layers;
mod live;
mod looks;
mod memory;
mod model;
mod moved_server;
mod page_recordings;
mod prices;
mod prompts;
mod pty;
mod readers;
mod records;
mod replay;
mod replies;
mod report;
mod report_baselines;
mod report_data;
mod report_findings;
mod report_formats;
mod report_paper;
mod report_rows;
mod sandbox;
mod seats;
mod server;
mod set_flag;
mod sides;
mod sight;
mod source_paths;
mod suites;
mod summaries;
mod sweep_control;
mod sweep_heads;
mod sweep_names;
mod sweep_orders;
mod sweep_permits;
mod sweep_plan;
mod sweep_run;
mod sweep_screen;
mod tag;
mod terminal;
mod tour;
mod trash;
mod verbs;
mod web_verbs;
mod words;
mod workshop;
