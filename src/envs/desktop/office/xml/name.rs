//! Names with our prefixes of namespaces.

use quick_xml::name::ResolveResult;

/// Our prefixes of namespaces: each has the address of ECMA-376 or OASIS, and its strict form where there is one.
const SPACES: &[(&str, &[&str])] = &[
    (
        "w",
        &[
            "http://schemas.openxmlformats.org/wordprocessingml/2006/main",
            "http://purl.oclc.org/ooxml/wordprocessingml/main",
        ],
    ),
    (
        "a",
        &[
            "http://schemas.openxmlformats.org/drawingml/2006/main",
            "http://purl.oclc.org/ooxml/drawingml/main",
        ],
    ),
    (
        "p",
        &[
            "http://schemas.openxmlformats.org/presentationml/2006/main",
            "http://purl.oclc.org/ooxml/presentationml/main",
        ],
    ),
    (
        "s",
        &[
            "http://schemas.openxmlformats.org/spreadsheetml/2006/main",
            "http://purl.oclc.org/ooxml/spreadsheetml/main",
        ],
    ),
    (
        "c",
        &[
            "http://schemas.openxmlformats.org/drawingml/2006/chart",
            "http://purl.oclc.org/ooxml/drawingml/chart",
        ],
    ),
    (
        "m",
        &[
            "http://schemas.openxmlformats.org/officeDocument/2006/math",
            "http://purl.oclc.org/ooxml/officeDocument/math",
        ],
    ),
    (
        "r",
        &[
            "http://schemas.openxmlformats.org/officeDocument/2006/relationships",
            "http://purl.oclc.org/ooxml/officeDocument/relationships",
        ],
    ),
    ("mc", &["http://schemas.openxmlformats.org/markup-compatibility/2006"]),
    ("rel", &["http://schemas.openxmlformats.org/package/2006/relationships"]),
    ("office", &["urn:oasis:names:tc:opendocument:xmlns:office:1.0"]),
    ("text", &["urn:oasis:names:tc:opendocument:xmlns:text:1.0"]),
    ("table", &["urn:oasis:names:tc:opendocument:xmlns:table:1.0"]),
    ("style", &["urn:oasis:names:tc:opendocument:xmlns:style:1.0"]),
    ("fo", &["urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0"]),
    ("xml", &["http://www.w3.org/XML/1998/namespace"]),
];

/// A name: our prefix (empty without a namespace, `?` for one that we do not read) and the local part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Name {
    prefix: &'static str,
    pub(super) local: Box<str>,
}

impl Name {
    pub(super) fn new(space: &ResolveResult<'_>, local: &str) -> Self {
        let prefix = match space {
            ResolveResult::Unbound => "",
            ResolveResult::Bound(space) => prefix(space.as_ref()),
            ResolveResult::Unknown(_) => "?",
        };
        Self { prefix, local: local.into() }
    }

    pub(super) fn is(&self, name: &str) -> bool {
        let (prefix, local) = name.split_once(':').unwrap_or(("", name));
        *self.local == *local && self.prefix == prefix
    }
}

fn prefix(address: &str) -> &'static str {
    SPACES.iter().find(|(_, addresses)| addresses.contains(&address)).map_or("?", |(prefix, _)| prefix)
}
