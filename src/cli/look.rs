//! How the screen looks: the theme, the keys and the settings of this run, from their files.

use std::path::PathBuf;
use std::time::Duration;

use crate::config;
use crate::config::Config;
use crate::config::Folders;
use crate::config::Frame;
use crate::config::Problem;
use crate::config::Sheet;
use crate::config::Shelf;
use crate::tui::Depth;
use crate::tui::Keymap;
use crate::tui::Look;
use crate::tui::Settings;
use crate::tui::Theme;
use crate::tui::View;

/// The most bytes a keymap may have.
const LIMIT: u64 = 1 << 20;

/// Everything as the files and settings of this run have it.
pub(super) fn look(folders: &Folders, config: &Config) -> Result<Look, Problem> {
    let screen = &config.settings().screen;
    let settings = Settings {
        depth: depth(),
        view: match screen.frame {
            Frame::Auto => View::Auto,
            Frame::Picture => View::Picture,
            Frame::Text => View::Text,
        },
        mouse: screen.mouse,
        pace: Duration::from_millis(screen.pace),
        tmux: std::env::var_os("TMUX").is_some_and(|socket| !socket.is_empty()),
    };
    Ok(Look {
        theme: chosen(folders, config)?,
        keys: keys(folders)?,
        settings,
        prices: config::prices(folders)?,
    })
}

/// The theme that is set; an unknown one is refused where it was set.
pub(super) fn chosen(folders: &Folders, config: &Config) -> Result<Theme, Problem> {
    let wanted = &config.settings().screen.theme;
    let names: Vec<String> = themes(folders).entries().into_iter().map(|entry| entry.name).collect();
    if !names.contains(wanted) {
        let problem = config.refuse("screen.theme", format!("there is no theme {wanted}"));
        return Err(problem.known(wanted, names.iter().map(String::as_str)));
    }
    theme(folders, wanted)
}

/// The shelf of themes.
pub(super) fn themes(folders: &Folders) -> Shelf {
    let shipped = Theme::shipped().iter().copied();
    Shelf::new("theme", "themes", shipped, folders.themes(), &["toml"])
}

/// A theme by name, the user's own before a shipped one.
pub(super) fn theme(folders: &Folders, name: &str) -> Result<Theme, Problem> {
    let shelf = themes(folders);
    let sheet = shelf.find(name)?;
    let parent = |name: &str| {
        let sheet = shelf.find(name).ok()?;
        Some((sheet.path, sheet.text.to_string()))
    };
    Theme::parse(name, &sheet.path, &sheet.text, &parent)
}

/// The keys, with the user's own laid over the defaults.
pub(super) fn keys(folders: &Folders) -> Result<Keymap, Problem> {
    match Sheet::find(folders.keys_file(), LIMIT)? {
        Some(sheet) => Keymap::parse(&PathBuf::from(&sheet.path), &sheet.text),
        None => Ok(Keymap::default()),
    }
}

/// Whether the terminal calls itself one without a cursor.
pub(super) fn is_dumb() -> bool {
    std::env::var_os("TERM").is_some_and(|term| term == "dumb")
}

/// The colours that the variables of this process promise.
pub(super) fn depth() -> Depth {
    let variable = |name| std::env::var(name).ok().filter(|value: &String| !value.is_empty());
    let no_color = variable("NO_COLOR").is_some();
    Depth::detect(variable("TERM").as_deref(), variable("COLORTERM").as_deref(), no_color)
}
