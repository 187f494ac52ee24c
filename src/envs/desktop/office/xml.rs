//! A small tree of elements. Names have the prefixes of [`name`], whatever the file calls them.
//!
//! Document types and entities other than the five of XML are refused, and so is what is too deep or too large.

mod name;

use quick_xml::events::{BytesRef, BytesStart, Event};
use quick_xml::{NsReader, XmlVersion};
use thiserror::Error;

use self::name::Name;

/// The deepest element that is read; the root is at 1.
pub(crate) const DEPTH: usize = 200;
/// The most elements of one part.
pub(crate) const ELEMENTS: usize = 500_000;
/// The most attributes of one element.
pub(crate) const ATTRIBUTES: usize = 200;

/// Why a text is not read as XML.
#[derive(Debug, Error)]
pub(crate) enum XmlError {
    /// It is not well-formed.
    #[error("it is not well-formed XML ({0})")]
    Syntax(#[from] quick_xml::Error),
    /// It is not UTF-8.
    #[error("it is not UTF-8")]
    Encoding,
    /// It has a document type.
    #[error("it has a document type, which is not read")]
    DocumentType,
    /// It uses an entity that it would have to declare.
    #[error("it uses the entity {0:?}, which is not read")]
    Entity(String),
    /// It is too deep.
    #[error("it has more than {DEPTH} levels of elements")]
    Depth,
    /// It is too large.
    #[error("it has more than {ELEMENTS} elements")]
    Elements,
    /// An element has too much.
    #[error("it has an element with more than {ATTRIBUTES} attributes")]
    Attributes,
    /// It does not have one root.
    #[error("it does not have exactly one root element")]
    Root,
}

/// An element.
#[derive(Clone, Debug)]
pub(crate) struct Element {
    name: Name,
    attributes: Vec<(Name, Box<str>)>,
    nodes: Vec<Node>,
}

/// What is in an element.
#[derive(Clone, Debug)]
pub(crate) enum Node {
    /// An element.
    Element(Element),
    /// A text, entities replaced.
    Text(String),
}

impl Element {
    /// Whether it has this name, such as `w:p`.
    pub(crate) fn is(&self, name: &str) -> bool {
        self.name.is(name)
    }

    /// The name without its prefix.
    pub(crate) fn local(&self) -> &str {
        &self.name.local
    }

    /// An attribute, such as `w:val`, or `val` without a namespace.
    pub(crate) fn attr(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(key, _)| key.is(name)).map(|(_, value)| &**value)
    }

    /// The attributes without a namespace, with their values.
    pub(crate) fn plain_attributes(&self) -> impl Iterator<Item = (&str, &str)> {
        let plain = self.attributes.iter().filter(|(key, _)| key.is(&key.local));
        plain.map(|(key, value)| (&*key.local, &**value))
    }

    /// Everything in it.
    pub(crate) fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The elements directly in it.
    pub(crate) fn elements(&self) -> impl Iterator<Item = &Self> {
        self.nodes.iter().filter_map(|node| match node {
            Node::Element(element) => Some(element),
            Node::Text(_) => None,
        })
    }

    /// The elements directly in it with a name.
    pub(crate) fn children<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Self> {
        self.elements().filter(move |element| element.is(name))
    }

    /// The first element directly in it with a name.
    pub(crate) fn child<'a>(&'a self, name: &'a str) -> Option<&'a Self> {
        self.children(name).next()
    }

    /// The element at the end of a path of names.
    pub(crate) fn at(&self, path: &[&str]) -> Option<&Self> {
        path.iter().try_fold(self, |element, name| element.elements().find(|child| child.is(name)))
    }

    /// All elements below it with a name, in the order of the text.
    pub(crate) fn descendants<'a>(&'a self, name: &'a str) -> Vec<&'a Self> {
        let mut found = Vec::new();
        self.collect(name, &mut found);
        found
    }

    fn collect<'a>(&'a self, name: &str, found: &mut Vec<&'a Self>) {
        for element in self.elements() {
            if element.is(name) {
                found.push(element);
            }
            element.collect(name, found);
        }
    }

    /// How many elements it is, those below it included.
    pub(crate) fn count(&self) -> usize {
        1 + self.elements().map(Self::count).sum::<usize>()
    }

    /// Whether an element below it has a name.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.elements().any(|element| element.is(name) || element.has(name))
    }

    /// The texts directly in it.
    pub(crate) fn text(&self) -> String {
        let texts = self.nodes.iter().filter_map(|node| match node {
            Node::Text(text) => Some(text.as_str()),
            Node::Element(_) => None,
        });
        texts.collect()
    }
}

/// Reads a text as XML.
///
/// # Errors
/// It is not well-formed, or over a limit.
pub(crate) fn parse(bytes: &[u8]) -> Result<Element, XmlError> {
    let text = std::str::from_utf8(bytes).map_err(|_| XmlError::Encoding)?;
    let mut reader = NsReader::from_str(text.trim_start_matches('\u{feff}'));
    let mut builder = Builder::default();
    loop {
        match reader.read_event()? {
            Event::Start(start) => builder.open(element(&reader, &start)?)?,
            Event::Empty(start) => {
                builder.open(element(&reader, &start)?)?;
                builder.close()?;
            }
            Event::End(_) => builder.close()?,
            Event::Text(text) => builder.text(&text.xml10_content())?,
            Event::CData(text) => builder.text(&text.xml10_content())?,
            Event::GeneralRef(reference) => builder.text(character(&reference)?.encode_utf8(&mut [0; 4]))?,
            Event::DocType(_) => return Err(XmlError::DocumentType),
            Event::Decl(_) | Event::Comment(_) | Event::PI(_) => {}
            Event::Eof => return builder.finish(),
        }
    }
}

fn element(reader: &NsReader<&[u8]>, start: &BytesStart<'_>) -> Result<Element, XmlError> {
    let (space, local) = reader.resolver().resolve_element(start.name());
    let name = Name::new(&space, local.as_ref());
    let mut attributes = Vec::new();
    for (index, attribute) in start.attributes().enumerate() {
        if index >= ATTRIBUTES {
            return Err(XmlError::Attributes);
        }
        let attribute = attribute.map_err(quick_xml::Error::from)?;
        if attribute.key.as_namespace_binding().is_some() {
            continue;
        }
        let (space, local) = reader.resolver().resolve_attribute(attribute.key);
        let value = attribute.normalized_value(XmlVersion::Implicit1_0)?;
        attributes.push((Name::new(&space, local.as_ref()), value.as_ref().into()));
    }
    Ok(Element { name, attributes, nodes: Vec::new() })
}

fn character(reference: &BytesRef<'_>) -> Result<char, XmlError> {
    if let Some(character) = reference.resolve_char_ref()? {
        return Ok(character);
    }
    match &**reference {
        "lt" => Ok('<'),
        "gt" => Ok('>'),
        "amp" => Ok('&'),
        "apos" => Ok('\''),
        "quot" => Ok('"'),
        name => Err(XmlError::Entity(name.chars().take(40).collect())),
    }
}

#[derive(Default)]
struct Builder {
    open: Vec<Element>,
    root: Option<Element>,
    count: usize,
}

impl Builder {
    fn open(&mut self, element: Element) -> Result<(), XmlError> {
        self.count += 1;
        if self.count > ELEMENTS {
            return Err(XmlError::Elements);
        }
        if self.open.len() >= DEPTH {
            return Err(XmlError::Depth);
        }
        self.open.push(element);
        Ok(())
    }

    fn close(&mut self) -> Result<(), XmlError> {
        let element = self.open.pop().ok_or(XmlError::Root)?;
        match self.open.last_mut() {
            Some(parent) => parent.nodes.push(Node::Element(element)),
            None if self.root.is_some() => return Err(XmlError::Root),
            None => self.root = Some(element),
        }
        Ok(())
    }

    fn text(&mut self, text: &str) -> Result<(), XmlError> {
        let Some(parent) = self.open.last_mut() else {
            return if text.trim().is_empty() { Ok(()) } else { Err(XmlError::Root) };
        };
        match parent.nodes.last_mut() {
            Some(Node::Text(before)) => before.push_str(text),
            _ => parent.nodes.push(Node::Text(text.to_owned())),
        }
        Ok(())
    }

    fn finish(self) -> Result<Element, XmlError> {
        if !self.open.is_empty() {
            return Err(XmlError::Root);
        }
        self.root.ok_or(XmlError::Root)
    }
}
