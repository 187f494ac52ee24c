//! Models that can be asked: the profiles of the settings, those inside the program, and what servers have. Nothing here is
//! printed, and nothing is asked unless a caller wants it.

mod checks;
mod facts;
mod key_check;
mod local;
mod save;
mod served;
#[cfg(test)]
mod tests;

pub use self::checks::{CheckOutcome, ModelCheck, check_model};
pub(crate) use self::facts::with_model;
pub use self::facts::{ModelFacts, ModelKind, check_profiles, model_facts};
pub use self::local::{LOCAL_SERVERS, LocalServer, find_local_servers, find_servers_at};
pub use self::save::{SavedProfile, save_profile};
pub use self::served::{served_models, with_served_models};

/// The setting that names a model, or a profile.
pub(crate) const MODEL_NAME: &str = "model.name";
