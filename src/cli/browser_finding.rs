//! `doctor`: whether there is a browser that works. Only environments with pages need one.

use std::path::Path;

use super::exit::Failure;
use super::finding::Finding;
use super::runtime::single_thread_runtime;
use mageyard_browser::{BrowserError, BrowserReport, probe_browser};
use mageyard_config::{Config, Problem};
use mageyard_domain::sanitize;
use mageyard_lab::browser_settings;

const NAME: &str = "browser";

/// Tries the browser. What does not work is a warning, or a failure if one is required.
pub(super) fn finding(config: &Config, required: bool) -> Result<Finding, Failure> {
    let runtime = single_thread_runtime()?;
    let found = runtime.block_on(probe_browser(&browser_settings(config)));
    Ok(match found {
        Ok(report) => Finding::ok(NAME, describe(&report)),
        Err(error) if required => Finding::fail(NAME, Problem::new(words(&error)).with_help(ADVICE)),
        Err(error) => Finding::warn(NAME, words(&error), ADVICE),
    })
}

const ADVICE: &str = "only environments with pages need it";

fn words(error: &BrowserError) -> String {
    sanitize(&error.to_string()).into_owned()
}

fn describe(report: &BrowserReport) -> String {
    let BrowserReport { program, version, start, picture, sandbox } = report;
    let program = shown(program);
    let version = sanitize(version);
    let start = start.as_secs_f64();
    let picture = picture.as_secs_f64();
    let sandbox = if *sandbox { "sandbox on" } else { "sandbox off, because this is root" };
    format!("{program}, {version}, started in {start:.1} s, first picture after {picture:.1} s, {sandbox}")
}

fn shown(path: &Path) -> String {
    sanitize(&path.display().to_string()).into_owned()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_browser_is_described_with_its_times_and_its_sandbox() {
        let mut report = BrowserReport {
            program: "/usr/bin/chromium".into(),
            version: "Chrome/148.0.1".into(),
            start: Duration::from_millis(512),
            picture: Duration::from_millis(380),
            sandbox: true,
        };
        let times = "/usr/bin/chromium, Chrome/148.0.1, started in 0.5 s, first picture after 0.4 s";
        assert_eq!(describe(&report), format!("{times}, sandbox on"));
        report.sandbox = false;
        assert_eq!(describe(&report), format!("{times}, sandbox off, because this is root"));
    }
}
