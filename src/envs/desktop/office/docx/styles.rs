//! Styles and the fonts of the theme.

use std::collections::HashMap;

use super::format::{ParagraphFormat, RunFormat};
use crate::office::{Element, Package, Relations, Unreadable};

/// The styles of a document.
#[derive(Clone, Debug, Default)]
pub(super) struct Styles {
    defaults: Style,
    named: HashMap<String, Style>,
    default_paragraph: Option<String>,
    minor_font: Option<String>,
    major_font: Option<String>,
}

#[derive(Clone, Debug, Default)]
struct Style {
    parent: Option<String>,
    paragraph: ParagraphFormat,
    run: RunFormat,
}

/// The longest chain of styles that is followed; a chain may be a ring in a damaged file.
const LONGEST_CHAIN: usize = 30;

impl Styles {
    pub(super) fn read(package: &mut Package<'_>, relations: &Relations) -> Result<Self, Unreadable> {
        let mut styles = Self::default();
        if let Some(part) = relations.first("styles")
            && let Some(root) = package.xml(part)?
        {
            styles.read_styles(&root);
        }
        if let Some(part) = relations.first("theme")
            && let Some(root) = package.xml(part)?
        {
            let font = |kind| {
                let latin = root.at(&["a:themeElements", "a:fontScheme", kind, "a:latin"])?;
                latin.attr("typeface").map(str::to_owned)
            };
            styles.minor_font = font("a:minorFont");
            styles.major_font = font("a:majorFont");
        }
        Ok(styles)
    }

    fn read_styles(&mut self, root: &Element) {
        let defaults = |kind: &'static str, inner: &'static str| root.at(&["w:docDefaults", kind, inner]);
        self.defaults = Style {
            parent: None,
            paragraph: ParagraphFormat::read(defaults("w:pPrDefault", "w:pPr")),
            run: RunFormat::read(defaults("w:rPrDefault", "w:rPr")),
        };
        for element in root.children("w:style") {
            let Some(id) = element.attr("w:styleId") else { continue };
            let is_default = matches!(element.attr("w:default"), Some("1" | "true" | "on"));
            if is_default && element.attr("w:type") == Some("paragraph") {
                self.default_paragraph = Some(id.to_owned());
            }
            let style = Style {
                parent: element.child("w:basedOn").and_then(|base| base.attr("w:val")).map(str::to_owned),
                paragraph: ParagraphFormat::read(element.child("w:pPr")),
                run: RunFormat::read(element.child("w:rPr")),
            };
            self.named.insert(id.to_owned(), style);
        }
    }

    fn chain<'a>(&'a self, id: Option<&'a str>) -> impl Iterator<Item = &'a Style> {
        let first = id.and_then(|id| self.named.get(id));
        let next = |style: &&Style| style.parent.as_ref().and_then(|parent| self.named.get(parent));
        std::iter::successors(first, next).take(LONGEST_CHAIN)
    }

    fn paragraph_style<'a>(&'a self, named: Option<&'a str>) -> Option<&'a str> {
        named.or(self.default_paragraph.as_deref())
    }

    /// What a paragraph has with its style and the defaults.
    pub(super) fn paragraph(&self, direct: &ParagraphFormat, style: Option<&str>) -> ParagraphFormat {
        let chain = self.chain(self.paragraph_style(style));
        let merged = chain.fold(direct.clone(), |format, style| format.over(&style.paragraph));
        merged.over(&self.defaults.paragraph)
    }

    /// What a run has with its style, that of its paragraph, the defaults and the theme.
    pub(super) fn run(&self, direct: &RunFormat, style: Option<&str>, paragraph: Option<&str>) -> RunFormat {
        let chain = self.chain(style).chain(self.chain(self.paragraph_style(paragraph)));
        let merged = chain.fold(direct.clone(), |format, style| format.over(&style.run));
        let mut format = merged.over(&self.defaults.run);
        let font = match format.theme_font.as_deref() {
            Some("major") => self.major_font.clone(),
            Some(_) => self.minor_font.clone(),
            None => None,
        };
        format.font = font.or(format.font);
        format
    }
}
