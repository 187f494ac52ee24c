//! `filesystem`: files and folders, their type, permissions, content and times, and the changes that prepare them.

mod content;
mod ini;
mod metadata;
mod permissions;
mod reset;
#[cfg(test)]
mod tests;

use serde_json::{Map, Value};

use super::{Case, FileFacts, FileKind, Finding, Handler, Param, ParamType, Params, Phase, Trouble};

const FILES: Param = Param::required("file_to_check", ParamType::Table);

pub(super) const HANDLERS: &[Handler] = &[
    judge("exists", &[FILES], exists),
    judge("type_check", &[FILES], type_check),
    judge("permissions_check", &[FILES], permissions::check),
    judge("content_check", &[FILES, Param::optional("method", ParamType::Text)], content::check),
    judge("metadata_check", &[FILES], metadata::check),
    judge("match_file", &[FILES], content::match_file),
    judge(
        "verify_ini",
        &[Param::required("target_path", ParamType::Made), Param::required("ref_path", ParamType::Reference)],
        content::verify_ini,
    ),
    judge(
        "check_json_settings",
        &[Param::required("path", ParamType::Made), Param::required("settings", ParamType::Table)],
        content::json_settings,
    ),
    change(
        "create_file",
        &[Param::required("path", ParamType::Made), Param::optional("content", ParamType::Text)],
        true,
        reset::create_file,
    ),
    change("mkdir", PATH, false, reset::mkdir),
    change("create_directory", PATH, false, reset::mkdir),
    change("rm", PATH, true, reset::rm),
    change("rmdir", PATH, true, reset::rmdir),
    change(
        "rename",
        &[Param::required("old_name", ParamType::Made), Param::required("new_name", ParamType::Made)],
        true,
        reset::rename,
    ),
    change("copy", SOURCE_AND_TARGET, true, reset::copy),
    change("move", SOURCE_AND_TARGET, true, reset::move_file),
    change(
        "chmod",
        &[Param::required("path", ParamType::Made), Param::required("mode", ParamType::Text)],
        false,
        reset::chmod,
    ),
];

const PATH: &[Param] = &[Param::required("path", ParamType::Made)];
const SOURCE_AND_TARGET: &[Param] =
    &[Param::required("src", ParamType::Reference), Param::required("dest", ParamType::Made)];

type Call = fn(&Params<'_>, &mut Case<'_>) -> Result<(), Finding>;

const fn judge(function: &'static str, params: &'static [Param], call: Call) -> Handler {
    Handler { evaluator: "filesystem", function, phase: Phase::Evaluation, params, destroys: false, call }
}

const fn change(function: &'static str, params: &'static [Param], destroys: bool, call: Call) -> Handler {
    Handler { evaluator: "filesystem", function, phase: Phase::Reset, params, destroys, call }
}

/// A path with `~` as the home folder, as the released code reads it.
fn expand(case: &Case<'_>, path: &str) -> String {
    match path.strip_prefix('~') {
        Some("") => case.computer.home().to_owned(),
        Some(rest) if rest.starts_with('/') => format!("{}{rest}", case.computer.home()),
        _ => path.to_owned(),
    }
}

/// The pairs of a table of files, with their paths expanded.
fn files<'a>(params: &Params<'a>, case: &Case<'_>) -> Result<Vec<(String, &'a Value)>, Finding> {
    let table: &Map<String, Value> = params.table("file_to_check")?;
    Ok(table.iter().map(|(path, expected)| (expand(case, path), expected)).collect())
}

/// The task gives something else than is expected for a file.
fn wrong(path: &str, expected: &str) -> Finding {
    Finding::error(format!("file_to_check: the value for {path} must be {expected}"))
}

/// A trouble with a file of the agent: a fail, unless the computer could not look.
fn trouble(trouble: &Trouble, path: &str) -> Finding {
    match trouble {
        Trouble::Unsupported(_) | Trouble::TimeOut(_) | Trouble::Other(_) => trouble.as_error(path),
        Trouble::Missing | Trouble::NotAFile | Trouble::TooLarge(_) | Trouble::Denied(_) => {
            trouble.as_fail(path)
        }
    }
}

/// The facts of a file that should be there. The facts of what a link leads to are not known, so a link is a fail.
fn facts(case: &mut Case<'_>, path: &str) -> Result<FileFacts, Finding> {
    let facts = case.computer.facts(path).map_err(|reason| trouble(&reason, path))?;
    let facts = facts.ok_or_else(|| Trouble::Missing.as_fail(path))?;
    if facts.kind == FileKind::Link {
        return Err(Finding::fail(format!("{path} is a symbolic link, expected is the file itself")));
    }
    Ok(facts)
}

/// What a path leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Found {
    Nothing,
    File,
    Folder,
    Other,
}

impl Found {
    fn words(self) -> &'static str {
        match self {
            Self::Nothing => "does not exist",
            Self::File => "is a file",
            Self::Folder => "is a folder",
            Self::Other => "is neither a file nor a folder",
        }
    }
}

/// What a path leads to, links followed; a link to nothing is nothing.
fn found(case: &mut Case<'_>, path: &str) -> Result<Found, Finding> {
    let facts = case.computer.facts(path).map_err(|reason| trouble(&reason, path))?;
    Ok(match facts.map(|facts| facts.kind) {
        None => Found::Nothing,
        Some(FileKind::File) => Found::File,
        Some(FileKind::Folder) => Found::Folder,
        Some(FileKind::Other) => Found::Other,
        Some(FileKind::Link) => target(case, path)?,
    })
}

fn target(case: &mut Case<'_>, link: &str) -> Result<Found, Finding> {
    if case.computer.list(link).is_ok() {
        return Ok(Found::Folder);
    }
    match case.computer.read(link) {
        Ok(_) | Err(Trouble::TooLarge(_)) => Ok(Found::File),
        Err(Trouble::Missing) => Ok(Found::Nothing),
        Err(Trouble::NotAFile) => Ok(Found::Other),
        Err(reason) => Err(trouble(&reason, link)),
    }
}

/// Each path exists, or does not (`AgentStudio`, section 5 of the rules). A link to nothing does not.
fn exists(params: &Params<'_>, case: &mut Case<'_>) -> Result<(), Finding> {
    for (path, expected) in files(params, case)? {
        let expected = expected.as_bool().ok_or_else(|| wrong(&path, "true or false"))?;
        let is_there = found(case, &path)? != Found::Nothing;
        if is_there != expected {
            let sentence = if expected { "does not exist" } else { "exists and should not" };
            return Err(Finding::fail(format!("{path} {sentence}")));
        }
    }
    Ok(())
}

/// Each path is a file or a folder, links followed (`AgentStudio`, section 5 of the rules).
fn type_check(params: &Params<'_>, case: &mut Case<'_>) -> Result<(), Finding> {
    for (path, expected) in files(params, case)? {
        let wanted = match expected.as_str() {
            Some("file") => Found::File,
            Some("folder") => Found::Folder,
            _ => return Err(wrong(&path, "\"file\" or \"folder\"")),
        };
        let found = found(case, &path)?;
        if found != wanted {
            let name = if wanted == Found::File { "a file" } else { "a folder" };
            return Err(Finding::fail(format!("{path} {}, expected is {name}", found.words())));
        }
    }
    Ok(())
}
