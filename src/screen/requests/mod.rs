//! What the screen asks the lab for, beside its loop: each request is carried out here and answered by an event.

pub mod asking;
