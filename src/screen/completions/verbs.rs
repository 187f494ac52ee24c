//! The arguments that the screen shares with verbs. Names, help and fixed values come from the parser of the verb; here are the
//! values that the parser takes as any text, and the settings that are written beside its arguments.

use super::prompts;
use crate::model::Model;
use mageyard_lab::{WrittenName, fork_change_names, written_names};
use mageyard_study::{AskArgs, BlameArgs, DiagnoseArgs, ProbeArgs};

/// What can be written, with what it does.
type Offers = Vec<(String, String)>;

/// What a target may be beside an action.
const TARGETS: [(&str, &str); 3] = [
    ("optimal", "the actions on a shortest way count"),
    ("legal", "the actions that change the state count"),
    ("readable", "the answers that can be read count"),
];

/// What can be asked at a step.
pub(super) fn asked(model: &Model) -> Offers {
    offers(written_names::<AskArgs>(), |name| match name {
        "prompts" => prompt_variants(model),
        "target" => owned(&TARGETS),
        _ => Vec::new(),
    })
}

/// What can be asked about a suite: nothing is left out, and the target is that of each state.
pub(super) fn asked_of_suite(model: &Model) -> Offers {
    let mut all = asked(model);
    all.retain(|(written, _)| !written.starts_with("leave-out=") && !written.starts_with("target="));
    all
}

/// How the step that lost an episode can be looked for.
pub(super) fn blamed() -> Offers {
    let agent = [("agent=", "who plays on")];
    offers(written_names::<BlameArgs>(), |_| Vec::new()).into_iter().chain(owned(&agent)).collect()
}

/// How steps can be diagnosed.
pub(super) fn diagnosed() -> Offers {
    offers(written_names::<DiagnoseArgs>(), |_| Vec::new())
}

/// How questions about states can be asked.
pub(super) fn probed() -> Offers {
    offers(written_names::<ProbeArgs>(), |_| Vec::new())
}

/// What a branch can change.
pub(super) fn changes(model: &Model) -> Offers {
    let prompts = prompt_variants(model).into_iter().map(|(name, help)| (format!("prompt={name}"), help));
    let settings = [("am=", "outputs in memory"), ("om=", "frames in memory"), ("agent=", "who acts")];
    let names = offers(fork_change_names(), |_| Vec::new());
    prompts.chain(owned(&settings)).chain(names).collect()
}

fn prompt_variants(model: &Model) -> Offers {
    prompts(model).into_iter().map(|name| (name, "prompt variant".to_owned())).collect()
}

/// The names; one with known values has a row for each of them, and one that also takes others a row for these.
fn offers(names: Vec<WrittenName>, known: impl Fn(&str) -> Offers) -> Offers {
    let mut all = Vec::new();
    for WrittenName { name, begin, help, values } in names {
        let others = known(&name);
        all.extend(others.into_iter().map(|(value, help)| (format!("{begin}{value}"), help)));
        if values.is_empty() {
            all.push((begin, help));
        } else {
            all.extend(values.into_iter().map(|value| (format!("{begin}{value}"), help.clone())));
        }
    }
    all
}

fn owned(pairs: &[(&str, &str)]) -> Offers {
    pairs.iter().map(|(name, help)| ((*name).to_owned(), (*help).to_owned())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;

    fn names(offers: &Offers) -> Vec<&str> {
        offers.iter().map(|(name, _)| name.as_str()).collect()
    }

    #[test]
    fn arguments_of_a_verb_are_completed_with_the_names_and_values_of_its_parser() {
        let model = testing::model_with_prompts();
        let asked = asked(&model);
        let names_of_ask = names(&asked);
        for name in [
            "am=",
            "seed=",
            "to-end=",
            "unsafe",
            "from-text=",
            "leave-out=frames",
            "target=optimal",
            "target=",
        ] {
            assert!(names_of_ask.contains(&name), "{name}: {names_of_ask:?}");
        }
        assert!(!names_of_ask.contains(&"leave-out="), "its values are all there are");
        assert!(names_of_ask[0].starts_with("prompts="), "{names_of_ask:?}");
        assert!(asked.iter().any(|(name, help)| name == "samples=" && help == "Calls of each variant"));
        assert!(!names(&asked_of_suite(&model)).iter().any(|name| name.starts_with("target=")));
        assert_eq!(names(&blamed()), ["play", "samples=", "seed=", "concurrency=", "unsafe", "agent="]);
    }

    #[test]
    fn changes_of_a_branch_are_completed_as_they_are_written() {
        let model = testing::model_with_prompts();
        let changes = changes(&model);
        let names = names(&changes);
        for name in ["am=", "agent=", "expect=", "hint", "why", "frame=", "answer=", "unsafe"] {
            assert!(names.contains(&name), "{name}: {names:?}");
        }
        assert!(names[0].starts_with("prompt="), "{names:?}");
    }
}
