//! Live pages: a session of the browser for the web, acts on it, and what is seen of it.

mod access;
mod acts;
mod browsers;
mod environment;
mod looking;
mod note;
mod touches;
mod tree;

pub use self::access::CurrentTab;
pub(crate) use self::environment::Web;
pub use self::tree::{PageTarget, tree_of};

/// An internal failure of the environment.
fn failed(error: impl std::fmt::Display) -> mageyard_domain::EnvironmentError {
    mageyard_domain::EnvironmentError::Failed(error.to_string())
}
