//! The terminal screen, a view of session snapshots. Keys become session commands and snapshots
//! become cells; the screen's own state is what is shown (step, pane, scroll, dialog).
//!
//! The entry point is [`run`]. `update` is a pure function from model and message to changed model
//! and effects; `view` is a pure function from model to cells; `run` waits for messages, performs
//! effects and draws.

mod action_arguments;
mod appearance;
mod asking;
mod command;
mod completions;
mod copy;
mod dashboard_command;
mod external_editor;
mod inbox;
mod keymap;
mod layout;
mod linear;
mod modals;
mod model;
mod offscreen;
mod pane;
mod panes;
mod run;
mod search;
mod sent_frame;
mod shown_request;
mod suites;
mod sweep;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
mod tutor;
mod update;
mod view;

pub use self::panes::mark_symbol;
pub use appearance::Annotated;
pub use appearance::AnnotationOrder;
pub use appearance::Appearance;
pub use appearance::BranchRow;
pub use appearance::FindProgress;
pub use appearance::ForkOrder;
pub use appearance::FoundRow;
pub use appearance::FrameView;
pub use appearance::Host;
pub use appearance::HostEvent;
pub use appearance::LoadedRecording;
pub use appearance::Motion;
pub use appearance::SavedPrompt;
pub use appearance::ScreenSettings;
pub use appearance::SessionSummary;
pub use appearance::WantedRecording;
pub use asking::AnswerBar;
pub use asking::AskAnswer;
pub use asking::AskOrder;
pub use asking::AskReply;
pub use asking::AskSort;
pub use asking::AskVariant;
pub use asking::AskView;
pub use asking::AskedBranch;
pub use asking::BlameVerdict;
pub use asking::LeftOutMark;
pub use asking::PlannedAsk;
pub use asking::PlannedBlame;
pub use asking::PlannedWords;
pub use asking::RatedReply;
pub use keymap::KeyRow;
pub use keymap::Keymap;
pub use keymap::join_keys;
pub use offscreen::CountedTerminal;
pub use offscreen::OffscreenScreen;
pub use run::ScreenSpec;
pub use run::is_terminal;
pub use run::run;
pub use suites::AddedStep;
pub use suites::ComparedState;
pub use suites::SuiteAnswer;
pub use suites::SuiteDetails;
pub use suites::SuiteOrder;
pub use suites::SuiteRow;
pub use suites::SuiteView;
pub use suites::SuiteWords;
pub use suites::VariantAnswers;
pub use sweep::CellEpisodes;
pub use sweep::CellState;
pub use sweep::CellView;
pub use sweep::DashboardExit;
pub use sweep::DashboardSources;
pub use sweep::DashboardState;
pub use sweep::EpisodeRow;
pub use sweep::MapPlace;
pub use sweep::PlaceContent;
pub use sweep::PlaceScore;
pub use sweep::ScoreMap;
pub use sweep::SweepView;
pub use sweep::run_dashboard;
pub use tutor::Lesson;
