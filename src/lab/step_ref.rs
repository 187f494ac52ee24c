//! Step references: `SESSION#STEP`.

use std::path::Path;

use crate::config::Problem;

/// Splits `SESSION#STEP` into session and step. An existing path that contains a `#` is a path.
pub fn parse_step_reference(run: &str) -> Result<(&str, Option<u32>), Problem> {
    match run.rsplit_once('#') {
        Some((run, step)) if !Path::new(&format!("{run}#{step}")).exists() => {
            let number = step.parse().ok().filter(|step| *step > 0);
            let number = number.ok_or_else(|| {
                Problem::new(format!("{step:?} is not a step number; steps are numbered from 1"))
            })?;
            Ok((run, Some(number)))
        }
        _ => Ok((run, None)),
    }
}

/// Rejects a step number beyond the last step. `done` steps have an action; `shown` also counts the state after
/// the last of them.
pub fn check_step_exists(done: usize, shown: usize, wanted: Option<u32>) -> Result<(), Problem> {
    let missing = wanted.filter(|step| usize::try_from(*step).map_or(true, |step| step > shown));
    let Some(step) = missing else { return Ok(()) };
    let end = if shown > done { format!(", and #{shown} shows its end") } else { String::new() };
    Err(Problem::new(format!("there is no step {step}")).with_help(match done {
        0 => "the episode has no steps yet".to_owned(),
        1 => format!("the episode has one step: number 1{end}"),
        steps => format!("the episode has steps 1 to {steps}{end}"),
    }))
}
