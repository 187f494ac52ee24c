//! Finds the browser of this machine.

use std::env;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use rustix::fs::Access;

use super::{BrowserFailure, NamedProgram};

/// Names of browsers with this protocol, the usual ones first.
const NAMES: &[&str] = &[
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
    "chrome-headless-shell",
    "microsoft-edge",
    "microsoft-edge-stable",
    "brave-browser",
];

/// Where browsers are on macOS, in the folder for all users and in that of one user.
const APPLICATIONS: &[&str] = &[
    "Applications/Chromium.app/Contents/MacOS/Chromium",
    "Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
];

const INSTALL: &str = "install Chromium (Debian and Ubuntu: sudo apt install chromium; macOS: brew install --cask \
                       chromium; Nix: nix profile install nixpkgs#chromium), or name a program with the setting \
                       browser.program or the variable MAGEYARD_CHROMIUM";

/// The program of the browser: the named one, else one of the usual ones on the path or at the usual places.
///
/// # Errors
/// [`BrowserFailure::Missing`] with what to do. A program that is named and missing is not replaced by another one.
pub fn find_browser(program: Option<&NamedProgram>) -> Result<PathBuf, BrowserFailure> {
    let path = env::var_os("PATH").unwrap_or_default();
    let folders: Vec<PathBuf> = env::split_paths(&path).collect();
    let home = env::var_os("HOME").map(PathBuf::from);
    find_in(program, &folders, home.as_deref())
}

fn find_in(
    program: Option<&NamedProgram>,
    folders: &[PathBuf],
    home: Option<&Path>,
) -> Result<PathBuf, BrowserFailure> {
    if let Some(program) = program {
        return named(program, folders);
    }
    let on_path = NAMES.iter().find_map(|name| on_path(name.as_ref(), folders));
    let applications = || {
        let roots = [Some(Path::new("/")), home];
        let places = roots.into_iter().flatten().flat_map(|root| APPLICATIONS.iter().map(|it| root.join(it)));
        places.into_iter().find(|place| can_run(place))
    };
    on_path
        .or_else(applications)
        .ok_or_else(|| BrowserFailure::Missing(format!("no browser is found: {INSTALL}")))
}

/// A program by its path, or by its name on the path.
fn named(
    NamedProgram { path, origin }: &NamedProgram,
    folders: &[PathBuf],
) -> Result<PathBuf, BrowserFailure> {
    let found = match path.components().count() {
        1 => on_path(path.as_os_str(), folders),
        _ => can_run(path).then(|| path.clone()),
    };
    found.ok_or_else(|| {
        let name = path.display();
        BrowserFailure::Missing(format!(
            "{origin}: the setting browser.program is {name}, which cannot be run: {INSTALL}"
        ))
    })
}

fn on_path(name: &OsStr, folders: &[PathBuf]) -> Option<PathBuf> {
    folders.iter().map(|folder| folder.join(name)).find(|place| can_run(place))
}

fn can_run(place: &Path) -> bool {
    place.is_file() && rustix::fs::access(place, Access::EXEC_OK).is_ok()
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    fn program(folder: &Path, name: &str, mode: u32) -> PathBuf {
        let place = folder.join(name);
        fs::create_dir_all(place.parent().unwrap()).unwrap();
        fs::write(&place, "").unwrap();
        fs::set_permissions(&place, fs::Permissions::from_mode(mode)).unwrap();
        place
    }

    fn chosen(path: impl Into<PathBuf>) -> NamedProgram {
        NamedProgram { path: path.into(), origin: "mageyard.toml:2".to_owned() }
    }

    #[test]
    fn a_named_program_comes_before_the_path_before_the_usual_places() {
        let root = tempfile::tempdir().unwrap();
        let home = root.path().join("home");
        let folders = [root.path().join("a"), root.path().join("b")];
        let place = program(&home, APPLICATIONS[1], 0o755);
        assert_eq!(find_in(None, &[], Some(&home)).unwrap(), place);
        let chrome = program(&folders[0], "chrome", 0o755);
        assert_eq!(find_in(None, &folders, Some(&home)).unwrap(), chrome);
        let chromium = program(&folders[1], "chromium", 0o755);
        assert_eq!(find_in(None, &folders, Some(&home)).unwrap(), chromium);
        assert_eq!(find_in(Some(&chosen(&chrome)), &folders, None).unwrap(), chrome);
        assert_eq!(find_in(Some(&chosen("chrome")), &folders, None).unwrap(), chrome);
    }

    #[test]
    fn what_is_missing_is_said_with_what_to_do() {
        let root = tempfile::tempdir().unwrap();
        program(root.path(), "chromium", 0o644);
        let folders = [root.path().to_owned()];
        let message =
            |program: Option<&NamedProgram>| find_in(program, &folders, None).unwrap_err().to_string();
        assert!(message(None).starts_with("no browser is found: install Chromium (Debian"));
        for name in ["/no/such", "chromium"] {
            let start = format!(
                "mageyard.toml:2: the setting browser.program is {name}, which cannot be run: install"
            );
            assert!(message(Some(&chosen(name))).starts_with(&start));
        }
    }
}
