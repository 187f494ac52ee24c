//! Layouts and masters: what slides inherit from them.

use std::collections::HashMap;
use std::rc::Rc;

use super::background;
use super::color::Paint;
use super::format::whole;
use super::frame::Frame;
use super::list::{Chain, ListStyle};
use super::theme::Theme;
use crate::office::{Element, Package, Relations, Unreadable};

/// A layout with its master.
#[derive(Clone, Debug, Default)]
pub(super) struct Layout {
    /// By their indexes. Frames and styles of the master are in them.
    placeholders: HashMap<i64, Placeholder>,
    master: Rc<Master>,
    /// The background of the layout, or of its master.
    pub(super) background: Option<Paint>,
}

#[derive(Clone, Debug, Default)]
struct Master {
    /// By their kinds.
    placeholders: HashMap<String, Placeholder>,
    theme: Theme,
    title: Rc<ListStyle>,
    body: Rc<ListStyle>,
    other: Rc<ListStyle>,
    background: Option<Paint>,
    /// The list style of the presentation.
    default: Rc<ListStyle>,
}

/// A placeholder of a layout or master.
#[derive(Clone, Debug)]
struct Placeholder {
    frame: Frame,
    /// The nearest first.
    styles: Vec<Rc<ListStyle>>,
}

/// By what a placeholder is found.
#[derive(Clone, Debug)]
pub(super) struct Key {
    index: i64,
    kind: String,
}

impl Key {
    /// The key of a shape that is a placeholder.
    pub(super) fn read(shape: &Element) -> Result<Option<Self>, String> {
        let properties = shape.elements().next();
        let Some(element) = properties.and_then(|properties| properties.at(&["p:nvPr", "p:ph"])) else {
            return Ok(None);
        };
        let kind = element.attr("type").unwrap_or("obj").to_owned();
        Ok(Some(Self { index: whole(element, "idx")?.unwrap_or(0), kind }))
    }

    /// The kind of the master's placeholder that a layout's inherits from.
    fn of_master(&self) -> &str {
        match self.kind.as_str() {
            "ctrTitle" => "title",
            kind @ ("title" | "dt" | "ftr" | "sldNum" | "hdr" | "sldImg") => kind,
            _ => "body",
        }
    }
}

/// The placeholders of a layout or master, in the order of the file.
fn placeholders(root: &Element, theme: &Theme) -> Result<Vec<(Key, Placeholder)>, String> {
    let mut placeholders = Vec::new();
    for shape in root.at(&["p:cSld", "p:spTree"]).into_iter().flat_map(Element::elements) {
        let Some(key) = Key::read(shape)? else { continue };
        let style = ListStyle::read(shape.at(&["p:txBody", "a:lstStyle"]), theme)?;
        let frame = Frame::read(shape.at(&["p:spPr", "a:xfrm"]))?;
        placeholders.push((key, Placeholder { frame, styles: vec![Rc::new(style)] }));
    }
    Ok(placeholders)
}

impl Layout {
    pub(super) fn theme(&self) -> &Theme {
        &self.master.theme
    }

    fn read(root: &Element, master: Rc<Master>, relations: &Relations) -> Result<Self, String> {
        let mut by_index = HashMap::new();
        for (key, mut placeholder) in placeholders(root, &master.theme)? {
            if let Some(base) = master.placeholders.get(key.of_master()) {
                placeholder.frame = placeholder.frame.over(base.frame);
                placeholder.styles.extend(base.styles.iter().cloned());
            }
            by_index.entry(key.index).or_insert(placeholder);
        }
        let own = background::read(root, &master.theme, relations)?;
        let background = own.or_else(|| master.background.clone());
        Ok(Self { placeholders: by_index, master, background })
    }

    /// The frame that a placeholder of a slide inherits.
    pub(super) fn frame(&self, key: &Key) -> Frame {
        self.placeholders.get(&key.index).map(|placeholder| placeholder.frame).unwrap_or_default()
    }

    /// The list styles that a shape's text inherits.
    pub(super) fn chain(&self, key: Option<&Key>) -> Chain {
        let master = &self.master;
        let Some(key) = key else {
            return Chain(vec![Rc::clone(&master.default), Rc::clone(&master.other)]);
        };
        let mut chain = Vec::new();
        if let Some(placeholder) = self.placeholders.get(&key.index) {
            chain.extend(placeholder.styles.iter().cloned());
        }
        chain.push(Rc::clone(match key.of_master() {
            "title" => &master.title,
            "body" => &master.body,
            _ => &master.other,
        }));
        chain.push(Rc::clone(&master.default));
        Chain(chain)
    }
}

/// The layouts that slides use, each read once.
pub(super) struct Layouts {
    read: HashMap<String, Rc<Layout>>,
    masters: HashMap<String, Rc<Master>>,
    /// The element of the presentation's list style.
    default: Option<Element>,
}

impl Layouts {
    pub(super) fn new(presentation: &Element, part: &str) -> Result<Self, Unreadable> {
        let default = presentation.child("p:defaultTextStyle").cloned();
        ListStyle::read(default.as_ref(), &Theme::default())
            .map_err(|reason| Unreadable::part(part, reason))?;
        Ok(Self { read: HashMap::new(), masters: HashMap::new(), default })
    }

    /// The layout of a slide; an empty one if it has none.
    pub(super) fn of_slide(
        &mut self,
        package: &mut Package<'_>,
        relations: &Relations,
    ) -> Result<Rc<Layout>, Unreadable> {
        let Some(part) = relations.first("slideLayout") else { return Ok(Rc::default()) };
        if let Some(layout) = self.read.get(part) {
            return Ok(Rc::clone(layout));
        }
        let root = package.required(part)?;
        let relations = Relations::of(package, part)?;
        let master = self.master(package, &relations)?;
        let layout = Layout::read(&root, master, &relations);
        let layout = Rc::new(layout.map_err(|reason| Unreadable::part(part, reason))?);
        self.read.insert(part.to_owned(), Rc::clone(&layout));
        Ok(layout)
    }

    fn master(&mut self, package: &mut Package<'_>, relations: &Relations) -> Result<Rc<Master>, Unreadable> {
        let Some(part) = relations.first("slideMaster") else { return Ok(Rc::default()) };
        if let Some(master) = self.masters.get(part) {
            return Ok(Rc::clone(master));
        }
        let root = package.required(part)?;
        let relations = Relations::of(package, part)?;
        let theme = Theme::read(package, &root, &relations)?;
        let master = Master::read(&root, theme, &relations, self.default.as_ref());
        let master = Rc::new(master.map_err(|reason| Unreadable::part(part, reason))?);
        self.masters.insert(part.to_owned(), Rc::clone(&master));
        Ok(master)
    }
}

impl Master {
    fn read(
        root: &Element,
        theme: Theme,
        relations: &Relations,
        default: Option<&Element>,
    ) -> Result<Self, String> {
        let style = |name: &'static str| ListStyle::read(root.at(&["p:txStyles", name]), &theme).map(Rc::new);
        let mut by_kind = HashMap::new();
        for (key, placeholder) in placeholders(root, &theme)? {
            by_kind.entry(key.kind).or_insert(placeholder);
        }
        Ok(Self {
            placeholders: by_kind,
            title: style("p:titleStyle")?,
            body: style("p:bodyStyle")?,
            other: style("p:otherStyle")?,
            background: background::read(root, &theme, relations)?,
            default: Rc::new(ListStyle::read(default, &theme)?),
            theme,
        })
    }
}
