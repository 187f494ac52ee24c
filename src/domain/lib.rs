//! The domain types, and the traits that environments and agents implement.
//!
//! This is the bottom: every other crate but `statistics` uses it, and it uses none of them. It waits for nothing, reads no
//! clock and opens no file; a browser, a terminal or a server is never named here.
//!
//! Start with [`Environment`], [`EnvironmentSpec`] and [`World`] (what is played), [`Agent`] and [`Policy`] (who decides),
//! and [`Observation`] and [`Action`] (what passes between them).
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

mod act_problem;
mod action;
mod action_keys;
mod action_shape;
mod agent;
mod answer_shape;
mod benchmarks;
mod blob;
mod budget;
mod cancel_on_drop;
mod canvas;
mod capabilities;
mod cell_drawing;
mod checkpoint;
mod count_words;
mod digest;
mod duration_words;
mod ending;
mod endpoint_failure;
mod environment;
mod environment_context;
mod environment_spec;
mod episode_policy;
mod fitted_text;
mod frame_view;
mod glyph;
mod level;
mod level_check;
mod level_format;
mod level_generator;
mod level_import;
mod level_limits;
mod level_needs;
mod level_records;
mod level_statistics;
mod message;
mod mistakes;
mod money;
mod nearest;
mod observation;
mod observation_details;
mod outline;
mod perception;
mod picture;
mod policy;
mod preset;
mod price;
mod program_check;
mod prompt_import;
mod published_figure;
mod quoted_words;
mod rating;
mod recorded_reply;
mod repeated_request;
mod reply_ending;
mod reply_format;
mod result_format;
mod reward_terms;
mod sanitize;
mod score;
mod score_details;
mod seconds;
mod sent_request;
mod sequence_changes;
mod set_measure;
mod setting;
mod shared_resources;
mod shell;
mod side_request;
mod solver;
mod state_editor;
mod table_label;
mod text_encoding;
mod thought;
mod token_odds;
mod token_totals;
mod usage_estimate;
mod variable_text;
mod verdict;
mod window;
mod world;

pub use act_problem::ActProblem;
pub use action::{
    Action, ActionError, ActionSpace, ActionSpec, Arg, MisreadAction, Number, ParamKind, ParamSpec,
    WrittenAction, split_list,
};
pub use action_keys::{ActionKeys, KeyedParams};
pub use action_shape::ActionShape;
pub use agent::{
    Agent, AgentError, AgentEvent, AgentObserver, Answer, Cutoff, DecisionInput, Reply, ReplyOrigin, Usage,
};
pub use answer_shape::AnswerShape;
pub use benchmarks::{
    Benchmarks, Clocks, EngineComparison, EngineSpeed, EngineSpeeds, Measurement, Sample, Stopwatch,
};
pub use blob::{
    BlobError, BlobHandle, BlobRef, BlobStore, MAX_BLOB_BYTES, MemoryBlobStore, OverlayBlobStore,
};
pub use budget::{Budget, UnknownUsage};
pub use cancel_on_drop::CancelOnDrop;
pub use canvas::{Canvas, CanvasColor, Rect, SANS_BOLD};
pub use capabilities::{
    Capabilities, Engines, EpisodeRules, LevelFiles, NarrowedSpace, NoScoring, Perception, Persons, Policies,
    Presentation, PublishedFigures, Questions, RetryWithFeedback, Scoring, StartFromEpisode, Tools,
};
pub use cell_drawing::{CellDrawing, CellGrid, CellRole, DrawnCell, SECOND_COLUMN, SharedDrawing};
pub use checkpoint::{Checkpoint, Recovery};
pub use count_words::{count_noun, with_thousands};
pub use digest::Digest;
pub use duration_words::duration_words;
pub use ending::Ending;
pub use endpoint_failure::{EndpointFailure, Treatment};
pub use environment::{Environment, EnvironmentError, Opening, Outcome, Status};
pub use environment_context::EnvironmentContext;
pub use environment_spec::{EnvironmentSpec, LevelSet, OptionError, Options};
pub use episode_policy::{
    AttemptLimit, Confirm, EpisodePolicy, OnCut, OnRepeating, OnReplyFailure, OnUnreadable,
    RepetitionThresholds, TimeChecked, TimeCounted, WithoutPerson,
};
pub use fitted_text::FittedText;
pub use frame_view::{BoxPair, PairBoxes, PictureView, PixelBox, ViewPage, difference, side_by_side};
pub use glyph::Glyph;
pub use level::{FileNotes, Level, LevelError, LevelFile, LevelSource};
pub use level_check::LevelCheck;
pub use level_format::{FileLocation, LevelFormat, LevelFormatError, WriteLevels};
pub use level_generator::{
    Candidate, CandidateSource, CandidateWorker, KindParameter, LevelGenerator, LevelKey, LevelKind,
    LevelPreset, Rejection,
};
pub use level_import::{CheckoutImport, CheckoutLayout, FolderLevel, ListedLevel, PublishedResults};
pub use level_limits::{LevelLimits, LimitsOfLevel};
pub use level_needs::LevelNeeds;
pub use level_records::{
    FieldError, LevelRecords, NamedFile, NamedForm, RawRecord, ReadRecord, RecordFacts, RecordFault,
    RecordSplitter, RecordText, parse_records, read_json5, read_object, record_errors,
};
pub use level_statistics::{Figure, FigureTable, LevelFigures, LevelStatistics, Percentile};
pub use message::{DecodedPart, DecodedTurn, Message, MessagePart, Role, Segment};
pub use mistakes::Mistakes;
pub use money::{Amount, Rate};
pub use nearest::nearest_names;
pub use observation::{
    Observation, ObservationBuffer, ObservationPart, ObservationSource, PartId, PartKind, identity_of,
};
pub use observation_details::{
    DetailsError, Film, FilmFrame, ObservationDetails, ObservationInspector, RealTime,
};
pub use outline::{Outline, OutlinePart, OutlineReader, TEXT_SEPARATOR};
pub use perception::{Claim, Misreading, Probe, ProbeForm, ProbeKind, Probes, StateWords, VIEW_OPTION, View};
pub use picture::{NumberedBox, Picture, PictureError, picture_header};
pub use policy::{NamedPolicy, Policy, PolicyError};
pub use preset::{Preset, PresetRow, Presets};
pub use price::{Cost, ModelTotals, Price, Prices};
pub use program_check::{ProgramCheck, ProgramState};
pub use prompt_import::{ImportedPrompt, ImportedText, MissingText, PromptImport};
pub use published_figure::{
    Loss, PublishedColumn, PublishedErrors, PublishedFigure, PublishedResult, PublishedTable,
};
pub use quoted_words::quoted_words;
pub use rating::Rating;
pub use recorded_reply::{RecordedReply, ReplayDifference};
pub use repeated_request::repeated_tokens;
pub use reply_ending::ReplyEnding;
pub use reply_format::{Delimiter, Notation, ReplyFormat};
pub use result_format::{
    ResultEpisode, ResultFile, ResultFormat, ResultPart, ResultReply, ResultTurn, file_name_of,
};
pub use reward_terms::RewardTerms;
pub use sanitize::{escape_json, is_hidden, sanitize};
pub use score::{PublishedScore, Reference, Returns, TrainingRewards};
pub use score_details::{PairPlace, ScoreRow};
pub use seconds::Seconds;
pub use sent_request::{
    BLOB_SCHEME, RequestEncoder, RequestReader, SentImage, SentRequest, SentTurn, TOKEN_ESTIMATE_RULE, Turn,
    TurnPart, estimate_tokens,
};
pub use sequence_changes::{MAX_COMPARED_PAIRS, SequenceChange, common_ends, sequence_changes};
pub use set_measure::SetMeasure;
pub use setting::Setting;
pub use shared_resources::SharedResources;
pub use shell::{shell_quote, shell_quote_variables};
pub use side_request::{AnswerForm, Answered, Question, Settlement, ShownPart, SideRole, answer_to};
pub use solver::{
    LimitKind, Objective, SearchBudget, SearchFailure, SearchLimits, Solution, SolutionNotation, Solver,
};
pub use state_editor::{MoveDirection, Piece, StateEditor};
pub use table_label::table_label;
pub use text_encoding::{DecodedText, decode_text};
pub use thought::{Thought, merge_tags, with_thoughts};
pub use token_odds::{ActionOdds, LogProb, TokenOdds};
pub use token_totals::{RequestOutcome, TokenTotals, UnansweredRequests};
pub use usage_estimate::UsageEstimate;
pub use variable_text::{VariablePart, VariableText, is_variable_name};
pub use verdict::{Conclusion, Judgement, Judging, StoredEpisode, StoredStep, Verdict};
pub use window::{Window, WindowError};
pub use world::{World, from_world};
