//! The score in the documentation.

use super::super::rules::PaperRule;

#[test]
fn every_flag_of_the_element_score_is_in_its_table() {
    let text = include_str!("../../../../../docs/webui.md");
    for rule in PaperRule::ALL {
        let name = format!("| `{}` |", rule.name());
        assert_eq!(text.matches(&name).count(), 1, "{name} has no row of its own");
    }
}
