//! A page of one process through the trait of the environment: frames are reached through their windows.

use std::path::PathBuf;

use async_trait::async_trait;
use mageyard::browser::{BrowserError, Page, Viewport};
use mageyard::envs::web::page::{Frame, PageAccess, PageReading, ReadSettings, TreeForm, read_page};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::harness::{folder, pool};

/// The most bytes of an answer.
const MOST: usize = 64 << 20;
/// What the main frame is called.
const MAIN: &str = "main";

pub(super) struct Opened {
    pub(super) page: Page,
    pub(super) folder: TempDir,
}

/// The folder of the pages with their trees.
pub(super) fn pages_folder() -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "src/envs/web/tests/page"].iter().collect()
}

/// The names of the pages.
pub(super) fn page_names() -> Vec<String> {
    let files = std::fs::read_dir(pages_folder()).unwrap().map(|entry| entry.unwrap().file_name());
    let mut names: Vec<String> =
        files.filter_map(|name| name.to_str().unwrap().strip_suffix(".html").map(str::to_owned)).collect();
    names.sort();
    assert!(names.len() >= 30, "{names:?}");
    names
}

impl Opened {
    /// A browser's page without a document yet.
    pub(super) async fn empty() -> Self {
        let folder = folder(&[]);
        let viewport = Viewport { width: 1080, height: 720 };
        let page = pool().page(folder.path(), viewport).await.unwrap();
        Self { page, folder }
    }

    /// A page with this body.
    pub(super) async fn new(body: &str) -> Self {
        let opened = Self::empty().await;
        opened.show(&format!("<!doctype html><meta charset=utf-8><title>Test</title>{body}")).await;
        opened
    }

    /// Shows this document.
    pub(super) async fn show(&self, html: &str) {
        std::fs::write(self.folder.path().join("page.html"), html).unwrap();
        self.page.open("page.html").await.unwrap();
    }

    /// Shows one of the kept pages.
    pub(super) async fn show_kept(&self, name: &str) {
        let html = std::fs::read_to_string(pages_folder().join(format!("{name}.html"))).unwrap();
        self.show(&html).await;
    }

    pub(super) async fn read(&self, form: TreeForm, lines: usize) -> PageReading {
        read_page(self, ReadSettings { form, lines }).await.unwrap()
    }

    pub(super) async fn value(&self, expression: &str) -> Value {
        self.page.evaluate(expression, MOST).await.unwrap()
    }
}

/// The first element with this role and label.
pub(super) fn number(reading: &PageReading, role: &str, label: &str) -> u32 {
    let found = reading.elements.iter().find(|one| one.role == role && one.label == label);
    found.unwrap_or_else(|| panic!("no {role} '{label}' in\n{}", reading.text())).number
}

/// The window of a frame, as an expression.
fn window(frame: &str) -> String {
    frame.split('.').skip(1).fold("window".to_owned(), |window, index| format!("{window}[{index}]"))
}

#[async_trait]
impl PageAccess for Opened {
    type Error = BrowserError;

    async fn frames(&self) -> Result<Vec<Frame>, BrowserError> {
        let walk = "(() => { const all = []; const walk = (w, id, parent) => { all.push({ id, parent, url: w.location.href }); \
                    for (let i = 0; i < w.length; i++) walk(w[i], `${id}.${i}`, id); }; walk(window, 'main', null); return all; })()";
        let found = self.page.evaluate(walk, MOST).await?;
        let text = |value: &Value| value.as_str().map(str::to_owned);
        let frames = found.as_array().unwrap().iter();
        Ok(frames
            .map(|one| Frame {
                id: text(&one["id"]).unwrap(),
                parent: text(&one["parent"]),
                url: text(&one["url"]).unwrap(),
            })
            .collect())
    }

    async fn evaluate(
        &self,
        frame: &str,
        function: &'static str,
        argument: &Value,
    ) -> Result<Value, BrowserError> {
        assert!(frame.starts_with(MAIN), "{frame}");
        let source = json!(format!("({function})"));
        let call = format!("{}.eval({source})({argument})", window(frame));
        self.page.evaluate(&call, MOST).await
    }

    async fn evaluate_on_owner(
        &self,
        frame: &str,
        function: &'static str,
        argument: &Value,
    ) -> Result<Value, BrowserError> {
        let source = json!(format!("({function})"));
        let (parent, _) = frame.rsplit_once('.').expect("the main frame is in no other");
        let call =
            format!("{}.eval({source}).call({}.frameElement, {argument})", window(parent), window(frame));
        self.page.evaluate(&call, MOST).await
    }
}
