//! The request of the step under way, turn by turn: who speaks, which segment of the prompt a text is,
//! and where the frames stand. It is composed anew whenever it is drawn, so a changed window shows at once.

use ratatui::buffer::Buffer;
use ratatui::layout::Position;
use ratatui::layout::Rect;
use ratatui::text::Line;
use ratatui::text::Span;
use ratatui::text::Text;
use ratatui::widgets::Widget;

use crate::dialog::Request;
use crate::domain::Message;
use crate::domain::Piece;
use crate::domain::Role as Speaker;
use crate::domain::Segment;
use crate::engine::Mode;
use crate::engine::Snapshot;
use crate::tui::model::Model;
use crate::tui::model::Viewed;
use crate::tui::panes::cells;
use crate::tui::panes::many;
use crate::tui::theme::Role;
use crate::tui::wrap::wrap;

fn place(whole: Rect) -> Rect {
    super::middle(whole, 100, whole.height)
}

pub(super) fn draw(model: &Model, scroll: u16, whole: Rect, buf: &mut Buffer) {
    let place = place(whole);
    let foot = "[ ] AM  { } OM  p prompt · j k scroll · Esc closes";
    let inner = super::open(model, &title(model), foot, Role::BorderFocus, place, buf);
    let shown = lines(model, inner.width).into_iter().skip(scroll.into()).take(inner.height.into());
    Text::from(shown.collect::<Vec<_>>()).render(inner, buf);
}

pub(super) fn extent(model: &Model) -> (u16, u16) {
    let place = place(Rect::from((Position::ORIGIN, model.size)));
    let (width, height) = (place.width.saturating_sub(4), place.height.saturating_sub(2));
    (cells(lines(model, width).len()).saturating_sub(height), height.max(1))
}

/// The request, or why there is none.
fn request(viewed: &Viewed) -> Result<Request, &'static str> {
    let snapshot = &viewed.snapshot;
    match snapshot.request() {
        _ if snapshot.mode == Mode::Recorded => Err("this is a recording: nothing is asked any more"),
        _ if viewed.is_over() => Err("the episode is over: nothing is asked any more"),
        _ if snapshot.steps.is_empty() => Err("the environment is still opening"),
        None => Err("this environment has no prompts, so there is no request in words"),
        Some(request) => Ok(request),
    }
}

fn title(model: &Model) -> String {
    let Some(Ok(request)) = model.viewed().map(request) else { return "Request".into() };
    let step = request.ledger.rows().first().map_or(0, |row| row.step);
    let pieces = || request.messages.iter().flat_map(|message| &message.pieces);
    let images = pieces().filter(|piece| matches!(piece, Piece::Frame(..))).count();
    let characters: usize = pieces().map(characters).sum();
    format!("Request of step {step}: {}, {characters} characters", many(images, "image"))
}

fn characters(piece: &Piece) -> usize {
    match piece {
        Piece::Text(_, text) => text.chars().count(),
        Piece::Frame(..) => 0,
    }
}

fn lines(model: &Model, width: u16) -> Vec<Line<'static>> {
    let Some(viewed) = model.viewed() else { return Vec::new() };
    match request(viewed) {
        Ok(request) => turns(model, &viewed.snapshot, &request, width),
        Err(why) => wrap(why, width, &Span::raw(""), model.style(Role::Dim)),
    }
}

fn turns(model: &Model, snapshot: &Snapshot, request: &Request, width: u16) -> Vec<Line<'static>> {
    let window = snapshot.window;
    let words = format!(
        "what a model is asked now, by the prompt {}, AM {}, OM {}: {}, {}",
        snapshot.prompt,
        window.am(),
        window.om(),
        many(request.messages.len(), "turn"),
        many(request.ledger.outputs(), "output"),
    );
    let mut lines = wrap(&words, width, &Span::raw(""), model.style(Role::Dim));
    for (index, message) in request.messages.iter().enumerate() {
        lines.extend(turn(model, index + 1, message, width));
    }
    lines
}

fn turn(model: &Model, number: usize, message: &Message, width: u16) -> Vec<Line<'static>> {
    let who = match message.role {
        Speaker::System => "system",
        Speaker::User => "user",
        Speaker::Assistant => "assistant",
    };
    let head = Line::styled(format!("{number} {who}"), model.style(Role::TitleFocus));
    let mut lines = vec![Line::default(), head];
    lines.extend(message.pieces.iter().flat_map(|piece| shown(model, piece, width)));
    lines
}

fn shown(model: &Model, piece: &Piece, width: u16) -> Vec<Line<'static>> {
    match piece {
        Piece::Text(segment, text) => {
            let style = model.style(dress(*segment));
            let mut lines = vec![Line::styled(format!("  [{segment}]"), style)];
            lines.extend(wrap(text.trim_end(), width, &Span::styled("  │ ", style), model.style(Role::Text)));
            lines
        }
        Piece::Frame(step, picture) => {
            let words =
                format!("  ▣ image: the frame of step {step}, {}×{} px", picture.width(), picture.height());
            vec![Line::styled(words, model.style(Role::Title))]
        }
    }
}

/// The colour of a segment; its name always stands beside it.
fn dress(segment: Segment) -> Role {
    match segment {
        Segment::System => Role::Key,
        Segment::Task => Role::In,
        Segment::Cot => Role::MarkUnchanged,
        Segment::Io => Role::Action,
        Segment::Turn => Role::BorderFocus,
        Segment::Board => Role::Bar,
        Segment::Placeholder => Role::Out,
        Segment::Retry => Role::MarkUnread,
        Segment::Output => Role::Analysis,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::testing;

    fn text(model: &Model) -> String {
        lines(model, 90).iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn every_turn_segment_and_image_stands_in_words() {
        let model = testing::asking();
        assert_eq!(title(&model), "Request of step 7: 2 images, 364 characters");
        let text = text(&model);
        for part in [
            "by the prompt plain, AM 3, OM 2: 8 turns, 3 outputs",
            "1 system\n  [system]\n  │ You play.",
            "2 user\n  [task]\n  │ Solve it.",
            "  [placeholder]\n  │ (no frame)",
            "3 assistant\n  [output]",
            "  ▣ image: the frame of step 6, 112×112 px",
            "  ▣ image: the frame of step 7, 112×112 px",
        ] {
            assert!(text.contains(part), "{part}\n{text}");
        }
    }

    #[test]
    fn window_and_prompt_change_it_at_once() {
        let mut model = testing::asking();
        let with = |model: &mut Model, change: &dyn Fn(&mut Snapshot)| {
            let mut snapshot = Snapshot::clone(&model.episodes[0].snapshot);
            change(&mut snapshot);
            model.episodes[0].snapshot = snapshot.into();
            title(model)
        };
        let window = crate::domain::Window::new(3, 3).unwrap();
        assert!(with(&mut model, &|snapshot| snapshot.window = window).contains("3 images"));
        assert!(with(&mut model, &|snapshot| snapshot.prompt = "blind".into()).contains("0 images"));
        assert!(text(&model).contains("[board]"));
    }

    #[test]
    fn where_there_is_none_it_says_why() {
        assert!(text(&testing::model(120, 40)).contains("has no prompts"));
        let recorded = Snapshot { mode: Mode::Recorded, ..testing::story().snapshot() };
        assert!(text(&testing::on(recorded, 120, 40)).contains("this is a recording"));
    }
}
