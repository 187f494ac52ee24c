//! Finds the browser of this machine.

use std::env;
use std::ffi::OsStr;
use std::path::Path;
use std::path::PathBuf;

use rustix::fs::Access;

use super::BrowserFailure;

/// The variable that names the program.
const VARIABLE: &str = "MAGEYARD_CHROMIUM";

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
                       browser.program";

/// The program of the browser: that of the setting `browser.program` (empty: none), else of the variable
/// `MAGEYARD_CHROMIUM`, on the path, or at the usual places.
///
/// # Errors
/// [`BrowserFailure::Missing`] with what to do. A program that is named and missing is not replaced by another one.
pub fn find_browser(program: &Path) -> Result<PathBuf, BrowserFailure> {
    let variable = env::var_os(VARIABLE).unwrap_or_default();
    let path = env::var_os("PATH").unwrap_or_default();
    let folders: Vec<PathBuf> = env::split_paths(&path).collect();
    let home = env::var_os("HOME").map(PathBuf::from);
    find_in(program, &variable, &folders, home.as_deref())
}

fn find_in(
    program: &Path,
    variable: &OsStr,
    folders: &[PathBuf],
    home: Option<&Path>,
) -> Result<PathBuf, BrowserFailure> {
    if !program.as_os_str().is_empty() {
        return named(program, "the setting browser.program", folders);
    }
    if !variable.is_empty() {
        return named(Path::new(variable), &format!("the variable {VARIABLE}"), folders);
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
fn named(program: &Path, origin: &str, folders: &[PathBuf]) -> Result<PathBuf, BrowserFailure> {
    let found = match program.components().count() {
        1 => on_path(program.as_os_str(), folders),
        _ => can_run(program).then(|| program.to_owned()),
    };
    found.ok_or_else(|| {
        let name = program.display();
        BrowserFailure::Missing(format!("{origin} names {name}, which cannot be run: {INSTALL}"))
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

    #[test]
    fn the_setting_comes_before_the_variable_before_the_path_before_the_usual_places() {
        let root = tempfile::tempdir().unwrap();
        let (home, folders) = (root.path().join("home"), [root.path().join("a"), root.path().join("b")]);
        let place = program(&home, APPLICATIONS[1], 0o755);
        let none = Path::new("");
        assert_eq!(find_in(none, OsStr::new(""), &[], Some(&home)).unwrap(), place);
        let chrome = program(&folders[0], "chrome", 0o755);
        assert_eq!(find_in(none, OsStr::new(""), &folders, Some(&home)).unwrap(), chrome);
        let chromium = program(&folders[1], "chromium", 0o755);
        assert_eq!(find_in(none, OsStr::new(""), &folders, Some(&home)).unwrap(), chromium);
        assert_eq!(find_in(none, chrome.as_os_str(), &folders, None).unwrap(), chrome);
        assert_eq!(find_in(&chrome, chromium.as_os_str(), &folders, None).unwrap(), chrome);
        assert_eq!(find_in(Path::new("chrome"), OsStr::new(""), &folders, None).unwrap(), chrome);
    }

    #[test]
    fn what_is_missing_is_said_with_what_to_do() {
        let root = tempfile::tempdir().unwrap();
        program(root.path(), "chromium", 0o644);
        let folders = [root.path().to_owned()];
        let message = |program: &str, variable: &str| {
            find_in(program.as_ref(), variable.as_ref(), &folders, None).unwrap_err().to_string()
        };
        assert!(message("", "").starts_with("no browser is found: install Chromium (Debian"));
        assert!(message("/no/such", "").starts_with("the setting browser.program names /no/such, which"));
        assert!(message("", "chromium").starts_with("the variable MAGEYARD_CHROMIUM names chromium, which"));
    }
}
