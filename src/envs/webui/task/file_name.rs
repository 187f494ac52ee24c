//! Names of pages and of their files. A file name never leads out of the folder of its page.

use mageyard_domain::is_hidden;

/// The longest file name, in bytes.
const MAX_NAME_BYTES: usize = 200;
/// The longest name of a page, in bytes.
const MAX_PAGE_NAME_BYTES: usize = 100;
/// The largest number of parts of a file name.
const MAX_PARTS: usize = 8;

/// Why this cannot be the name of a file of a page: parts of printable characters with `/` between them.
pub(crate) fn file_name_error(name: &str) -> Option<String> {
    let parts: Vec<&str> = name.split('/').collect();
    let why = if name.is_empty() {
        "a file needs a name"
    } else if name.len() > MAX_NAME_BYTES {
        return Some(format!("a file name has at most {MAX_NAME_BYTES} bytes"));
    } else if name.starts_with('/') {
        "a file name is relative to the folder of its page, so it does not begin with /"
    } else if parts.len() > MAX_PARTS {
        return Some(format!("a file name has at most {MAX_PARTS} parts"));
    } else if parts.iter().any(|part| [".", ".."].contains(part)) {
        "a file name has no part . or .., because it stays in the folder of its page"
    } else if parts.iter().any(|part| part.is_empty() || part.trim() != *part) {
        "the parts of a file name are not empty and have no spaces at their ends"
    } else if name.contains(['\\', ':', '\n', '\t']) || name.chars().any(is_hidden) {
        r"a file name has no \, no : and no control characters"
    } else {
        return None;
    };
    Some(why.to_owned())
}

/// Why this cannot be the name of a page.
pub(crate) fn page_name_error(name: &str) -> Option<String> {
    let why = if name.is_empty() {
        "a page needs a name: @@ page NAME"
    } else if name.len() > MAX_PAGE_NAME_BYTES {
        return Some(format!("the name of a page has at most {MAX_PAGE_NAME_BYTES} bytes"));
    } else if [".", ".."].contains(&name) || name.contains(['/', '\\', '\t']) || name.chars().any(is_hidden) {
        r"the name of a page is not . or .., and has no /, no \ and no control characters"
    } else {
        return None;
    };
    Some(why.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_names_stay_in_the_folder_of_the_page() {
        for name in
            ["index.html", "images/logo.png", "a b.txt", "..hidden", "größe/日本.svg", "a/b/c/d/e/f/g/h"]
        {
            assert_eq!(file_name_error(name), None, "{name}");
        }
        for (name, why) in [
            ("", "needs a name"),
            ("/etc/passwd", "does not begin with /"),
            ("..", "no part . or .."),
            ("a/../../b", "no part . or .."),
            ("./a", "no part . or .."),
            ("a//b", "not empty"),
            ("a/", "not empty"),
            (" a", "no spaces at their ends"),
            ("a\\b", "control characters"),
            ("c:/a", "control characters"),
            ("a\u{1b}[2J", "control characters"),
            ("a\u{202e}b", "control characters"),
            ("a/b/c/d/e/f/g/h/i", "at most 8 parts"),
            (&"x".repeat(201), "at most 200 bytes"),
        ] {
            assert!(file_name_error(name).is_some_and(|error| error.contains(why)), "{name:?}");
        }
    }

    #[test]
    fn a_page_has_a_plain_name() {
        assert_eq!((page_name_error("login form"), page_name_error("計算機")), (None, None));
        for name in ["", "..", "a/b", "a\\b", "a\u{7}", &"x".repeat(101)] {
            assert!(page_name_error(name).is_some(), "{name:?}");
        }
    }
}
