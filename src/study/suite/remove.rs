//! Removes a state from a suite of the user. What else the file has stays as it was written.

use std::io;
use std::path::Path;

use super::add::{own_suite, write};
use super::file::{Suite, checked_suite_name};
use super::reader::parse_suite;
use mageyard_config::{Config, Problem, SourceFile};

/// Removes the state with this index, from 0, from the suite of the user with this name. A suite has at least one state, so
/// without its last one the file is removed: `None`.
pub fn remove_from_suite(name: &str, index: usize, config: &Config) -> Result<Option<Suite>, Problem> {
    let name = checked_suite_name(name).map_err(Problem::new)?;
    let Some(suite) = own_suite(&name, config)? else {
        return Err(Problem::new(format!("there is no suite {name} of your own")));
    };
    if index >= suite.states.len() {
        return Err(suite.problem(index, "there is no such state"));
    }
    let path = suite.file.path.clone();
    if suite.states.len() == 1 {
        return remove_file(&path).map(|()| None);
    }
    let left = suite.without(index);
    write(&path, &left.file.text, true)?;
    Ok(Some(left))
}

fn remove_file(path: &Path) -> Result<(), Problem> {
    let failed = |error: io::Error| Problem::new(format!("cannot be removed: {error}")).at(path, "", 0..0);
    std::fs::remove_file(path).map_err(failed)
}

impl Suite {
    /// The suite without a state: the lines of the state are cut out of its file. A file in which they cannot be distinguished is
    /// written again.
    fn without(&self, index: usize) -> Self {
        let mut left = self.clone();
        left.states.remove(index);
        let wanted: Vec<_> = left.states.iter().map(|state| (state.digest, &state.address)).collect();
        let file = |text: String| SourceFile { path: self.file.path.clone(), text: text.into() };
        let cut = self.cut_text(index).and_then(|text| parse_suite(&file(text)).ok());
        let is_right = |cut: &Self| {
            cut.states.iter().map(|state| (state.digest, &state.address)).eq(wanted.iter().copied())
        };
        match cut.filter(is_right) {
            Some(cut) => cut,
            None => Self { file: file(left.to_text()), ..left },
        }
    }

    /// The text of the file without the lines from `[[state]]` to the next table.
    fn cut_text(&self, index: usize) -> Option<String> {
        let text = &*self.file.text;
        let span = &self.states.get(index)?.span;
        let start = text.get(..span.start)?.rfind("\n[[state]]")? + 1;
        let end = text.get(span.end..)?.find("\n[[").map_or(text.len(), |at| span.end + at + 1);
        Some(format!("{}{}", &text[..start], text.get(end..)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "schema = 1\nname = \"two\"\nabout = \"\"\nenvironment = \"rooms\"\n\n[settings]\n\
        memory.am = 5\n\n[[level]]\nreference = \"b\"\nnumber = 1\ndigest = \"91ab52ac9e55a5f5\"\n\n[[state]]\n\
        why = \"first\"\naddress = \"s/0001#2\"\ndigest = \"91ab52ac9e55a5f5\"\ntaken = \"Up\"\nlevel = \"b\"\nseed = 0\n\n\
        [[state]]\n# mine\nwhy = \"second\"\naddress = \"s/0001#3\"\ndigest = \"91ab52ac9e55a5f5\"\nlevel = \"b\"\nseed = 0\n";

    #[test]
    fn the_lines_of_a_state_are_cut_out_and_all_others_stay() {
        let suite = parse_suite(&SourceFile::shipped("two.toml", FILE)).unwrap();
        let (head, states) = FILE.split_once("[[state]]\n").unwrap();
        let (first, second) = states.split_once("[[state]]\n").unwrap();
        assert_eq!(&*suite.without(0).file.text, format!("{head}[[state]]\n{second}"));
        assert_eq!(suite.without(0).states[0].why, "second");
        assert_eq!(&*suite.without(1).file.text, format!("{head}[[state]]\n{first}"));
    }

    #[test]
    fn a_file_whose_lines_cannot_be_cut_is_written_again() {
        let inline = FILE.replace("\n[[state]]", "\n[[ state ]]");
        let suite = parse_suite(&SourceFile::shipped("two.toml", &inline)).unwrap();
        let left = suite.without(0);
        assert_eq!((left.states.len(), left.states[0].why.as_str()), (1, "second"));
        assert!(parse_suite(&left.file).is_ok());
    }
}
