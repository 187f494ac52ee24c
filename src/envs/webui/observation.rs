//! What an agent and what people are shown of a page, as parts of an observation.
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

use std::fmt::Write;
use std::sync::Arc;

use serde_json::{Value, json};

use super::files::Files;
use super::perception::{LayoutPart, PICTURES_MEDIA, PagePicture};
use mageyard_domain::{BlobError, BlobHandle, BlobRef, BlobStore, Observation, ObservationPart, Picture};

pub(super) const PNG: &str = "image/png";

/// An observation that is put together part by part.
pub(super) struct ObservationBuilder<'a> {
    blobs: &'a Arc<dyn BlobStore>,
    parts: Vec<ObservationPart>,
    /// The texts among the parts, with marks in place of pictures.
    text: String,
    /// The layouts of pages in pictures among the parts.
    layouts: Vec<LayoutPart>,
}

impl<'a> ObservationBuilder<'a> {
    pub(super) fn new(blobs: &'a Arc<dyn BlobStore>) -> Self {
        Self { blobs, parts: Vec::new(), text: String::new(), layouts: Vec::new() }
    }

    /// Adds parts that have been made before.
    pub(super) fn add_parts(&mut self, parts: &[ObservationPart]) {
        for part in parts {
            match part {
                ObservationPart::Text(text) => self.note(text),
                ObservationPart::Image(_) => self.note("[picture]"),
                ObservationPart::Data(_) => {}
            }
        }
        self.parts.extend_from_slice(parts);
    }

    pub(super) fn add_text(&mut self, text: impl Into<Arc<str>>) {
        self.add_parts(&[ObservationPart::Text(text.into())]);
    }

    /// Adds the present files as fenced blocks, in the order page, styles, script.
    pub(super) fn add_files(&mut self, files: &Files) {
        self.add_text(files_text(files));
    }

    /// Adds a PNG or JPEG picture that an agent sees.
    pub(super) fn add_picture(&mut self, media: &str, bytes: &[u8]) -> Result<(), BlobError> {
        let part = picture(self.blobs, media, bytes)?;
        self.add_parts(&[part]);
        Ok(())
    }

    /// The index of the next part.
    pub(super) fn next_part(&self) -> u16 {
        u16::try_from(self.parts.len()).unwrap_or(u16::MAX)
    }

    /// Names the layouts of pages in pictures that have been added.
    pub(super) fn add_layouts(&mut self, layouts: impl IntoIterator<Item = LayoutPart>) {
        self.layouts.extend(layouts);
    }

    /// Adds the list of the pictures with their layouts, as data.
    pub(super) fn add_pictures(&mut self) -> Result<(), BlobError> {
        let of_layout = |layout: &LayoutPart| match self.parts.get(usize::from(layout.part))? {
            ObservationPart::Image(picture) => {
                Some(PagePicture { picture: picture.blob()?.blob().clone(), layout: layout.clone() })
            }
            _ => None,
        };
        let pictures: Vec<PagePicture> = self.layouts.iter().filter_map(of_layout).collect();
        let json = json!(pictures);
        self.add_data(PICTURES_MEDIA, json.to_string().as_bytes()).map(drop)
    }

    /// Adds data for people and returns the index of its part.
    pub(super) fn add_data(&mut self, media: &str, bytes: &[u8]) -> Result<u16, BlobError> {
        let handle = BlobHandle::store(self.blobs, media, bytes)?;
        self.parts.push(ObservationPart::Data(handle));
        Ok(u16::try_from(self.parts.len() - 1).unwrap_or(u16::MAX))
    }

    /// Stores data that no part has, and returns its address.
    pub(super) fn put(&self, media: &str, bytes: &[u8]) -> Result<BlobRef, BlobError> {
        self.blobs.put(media, bytes)
    }

    pub(super) fn finish(self, facts: Value) -> Observation {
        Observation::from_parts(self.parts, self.text, facts)
    }

    fn note(&mut self, text: &str) {
        let gap = if self.text.is_empty() { "" } else { "\n\n" };
        // Writing to a string does not fail.
        let _ = write!(self.text, "{gap}{text}");
    }
}

/// A picture part of these bytes. A picture that cannot be opened is data.
pub(super) fn picture(
    blobs: &Arc<dyn BlobStore>,
    media: &str,
    bytes: &[u8],
) -> Result<ObservationPart, BlobError> {
    let handle = BlobHandle::store(blobs, media, bytes)?;
    Ok(match Picture::open(handle.clone(), 1) {
        Ok(picture) => ObservationPart::Image(Arc::new(picture)),
        Err(_) => ObservationPart::Data(handle),
    })
}

/// The present files as a text.
fn files_text(files: &Files) -> String {
    if files.is_empty() {
        return "No file has been written yet: the page needs index.html, and may have style.css and script.js."
            .to_owned();
    }
    files.written().fold("The present files:".to_owned(), |mut text, (kind, content)| {
        let fence = fence_for(content);
        let end = if content.ends_with('\n') || content.is_empty() { "" } else { "\n" };
        // Writing to a string does not fail.
        let _ = write!(text, "\n\n{fence}{}\n{content}{end}{fence}", kind.language);
        text
    })
}

/// A fence that is longer than every row of backticks in the text.
fn fence_for(text: &str) -> String {
    let rows = text.split(|c| c != '`').map(str::len);
    "`".repeat(rows.max().unwrap_or(0).max(2) + 1)
}

#[cfg(test)]
mod tests {
    use super::super::files::WRITE;
    use super::*;
    use mageyard_domain::{Action, Arg, MemoryBlobStore, PartKind};

    #[test]
    fn parts_keep_their_order_and_data_is_not_in_the_text() {
        let blobs: Arc<dyn BlobStore> = Arc::new(MemoryBlobStore::default());
        let mut shown = ObservationBuilder::new(&blobs);
        shown.add_text("A page.");
        let mut png = std::io::Cursor::new(Vec::new());
        image::RgbImage::new(2, 3).write_to(&mut png, image::ImageFormat::Png).unwrap();
        shown.add_picture(PNG, png.get_ref()).unwrap();
        assert_eq!(shown.add_data("application/x", b"secret"), Ok(2));
        let write = Action::plain(WRITE).with("html", Arg::Code("<p>```</p>".into()));
        shown.add_files(&Files::default().after(&write));
        let seen = shown.finish(Value::Null);
        let kinds: Vec<_> = seen.parts().iter().map(ObservationPart::kind).collect();
        assert_eq!(kinds, [PartKind::Text, PartKind::Image, PartKind::Data, PartKind::Text]);
        let files = "The present files:\n\n````html\n<p>```</p>\n````";
        assert_eq!(seen.text().to_string(), format!("A page.\n\n[picture]\n\n{files}"));
    }
}
