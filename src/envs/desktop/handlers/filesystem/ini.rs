//! INI files as Python's `configparser` reads them with its defaults: `=` and `:`, comments on lines of their own, values
//! that go on in indented lines, no value missing and nothing twice.

use std::collections::BTreeMap;

use crate::handlers::Rules;

/// Sections and their keys.
pub(super) type Ini = BTreeMap<String, BTreeMap<String, String>>;

const DEFAULT: &str = "DEFAULT";

/// The sections of a text. Under the rules of the released code those of `DEFAULT` are merged into each section and
/// `%(name)s` is replaced.
///
/// # Errors
/// What is wrong, with the line from 1.
pub(super) fn parse(text: &str, rules: Rules) -> Result<Ini, String> {
    let mut reader = Reader::default();
    for (index, line) in text.split('\n').enumerate() {
        let line = line.strip_suffix('\r').unwrap_or(line);
        reader.line(line).map_err(|reason| format!("is not an INI file: line {}: {reason}", index + 1))?;
    }
    let mut written = reader.sections;
    for value in written.values_mut().flat_map(BTreeMap::values_mut) {
        value.truncate(value.trim_end().len());
    }
    match rules {
        Rules::Standard => {
            written.retain(|name, keys| name != DEFAULT || !keys.is_empty());
            Ok(written)
        }
        Rules::Code => merged(written),
    }
}

#[derive(Default)]
struct Reader {
    sections: Ini,
    /// The names of sections and keys that were there.
    section: Option<String>,
    key: Option<String>,
    /// The indentation of the line with the key; `None` after a section.
    indent: usize,
}

impl Reader {
    fn line(&mut self, line: &str) -> Result<(), String> {
        let content = line.trim();
        if content.starts_with(['#', ';']) {
            return Ok(());
        }
        if content.is_empty() {
            if let Some(value) = self.value() {
                value.push('\n');
            }
            return Ok(());
        }
        let indent = line.chars().take_while(|c| c.is_whitespace()).count();
        if indent > self.indent
            && let Some(value) = self.value()
        {
            value.push('\n');
            value.push_str(content);
            return Ok(());
        }
        self.indent = indent;
        match header(content) {
            Some(name) => self.begin(name),
            None => self.pair(content),
        }
    }

    /// The value that a next line can continue.
    fn value(&mut self) -> Option<&mut String> {
        let (section, key) = (self.section.as_ref()?, self.key.as_ref()?);
        self.sections.get_mut(section)?.get_mut(key)
    }

    fn begin(&mut self, name: &str) -> Result<(), String> {
        if name != DEFAULT && self.sections.contains_key(name) {
            return Err(format!("the section {name} is there twice"));
        }
        self.sections.entry(name.to_owned()).or_default();
        self.section = Some(name.to_owned());
        self.key = None;
        Ok(())
    }

    fn pair(&mut self, content: &str) -> Result<(), String> {
        let section = self.section.as_ref().ok_or("a key is before the first section")?;
        let (key, value) =
            content.split_once(['=', ':']).ok_or("is neither a section nor a key with a value")?;
        let key = key.trim_end().to_lowercase();
        if key.is_empty() {
            return Err("has no key".to_owned());
        }
        let keys = self.sections.entry(section.clone()).or_default();
        if keys.contains_key(&key) {
            return Err(format!("the key {key} is there twice"));
        }
        keys.insert(key.clone(), value.trim().to_owned());
        self.key = Some(key);
        Ok(())
    }
}

fn header(content: &str) -> Option<&str> {
    let inner = content.strip_prefix('[')?;
    let end = inner.rfind(']')?;
    inner.get(..end).filter(|name| !name.is_empty())
}

fn merged(mut written: Ini) -> Result<Ini, String> {
    let defaults = written.remove(DEFAULT).unwrap_or_default();
    let mut sections = Ini::new();
    for (name, keys) in written {
        let mut all = defaults.clone();
        all.extend(keys);
        let replaced = all.iter().map(|(key, value)| Ok((key.clone(), interpolated(value, &all, 1)?)));
        let replaced: Result<_, String> = replaced.collect();
        sections.insert(name, replaced?);
    }
    Ok(sections)
}

/// The deepest replacement, as in Python.
const DEEPEST: usize = 10;

fn interpolated(value: &str, keys: &BTreeMap<String, String>, depth: usize) -> Result<String, String> {
    if depth > DEEPEST {
        return Err("has values that name each other".to_owned());
    }
    let mut text = String::new();
    let mut rest = value;
    while let Some((before, after)) = rest.split_once('%') {
        text.push_str(before);
        if let Some(after) = after.strip_prefix('%') {
            text.push('%');
            rest = after;
            continue;
        }
        let named = after.strip_prefix('(').and_then(|after| after.split_once(")s"));
        let (name, after) = named.ok_or("has a % that is not %% or %(name)s")?;
        let found =
            keys.get(&name.to_lowercase()).ok_or_else(|| format!("names {name}, which is missing"))?;
        text.push_str(&interpolated(found, keys, depth + 1)?);
        rest = after;
    }
    Ok(text + rest)
}

/// The first difference of two files in words, if there is one.
pub(super) fn difference(found: &Ini, expected: &Ini) -> Option<String> {
    for (section, keys) in expected {
        let Some(others) = found.get(section) else {
            return Some(format!("the section {section} is missing"));
        };
        for (key, value) in keys {
            match others.get(key) {
                Some(other) if other == value => {}
                Some(other) => {
                    return Some(format!("{key} in {section} is {other:?}, expected is {value:?}"));
                }
                None => return Some(format!("{key} in {section} is missing, expected is {value:?}")),
            }
        }
        if let Some(key) = others.keys().find(|key| !keys.contains_key(*key)) {
            return Some(format!("{key} in {section} should not be there"));
        }
    }
    let section = found.keys().find(|section| !expected.contains_key(*section))?;
    Some(format!("the section {section} should not be there"))
}
