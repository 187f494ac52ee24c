//! The terminal.

mod backend;
mod canvas;
mod clipboard;
mod console_symbols;
mod counted_output;
mod divider;
mod exit;
mod format;
mod graphics;
mod keyboard;
mod line_changes;
mod link;
mod picture;
mod picture_changes;
mod picture_form;
mod picture_pane;
mod svg;
mod terminal;
mod terminal_input;
mod text_editor;
mod theme;
mod wrap;
pub use self::backend::{CellWriter, skipped_cells};
pub use self::canvas::{Canvas, DrawFn, SuspendTarget};
pub use self::divider::{Border, Divider, Drag, Split, Splitter};
pub use self::format::{count_of, decimal, delay, signed, to_cells};
pub use self::keyboard::{Events, InputDecoder, Keyboard, spawn_keyboard};
pub use self::line_changes::{ChangedLine, LineChange, ShownLines, folded, line_changes};
pub use self::link::{Link, QUESTION, Traffic};
pub use self::picture::{
    FrameCache, PanSteps, PictureRoom, PictureZoom, Placement, can_magnify, fitted_size, is_legible,
    with_shapes,
};
pub use self::picture_changes::PictureChanges;
pub use self::picture_form::{ChosenForm, possible_form};
pub use self::terminal::{Terminal, stop};
pub use self::terminal_input::{Answer, TerminalEvent, TerminalInput, ask_terminal};
pub use self::text_editor::{TEXT_LIMIT, TextEditor, visible_text};
pub use self::wrap::{break_line, column_window, truncate, wrap};
pub use clipboard::{CLIPBOARD_LIMIT, CopyRoute, osc52_sequence};
pub use console_symbols::{console_symbol, replace_for_console};
pub use divider::Proportions;
pub use exit::{Exit, ScreenError};
pub use link::LinkProbe;
pub use picture_form::{OutsideTerminal, PictureForm, Surroundings, TerminalReport, choose_form};
pub use picture_pane::PicturePane;
pub use svg::svg;
pub use terminal_input::{measure_link, probe_terminal};
pub use theme::{ColorDepth, StyleRole, Theme};
