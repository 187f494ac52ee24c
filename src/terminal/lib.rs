//! The terminal as a device: cells to bytes, pictures to pixels or cells, bytes to keys and answers, and themes.
//!
//! It has no episodes, panes or dialogs: those are in `screen`. Everything that a terminal may do wrong is handled here: late
//! answers, slow links, missing characters, a size that changes, a program that ends at any time.
//!
//! Start with [`Terminal`] (set up and restored), `backend` (few bytes), `terminal_input` (keys apart from answers),
//! `picture` and `graphics` (frames), [`Link`] (one frame on its way at most) and [`Theme`].

mod backend;
mod canvas;
mod clipboard;
mod color_choice;
mod console_symbols;
mod counted_output;
mod divider;
mod exit;
mod format;
mod graphics;
mod keyboard;
mod known_terminal;
mod line_changes;
mod link;
mod picture;
mod picture_changes;
mod picture_form;
mod picture_pane;
mod size;
pub mod surroundings;
mod svg;
mod terminal;
mod terminal_input;
mod text_editor;
mod theme;
mod wrap;

pub use self::backend::{CellWriter, skipped_cells};
pub use self::canvas::{Canvas, DrawFn, SuspendTarget};
pub use self::clipboard::{CLIPBOARD_LIMIT, CopyRoute, osc52_sequence};
pub use self::color_choice::choose_depth;
pub use self::console_symbols::{console_symbol, replace_for_console};
pub use self::divider::{Border, Divider, Drag, Proportions, Split, Splitter};
pub use self::exit::{ScreenError, ScreenExit};
pub use self::format::{count_of, decimal, delay, signed, to_cells};
pub use self::keyboard::{Events, InputDecoder, Keyboard, spawn_keyboard};
pub use self::known_terminal::KnownTerminal;
pub use self::line_changes::{ChangedLine, LineChange, ShownLines, folded, line_changes};
pub use self::link::{Link, LinkProbe, QUESTION, Traffic};
pub use self::picture::{
    FrameCache, PanSteps, PictureRoom, PictureZoom, Placement, can_magnify, fitted_size, is_legible,
    with_shapes,
};
pub use self::picture_changes::PictureChanges;
pub use self::picture_form::{
    ChosenForm, OutsideTerminal, PictureForm, Surroundings, TerminalReport, choose_form, possible_form,
};
pub use self::picture_pane::PicturePane;
pub use self::size::{USUAL_SIZE, terminal_size};
pub use self::svg::svg;
pub use self::terminal::{Terminal, stop};
pub use self::terminal_input::{
    ANSWER_TIME, AwaitedAnswers, TerminalAnswer, TerminalEvent, TerminalInput, ask_terminal, measure_link,
    probe_terminal,
};
pub use self::text_editor::{TEXT_LIMIT, TextEditor, visible_text};
pub use self::theme::{ColorDepth, StyleRole, Theme, configured_theme, load_theme, theme_catalog};
pub use self::wrap::{break_line, column_window, truncate, wrap};
