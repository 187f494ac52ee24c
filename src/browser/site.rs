//! What a page may load: the files of its own folder, and what it carries itself.
//!
//! Isolation has three walls: what a page may load (here), names and addresses that resolve to nothing, because
//! sockets are not intercepted, and WebRTC without UDP.

use std::path::{Path, PathBuf};
use std::{fs, io};

/// The folder of a page, without links in its path.
#[derive(Clone, Debug)]
pub(super) struct Site(PathBuf);

impl Site {
    /// The site of a folder.
    ///
    /// # Errors
    /// If there is no such folder.
    pub(super) fn new(folder: &Path) -> io::Result<Self> {
        let folder = fs::canonicalize(folder)?;
        if folder.is_dir() { Ok(Self(folder)) } else { Err(io::ErrorKind::NotADirectory.into()) }
    }

    /// Whether a page of this folder may load this address: `data:`, `blob:`, an empty page, or a regular file that is
    /// inside the folder after all links are followed.
    pub(super) fn allows(&self, url: &str) -> bool {
        let scheme = url.split(':').next().unwrap_or_default().to_ascii_lowercase();
        match scheme.as_str() {
            "data" | "blob" => true,
            "about" => matches!(without_fragment(url), "about:blank" | "about:srcdoc"),
            "file" => file_path(url).is_some_and(|path| self.contains(&path)),
            _ => false,
        }
    }

    fn contains(&self, path: &Path) -> bool {
        fs::canonicalize(path).is_ok_and(|path| path.starts_with(&self.0) && path.is_file())
    }

    /// The address of a file by its path in the folder, if it may be loaded.
    pub(super) fn url(&self, file: &str) -> Option<String> {
        let path = self.0.join(file);
        let url = format!("file://{}", encoded(path.to_str()?));
        (!Path::new(file).is_absolute() && self.allows(&url)).then_some(url)
    }
}

fn without_fragment(url: &str) -> &str {
    url.split(['#', '?']).next().unwrap_or_default()
}

/// The path of a `file:` address on this machine. Escaped separators and zero bytes have none.
fn file_path(url: &str) -> Option<PathBuf> {
    let path = without_fragment(url).get(5..)?.strip_prefix("//")?;
    let path = path.strip_prefix("localhost").unwrap_or(path);
    let path = decoded(path)?;
    (path.starts_with('/')).then(|| PathBuf::from(path))
}

fn decoded(path: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(path.len());
    let mut rest = path.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let digits = std::str::from_utf8(rest.get(..2)?).ok()?;
        let byte = u8::from_str_radix(digits, 16).ok().filter(|byte| !matches!(byte, 0 | b'/' | b'\\'))?;
        bytes.push(byte);
        rest = &rest[2..];
    }
    String::from_utf8(bytes).ok()
}

fn encoded(path: &str) -> String {
    use std::fmt::Write;
    path.bytes().fold(String::new(), |mut url, byte| {
        match byte {
            b'/' | b'.' | b'-' | b'_' | b'~' | b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' => {
                url.push(char::from(byte));
            }
            // Writing into a string does not fail.
            _ => drop(write!(url, "%{byte:02X}")),
        }
        url
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn site() -> (tempfile::TempDir, Site) {
        let root = tempfile::tempdir().unwrap();
        let folder = root.path().join("a page");
        fs::create_dir(&folder).unwrap();
        for file in ["index.html", "ü 100%.png"] {
            fs::write(folder.join(file), "x").unwrap();
        }
        fs::write(root.path().join("secret"), "x").unwrap();
        std::os::unix::fs::symlink("../secret", folder.join("link")).unwrap();
        let site = Site::new(&folder).unwrap();
        (root, site)
    }

    #[test]
    fn files_of_the_folder_and_what_the_page_carries_are_allowed() {
        let (_root, site) = site();
        for file in ["index.html", "ü 100%.png", "./index.html"] {
            let url = site.url(file).unwrap();
            assert!(site.allows(&url) && site.allows(&format!("{url}?a=1#b")), "{url}");
        }
        for url in ["data:text/html,x", "DATA:,", "blob:null/1", "about:blank", "about:blank#x"] {
            assert!(site.allows(url), "{url}");
        }
    }

    #[test]
    fn everything_else_is_refused() {
        let (root, site) = site();
        for file in ["../secret", "link", "/etc/passwd", "", ".", "missing", "index.html/x"] {
            assert_eq!(site.url(file), None, "{file}");
        }
        let inside = format!("file://{}/a%20page", root.path().display());
        for url in [
            &format!("{inside}/../secret"),
            &format!("{inside}/%2e%2e/secret"),
            &format!("{inside}/..%2fsecret"),
            &format!("{inside}/"),
            "file:///etc/passwd",
            "file://other/etc/passwd",
            "file:index.html",
            "http://127.0.0.1/",
            "https://example.com/data:x",
            "ws://127.0.0.1/",
            "chrome://version",
            "about:version",
            "javascript:1",
            "filesystem:null/1",
            "ftp://x",
            "",
        ] {
            assert!(!site.allows(url), "{url}");
        }
        assert!(site.allows(&format!("{inside}/%69ndex.html")));
    }
}
