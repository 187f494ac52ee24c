//! The log file for diagnostics. Nothing is printed.

use tracing_appender::rolling::RollingFileAppender;
use tracing_appender::rolling::Rotation;
use tracing_subscriber::filter::LevelFilter;

use super::context::Context;
use super::diagnostics::print_problem;
use crate::config::LogLevel;
use crate::config::Problem;

/// Starts logging at the configured level. A log file that cannot be written is reported and does not stop
/// the verb.
pub(crate) fn start(context: &Context) -> Result<(), Problem> {
    let level = filter(context.config()?.settings().log.level);
    if level == LevelFilter::OFF {
        return Ok(());
    }
    let (folder, file) = (&context.folders().state, context.folders().log_file());
    let appender = RollingFileAppender::builder().rotation(Rotation::NEVER).filename_prefix("mageyard.log");
    match appender.build(folder) {
        Ok(writer) => {
            let subscriber = tracing_subscriber::fmt().with_ansi(false).with_max_level(level);
            let _ = subscriber.with_writer(std::sync::Mutex::new(writer)).try_init();
        }
        Err(error) => print_problem(&Problem::new(format!("the log file cannot be written: {error}")).at(
            file,
            "",
            0..0,
        )),
    }
    Ok(())
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
