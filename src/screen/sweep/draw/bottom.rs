//! The rows below the content: details of what is selected, a remark, and the keys.

use unicode_width::UnicodeWidthStr;

use super::DashboardLook;
use super::pen::Pen;
use crate::command::CommandId;
use crate::keymap::Bindings;
use crate::sweep::content::Content;
use crate::sweep::page::Page;
use crate::sweep::state::{Confirmed, DashboardState};
use crate::sweep::view::CellPhase;
use mageyard_terminal::StyleRole;

/// Draws the rows.
pub(super) fn draw(
    content: &Content,
    state: &DashboardState,
    (look, details): (&DashboardLook<'_>, &str),
    pen: &mut Pen<'_>,
) {
    let last = pen.area.height - 1;
    pen.put((1, last - 2), details, StyleRole::Text);
    let quit = "stop the run? cells can be continued later: q or y stops, any other key goes on";
    let notice = look.notice.and_then(|notices| notices.lines().last()).unwrap_or_default();
    let cancel =
        "cancel the sweep for all its workers? they end after their steps: y cancels, any other key does not";
    let remark = match (state.confirms, state.remark.as_str(), notice) {
        (Some(Confirmed::Quit), ..) => quit,
        (Some(Confirmed::Cancel), ..) => cancel,
        (None, "", "") => content.view.note.as_str(),
        (None, "", notice) => notice,
        (None, remark, _) => remark,
    };
    pen.put((1, last - 1), remark, StyleRole::Notice);
    draw_hints(hints(content, state), look.keys, last, pen);
}

/// Draws the keys. The last two are help and quit, which are always there; of the others those that fit.
fn draw_hints(hints: Vec<(Vec<CommandId>, String)>, keys: &Bindings, row: u16, pen: &mut Pen<'_>) {
    let first = |command: &CommandId| keys.keys(*command).into_iter().next();
    let named = hints.into_iter().map(|(commands, what)| {
        let keys: Vec<String> = commands.iter().filter_map(first).collect();
        (keys.join(" "), format!(" {what}  "))
    });
    let named: Vec<(String, String)> = named.filter(|(keys, _)| !keys.is_empty()).collect();
    let widths: Vec<usize> = named.iter().map(|(keys, what)| keys.width() + what.width()).collect();
    let kept = named.len().saturating_sub(2);
    let mut room = usize::from(pen.area.width).saturating_sub(1 + widths[kept..].iter().sum::<usize>());
    let mut column = 1;
    for (index, ((keys, what), width)) in named.iter().zip(&widths).enumerate() {
        if index < kept && *width > room {
            continue;
        }
        room = if index < kept { room - width } else { room };
        column = pen.put((column, row), keys, StyleRole::Key);
        column = pen.put((column, row), what, StyleRole::Dim);
    }
}

/// Commands with what they do on this page; those with one label share an entry.
fn hints(content: &Content, state: &DashboardState) -> Vec<(Vec<CommandId>, String)> {
    use CommandId::{
        SweepBack as Back, SweepDown as Down, SweepFilter as Filter, SweepFind as Find, SweepHelp as Help,
        SweepLeft as Left, SweepNextMap as NextMap, SweepOpen as Open, SweepPause as Pause,
        SweepPreviousMap as PreviousMap, SweepQuit as Quit, SweepRight as Right, SweepSort as Sort,
        SweepSwitch as Switch, SweepUp as Up,
    };
    let quit = if content.view.is_run && !content.view.has_ended { "stop and quit" } else { "quit" };
    let hint = |commands: &[CommandId], what: &str| (commands.to_vec(), what.to_owned());
    if state.help.get().is_some() {
        return vec![hint(&[Up, Down], "scroll"), hint(&[Back], "close"), hint(&[Quit], "close")];
    }
    let mut hints = match state.page(content) {
        Page::Map => {
            vec![hint(&[Left, Down, Up, Right], "select"), hint(&[Open], "cell"), hint(&[Switch], "table")]
        }
        Page::Table => {
            let listed = format!("list: {}", state.only.map_or("all cells", CellPhase::name));
            vec![
                hint(&[Down, Up], "select"),
                hint(&[Open], "episodes"),
                hint(&[Filter], &listed),
                hint(&[Sort], &format!("sort: {}", state.sort.name())),
                hint(&[Switch], "now"),
            ]
        }
        Page::Activity => {
            let first = if content.maps().is_empty() { "table" } else { "map" };
            vec![hint(&[Down, Up], "select"), hint(&[Open], "watch"), hint(&[Switch], first)]
        }
        Page::Cell => {
            let listed = format!("list: {}", state.filter.name());
            vec![
                hint(&[Down, Up], "select"),
                hint(&[Open], "steps"),
                hint(&[Filter], &listed),
                hint(&[Back], "back"),
            ]
        }
    };
    if state.page(content) == Page::Map && content.maps().len() > 1 {
        hints.push(hint(&[NextMap, PreviousMap], "maps"));
    }
    if !content.view.has_ended && content.view.episodes().0 < content.view.episodes().1 {
        let paused = !content.view.control.is_empty();
        hints.push(hint(&[Pause], if paused { "resume" } else { "pause" }));
    }
    hints.push(hint(&[Find], "find"));
    hints.extend([hint(&[Help], "help"), hint(&[Quit], quit)]);
    hints
}
