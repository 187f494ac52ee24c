//! Which action an analysis says that it is going to take, where it says so in plain words.

use regex::{Regex, escape};

use mageyard_domain::ActionSpace;

/// The name of the action that an analysis announces last, such as `So my next action is Left` or `I will go Left`; `None` if it
/// announces none in these words. Arguments are not read.
pub fn announced_action(analysis: &str, space: &ActionSpace) -> Option<String> {
    let names: Vec<String> = space.specs().iter().map(|spec| escape(&spec.name)).collect();
    if names.is_empty() {
        return None;
    }
    let name = format!("[\"'`*]*({})[\"'`*]*", names.join("|"));
    let noun = r"(?:(?:my|the|our)\s+)?(?:(?:next|best|right|correct|chosen|first)\s+)*(?:action|move|step)";
    let verb = r"I(?:\s+will|\s+should|'ll|\s+must|\s+now)?(?:\s+choose\s+to|\s+need\s+to)?\s+(?:move|go|walk|choose|take|pick|select|press|click)";
    let pattern = format!(
        r"(?i)\b(?:{noun}\s+(?:is|will\s+be|should\s+be)(?:\s+to)?(?:\s+(?:move|go|walk|choose|take))?|{verb})\s*:?\s+{name}(?:\W|$)"
    );
    let announced = Regex::new(&pattern).ok()?;
    let last = announced.captures_iter(analysis).last()?;
    let said = last.get(1)?.as_str();
    space.specs().iter().map(|spec| &spec.name).find(|name| name.eq_ignore_ascii_case(said)).cloned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_action_that_is_announced_counts() {
        let space = ActionSpace::new(&[("Left", ""), ("Right", ""), ("Up", ""), ("Down", "")]);
        for (analysis, expected) in [
            ("So my next action is Left.", Some("Left")),
            ("The best move is to go up.", Some("Up")),
            ("I will choose **Right** now. Then I should go Down.", Some("Down")),
            ("I walk left, and then I look at it.", Some("Left")),
            ("It is left of me. It could go Up.", None),
            ("My next action is Leftover.", None),
            ("", None),
        ] {
            assert_eq!(announced_action(analysis, &space).as_deref(), expected, "{analysis}");
        }
    }
}
