//! How the answer to a question is written, where a reply is free text with an answer at its end. It follows from the
//! actions: a point, a name, a list of letters, or any other action in its written form.

use super::{Action, ActionSpace, ActionSpec, Arg, ParamKind};

/// The form of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnswerShape {
    /// The two numbers of the only action, in round brackets: `(0.5, 0.25)`.
    Point,
    /// The text of the only action, a word on each line.
    Lines,
    /// The name of an action.
    Name,
    /// Actions in their written form.
    Call,
}

impl AnswerShape {
    /// The form of answers that choose from these actions.
    pub fn of(space: &ActionSpace) -> Self {
        let kinds = |spec: &ActionSpec| -> Vec<ParamKind> {
            spec.params.iter().map(|param| param.kind.clone()).collect()
        };
        match space.specs() {
            [only] => match kinds(only).as_slice() {
                [ParamKind::Number { .. }, ParamKind::Number { .. }] => Self::Point,
                [ParamKind::Text { .. }] => Self::Lines,
                [] => Self::Name,
                _ => Self::Call,
            },
            specs if specs.iter().all(|spec| spec.params.is_empty()) => Self::Name,
            _ => Self::Call,
        }
    }

    /// The answer of an action that has all its arguments; otherwise its written form.
    pub fn write(self, action: &Action, space: &ActionSpace) -> String {
        let values = space.specs().first().map_or(&[][..], |spec| &spec.params);
        let values: Vec<&Arg> = values.iter().filter_map(|param| action.args.get(&param.name)).collect();
        match (self, values.as_slice()) {
            (Self::Point, [x, y]) => format!("({x}, {y})"),
            (Self::Lines, [Arg::Text(text)]) if !text.trim().is_empty() => {
                let words: Vec<&str> = text.split_whitespace().collect();
                format!("\n{}", words.join("\n"))
            }
            _ => action.to_string(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Number, ParamSpec};

    fn space(kinds: &[ParamKind]) -> ActionSpace {
        let params = kinds.iter().enumerate();
        let spec = params.fold(ActionSpec::new("answer", ""), |spec, (index, kind)| {
            spec.with_param(ParamSpec::new(format!("p{index}"), "", kind.clone()))
        });
        ActionSpace::from_iter([spec])
    }

    #[test]
    fn an_answer_is_written_in_the_form_of_its_actions() {
        let number = ParamKind::Number { min: 0.0, max: 1.0, integer: false };
        let half = Arg::Number(Number::new(0.5).unwrap());
        let written = |space: &ActionSpace, action: &Action| AnswerShape::of(space).write(action, space);
        let point = space(&[number.clone(), number.clone()]);
        let middle = Action::plain("answer").with("p0", half.clone()).with("p1", half);
        assert_eq!(written(&point, &middle), "(0.5, 0.5)");
        let lines = space(&[ParamKind::text()]);
        let letters = Action::plain("answer").with("p0", Arg::Text("A C".into()));
        assert_eq!(written(&lines, &letters), "\nA\nC");
        let names = ActionSpace::new(&[("A", ""), ("B", "")]);
        assert_eq!(written(&names, &Action::plain("B")), "B");
        let call = space(&[ParamKind::choice(["left"])]);
        let left = Action::plain("answer").with("p0", Arg::Text("left".into()));
        assert_eq!(written(&call, &left), "answer(p0=\"left\")");
        assert_eq!(AnswerShape::of(&space(std::slice::from_ref(&number))), AnswerShape::Call);
    }
}
