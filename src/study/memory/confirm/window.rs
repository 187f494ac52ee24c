//! Memory windows as they are written: `am=2 om=1 keep="first"`, several divided by `;`.

use std::fmt;
use std::str::FromStr;

use mageyard_dialog::Keep;
use mageyard_domain::Window;

/// A memory window with its keep rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeptWindow {
    /// AM and OM.
    pub window: Window,
    /// The older observations that stay.
    pub keep: Keep,
}

impl KeptWindow {
    /// Its settings with their values, as a settings file has them.
    pub fn settings(&self) -> [(&'static str, toml::Value); 3] {
        [
            ("memory.am", i64::from(self.window.am()).into()),
            ("memory.om", i64::from(self.window.om()).into()),
            ("memory.keep", self.keep.to_string().into()),
        ]
    }
}

/// `AM=2 OM=1 keep "first"`, without rules `AM=2 OM=1`.
impl fmt::Display for KeptWindow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "AM={} OM={}", self.window.am(), self.window.om())?;
        if self.keep.is_empty() { Ok(()) } else { write!(f, " keep \"{}\"", self.keep) }
    }
}

/// Reads `am=2 om=1 keep="first, every 4"`, in any order; AM and OM must be given.
impl FromStr for KeptWindow {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let words = words(text)?;
        let find = |wanted: &str| -> Result<Option<&str>, String> {
            let mut found = words.iter().filter(|(name, _)| name == wanted).map(|(_, value)| value.as_str());
            let first = found.next();
            if found.next().is_some() { Err(format!("{text:?} has {wanted} twice")) } else { Ok(first) }
        };
        let number = |name: &str| -> Result<u16, String> {
            let value = find(name)?.ok_or_else(|| format!("{text:?} has no {name}; {FORM}"))?;
            let number = value.parse().ok().filter(|number| *number <= MOST);
            number.ok_or_else(|| format!("{name}={value} is not a whole number up to {MOST}"))
        };
        if let Some((name, _)) = words.iter().find(|(name, _)| !["am", "om", "keep"].contains(&name.as_str()))
        {
            return Err(format!("{name:?} is not a part of a window; {FORM}"));
        }
        let window = Window::new(number("am")?, number("om")?).map_err(|error| error.to_string())?;
        let keep = find("keep")?.unwrap_or_default().parse::<Keep>().map_err(|error| error.to_string())?;
        Ok(Self { window, keep })
    }
}

/// The largest AM and OM, as the settings have them.
const MOST: u16 = 1000;

const FORM: &str = "write am=N om=N, and keep=\"RULES\" if older frames stay";

/// The names and values of a window.
fn words(text: &str) -> Result<Vec<(String, String)>, String> {
    let mut rest = text.trim();
    let mut found = Vec::new();
    while !rest.is_empty() {
        let (name, after) = rest.split_once('=').ok_or_else(|| format!("{rest:?} has no value; {FORM}"))?;
        let (value, after) = match after.strip_prefix('"') {
            Some(quoted) => {
                quoted.split_once('"').ok_or_else(|| format!("{after:?} has no closing quote"))?
            }
            None => after.split_at(after.find(char::is_whitespace).unwrap_or(after.len())),
        };
        found.push((name.trim().to_lowercase(), value.to_owned()));
        rest = after.trim();
    }
    Ok(found)
}

/// Reads windows divided by `;`, each once.
pub(super) fn parse_windows(text: &str) -> Result<Vec<KeptWindow>, String> {
    let mut windows: Vec<KeptWindow> = Vec::new();
    for written in text.split(';').filter(|written| !written.trim().is_empty()) {
        let window = written.parse::<KeptWindow>()?;
        if windows.contains(&window) {
            return Err(format!("{window} is given twice"));
        }
        windows.push(window);
    }
    if windows.is_empty() { Err(format!("no window is given; {FORM}")) } else { Ok(windows) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_are_read_as_they_are_written() {
        let found = parse_windows("am=1 om=1; om=1  AM=2 keep=\"first, every 4\";am=0 om=1;").unwrap();
        let texts: Vec<String> = found.iter().map(ToString::to_string).collect();
        assert_eq!(texts, ["AM=1 OM=1", "AM=2 OM=1 keep \"first, every 4\"", "AM=0 OM=1"]);
        assert_eq!("am=2 om=1 keep=first".parse(), Ok(parse_windows("am=2 om=1 keep=\"first\"").unwrap()[0]));
    }

    #[test]
    fn mistakes_are_named() {
        for (text, expected) in [
            ("", "no window is given"),
            ("am=1", "has no om"),
            ("am=1 om=2", "OM=2 is more than AM=1"),
            ("am=1 om=1; am=1 om=1", "given twice"),
            ("am=1 om=1 am=2", "has am twice"),
            ("am=1 om=1 size=3", "\"size\" is not a part of a window"),
            ("am=1 om=x", "om=x is not a whole number"),
            ("am=1 om=2000", "up to 1000"),
            ("am=1 om=1 keep=\"first", "no closing quote"),
            ("am=1 om=1 keep=last", "is not a keep rule"),
            ("five", "has no value"),
        ] {
            let error = parse_windows(text).unwrap_err();
            assert!(error.contains(expected), "{text}: {error}");
        }
    }
}
