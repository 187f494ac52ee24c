//! Shapes: what is on a slide (section 19.3.1).

use std::rc::Rc;

use super::Reader;
use super::color;
use super::format::RunFormat;
use super::frame::{Frame, Space};
use super::layout::Key;
use super::list::ListStyle;
use super::text::{self, Inherited, Paragraph};
use crate::office::Element;

/// A shape.
#[derive(Clone, Debug)]
pub(crate) struct Shape {
    /// What it is.
    pub(crate) kind: Kind,
    /// Its name.
    pub(crate) name: String,
    /// Whether it fills a placeholder of the layout.
    pub(crate) placeholder: bool,
    /// Where it is on the slide, as its layout says where it does not.
    pub(crate) frame: Frame,
    /// Its paragraphs, if it is a shape that can have text.
    pub(crate) text: Option<Vec<Paragraph>>,
    /// Whether its height follows from its text (`a:spAutoFit`).
    pub(crate) fits_text: bool,
    /// The cells of its table, by rows.
    pub(crate) rows: Vec<Vec<Vec<Paragraph>>>,
    /// The bytes of its picture.
    pub(crate) picture: Option<Rc<[u8]>>,
    /// The shapes of a group.
    pub(crate) children: Vec<Shape>,
    /// Whether it is one of several forms for programs of other ages (`mc:AlternateContent`).
    pub(crate) alternate: bool,
}

/// What a shape is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A shape of a preset form.
    AutoShape,
    /// A shape of a form of its own.
    Freeform,
    /// A shape for text alone.
    TextBox,
    /// A shape that says no form.
    Formless,
    /// A picture.
    Picture,
    /// A film or sound.
    Media,
    /// A table.
    Table,
    /// A chart, diagram or object of another program.
    Graphic,
    /// A group.
    Group,
    /// A line that may connect shapes.
    Line,
    /// Another one, such as ink.
    Other,
}

impl Kind {
    /// The name for sentences.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::AutoShape | Self::Freeform | Self::TextBox | Self::Formless => "a shape with text",
            Self::Picture => "a picture",
            Self::Media => "a film or sound",
            Self::Table => "a table",
            Self::Graphic => "a chart or object",
            Self::Group => "a group",
            Self::Line => "a line",
            Self::Other => "another object",
        }
    }
}

/// The shapes in `p:spTree` or `p:grpSp`.
pub(super) fn read_all(tree: &Element, reader: &Reader<'_>) -> Result<Vec<Shape>, String> {
    let mut shapes = Vec::new();
    collect(tree, reader, None, false, &mut shapes)?;
    Ok(shapes)
}

fn collect(
    parent: &Element,
    reader: &Reader<'_>,
    space: Option<&Space>,
    alternate: bool,
    shapes: &mut Vec<Shape>,
) -> Result<(), String> {
    for element in parent.elements() {
        if element.is("mc:AlternateContent") {
            let known = |form: &&Element| form.elements().any(|shape| tag(shape).is_some());
            let form = element.elements().find(known);
            form.map_or(Ok(()), |form| collect(form, reader, space, true, shapes))?;
        } else if let Some(tag) = tag(element) {
            shapes.push(Shape { alternate, ..Shape::read(element, tag, reader, space)? });
        }
    }
    Ok(())
}

fn tag(element: &Element) -> Option<&str> {
    const TAGS: [&str; 6] = ["p:sp", "p:grpSp", "p:graphicFrame", "p:cxnSp", "p:pic", "p:contentPart"];
    TAGS.iter().any(|tag| element.is(tag)).then(|| element.local())
}

impl Shape {
    /// Its paragraphs, not those of cells or of shapes in a group.
    pub(crate) fn paragraphs(&self) -> impl Iterator<Item = &Paragraph> {
        self.text.iter().flatten()
    }

    fn read(
        element: &Element,
        tag: &str,
        reader: &Reader<'_>,
        space: Option<&Space>,
    ) -> Result<Self, String> {
        let key = Key::read(element)?;
        let transform = match tag {
            "graphicFrame" => element.child("p:xfrm"),
            "grpSp" => element.at(&["p:grpSpPr", "a:xfrm"]),
            _ => element.at(&["p:spPr", "a:xfrm"]),
        };
        let inherited = key.as_ref().map(|key| reader.layout.frame(key)).unwrap_or_default();
        let frame = Frame::read(transform)?.over(inherited);
        let frame = space.map_or(frame, |space| space.place(frame));
        let properties = element.elements().next().and_then(|properties| properties.child("p:cNvPr"));
        let name = properties.and_then(|properties| properties.attr("name")).unwrap_or_default();
        let mut shape = Self {
            kind: kind(element, tag),
            name: name.to_owned(),
            placeholder: key.is_some(),
            frame,
            text: None,
            fits_text: element.at(&["p:txBody", "a:bodyPr", "a:spAutoFit"]).is_some(),
            rows: Vec::new(),
            picture: None,
            children: Vec::new(),
            alternate: false,
        };
        match tag {
            "sp" => shape.text = Some(read_text(element, key.as_ref(), reader)?),
            "grpSp" => {
                let space = Space::read(transform, frame)?;
                collect(element, reader, Some(&space), false, &mut shape.children)?;
            }
            "pic" => shape.picture = picture(element, reader),
            "graphicFrame" => shape.rows = read_rows(element, reader)?,
            _ => {}
        }
        Ok(shape)
    }
}

fn kind(element: &Element, tag: &str) -> Kind {
    match tag {
        "sp" => {
            let has = |form| element.at(&["p:spPr", form]).is_some();
            let properties = element.at(&["p:nvSpPr", "p:cNvSpPr"]);
            let is_box = properties.is_some_and(|shape| matches!(shape.attr("txBox"), Some("1" | "true")));
            match (has("a:custGeom"), has("a:prstGeom"), is_box) {
                (true, _, _) => Kind::Freeform,
                (_, _, true) => Kind::TextBox,
                (_, true, _) => Kind::AutoShape,
                _ => Kind::Formless,
            }
        }
        "pic" if element.at(&["p:nvPicPr", "p:nvPr", "a:videoFile"]).is_some() => Kind::Media,
        "pic" => Kind::Picture,
        "graphicFrame" if table(element).is_some() => Kind::Table,
        "graphicFrame" => Kind::Graphic,
        "grpSp" => Kind::Group,
        "cxnSp" => Kind::Line,
        _ => Kind::Other,
    }
}

fn table(element: &Element) -> Option<&Element> {
    element.at(&["a:graphic", "a:graphicData", "a:tbl"])
}

fn picture(element: &Element, reader: &Reader<'_>) -> Option<Rc<[u8]>> {
    let id = element.at(&["p:blipFill", "a:blip"])?.attr("r:embed")?;
    reader.pictures.get(reader.relations.part(id)?).cloned()
}

fn read_text(element: &Element, key: Option<&Key>, reader: &Reader<'_>) -> Result<Vec<Paragraph>, String> {
    // A shape without text has one empty paragraph.
    let Some(body) = element.child("p:txBody") else { return Ok(vec![Paragraph::default()]) };
    let mut chain = reader.layout.chain(key);
    let theme = reader.layout.theme();
    if let Some(reference) = element.at(&["p:style", "a:fontRef"]) {
        let font = match reference.attr("idx") {
            Some("major") => Some("+mj-lt".into()),
            Some("minor") => Some("+mn-lt".into()),
            _ => None,
        };
        let format = RunFormat { font, paint: color::read(reference, theme)?, ..RunFormat::default() };
        chain.0.insert(0, Rc::new(ListStyle::uniform(format)));
    }
    text::read(body, Inherited::new(reader, chain))
}

fn read_rows(element: &Element, reader: &Reader<'_>) -> Result<Vec<Vec<Vec<Paragraph>>>, String> {
    let cell = |cell: &Element| match cell.child("a:txBody") {
        Some(body) => text::read(body, Inherited::new(reader, reader.layout.chain(None))),
        None => Ok(Vec::new()),
    };
    let row = |row: &Element| row.children("a:tc").map(cell).collect::<Result<Vec<_>, String>>();
    table(element).into_iter().flat_map(|table| table.children("a:tr")).map(row).collect()
}
