//! Reads all frames of a page into one sequence of numbers.

use std::collections::HashMap;

use serde::Deserialize;
use serde_json::{Value, json};

use super::reading::{ElementKind, PageReading, ReadElement, ReadFrame, ReadSettings, TreeForm};
use super::{Frame, PageAccess, PageFailure, PageSigns, line, script};

/// The maximum number of frames that are read; others are one line.
const MOST_FRAMES: usize = 100;
/// How deep frames may be nested; deeper ones are one line.
const DEEPEST_FRAME: u32 = 10;

/// What the script says of a document.
#[derive(Deserialize)]
struct Document {
    reading: String,
    title: String,
    url: String,
    viewport: [f64; 2],
    scroll: [f64; 2],
    extent: [f64; 2],
    empty: bool,
    rows: Vec<Row>,
    beyond: usize,
    signs: PageSigns,
}

#[derive(Deserialize)]
struct Row {
    kind: RowKind,
    role: String,
    label: String,
    tag: String,
    rect: [f64; 4],
    #[serde(default)]
    acts: bool,
    #[serde(default)]
    value: Option<String>,
    #[serde(default)]
    states: Vec<String>,
    #[serde(default)]
    frame: Option<usize>,
    depth: u32,
    key: u32,
}

#[derive(Clone, Copy, PartialEq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum RowKind {
    Element,
    Text,
    Frame,
    Note,
}

/// Where the content of a frame is in the frame around it.
#[derive(Deserialize)]
pub(super) struct Owner {
    index: i64,
    pub(super) left: f64,
    pub(super) top: f64,
    pub(super) cover: Option<super::Cover>,
}

/// Reads the page.
///
/// # Errors
/// The main document cannot be read. A frame that cannot be read is one line.
pub async fn read_page<A: PageAccess>(
    page: &A,
    settings: ReadSettings,
) -> Result<PageReading, PageFailure<A::Error>> {
    let frames = page.frames().await.map_err(PageFailure::Access)?;
    let main = frames.first().ok_or_else(|| PageFailure::Answer("the page has no frames".to_owned()))?;
    let document = read_document(page, main, settings).await?;
    let mut documents =
        Documents { read: vec![(ReadFrame::new(main, None, &document), document)], ..Documents::default() };
    if settings.form == TreeForm::Visible {
        read_children(page, &frames, settings, &mut documents).await;
    }
    Ok(documents.in_sequence(settings))
}

/// The frames in the order in which they were read, and which frame is in which element.
#[derive(Default)]
struct Documents {
    read: Vec<(ReadFrame, Document)>,
    /// By the frame and the number of the element in it: the frame inside.
    inside: HashMap<(usize, usize), usize>,
}

/// Reads the frames in those that were read. What goes wrong leaves a frame out: then its line says so.
async fn read_children<A: PageAccess>(
    page: &A,
    frames: &[Frame],
    settings: ReadSettings,
    documents: &mut Documents,
) {
    let mut known: HashMap<&str, (usize, u32)> = HashMap::new();
    if let Some(main) = frames.first() {
        known.insert(&main.id, (0, 0));
    }
    for frame in frames.iter().skip(1) {
        let parent = frame.parent.as_deref().and_then(|parent| known.get(parent)).copied();
        let Some((parent, depth)) = parent.filter(|(_, depth)| *depth < DEEPEST_FRAME) else { continue };
        if documents.read.len() >= MOST_FRAMES {
            break;
        }
        let Ok(owner) = owner_of(page, &frame.id, None).await else { continue };
        let Ok(index) = usize::try_from(owner.index) else { continue };
        let Ok(document) = read_document(page, frame, settings).await else { continue };
        let Some((above, _)) = documents.read.get(parent) else { continue };
        let mut read = ReadFrame::new(frame, Some(parent), &document);
        read.origin = [above.origin[0] + owner.left, above.origin[1] + owner.top];
        known.insert(&frame.id, (documents.read.len(), depth + 1));
        documents.inside.insert((parent, index), documents.read.len());
        documents.read.push((read, document));
    }
}

async fn read_document<A: PageAccess>(
    page: &A,
    frame: &Frame,
    settings: ReadSettings,
) -> Result<Document, PageFailure<A::Error>> {
    let form = match settings.form {
        TreeForm::Visible => "visible",
        TreeForm::Code => "code",
    };
    let argument = json!({ "form": form, "most": settings.lines });
    let value = page.evaluate(&frame.id, script::READ, &argument).await.map_err(PageFailure::Access)?;
    let text = value.as_str().ok_or_else(|| PageFailure::Answer("not a text".to_owned()))?;
    serde_json::from_str(text).map_err(|error| PageFailure::Answer(error.to_string()))
}

/// Where the content of this frame is in the one around it, and what covers this point of it.
pub(super) async fn owner_of<A: PageAccess>(
    page: &A,
    frame: &str,
    point: Option<[f64; 2]>,
) -> Result<Owner, PageFailure<A::Error>> {
    let argument = json!({ "point": point });
    let value: Value =
        page.evaluate_on_owner(frame, script::OWNER, &argument).await.map_err(PageFailure::Access)?;
    serde_json::from_value(value).map_err(|error| PageFailure::Answer(error.to_string()))
}

impl ReadFrame {
    fn new(frame: &Frame, parent: Option<usize>, document: &Document) -> Self {
        Self {
            id: frame.id.clone(),
            parent,
            url: document.url.clone(),
            origin: [0.0; 2],
            reading: document.reading.clone(),
        }
    }
}

/// The numbers that were given so far.
struct Numbering {
    most: usize,
    lines: Vec<String>,
    elements: Vec<ReadElement>,
    cut: usize,
}

impl Documents {
    /// The frames as one page: each one follows the line of its element.
    fn in_sequence(mut self, settings: ReadSettings) -> PageReading {
        let rows: Vec<Vec<Row>> =
            self.read.iter_mut().map(|(_, document)| std::mem::take(&mut document.rows)).collect();
        let most = if settings.lines == 0 { usize::MAX } else { settings.lines };
        let mut numbering = Numbering { most, lines: Vec::new(), elements: Vec::new(), cut: 0 };
        numbering.cut = self.read.iter().map(|(_, document)| document.beyond).sum();
        self.add(rows, &mut numbering);
        let Numbering { mut lines, elements, cut, .. } = numbering;
        let mut frames = Vec::with_capacity(self.read.len());
        let mut documents = Vec::with_capacity(self.read.len());
        for (frame, document) in self.read {
            frames.push(frame);
            documents.push(document);
        }
        let main = documents.swap_remove(0);
        if main.empty {
            lines.clear();
        } else {
            lines.insert(0, line::title(&main.title));
        }
        if cut > 0 {
            lines.push(line::note(&format!("{cut} more elements and texts are not shown"), 0));
        }
        let Document { title, viewport, scroll, extent, signs, .. } = main;
        PageReading { lines, cut, elements, frames, title, viewport, scroll, extent, signs }
    }

    /// Adds the rows of all frames in the order of the page, with a list of what is still to be added.
    fn add(&self, rows: Vec<Vec<Row>>, numbering: &mut Numbering) {
        let mut rows: Vec<_> = rows.into_iter().map(Vec::into_iter).collect();
        let mut open = vec![(0, 0)];
        while let Some((frame, base)) = open.last().copied() {
            let Some(row) = rows.get_mut(frame).and_then(Iterator::next) else {
                open.pop();
                continue;
            };
            let depth = base + row.depth;
            let inside = row.frame.and_then(|index| self.inside.get(&(frame, index)));
            let is_unread = row.kind == RowKind::Frame && inside.is_none();
            let origin = self.read.get(frame).map_or([0.0; 2], |(frame, _)| frame.origin);
            numbering.add(row, frame, origin, depth, is_unread);
            if let Some(inside) = inside {
                open.push((*inside, depth + 1));
            }
        }
    }
}

impl Numbering {
    fn add(&mut self, row: Row, frame: usize, [right, down]: [f64; 2], depth: u32, is_unread: bool) {
        if self.elements.len() >= self.most {
            self.cut += 1;
            return;
        }
        let kind = match row.kind {
            RowKind::Element => ElementKind::Element,
            RowKind::Text => ElementKind::Text,
            RowKind::Frame => ElementKind::Frame,
            RowKind::Note => {
                self.lines.push(line::note(&row.label, depth));
                return;
            }
        };
        let [left, top, width, height] = row.rect;
        let element = ReadElement {
            number: u32::try_from(self.elements.len()).unwrap_or(u32::MAX - 1) + 1,
            kind,
            role: row.role,
            label: row.label,
            tag: row.tag,
            value: row.value,
            states: row.states,
            rect: [left + right, top + down, width, height],
            acts: row.acts,
            depth,
            frame,
            key: row.key,
        };
        let mut line = line::written(&element, depth);
        if is_unread {
            line.push_str(" (its content cannot be read)");
        }
        self.lines.push(line);
        self.elements.push(element);
    }
}
