//! The browser as a surface of live environments: pages of a real Chromium, each isolated from the others, from the
//! network and from the files of this machine.
//!
//! [`BrowserPool`] starts one browser and shares it; [`Page`] is one page of it. Pages are hostile: everything they
//! ask for is refused except the files of their own folder, and everything they do ends within limits. The browser
//! is driven over a pipe by a client of our own, so it ends when this program ends, however that happens. This crate
//! has no benchmarks, levels or scores.
//!
//! [`web`] is the browser for the live web, which has other walls.
//!
//! Start with `pool`, then `launch` (how a browser starts and ends) and `router` (what it answers by itself).

mod connection;
mod context;
mod crash_handler;
mod error;
mod event_handler;
mod finder;
mod input;
mod instance;
mod launch;
mod memory_watch;
mod open_place;
mod page;
mod page_state;
mod pool;
mod probe;
mod router;
mod settings;
mod shared_browser;
mod site;
mod step;
mod transport;
pub mod web;

pub use error::{BrowserError, BrowserFailure, InteractionFault, PageFault};
pub use finder::find_browser;
pub use page::{Page, ScreenshotSpeed, StablePicture};
pub use page_state::BlockedRequest;
pub use pool::BrowserPool;
pub use probe::{BrowserReport, probe_browser};
pub use settings::{BrowserSettings, NamedProgram, Viewport};
pub use step::{DragEnd, Place, Scroll, Step, Target, WaitMs};
