//! What is seen of the current tab: its tree, its screenshot, its HTML and its state.

use mageyard_browser::BrowserFailure;
use mageyard_browser::web::{WebFault, WebSession};

use super::access::CurrentTab;
use crate::look::Look;
use crate::page::{
    PageFailure, PageReading, PageSigns, PageState, ReadSettings, StateEvidence, page_state, read_page,
};

/// How often a page that changes while it is read is read again.
const READINGS: usize = 3;

/// Looks at the current tab. What a page does wrong is told in the look; only the browser can fail.
pub(super) async fn look(session: &WebSession, settings: ReadSettings) -> Result<Look, BrowserFailure> {
    let mut faults = Vec::new();
    let reading = read(session, settings, &mut faults).await?;
    let is_read = reading.is_some();
    let picture = fallen(session.screenshot().await, "the screenshot", &mut faults)?;
    let html = fallen(session.html().await, "the HTML", &mut faults)?;
    let document = session.document();
    let reading = reading.unwrap_or_else(empty_reading);
    let error = document.error.as_ref().map(|error| error_name(error.kind, &error.text));
    let state = page_state(StateEvidence {
        status: document.status,
        error: error.as_deref(),
        title: &reading.title,
        signs: &reading.signs,
    });
    let state = if is_read { state } else { PageState::Broken };
    Ok(Look {
        url: session.address(),
        tabs: session.tabs(),
        document,
        reading,
        state,
        picture,
        html,
        requests: session.requests(),
        happened: session.take_happenings(),
        faults,
    })
}

/// The reading; a document that was replaced meanwhile is read again.
async fn read(
    session: &WebSession,
    settings: ReadSettings,
    faults: &mut Vec<String>,
) -> Result<Option<PageReading>, BrowserFailure> {
    let mut fault = String::new();
    for _ in 0..READINGS {
        match read_page(&CurrentTab(session), settings).await {
            Ok(reading) => return Ok(Some(reading)),
            Err(PageFailure::Access(WebFault::Browser(failure))) => return Err(failure),
            Err(failure) => fault = failure.to_string(),
        }
        session.settle().await;
    }
    faults.push(format!("the tree: {fault}"));
    Ok(None)
}

/// What a call gave; a fault of the page is told.
fn fallen<T>(
    called: Result<T, WebFault>,
    what: &str,
    faults: &mut Vec<String>,
) -> Result<Option<T>, BrowserFailure> {
    match called {
        Ok(value) => Ok(Some(value)),
        Err(WebFault::Browser(failure)) => Err(failure),
        Err(fault) => {
            faults.push(format!("{what}: {fault}"));
            Ok(None)
        }
    }
}

/// A page without anything.
fn empty_reading() -> PageReading {
    PageReading {
        lines: Vec::new(),
        cut: 0,
        elements: Vec::new(),
        frames: Vec::new(),
        title: String::new(),
        viewport: [0.0; 2],
        scroll: [0.0; 2],
        extent: [0.0; 2],
        signs: PageSigns::default(),
    }
}

/// The error as the state of a page follows from it.
fn error_name(kind: mageyard_browser::web::LoadErrorKind, text: &str) -> String {
    match kind {
        mageyard_browser::web::LoadErrorKind::NoHost => format!("ERR_NAME_NOT_RESOLVED {text}"),
        _ => text.to_owned(),
    }
}
