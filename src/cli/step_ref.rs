//! Step references: `SESSION#STEP`.

use std::path::Path;

use crate::config::Problem;

/// Splits `SESSION#STEP` into session and step. An existing path that contains a `#` is a path.
pub(super) fn parse(run: &str) -> Result<(&str, Option<u32>), Problem> {
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

/// Rejects a step number beyond the last step.
pub(super) fn check_step_exists(steps: usize, wanted: Option<u32>) -> Result<(), Problem> {
    let there = wanted.is_none_or(|step| usize::try_from(step).is_ok_and(|step| step <= steps));
    let wanted = wanted.filter(|_| !there).map(|step| format!("there is no step {step}"));
    wanted.map_or(Ok(()), |what| {
        Err(Problem::new(what).with_help(match steps {
            0 => "the episode has no steps yet".to_owned(),
            1 => "the episode has one step: number 1".to_owned(),
            steps => format!("the episode has steps 1 to {steps}"),
        }))
    })
}
