//! The terminal screen, a view of session snapshots. Keys become session commands and snapshots
//! become cells; the screen's own state is what is shown (step, pane, scroll, dialog).
//!
//! The entry point is [`run`]. `update` is a pure function from model and message to changed model
//! and effects; `view` is a pure function from model to cells; `run` waits for messages, performs
//! effects and draws.

mod action_arguments;
mod appearance;
mod asking;
mod backend;
mod canvas;
mod clipboard;
mod command;
mod completions;
mod console_symbols;
mod copy;
mod counted_output;
mod dashboard_command;
mod divider;
mod exit;
mod external_editor;
mod format;
mod graphics;
mod inbox;
mod keyboard;
mod keymap;
mod layout;
mod line_changes;
mod linear;
mod link;
mod modals;
mod model;
mod offscreen;
mod pane;
mod panes;
mod picture;
mod picture_changes;
mod picture_form;
mod picture_pane;
mod run;
mod search;
mod sent_frame;
mod shown_request;
mod suites;
mod svg;
mod sweep;
mod terminal;
mod terminal_input;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
mod text_editor;
mod theme;
mod tutor;
mod update;
mod view;
mod wrap;

pub use appearance::{
    Annotated, AnnotationOrder, Appearance, BranchRow, FindProgress, ForkOrder, FoundRow, FrameView, Host,
    HostEvent, LoadedRecording, Motion, SavedPrompt, ScreenSettings, SessionSummary, WantedRecording,
};
pub use asking::{
    AnswerBar, AskAnswer, AskOrder, AskReply, AskSort, AskVariant, AskView, AskedBranch, BlameVerdict,
    LeftOutMark, PlannedAsk, PlannedBlame, PlannedWords, RatedReply,
};
pub use clipboard::CopyRoute;
pub use divider::Proportions;
pub use exit::{Exit, ScreenError};
pub use keymap::{KeyRow, Keymap, join_keys};
pub use link::LinkProbe;
pub use offscreen::{CountedTerminal, OffscreenScreen};
pub use picture_form::{OutsideTerminal, PictureForm, Surroundings, TerminalReport, choose_form};
pub use picture_pane::PicturePane;
pub use run::{ScreenSpec, is_terminal, run};
pub use suites::{
    AddedStep, ComparedState, SuiteAnswer, SuiteDetails, SuiteOrder, SuiteRow, SuiteView, SuiteWords,
    VariantAnswers,
};
pub use svg::svg;
pub use sweep::{
    CellEpisodes, CellState, CellView, DashboardExit, DashboardSources, DashboardState, EpisodeRow, MapPlace,
    PlaceContent, PlaceScore, ScoreMap, SweepView, run_dashboard,
};
pub use terminal_input::{measure_link, probe_terminal};
pub use theme::{ColorDepth, StyleRole, Theme};
pub use tutor::Lesson;
pub(crate) use wrap::break_line;
