//! The engine: an episode as a fold over events, the driver that advances it, the journal that stores it, and the
//! session that takes commands from a screen or a verb.
//!
//! It plays any environment with any agent through their traits, and knows none of them by name. It composes no text of its
//! own (`dialog` does) and does not choose what is played (`lab` does).
//!
//! Start with [`Event`] and [`Need`] (what changes an episode and what it needs next), [`Episode`] (the fold), [`Driver`]
//! (written first, applied then), [`Controller`] (how far it goes) and [`Session`].

mod annotations;
mod atomic_file;
mod attempt;
mod branch;
mod breakpoints;
mod condition;
mod controller;
mod distance;
mod distance_search;
mod driver;
mod edit;
mod episode;
mod episode_analysis;
mod error_analysis;
mod event;
mod head;
mod journal;
mod live_reply;
mod persistent_list;
mod person_clock;
mod recorded_agent;
mod recorded_replies;
mod repetition;
mod replay;
mod reply_reader;
mod rewind;
mod seat;
mod served_model;
mod services;
mod session;
mod side;
mod snapshot;
mod step;
mod step_claims;
mod step_export;
mod step_request;
mod store;
mod summary;
#[cfg(test)]
mod tests;
mod utc;
mod wait;

pub use annotations::{
    Annotation, AnnotationError, AnnotationText, DamagedAnnotation, EpisodeAnnotations, SessionAnnotations,
    StepAnnotations, StepPlace, annotate_step, annotations_path, read_annotations,
};
pub use atomic_file::AtomicFile;
pub use attempt::{Attempt, FailedTry, PendingRequest, PromptVersion};
pub use branch::{Change, Continuation, Parent, Restored, branch_name, parse_branch_name};
pub use breakpoints::{BreakEffect, BreakVerdict, Breakpoint, Breakpoints, Phase};
pub use condition::{
    Condition, ConditionError, Judgement, Known, RecordedPath, StepView, TextFilter, Truth, UNKNOWN_DISTANCE,
    condition_names,
};
pub use controller::{Controller, RunControl};
pub use distance::{Detour, Distance, Distances, PathVerdict};
pub use distance_search::{DistanceSearch, search_distance};
pub use driver::{
    Advance, Driver, DriverError, EventSink, Participants, ReferenceSearch, RoleSeat, RoleSeats,
};
pub use edit::{Edit, EditError, EditTarget, PickedReply};
pub use episode::{AskAgainError, Episode, Need, OutOfTurn, RemainingPlan};
pub use episode_analysis::EpisodeAnalysis;
pub use error_analysis::{
    DeadState, DeadStateProof, DetourTotals, ErrorAnalysis, ErrorAnalyzer, FinishedStep, Mark, MarkSet,
    analyze, analyze_with,
};
pub use event::{Ending, Event};
pub use head::{BRANCH_FORMAT, Head, JOURNAL_FORMAT};
pub use journal::{
    Damage, ForkPoint, Journal, JournalCheck, JournalContents, JournalError, JournalLine, JournalLock,
    JournalOutline, JournalReader, JournalTail, LoadBlobError, OutlineStep, SessionBlobs, StoredEvent,
    StoredObservation, Torn, WriteGuard, blob_path, branch_journal, branch_numbers, check_guard,
    check_journal, create_branch_folder, episode_folder, load_blob, read_journal, read_journal_head,
    read_journal_tail, read_outline, repair_journal,
};
pub use live_reply::{LiveReplySnapshot, LiveWait, RetryDelay};
pub use persistent_list::PersistentList;
pub use person_clock::PersonClock;
pub use recorded_agent::{GivenReplies, RecordedAgent};
pub use recorded_replies::{recorded_replies, recorded_side_replies};
pub use replay::{
    ReplayError, RestoreError, extend_from, restore, restore_decision, restore_from, restore_step,
};
pub use reply_reader::ReplyReader;
pub use rewind::{RewindError, repeated_actions, rewind};
pub use seat::{Seat, SeatChoice, SeatError, SeatedAgent};
pub use served_model::ServedChange;
pub use services::EpisodeServices;
pub use session::{Session, SessionCommand, SessionOptions};
pub use side::{
    Inquiry, Purpose, RecordedRole, RecordedRoles, RoleTotals, SideEvent, SideExchange, TotalsByRole,
};
pub use snapshot::{Mode, RequestContext, RunState, SessionPlace, Snapshot, Waiting};
pub use step::{DeadStateCache, Effect, Step, Steps};
pub use step_claims::{decided_analysis, step_claims};
pub use step_export::{ExportSource, ExportedText, StepExport, StepExportError};
pub use step_request::{RequestView, compose_request, compose_step_request, compose_viewed_request};
pub use store::{Access, Deleted, SWEEPS_FOLDER, Store, StoreError};
pub use summary::{EpisodeSummary, StoredState, check_summary, read_summary, write_summary};
pub use utc::{utc_minute, utc_second};
pub use wait::Wait;
