//! The parsed prompts of the environments. Every episode needs all variants of its environment, and their files seldom
//! change.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use super::Lab;
use super::prompts::{parse_prompt, prompt_catalog, read_prompt};
use mageyard_config::{CatalogEntry, Folders, Problem, SourceFile};
use mageyard_dialog::Prompt;
use mageyard_domain::{EnvironmentSpec, Options, StateWords};

/// The variants of each environment as they were last parsed, by its name. Clones share them.
#[derive(Clone, Default)]
pub(super) struct PromptCache(Arc<Mutex<BTreeMap<&'static str, ParsedPrompts>>>);

/// Prompts and what they were parsed from.
struct ParsedPrompts {
    /// All files, with the contents of those of the user: shipped ones do not change.
    files: Vec<(CatalogEntry, Option<SourceFile>)>,
    words: StateWords,
    prompts: Arc<[Prompt]>,
}

/// All prompt variants of an environment, the default first, with what they say of the state for these options. The files of the
/// user are read each time; all are parsed again only if one of them or these words have changed.
pub fn prompts_of(
    lab: &Lab,
    spec: &dyn EnvironmentSpec,
    folders: &Folders,
    options: &Options,
) -> Result<Arc<[Prompt]>, Problem> {
    lab.prompts.get(spec, folders, options)
}

impl PromptCache {
    fn get(
        &self,
        spec: &dyn EnvironmentSpec,
        folders: &Folders,
        options: &Options,
    ) -> Result<Arc<[Prompt]>, Problem> {
        let catalog = prompt_catalog(spec, folders);
        let words = spec.capabilities().state_words(options);
        let own = |entry: &CatalogEntry| entry.path.is_some().then(|| catalog.read(entry)).transpose();
        let files = catalog.entries().into_iter().map(|entry| own(&entry).map(|own| (entry, own)));
        let files: Vec<(CatalogEntry, Option<SourceFile>)> = files.collect::<Result<_, Problem>>()?;
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let same = known.get(spec.name()).filter(|known| known.words == words && known.files == files);
        if let Some(same) = same {
            return Ok(same.prompts.clone());
        }
        let parse = |(entry, own): &(CatalogEntry, Option<SourceFile>)| {
            let prompt = match own {
                Some(file) => parse_prompt(file, &entry.name),
                None => read_prompt(&catalog, entry),
            };
            prompt.map(|prompt| prompt.with_state_words(&words))
        };
        let prompts: Arc<[Prompt]> = files.iter().map(parse).collect::<Result<_, Problem>>()?;
        known.insert(spec.name(), ParsedPrompts { files, words, prompts: prompts.clone() });
        Ok(prompts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{save_prompt, testing};

    #[test]
    fn prompts_are_parsed_again_only_after_a_change() {
        let root = tempfile::tempdir().unwrap();
        let folders = Folders::under(root.path());
        let spec = testing::sokoban();
        let cache = PromptCache::default();
        let prompts = || cache.get(spec, &folders, &Options::new());
        let shipped = prompts().unwrap();
        assert_eq!(shipped.len(), spec.prompts().len());
        assert!(Arc::ptr_eq(&prompts().unwrap(), &shipped));
        let text = spec.prompts()[0].1.replacen(&shipped[0].name, "mine", 1);
        save_prompt(spec, &folders, &text, None).unwrap();
        let more = prompts().unwrap();
        assert_eq!((more.len(), more.last().unwrap().name.as_str()), (shipped.len() + 1, "mine"));
        assert_eq!(more[..shipped.len()], shipped[..]);
        let path = folders.prompts(spec.name()).join("mine.md");
        std::fs::write(&path, text.replace("{format}", "{formt}")).unwrap();
        assert!(prompts().unwrap_err().to_string().contains("did you mean {format}?"));
        std::fs::write(&path, &text).unwrap();
        assert_eq!(prompts().unwrap(), more);
        let other = Options::from_iter([("tiles".to_owned(), "classic".into())]);
        let legend = spec.capabilities().presentation.picture_legend;
        assert_ne!(legend(&other), legend(&Options::new()));
        assert_ne!(cache.get(spec, &folders, &other).unwrap(), more);
    }
}
