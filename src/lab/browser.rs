//! The browser that the environments of this program share.

use super::Lab;
use mageyard_browser::{BrowserPool, BrowserSettings, NamedProgram};
use mageyard_config::Config;
use mageyard_domain::SharedResources;

/// The settings of the browser.
pub fn browser_settings(config: &Config) -> BrowserSettings {
    let table = &config.settings().browser;
    BrowserSettings {
        program: program(config),
        pages: table.pages,
        start_timeout: table.start_timeout,
        load_timeout: table.load_timeout,
        evaluate_timeout: table.evaluate_timeout,
        interaction_timeout: table.interaction_timeout,
        page_memory: table.page_memory,
        idle_timeout: table.idle_timeout,
    }
}

/// The program of the settings, if they name one.
fn program(config: &Config) -> Option<NamedProgram> {
    let row = config.resolved_settings().iter().find(|row| row.name() == "browser.program")?;
    let path = config.settings().browser.program.as_str();
    (!path.is_empty()).then(|| NamedProgram { path: path.into(), origin: row.origin.to_string() })
}

/// What environments share. The first episode decides on the settings of the browser, which is not started here.
pub(crate) fn shared_resources(lab: &Lab, config: &Config) -> SharedResources {
    lab.resources.get_or_insert_with(|| BrowserPool::new(browser_settings(config)));
    lab.resources.clone()
}

#[cfg(test)]
mod tests {
    use super::*;
    use mageyard_config::{Folders, Sources};

    #[test]
    fn the_default_file_has_the_defaults_of_the_browser() {
        let root = tempfile::tempdir().unwrap();
        let folders = Folders::under(root.path());
        let config = Sources { folders, user_file_override: None, overrides: Vec::new() }.read().unwrap();
        assert_eq!(browser_settings(&config), BrowserSettings::default());
    }
}
