//! References to steps: `SESSION#STEP`, and `SESSION#BRANCH@STEP` for a step of a branch.

use std::path::Path;

use mageyard_config::Problem;
use mageyard_engine::parse_branch_name;

/// Splits a reference into session and step. The session keeps its branch, such as `last#b3`. An existing path that
/// contains a `#` is a path.
pub fn parse_step_reference(run: &str) -> Result<(&str, Option<u32>), Problem> {
    let Some((session, place)) = run.rsplit_once('#').filter(|_| !Path::new(run).exists()) else {
        return Ok((run, None));
    };
    let (branch, step) = match place.split_once('@') {
        Some((branch, step)) => (Some(branch), Some(step)),
        None if place.starts_with('b') => (Some(place), None),
        None => (None, Some(place)),
    };
    if let Some(name) = branch.filter(|name| parse_branch_name(name).is_none()) {
        let problem = Problem::new(format!("{name:?} is not the name of a branch"));
        return Err(problem.with_help("branches are named b1, b2 and so on; `mageyard fork` lists them"));
    }
    let end = branch.map_or(session.len(), |branch| session.len() + 1 + branch.len());
    Ok((&run[..end], step.map(step_number).transpose()?))
}

/// The reference of a step of this session, episode or branch.
pub fn step_reference(run: &str, step: u32) -> String {
    let is_branch = run.rsplit_once('#').is_some_and(|(_, name)| parse_branch_name(name).is_some());
    format!("{run}{}{step}", if is_branch { '@' } else { '#' })
}

fn step_number(step: &str) -> Result<u32, Problem> {
    let number = step.parse().ok().filter(|step| *step > 0);
    number.ok_or_else(|| Problem::new(format!("{step:?} is not a step number; steps are numbered from 1")))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reference_names_a_session_a_branch_and_a_step() {
        let read = |text| parse_step_reference(text).map_err(|problem| problem.message);
        assert_eq!(read("last"), Ok(("last", None)));
        assert_eq!(read("last#7"), Ok(("last", Some(7))));
        assert_eq!(read("last/2#b3"), Ok(("last/2#b3", None)));
        assert_eq!(read("last/2#b3@7"), Ok(("last/2#b3", Some(7))));
        for (run, written) in [("last", "last#7"), ("last/2#b3", "last/2#b3@7"), ("a#c", "a#c#7")] {
            assert_eq!(step_reference(run, 7), written);
        }
        assert_eq!(read("last#0").unwrap_err(), "\"0\" is not a step number; steps are numbered from 1");
        assert_eq!(read("last#b0").unwrap_err(), "\"b0\" is not the name of a branch");
        assert_eq!(read("last#x@3").unwrap_err(), "\"x\" is not the name of a branch");
        assert!(read("last#b3@").is_err() && read("last#").is_err());
    }
}
