//! The action: a cell of Python.

use mageyard_domain::{Action, ActionSpace, ActionSpec, Arg, ParamKind, ParamSpec};

use crate::handlers::Rules;

/// The name of the action.
pub(crate) const RUN: &str = "run";
const CODE: &str = "code";

/// What ends the episode at the end of a cell.
const EXIT: &str = "exit()";

/// The only action, the same in every state.
pub fn action_space() -> ActionSpace {
    let code = ParamKind::Code { language: "python".to_owned() };
    let help = "runs a cell of Python; exit() at its end says that the task is done";
    let run = ActionSpec::new(RUN, help).with_param(ParamSpec::new(CODE, "the cell", code));
    [run].into_iter().collect()
}

/// A cell as an action.
pub(crate) fn run(code: impl Into<String>) -> Action {
    Action::plain(RUN).with(CODE, Arg::Code(code.into()))
}

/// A cell, and whether it says that the task is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cell<'a> {
    /// What is run; may be empty.
    pub(crate) code: &'a str,
    /// Whether it ended with the sign, which is cut off.
    pub(crate) done: bool,
}

/// The cell of an action.
pub(crate) fn cell(action: &Action, rules: Rules) -> Cell<'_> {
    let Some(Arg::Code(code)) = action.args.get(CODE) else { return Cell { code: "", done: false } };
    let code = code.trim();
    let done = match rules {
        // Whatever is before it: of sys.exit() the rest is run.
        Rules::Code => code.strip_suffix(EXIT),
        Rules::Standard => last_statement(code),
    };
    Cell { code: done.unwrap_or(code).trim_end(), done: done.is_some() }
}

/// The code before a last statement that ends the program, alone on its line or after a semicolon, not indented.
fn last_statement(code: &str) -> Option<&str> {
    let start = code.rfind(['\n', ';']).map_or(0, |at| at + 1);
    let (before, last) = (code.get(..start)?, code.get(start..)?);
    let after_semicolon = before.ends_with(';');
    let indented = !after_semicolon && last.starts_with([' ', '\t']);
    let ends = matches!(last.trim(), EXIT | "quit()" | "sys.exit()" | "exit(0)" | "sys.exit(0)");
    (ends && !indented).then(|| before.strip_suffix(';').unwrap_or(before))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_last_exit_ends_the_episode_and_is_cut_off() {
        for (code, standard, released) in [
            ("ls()", ("ls()", false), ("ls()", false)),
            ("ls()\nexit()", ("ls()", true), ("ls()", true)),
            ("exit()", ("", true), ("", true)),
            ("ls(); exit()", ("ls()", true), ("ls();", true)),
            ("import sys\nsys.exit()", ("import sys", true), ("import sys\nsys.", true)),
            ("if x:\n    exit()", ("if x:\n    exit()", false), ("if x:", true)),
            ("print('exit()')", ("print('exit()')", false), ("print('exit()')", false)),
            ("myexit()", ("myexit()", false), ("my", true)),
        ] {
            let action = run(code);
            let found = |rules| {
                let Cell { code, done } = cell(&action, rules);
                (code, done)
            };
            assert_eq!((found(Rules::Standard), found(Rules::Code)), (standard, released), "{code}");
        }
    }
}
