//! The three files that an agent writes, and the action that writes them.
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

use std::sync::Arc;

use super::task::WRITTEN;
use mageyard_domain::{Action, ActionSpace, ActionSpec, Arg, ParamKind, ParamSpec};

/// The action that writes files.
pub(super) const WRITE: &str = "write";

/// A file that an agent writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FileKind {
    /// The parameter of the action, and the name in facts.
    pub(super) parameter: &'static str,
    /// The label of its code block.
    pub(super) language: &'static str,
    /// The name of the file.
    pub(super) name: &'static str,
    /// The media type of its text.
    pub(super) media: &'static str,
    /// What it is, for prompts.
    help: &'static str,
}

/// The files, in the order in which they are shown.
pub(super) const KINDS: [FileKind; 3] = [
    FileKind {
        parameter: "html",
        language: "html",
        name: WRITTEN[0],
        media: "text/html",
        help: "the complete file index.html",
    },
    FileKind {
        parameter: "css",
        language: "css",
        name: WRITTEN[1],
        media: "text/css",
        help: "the complete file style.css",
    },
    FileKind {
        parameter: "js",
        language: "javascript",
        name: WRITTEN[2],
        media: "text/javascript",
        help: "the complete file script.js",
    },
];

/// The text of each file; `None` for one that has not been written. Cheap to clone.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Files([Option<Arc<str>>; 3]);

impl Files {
    /// Files with these texts, in the order of [`KINDS`].
    pub(super) fn new(texts: [Option<Arc<str>>; 3]) -> Self {
        Self(texts)
    }

    /// The written files with their texts.
    pub(super) fn written(&self) -> impl Iterator<Item = (FileKind, &Arc<str>)> {
        KINDS.into_iter().zip(&self.0).filter_map(|(kind, text)| Some((kind, text.as_ref()?)))
    }

    /// Whether nothing has been written.
    pub(super) fn is_empty(&self) -> bool {
        self.0.iter().all(Option::is_none)
    }

    /// The files after an allowed action: those that it gives are replaced.
    pub(super) fn after(&self, action: &Action) -> Self {
        let given = |kind: FileKind| match action.args.get(kind.parameter) {
            Some(Arg::Code(text)) => Some(Arc::from(text.as_str())),
            _ => None,
        };
        let mut files = self.clone();
        for (file, kind) in files.0.iter_mut().zip(KINDS) {
            *file = given(kind).or_else(|| file.take());
        }
        files
    }

    /// The action that writes these files.
    pub(super) fn action(&self) -> Action {
        self.written().fold(Action::plain(WRITE), |action, (kind, text)| {
            action.with(kind.parameter, Arg::Code(text.to_string()))
        })
    }
}

/// The actions of every page.
pub fn action_space() -> ActionSpace {
    let help = "write the files of the page; a file that is not given stays as it is";
    let with = |spec: ActionSpec, kind: FileKind| {
        let code = ParamKind::Code { language: kind.language.into() };
        spec.with_param(ParamSpec::new(kind.parameter, kind.help, code).optional())
    };
    [KINDS.into_iter().fold(ActionSpec::new(WRITE, help), with)].into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_action_replaces_the_files_that_it_gives() {
        let write = |args: &[(&str, &str)]| {
            args.iter().fold(Action::plain(WRITE), |action, (name, text)| {
                action.with(*name, Arg::Code((*text).into()))
            })
        };
        let first = Files::default().after(&write(&[("html", "<p>"), ("js", "1")]));
        let second = first.after(&write(&[("js", "2"), ("css", "p{}")]));
        let texts: Vec<_> = second.written().map(|(kind, text)| (kind.name, text.to_string())).collect();
        let expected = [("index.html", "<p>"), ("style.css", "p{}"), ("script.js", "2")];
        assert_eq!(texts, expected.map(|(name, text)| (name, text.to_owned())));
        assert_eq!(Files::default().after(&second.action()), second);
        assert_eq!(action_space().check(&second.action()), Ok(()));
        assert!(Files::default().is_empty() && !first.is_empty());
    }
}
