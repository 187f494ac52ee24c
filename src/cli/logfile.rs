//! The log file for diagnostics. Nothing is printed.

use std::sync::Mutex;

use tracing_appender::rolling::{RollingFileAppender, Rotation};
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::fmt::format::FmtSpan;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{Layer, fmt};

use super::context::Context;
use super::diagnostics::print_problem;
use mageyard_config::{LogLevel, LogSettings, Problem};

/// Starts logging at the configured levels. A log file that cannot be written is reported and does not stop
/// the verb.
pub fn start(context: &Context) -> Result<(), Problem> {
    let config = context.config()?;
    let settings = &config.settings().log;
    if settings.level == LogLevel::Off && settings.filter.is_empty() {
        return Ok(());
    }
    let folder = &context.folders().state;
    let file = context.folders().log_file();
    let appender = RollingFileAppender::builder().rotation(Rotation::NEVER).filename_prefix("mageyard.log");
    match appender.build(folder) {
        Ok(writer) => write_to(Mutex::new(writer), settings),
        Err(error) => print_problem(&Problem::new(format!("the log file cannot be written: {error}")).at(
            file,
            "",
            0..0,
        )),
    }
    Ok(())
}

/// Each span adds a line with its times when it ends.
fn write_to(writer: Mutex<RollingFileAppender>, settings: &LogSettings) {
    let levels = settings.filter.iter().map(|(path, level)| (target(path), filter(*level)));
    let levels = Targets::new().with_default(filter(settings.level)).with_targets(levels);
    let lines = fmt::layer().with_ansi(false).with_span_events(FmtSpan::CLOSE).with_writer(writer);
    let _ = tracing_subscriber::registry().with(lines.with_filter(levels)).try_init();
}

/// The name of the crate that a written module is: `mageyard::agents` is `mageyard_agents`, and
/// `mageyard::envs::football` is `mageyard_football`.
fn target(path: &str) -> String {
    let Some(module) = path.strip_prefix("mageyard::") else { return path.to_owned() };
    format!("mageyard_{}", module.strip_prefix("envs::").unwrap_or(module))
}

fn filter(level: LogLevel) -> LevelFilter {
    match level {
        LogLevel::Off => LevelFilter::OFF,
        LogLevel::Error => LevelFilter::ERROR,
        LogLevel::Warn => LevelFilter::WARN,
        LogLevel::Info => LevelFilter::INFO,
        LogLevel::Debug => LevelFilter::DEBUG,
        LogLevel::Trace => LevelFilter::TRACE,
    }
}
