//! `RUN#STEP`: a step of a recorded run, as a person names it.

use std::path::Path;

use crate::config::Problem;

/// The run and the step of `RUN#STEP`; a path that holds a `#` and exists is a path.
pub(super) fn parse(run: &str) -> Result<(&str, Option<u32>), Problem> {
    match run.rsplit_once('#') {
        Some((run, step)) if !Path::new(&format!("{run}#{step}")).exists() => {
            let number = step.parse().ok().filter(|step| *step > 0);
            let number =
                number.ok_or_else(|| Problem::new(format!("{step:?} is no step; steps count from 1")))?;
            Ok((run, Some(number)))
        }
        _ => Ok((run, None)),
    }
}

/// Refuses a step that lies beyond the last of so many.
pub(super) fn check_step_exists(steps: usize, wanted: Option<u32>) -> Result<(), Problem> {
    let there = wanted.is_none_or(|step| usize::try_from(step).is_ok_and(|step| step <= steps));
    let wanted = wanted.filter(|_| !there).map(|step| format!("there is no step {step}"));
    wanted.map_or(Ok(()), |what| {
        Err(Problem::new(what).with_help(match steps {
            0 => "it has no step yet".to_owned(),
            1 => "it has one step: number 1".to_owned(),
            steps => format!("it has {steps} steps, counted from 1"),
        }))
    })
}
