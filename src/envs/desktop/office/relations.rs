//! The relations of a part of an Open Packaging archive (ECMA-376, part 2, section 9.3).

use std::collections::HashMap;

use super::{Package, Unreadable};

/// What a part refers to.
#[derive(Clone, Debug, Default)]
pub(crate) struct Relations {
    all: Vec<Relation>,
    /// The places of the relations inside the archive, by their names.
    places: HashMap<String, usize>,
}

/// One relation.
#[derive(Clone, Debug)]
pub(crate) struct Relation {
    /// The name by which the part uses it.
    pub(crate) id: String,
    /// The last segment of its type, such as `image`.
    pub(crate) kind: String,
    /// The name of the part, or an address outside of the archive.
    pub(crate) target: String,
    /// Whether the target is outside of the archive. It is never followed.
    pub(crate) external: bool,
}

impl Relations {
    /// Reads the relations of a part; those of the archive for the empty name. A part may have none.
    ///
    /// # Errors
    /// They are damaged.
    pub(crate) fn of(package: &mut Package<'_>, part: &str) -> Result<Self, Unreadable> {
        let (folder, file) = part.rsplit_once('/').unwrap_or(("", part));
        let slash = if folder.is_empty() { "" } else { "/" };
        let Some(root) = package.xml(&format!("{folder}{slash}_rels/{file}.rels"))? else {
            return Ok(Self::default());
        };
        let relation = |element: &super::Element| {
            let external = element.attr("TargetMode") == Some("External");
            let target = element.attr("Target")?;
            let kind = element.attr("Type")?.rsplit('/').next()?.to_owned();
            let target = if external { target.to_owned() } else { resolved(folder, target) };
            Some(Relation { id: element.attr("Id")?.to_owned(), kind, target, external })
        };
        let all: Vec<Relation> = root.children("rel:Relationship").filter_map(relation).collect();
        let mut places = HashMap::new();
        for (place, relation) in all.iter().enumerate().filter(|(_, relation)| !relation.external) {
            places.entry(relation.id.clone()).or_insert(place);
        }
        Ok(Self { all, places })
    }

    /// The part with a name.
    pub(crate) fn part(&self, id: &str) -> Option<&str> {
        self.all.get(*self.places.get(id)?).map(|relation| relation.target.as_str())
    }

    /// The first part of a kind.
    pub(crate) fn first(&self, kind: &str) -> Option<&str> {
        self.kind(kind).next()
    }

    /// The parts of a kind, in the order of the file.
    pub(crate) fn kind(&self, kind: &str) -> impl Iterator<Item = &str> {
        self.inside().filter(move |relation| relation.kind == kind).map(|relation| relation.target.as_str())
    }

    fn inside(&self) -> impl Iterator<Item = &Relation> {
        self.all.iter().filter(|relation| !relation.external)
    }
}

/// The name of the main part, by the relations of the archive.
pub(crate) fn main_part(package: &mut Package<'_>) -> Result<String, Unreadable> {
    let relations = Relations::of(package, "")?;
    let main = relations.first("officeDocument").map(str::to_owned);
    main.ok_or_else(|| Unreadable::Missing("officeDocument".to_owned()))
}

fn resolved(folder: &str, target: &str) -> String {
    let mut path: Vec<&str> = Vec::new();
    let base = if target.starts_with('/') { "" } else { folder };
    for segment in base.split('/').chain(target.split('/')) {
        match segment {
            "" | "." => {}
            ".." => {
                path.pop();
            }
            name => path.push(name),
        }
    }
    path.join("/")
}
