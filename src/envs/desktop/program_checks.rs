//! `doctor`: which sandbox and which kernel tasks get on this machine, why not better ones, and what to install.

use std::time::{Duration, Instant};

use async_trait::async_trait;
use mageyard_domain::{OptionError, Options, ProgramCheck, ProgramState, sanitize};
use mageyard_sandbox::{Confinement, Found, KernelReport, Sandbox, SandboxFailure, found};

use crate::live::sandbox_settings;
use crate::options::{DesktopOptions, SandboxChoice, USUAL_PYTHON};

/// The sandbox of the settings.
pub(crate) struct SandboxForm;

/// The kernel in that sandbox.
pub(crate) struct PythonKernel;

#[async_trait]
impl ProgramCheck for SandboxForm {
    fn name(&self) -> &'static str {
        "desktop sandbox"
    }

    async fn check(&self, options: &Options) -> Result<ProgramState, OptionError> {
        let options = DesktopOptions::read(options)?;
        Ok(sandbox_state(found(), options.sandbox, options.trust))
    }
}

#[async_trait]
impl ProgramCheck for PythonKernel {
    fn name(&self) -> &'static str {
        "desktop kernel"
    }

    /// Starts a sandbox with its kernel, and ends both.
    async fn check(&self, options: &Options) -> Result<ProgramState, OptionError> {
        let options = DesktopOptions::read(options)?;
        let started = start(&options).await;
        Ok(kernel_state(&options, started))
    }
}

/// What the sandbox is, with what a better one needs.
fn sandbox_state(found: &Found, choice: SandboxChoice, trust: bool) -> ProgramState {
    let form = match choice {
        SandboxChoice::Best => found.best(),
        SandboxChoice::Form(form) => form,
    };
    if let Some(why) = found.why_not(form) {
        return ProgramState::Broken(format!(
            "{form} does not work here: {}; desktop.sandbox = \"auto\" takes one that works",
            sanitize(why)
        ));
    }
    let better = better_forms(found, choice);
    match form {
        Confinement::Bubblewrap => ProgramState::Usable(form.to_string()),
        Confinement::Landlock => ProgramState::Usable(format!("{form}; {better}")),
        Confinement::Nothing => {
            let who = if trust {
                "programs may do what you may (desktop.trust = true)"
            } else {
                "a person confirms each action (or desktop.trust = true)"
            };
            let advice = match choice {
                SandboxChoice::Best => {
                    "install bubblewrap, or use Linux 6.12 or newer; only tasks on a computer need it"
                }
                SandboxChoice::Form(_) => "desktop.sandbox = \"auto\" takes the strongest that works",
            };
            ProgramState::NotChosen { reason: format!("none: {who}; {better}"), advice }
        }
    }
}

/// Why the forms before this one are not taken.
fn better_forms(found: &Found, choice: SandboxChoice) -> String {
    if choice != SandboxChoice::Best {
        return "chosen by desktop.sandbox".to_owned();
    }
    let forms = [Confinement::Bubblewrap, Confinement::Landlock];
    let reasons = forms.into_iter().filter_map(|form| Some((form, found.why_not(form)?)));
    let reasons: Vec<_> = reasons.map(|(form, why)| format!("not {form}: {}", sanitize(why))).collect();
    reasons.join("; ")
}

#[expect(clippy::disallowed_methods, reason = "how long a start takes is reported")]
async fn start(options: &DesktopOptions) -> Result<(KernelReport, Duration), SandboxFailure> {
    let begun = Instant::now();
    let settings =
        sandbox_settings(options).map_err(|error| SandboxFailure::NotStarted(error.to_string()))?;
    let sandbox = Sandbox::start(&settings).await?;
    let report = sandbox.start_kernel().await;
    let took = begun.elapsed();
    sandbox.close().await;
    Ok((report?, took))
}

/// Which kernel is started, with what a better one needs. An interpreter that the settings name must work.
fn kernel_state(
    options: &DesktopOptions,
    started: Result<(KernelReport, Duration), SandboxFailure>,
) -> ProgramState {
    let python = sanitize(&options.python.display().to_string()).into_owned();
    let is_named = options.python != std::path::Path::new(USUAL_PYTHON);
    match started {
        Ok((report, took)) => ProgramState::Usable(describe(&report, &python, took)),
        Err(failure) if is_named => ProgramState::Broken(sanitize(&failure.to_string()).into_owned()),
        Err(failure) => ProgramState::NotChosen {
            reason: sanitize(&failure.to_string()).into_owned(),
            advice: "install python3 and python3-ipykernel, or set desktop.python; only tasks on a computer need it",
        },
    }
}

fn describe(report: &KernelReport, python: &str, took: Duration) -> String {
    let words = kernel_words(report);
    let seconds = took.as_secs_f64();
    let ready = format!("{words}: {python}, ready in {seconds:.1} s with its sandbox");
    if report.missing.is_empty() {
        return ready;
    }
    let missing = report.missing.join("; ");
    format!("{ready}; not {} (install python3-ipykernel)", sanitize(&missing))
}

/// The kernel with its version, and that of Python.
pub(crate) fn kernel_words(report: &KernelReport) -> String {
    let KernelReport { kernel, version, python, .. } = report;
    let words = match kernel.as_str() {
        "jupyter" => format!("Jupyter (ipykernel {version}), Python {python}"),
        "ipython" => format!("IPython ({version}), Python {python}"),
        _ => format!("Python alone ({version}), Python {python}"),
    };
    sanitize(&words).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn machine(bubblewrap: bool, landlock: bool) -> Found {
        Found {
            bubblewrap: bubblewrap.then(|| "/usr/bin/bwrap".into()).ok_or_else(|| "not installed".into()),
            landlock: landlock.then_some(()).ok_or_else(|| "too old".into()),
        }
    }

    #[test]
    fn the_sandbox_says_why_it_is_not_a_better_one() {
        let of = |found: Found, choice, trust| sandbox_state(&found, choice, trust);
        let usable = |words: &str| ProgramState::Usable(words.to_owned());
        let best = SandboxChoice::Best;
        assert_eq!(of(machine(true, true), best, false), usable("Bubblewrap"));
        let landlock = "Landlock and seccomp; not Bubblewrap: not installed";
        assert_eq!(of(machine(false, true), best, false), usable(landlock));
        let ProgramState::NotChosen { reason, advice } = of(machine(false, false), best, false) else {
            panic!("a machine without a sandbox is a warning")
        };
        let reasons = "not Bubblewrap: not installed; not Landlock and seccomp: too old";
        assert_eq!(
            reason,
            format!("none: a person confirms each action (or desktop.trust = true); {reasons}")
        );
        assert!(advice.contains("install bubblewrap"), "{advice}");
        let ProgramState::NotChosen { reason, .. } = of(machine(false, false), best, true) else {
            panic!("trust is a warning")
        };
        assert!(reason.contains("programs may do what you may"), "{reason}");
    }

    #[test]
    fn a_sandbox_that_is_chosen_must_work() {
        let chosen = SandboxChoice::Form(Confinement::Bubblewrap);
        let ProgramState::Broken(why) = sandbox_state(&machine(false, true), chosen, false) else {
            panic!("it does not work")
        };
        assert!(why.contains("not installed") && why.contains("desktop.sandbox"), "{why}");
    }

    #[test]
    fn the_kernel_says_what_a_better_one_needs() {
        let report = |kernel: &str, missing: &[&str]| KernelReport {
            kernel: kernel.into(),
            version: "8.1".into(),
            python: "3.12.3".into(),
            missing: missing.iter().map(ToString::to_string).collect(),
        };
        let of = |report| {
            let started = Ok((report, Duration::from_millis(620)));
            kernel_state(&DesktopOptions::read(&Options::new()).unwrap(), started)
        };
        let place = "/usr/bin/python3, ready in 0.6 s with its sandbox";
        let jupyter = format!("Jupyter (ipykernel 8.1), Python 3.12.3: {place}");
        assert_eq!(of(report("jupyter", &[])), ProgramState::Usable(jupyter));
        let ipython = format!(
            "IPython (8.1), Python 3.12.3: {place}; not jupyter: No module (install python3-ipykernel)"
        );
        let found = of(report("ipython", &["jupyter: No module"]));
        assert_eq!(found, ProgramState::Usable(ipython));
    }

    #[test]
    fn a_missing_python_matters_only_if_it_is_named() {
        let of = |python: &str| {
            let options = Options::from([("python".to_owned(), python.into())]);
            let failure = SandboxFailure::NoKernel(format!("{python} does not exist"));
            kernel_state(&DesktopOptions::read(&options).unwrap(), Err(failure))
        };
        assert!(matches!(of("/nowhere/python"), ProgramState::Broken(why) if why.contains("/nowhere")));
        assert!(matches!(of(""), ProgramState::NotChosen { .. }));
    }
}
