//! One page: opening a file, asking for values, pictures. Steps are performed by [`super::input`].

mod creation;
mod evaluate;
mod fonts;
mod navigation;
mod script_errors;
mod stable_picture;

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};
use tokio::time::timeout;

use super::connection::CallError;
use super::input::Pointer;
use super::open_place::OpenPlace;
use super::page_state::MainSession;
use super::site::Site;
use super::{BlockedRequest, BrowserError, BrowserFailure, BrowserSettings, PageFault, Step, input};

pub(super) use script_errors::Exception;
pub use stable_picture::StablePicture;

use creation::Context;

pub(super) use creation::Window;

/// How a screenshot is compressed; the pixels are the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ScreenshotSpeed {
    /// Small files.
    #[default]
    Small,
    /// About twice as fast, larger files.
    Fast,
}

/// A page in a context of its own (storage, cache) and a window of its own. Dropping it closes it. After a fault that
/// closed it, every call returns the same fault.
#[derive(Debug)]
pub struct Page {
    context: Context,
    main: MainSession,
    limits: BrowserSettings,
    pointer: Mutex<Pointer>,
    _place: OpenPlace,
}

/// What the browser says of a document that is not the page's any more.
const REPLACED: &str = "Not attached to an active page";
/// The time until the new document may be there.
const CAPTURE_AGAIN: Duration = Duration::from_millis(10);

#[derive(Deserialize)]
struct Picture {
    data: String,
}

impl Page {
    /// This window as a page that may read the files of this folder.
    pub(super) fn new(window: Window, site: Site, place: OpenPlace, limits: BrowserSettings) -> Self {
        let Window { context, main, .. } = window;
        context.state.belong_to(site);
        Self { context, main, limits, pointer: Mutex::default(), _place: place }
    }

    /// The viewport as PNG.
    ///
    /// # Errors
    /// [`PageFault::DrawTimeout`], a crash of the page, or a failure of the browser.
    pub async fn screenshot(&self, speed: ScreenshotSpeed) -> Result<Vec<u8>, BrowserError> {
        let limit = self.limits.evaluate_timeout.duration();
        match timeout(limit, self.capture(speed)).await {
            Ok(picture) => picture,
            Err(_) => Err(self.give_up(PageFault::DrawTimeout(limit)).await),
        }
    }

    /// Waits while the document is being replaced by another one: then the browser refuses at once.
    async fn capture(&self, speed: ScreenshotSpeed) -> Result<Vec<u8>, BrowserError> {
        let method = "Page.captureScreenshot";
        let params = json!({ "format": "png", "optimizeForSpeed": speed == ScreenshotSpeed::Fast });
        loop {
            match self.call(method, params.clone()).await {
                Err(BrowserError::Browser(BrowserFailure::Refused { message, .. }))
                    if message.contains(REPLACED) =>
                {
                    self.wait(CAPTURE_AGAIN).await?;
                }
                answer => {
                    let picture: Picture = parsed(method, &answer?)?;
                    return STANDARD
                        .decode(picture.data)
                        .map_err(|error| refused(method, &error.to_string()));
                }
            }
        }
    }

    /// Performs a step as a person would: scrolls the element into view, moves the pointer, presses keys.
    ///
    /// # Errors
    /// [`PageFault::Interaction`], [`PageFault::InteractionTimeout`], a crash of the page, or a failure of the
    /// browser.
    pub async fn perform(&self, step: &Step) -> Result<(), BrowserError> {
        if let Step::WaitMs(time) = step {
            return self.wait(Duration::from_millis(time.get())).await;
        }
        let limit = self.limits.interaction_timeout.duration();
        match timeout(limit, input::perform(self, step)).await {
            Ok(done) => done,
            Err(_) => Err(self.give_up(PageFault::InteractionTimeout(limit)).await),
        }
    }

    /// Waits, unless the page crashes.
    ///
    /// # Errors
    /// A crash of the page, or a failure of the browser.
    pub async fn wait(&self, time: Duration) -> Result<(), BrowserError> {
        let state = &self.context.state;
        tokio::select! {
            fault = state.failed() => Err(fault.into()),
            failure = self.context.browser.connection.end_reached() => Err(failure.into()),
            () = tokio::time::sleep(time) => Ok(()),
        }
    }

    /// The requests that were refused so far, at most the first 200.
    pub fn blocked(&self) -> Vec<BlockedRequest> {
        self.context.state.blocked()
    }

    /// Name and version of the browser, such as `Chrome/148.0.7778.167`.
    pub fn browser_version(&self) -> &str {
        &self.context.browser.version
    }

    /// Closes the page, forgets its storage, and waits for both.
    pub async fn close(self) {
        self.context.dispose().await;
    }

    pub(super) fn pointer(&self) -> Pointer {
        *self.pointer.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn set_pointer(&self, pointer: Pointer) {
        *self.pointer.lock().unwrap_or_else(PoisonError::into_inner) = pointer;
    }

    /// A request to the page, without a limit of its own.
    pub(super) async fn call(&self, method: &str, params: Value) -> Result<Box<RawValue>, BrowserError> {
        let state = &self.context.state;
        let call = self.context.browser.connection.call(Some(&self.main.session), method, params);
        let answer = tokio::select! {
            biased;
            fault = state.failed() => return Err(fault.into()),
            answer = call => answer,
        };
        answer.map_err(|error| match error {
            CallError::Gone(failure) => failure.into(),
            CallError::Refused(message) => {
                state.fault().map_or_else(|| refused(method, &message), BrowserError::Page)
            }
        })
    }

    /// Closes the page because it is past a limit; or finds that it is the browser that does not answer.
    async fn give_up(&self, fault: PageFault) -> BrowserError {
        let connection = &self.context.browser.connection;
        connection.tell(Some(&self.main.session), "Runtime.terminateExecution", &json!({}));
        if let Err(failure) = self.context.browser.check().await {
            return failure.into();
        }
        self.context.state.fail(fault.clone());
        self.context.dispose().await;
        fault.into()
    }
}

pub(super) fn parsed<'a, T: Deserialize<'a>>(method: &str, answer: &'a RawValue) -> Result<T, BrowserError> {
    serde_json::from_str(answer.get()).map_err(|error| refused(method, &error.to_string()))
}

pub(super) fn refused(method: &str, message: &str) -> BrowserError {
    BrowserFailure::Refused { method: method.to_owned(), message: message.to_owned() }.into()
}
