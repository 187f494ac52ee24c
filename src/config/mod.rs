//! The files that people edit: found, layered, read, and refused with the place of the mistake.
//! Only the screen and the verbs ask here.

mod problem;

pub use problem::Place;
pub use problem::Problem;
