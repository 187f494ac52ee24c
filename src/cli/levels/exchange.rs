//! Files of other programs, for import and export: which format is meant, and how a mistake is shown.

use std::path::Path;

use crate::config::Problem;
use crate::config::Sheet;
use crate::domain::At;
use crate::domain::Format;
use crate::domain::FormatError;
use crate::domain::Kind;
use crate::envs;

/// A format with the environment whose levels it holds.
pub(super) type Row = (&'static dyn Kind, &'static Format);

/// Every format of every environment.
fn rows() -> impl Iterator<Item = Row> + Clone {
    envs::kinds().iter().flat_map(|kind| kind.formats().iter().map(|format| (*kind, format)))
}

/// The names of the formats.
pub(super) fn names() -> String {
    rows().map(|(_, format)| format.name).collect::<Vec<_>>().join(", ")
}

/// The format of this name; with `auto` the one that the bytes look like.
pub(super) fn format(name: &str, bytes: &[u8]) -> Result<Row, Problem> {
    if name == "auto" {
        let fits = rows().find(|(_, format)| (format.fits)(bytes));
        return fits.ok_or_else(|| {
            Problem::new("looks like no format that is known")
                .help(format!("name it with --format: {}", names()))
        });
    }
    rows().find(|(_, format)| format.name == name).ok_or_else(|| unknown(name))
}

fn unknown(name: &str) -> Problem {
    Problem::new(format!("there is no format {name}")).known(name, rows().map(|(_, format)| format.name))
}

/// The environment's own format, named like its usual file extension.
pub(super) fn own(kind: &dyn Kind) -> Result<&'static Format, Problem> {
    let usual = kind.extensions().first();
    let own = kind.formats().iter().find(|format| Some(&format.name) == usual);
    own.ok_or_else(|| Problem::new(format!("{} has no formats to import from or export to", kind.name())))
}

/// What is wrong with a file of another program, at its place.
pub(super) fn refused(path: &Path, bytes: &[u8], format: &str, error: &FormatError) -> Problem {
    let what = match error.spot {
        At::Line(_) => error.reason.clone(),
        At::Byte(_) | At::Level(_) => error.to_string(),
    };
    let help = format!("it was read as {format}; --format names another: {}", names());
    let text = std::str::from_utf8(bytes).unwrap_or_default();
    let problem = match error.spot {
        At::Line(line) if !text.is_empty() => {
            Sheet { path: path.to_owned(), text: text.into() }.problem_in_line(what, line)
        }
        _ => Problem::new(what).at(path, "", 0..0),
    };
    problem.help(help)
}
