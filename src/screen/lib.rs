//! The terminal screen, a view of session snapshots. Keys become session commands and snapshots
//! become cells; the screen's own state is what is shown (step, pane, scroll, dialog).
//!
//! It opens no episode and reads no store: it sends each [`Request`] through a [`LabLink`] to a lab task, which answers beside
//! its loop. Bytes of the terminal are those of `terminal`.
//!
//! The entry point is [`run()`]. `update` is a pure function from model and message to changed model
//! and effects; `view` is a pure function from model to cells; `run` waits for messages, performs
//! effects and draws. Start with `model`, then `command` (the table of commands) and `update`.

mod action_arguments;
mod appearance;
mod builder;
mod command;
mod completions;
mod copy;
mod empty;
mod episode_state;
mod external_editor;
mod grid;
mod help;
mod home;
mod inbox;
mod keymap;
mod layout;
mod linear;
mod modals;
mod model;
mod models;
mod offscreen;
mod pane;
mod panes;
mod readers;
mod recorded_episodes;
mod requests;
mod run;
mod search;
mod sent_frame;
mod settings;
mod shown_request;
mod small_frame;
mod sweep;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
mod tutor;
mod update;
mod view;
mod workshop;

pub use self::episode_state::EpisodeState;
pub use self::panes::mark_symbol;
pub use appearance::{Appearance, DisplaySettings, FrameView, Motion};
pub use keymap::{KeyRow, Keymap, join_keys};
pub use offscreen::{CountedTerminal, OffscreenScreen};
pub use recorded_episodes::{EpisodeOutline, RecordedEpisodes};
pub use requests::{
    AddedStep, Annotated, AnnotationOrder, Answer, Answered, Answers, AskAnswer, AskOrder, BlameVerdict,
    BranchRow, BuilderAnswer, BuilderOrder, CheckEntry, CheckState, FilledDraft, FindProgress, ForkOrder,
    FoundRow, HomeContents, HomeItem, HomePreview, HomeSection, KnownNames, LabLink, LoadedRecording,
    ModelAnswer, ModelEntry, ModelOrder, ModelTarget, Opened, OpenedWorkshop, OracleQuestion, PlannedBlame,
    PlannedSelection, PlannedSight, PlannedWords, Player, RatedReply, ReadReply, ReaderAnswer, ReaderEntry,
    ReaderOrder, Request, Requested, ServerEntry, SessionBatch, SessionSummary, SuggestedValue, SuiteAnswer,
    SuiteDetails, SuiteEntry, SuiteOrder, SuiteWords, SweepOffers, SweepOrder, SweepSelection,
    WantedRecording, WorkshopAnswer, WorkshopOrder, WorkshopPlace,
};
pub use run::{ScreenSpec, is_terminal, run};
pub use small_frame::SmallFrame;
pub use sweep::{
    CellDifference, CellEpisodes, CellPhase, CellView, DashboardSources, EpisodeRow, Incident, IncidentKind,
    LimitUse, MapSquare, PlaceContent, PlaceScore, RunningEpisode, ScoreMap, SweepPreview, SweepScores,
    SweepView,
};
pub use tutor::Lesson;
