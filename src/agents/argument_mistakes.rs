//! The mistakes that the agent `faulty` makes in the arguments of an action.

#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

use mageyard_domain::{Action, ActionSpec, Arg, Number, ParamKind, ParamSpec};

/// A mistake in the arguments of an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mistake {
    /// A required argument is left out.
    Missing,
    /// An argument for a parameter that does not exist.
    Unknown,
    /// An argument of another kind.
    WrongKind,
    /// An argument outside its range.
    OutOfRange,
    /// Two arguments for one parameter.
    TwoOfOne,
    /// The call is not closed.
    Unclosed,
}

impl Mistake {
    /// The analysis of the reply.
    pub(super) fn reason(self) -> &'static str {
        match self {
            Self::Missing => "I forget an argument.",
            Self::Unknown => "I invent a parameter.",
            Self::WrongKind => "I give an argument of another kind.",
            Self::OutOfRange => "I give an argument outside its range.",
            Self::TwoOfOne => "I give an argument twice.",
            Self::Unclosed => "I do not close the call.",
        }
    }

    /// The action with the mistake. Where the action has no parameter for this mistake, one is invented.
    pub(super) fn make(self, action: &Action, spec: &ActionSpec) -> Option<Action> {
        let param = spec.params.first()?;
        let with = |arg| action.clone().with(&*param.name, arg);
        Some(match self {
            Self::Missing => match spec.params.iter().find(|param| param.required) {
                Some(required) => {
                    let mut action = action.clone();
                    action.args.remove(&required.name);
                    action
                }
                None => invented(action, spec),
            },
            Self::Unknown => invented(action, spec),
            Self::WrongKind => with(wrong_kind(&param.kind)),
            Self::OutOfRange => with(out_of_range(param)),
            Self::TwoOfOne => Action::plain(format!("{}({name}=1, {name}=2)", spec.name, name = param.name)),
            Self::Unclosed => Action::plain(format!("{}({}=\"", spec.name, param.name)),
        })
    }
}

/// The action with an argument for a parameter that it does not have.
fn invented(action: &Action, spec: &ActionSpec) -> Action {
    let mut name = "colour".to_owned();
    while spec.param(&name).is_some() {
        name.push('_');
    }
    action.clone().with(name, Arg::Text("red".into()))
}

fn wrong_kind(kind: &ParamKind) -> Arg {
    match kind {
        ParamKind::Number { .. } | ParamKind::Point { .. } => Arg::Text("over there".into()),
        ParamKind::Text { .. } | ParamKind::Choice { .. } | ParamKind::Code { .. } => {
            Arg::Point { x: 1, y: 2 }
        }
    }
}

/// An argument of the right kind that is not allowed; of a wrong one where all of the right kind are allowed.
fn out_of_range(param: &ParamSpec) -> Arg {
    let outside = match &param.kind {
        ParamKind::Number { max, .. } => Number::new(max + max.abs().max(1.0)).map(Arg::Number),
        ParamKind::Point { width, height } => Some(Arg::Point { x: (*width).into(), y: (*height).into() }),
        ParamKind::Choice { values } => Some(Arg::Text(format!("not {}", values.concat()))),
        ParamKind::Text { max_chars: Some(max) } => Some(Arg::Text("x".repeat(max + 1))),
        ParamKind::Text { max_chars: None } | ParamKind::Code { .. } => None,
    };
    outside.unwrap_or_else(|| wrong_kind(&param.kind))
}

#[cfg(test)]
mod tests {
    use super::*;
    use mageyard_domain::ActionSpace;

    const ALL: [Mistake; 6] = [
        Mistake::Missing,
        Mistake::Unknown,
        Mistake::WrongKind,
        Mistake::OutOfRange,
        Mistake::TwoOfOne,
        Mistake::Unclosed,
    ];

    #[test]
    fn every_mistake_is_refused() {
        for kind in [
            ParamKind::text(),
            ParamKind::Text { max_chars: Some(3) },
            ParamKind::Number { min: -1.0, max: 9.0, integer: true },
            ParamKind::Number { min: -1e300, max: 1e300, integer: false },
            ParamKind::Point { width: 4, height: 5 },
            ParamKind::choice(["a", "b"]),
            ParamKind::Code { language: "html".into() },
        ] {
            for required in [true, false] {
                let param = ParamSpec { required, ..ParamSpec::new("colour", "", kind.clone()) };
                let space = ActionSpace::from_iter([ActionSpec::new("act", "").with_param(param)]);
                for mistake in ALL {
                    let wrong = mistake.make(&space.specs()[0].example(), &space.specs()[0]).unwrap();
                    let error = space.parse(&wrong.to_string()).unwrap_err().to_string();
                    assert!(error.contains("act"), "{mistake:?} {kind:?}: {error}");
                }
            }
        }
    }
}
