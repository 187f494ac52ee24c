//! What can go wrong with the real engine.

use std::time::Duration;

use thiserror::Error;

use super::super::Program;
use mageyard_domain::{EnvironmentError, sanitize};

/// How the engine is installed, and what else can be done.
const INSTALL: &str = "install it for Python 3.11 or older (Debian: sudo apt install build-essential cmake python3-dev \
                       python3-venv libgl1-mesa-dev libegl1-mesa-dev libsdl2-dev libsdl2-image-dev libsdl2-ttf-dev \
                       libsdl2-gfx-dev libboost-all-dev; then python3 -m venv grf && grf/bin/pip install 'setuptools<66' \
                       wheel psutil six && grf/bin/pip install --no-build-isolation gfootball==2.10.2) and name its \
                       interpreter with --set football.python=\"$PWD/grf/bin/python\", or play with football.engine=lite";

/// What drawing needs, and what else can be done.
const INSTALL_RENDERER: &str = "install a renderer for EGL (Debian: sudo apt install libegl1 libegl-mesa0 libgl1-mesa-dri), \
                                or choose --set football.view=board or broadcast";

/// Characters of foreign text that are shown.
const SHOWN: usize = 600;

/// Why the real engine does not play.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum EngineFailure {
    /// The interpreter cannot be started.
    #[error(
        "the real engine of football is not there: the Python interpreter {python} cannot be started ({reason}): {INSTALL}"
    )]
    NotStarted {
        /// The interpreter.
        python: String,
        /// The reason of the system.
        reason: String,
    },
    /// The interpreter has no engine.
    #[error(
        "the real engine of football is not there: {python} has no gfootball that works ({reason}): {INSTALL}"
    )]
    Absent {
        /// The interpreter.
        python: String,
        /// What Python said.
        reason: String,
    },
    /// The process has ended.
    #[error("the process of the real engine has ended{0}")]
    Ended(String),
    /// It ended when it was to draw a frame.
    #[error("the real engine cannot draw its frames{0}: {INSTALL_RENDERER}")]
    NoFrames(String),
    /// It gave no answer in time and was ended.
    #[error("the real engine gave no answer within {} s (setting football.engine_time), so it was ended", .0.as_secs())]
    Silent(Duration),
    /// Its answer cannot be read.
    #[error("the answer of the real engine cannot be read: {0}")]
    Unreadable(String),
    /// It refused an order.
    #[error("the real engine refused: {0}")]
    Refused(String),
}

impl From<EngineFailure> for EnvironmentError {
    fn from(failure: EngineFailure) -> Self {
        Self::Failed(failure.to_string())
    }
}

impl EngineFailure {
    pub(super) fn not_started(program: &Program, error: &std::io::Error) -> Self {
        Self::NotStarted { python: shown(program.interpreter()), reason: error.to_string() }
    }

    pub(super) fn absent(program: &Program, reason: &str) -> Self {
        Self::Absent { python: shown(program.interpreter()), reason: shown(reason) }
    }

    /// Ended, after these last words.
    pub(super) fn ended(words: &str) -> Self {
        Self::Ended(if words.is_empty() { String::new() } else { format!(": {}", shown(words)) })
    }

    /// Ended while drawing, for this reason.
    pub(super) fn no_frames(reason: &str) -> Self {
        Self::NoFrames(if reason.is_empty() { String::new() } else { format!(" ({})", shown(reason)) })
    }

    pub(super) fn unreadable(reason: impl std::fmt::Display) -> Self {
        Self::Unreadable(shown(&reason.to_string()))
    }

    pub(super) fn refused(reason: &str) -> Self {
        Self::Refused(shown(reason))
    }
}

/// Foreign text in one line of limited length, safe to show.
fn shown(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let short: String = line.chars().take(SHOWN).collect();
    let dots = if short.len() < line.len() { "…" } else { "" };
    format!("{}{dots}", sanitize(&short))
}
