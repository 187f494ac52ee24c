//! What is said of branches.

use super::ForkPlan;
use crate::Meeting;
use mageyard_domain::count_noun;
use mageyard_engine::branch_name;

/// What differs, what is saved, what is repeated and what is expected.
pub fn fork_plan_lines(plan: &ForkPlan) -> Vec<String> {
    let ForkPlan { changes, saved_requests: saved, repeated_actions: repeated, .. } = plan;
    let mut lines: Vec<String> = changes.iter().map(|change| format!("  {change}")).collect();
    match changes.len() {
        0 => lines.push("  nothing is changed: the rest is played again".to_owned()),
        1 => {}
        count => {
            let what = "a difference is not attributable to one of them";
            lines.push(format!("  {count} changes at once: {what}"));
        }
    }
    if *saved > 0 {
        lines.push(format!("  {} before it, not sent again", count_noun(*saved, "reply", "replies")));
    }
    if *repeated > 0 {
        let actions = count_noun(*repeated, "action is", "actions are");
        lines.push(format!("  {actions} carried out again before it begins"));
    }
    let expected = plan.head().parent.as_ref().and_then(|parent| parent.expect.as_deref());
    lines.extend(expected.map(|expected| format!("  expected: {expected}")));
    lines
}

/// Where two branches reached the same state: `at step 3 in the state of step 5 of b1`.
pub fn meeting_text(meeting: &Meeting) -> String {
    let other = meeting.other.map_or("the episode".to_owned(), branch_name);
    format!("at step {} in the state of step {} of {other}", meeting.step, meeting.other_step)
}
