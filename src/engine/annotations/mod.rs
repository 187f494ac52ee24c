//! Tags and comments of steps. They are lines of a file beside the record of a session, so that the record stays as it
//! was. Several programs may add lines; removing is a line too.

mod annotation;
mod error;
mod file;
mod line;
mod of_episode;
mod of_session;
mod place;

pub use self::annotation::Annotation;
pub use self::error::AnnotationError;
pub use self::file::{annotate_step, annotations_path, read_annotations};
pub use self::of_episode::EpisodeAnnotations;
pub use self::of_session::{AnnotationText, DamagedAnnotation, SessionAnnotations, StepAnnotations};
pub use self::place::StepPlace;
