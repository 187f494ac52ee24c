//! Permissions of files, as an octal number or as `ls` writes them.

use crate::handlers::{Case, FileKind, Finding, Params, Rules};

use super::{facts, files, wrong};

/// The permissions of each file are `0o644` or `-rw-r--r--` (`AgentStudio`, section 5 of the rules). The released code
/// compares nine bits of an octal number, so `0o4755` never matches; the standard rules compare the twelve bits then.
pub(super) fn check(params: &Params<'_>, case: &mut Case<'_>) -> Result<(), Finding> {
    for (path, expected) in files(params, case)? {
        let expected = expected.as_str().ok_or_else(|| wrong(&path, "a text such as 0o644"))?;
        let facts = facts(case, &path)?;
        let (found, matches) = match octal(expected) {
            Some(mode) => {
                let special = case.rules == Rules::Standard && mode > 0o777;
                let found = facts.mode & if special { 0o7777 } else { 0o777 };
                (format!("0o{found:03o}"), found == mode)
            }
            None if case.rules == Rules::Standard && !is_symbolic(expected) => {
                return Err(wrong(&path, "permissions such as 0o644 or -rw-r--r--"));
            }
            None => {
                let found = symbolic(facts.kind, facts.mode);
                let matches = found == expected;
                (found, matches)
            }
        };
        if !matches {
            return Err(Finding::fail(format!("{path} has the permissions {found}, expected is {expected}")));
        }
    }
    Ok(())
}

/// An octal number, with or without `0o`.
pub(super) fn octal(text: &str) -> Option<u32> {
    let text = text.trim();
    let digits = text.strip_prefix("0o").or_else(|| text.strip_prefix("0O")).unwrap_or(text);
    let is_octal = !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit());
    if is_octal { u32::from_str_radix(digits, 8).ok() } else { None }
}

fn is_symbolic(text: &str) -> bool {
    text.len() == 10 && text.bytes().all(|letter| b"-dlrwxsStTcbp".contains(&letter))
}

/// Permissions as `ls` writes them.
fn symbolic(kind: FileKind, mode: u32) -> String {
    let first = match kind {
        FileKind::File => '-',
        FileKind::Folder => 'd',
        FileKind::Link => 'l',
        FileKind::Other => '?',
    };
    let mut text = String::from(first);
    for (shift, special, letter) in [(6, 0o4000, 's'), (3, 0o2000, 's'), (0, 0o1000, 't')] {
        let bits = mode >> shift;
        text.push(if bits & 4 == 0 { '-' } else { 'r' });
        text.push(if bits & 2 == 0 { '-' } else { 'w' });
        text.push(match (mode & special != 0, bits & 1 != 0) {
            (false, false) => '-',
            (false, true) => 'x',
            (true, true) => letter,
            (true, false) => letter.to_ascii_uppercase(),
        });
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn permissions_are_written_as_ls_does() {
        assert_eq!(symbolic(FileKind::File, 0o644), "-rw-r--r--");
        assert_eq!(symbolic(FileKind::Folder, 0o1777), "drwxrwxrwt");
        assert_eq!(symbolic(FileKind::File, 0o6745), "-rwsr-Sr-x");
        assert_eq!(symbolic(FileKind::Folder, 0o1770), "drwxrwx--T");
    }

    #[test]
    fn octal_numbers_have_an_optional_prefix() {
        assert_eq!(octal("0o755"), Some(0o755));
        assert_eq!(octal("644"), Some(0o644));
        assert_eq!(octal("0o"), None);
        assert_eq!(octal("789"), None);
        assert_eq!(octal("-rw-r--r--"), None);
        assert_eq!(octal("+644"), None);
    }
}
