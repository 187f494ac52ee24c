//! Reads `keys.toml`: tables of keys and commands. Keys that are bound twice, and keys that are also the beginning of a
//! sequence, are errors with both lines.

use std::ops::Range;
use std::path::Path;

use toml::Spanned;
use toml::de::{DeString, DeTable, DeValue};

use super::sequence::KeySequence;
use super::{Keymap, TABLES};
use crate::command::{ScreenView, commands_in, find_command_in};
use mageyard_config::Problem;

/// The word that removes a default binding.
const UNBOUND: &str = "nothing";

/// A file of bindings.
struct KeyFile<'a> {
    path: &'a Path,
    text: &'a str,
}

/// One line: the keys and the name of a command, with their places.
struct Line {
    keys: KeySequence,
    written: String,
    keys_span: Range<usize>,
    command: String,
    command_span: Range<usize>,
}

/// The bindings of a file over the default ones.
pub(super) fn read(path: &Path, text: &str) -> Result<Keymap, Problem> {
    let file = KeyFile { path, text };
    let table = DeTable::parse(text)
        .map_err(|error| file.problem(error.message().to_owned(), error.span().unwrap_or(0..0)))?;
    let mut keymap = Keymap::default();
    for (name, value) in table.get_ref() {
        let known = TABLES.into_iter().find(|(known, _)| name.get_ref() == known);
        let ((_, view), rows) = known.zip(value.get_ref().as_table()).ok_or_else(|| {
            let what = format!("unknown table {:?} in a keymap", name.get_ref());
            let help =
                "bindings belong under [keys], such as x = \"step\", or, for the dashboard, under [sweep]";
            file.problem(what, name.span()).with_help(help)
        })?;
        let lines = file.lines(rows)?;
        if view == ScreenView::Sweep {
            file.refuse_sequences(&lines)?;
        }
        file.apply(&lines, view, &mut keymap)?;
    }
    Ok(keymap)
}

impl KeyFile<'_> {
    fn problem(&self, what: String, span: Range<usize>) -> Problem {
        Problem::new(what).at(self.path, self.text, span)
    }

    /// The number of the line at this place.
    fn line_number(&self, span: &Range<usize>) -> usize {
        1 + self.text.bytes().take(span.start).filter(|byte| *byte == b'\n').count()
    }

    /// The lines of a table in the order of the file.
    fn lines(&self, rows: &DeTable<'_>) -> Result<Vec<Line>, Problem> {
        let mut lines = Vec::new();
        for (keys, command) in rows {
            lines.push(self.line(keys, command)?);
        }
        lines.sort_by_key(|line| line.keys_span.start);
        for (index, line) in lines.iter().enumerate() {
            lines[..index].iter().try_for_each(|earlier| self.check(earlier, line))?;
        }
        Ok(lines)
    }

    fn line(&self, keys: &Spanned<DeString<'_>>, command: &Spanned<DeValue<'_>>) -> Result<Line, Problem> {
        let written = keys.get_ref().to_string();
        let parsed = KeySequence::parse(&written)
            .map_err(|why| self.problem(format!("cannot bind the key {written:?}: {why}"), keys.span()))?;
        let Some(name) = command.get_ref().as_str() else {
            return Err(self.problem("expected the name of a command in quotes".into(), command.span()));
        };
        Ok(Line {
            keys: parsed,
            written,
            keys_span: keys.span(),
            command: name.to_owned(),
            command_span: command.span(),
        })
    }

    /// Refuses two lines with the same keys, or of which one begins the other.
    fn check(&self, earlier: &Line, line: &Line) -> Result<(), Problem> {
        let at = self.line_number(&earlier.keys_span);
        let shown = line.keys.display();
        if earlier.keys == line.keys {
            let what = format!("{shown} is bound twice, here and in line {at}");
            return Err(self.problem(what, line.keys_span.clone()).with_help("remove one of both lines"));
        }
        let are_bound = earlier.command != UNBOUND && line.command != UNBOUND;
        if are_bound && earlier.keys.overlaps(&line.keys) {
            let (single, sequence) =
                if line.keys.second.is_none() { (line, earlier) } else { (earlier, line) };
            let what = format!(
                "{} is bound, and also begins {:?} (lines {at} and {})",
                single.keys.display(),
                sequence.written,
                self.line_number(&line.keys_span),
            );
            let help =
                "the program could not know whether a second key follows: bind one of both to another key";
            return Err(self.problem(what, line.keys_span.clone()).with_help(help));
        }
        Ok(())
    }

    /// The dashboard waits for no second key.
    fn refuse_sequences(&self, lines: &[Line]) -> Result<(), Problem> {
        match lines.iter().find(|line| line.keys.second.is_some()) {
            None => Ok(()),
            Some(line) => {
                let what =
                    format!("cannot bind {:?}: the dashboard has no sequences of two keys", line.written);
                Err(self.problem(what, line.keys_span.clone()).with_help("bind a single key"))
            }
        }
    }

    /// Changes bindings: single keys first, so that the order of the lines does not matter.
    fn apply(&self, lines: &[Line], view: ScreenView, keymap: &mut Keymap) -> Result<(), Problem> {
        let bindings = keymap.of_view_mut(view);
        let (single, sequences): (Vec<_>, Vec<_>) = lines.iter().partition(|line| line.keys.second.is_none());
        for line in single.into_iter().chain(sequences) {
            let id = find_command_in(view, &line.command).map(|row| row.id);
            if id.is_none() && line.command != UNBOUND {
                let what = format!("there is no command {:?}", line.command);
                let problem = self.problem(what, line.command_span.clone());
                let names = commands_in(view).map(|row| row.name);
                return Err(problem.with_suggestions(&line.command, names.chain([UNBOUND])));
            }
            if id.is_some() && line.keys.second.is_some() && bindings.command_of_first(&line.keys).is_some() {
                return Err(self.taken(line));
            }
            bindings.bind(line.keys, id);
        }
        Ok(())
    }

    /// The first key of a sequence has a command by default.
    fn taken(&self, line: &Line) -> Problem {
        let first = line.written.split_whitespace().next().unwrap_or_default();
        let what = format!("{:?} cannot begin with {first}, which has a command by default", line.written);
        let help =
            format!("add the line {first:?} = \"nothing\" to free it, or begin with another key such as g");
        self.problem(what, line.keys_span.clone()).with_help(help)
    }
}
