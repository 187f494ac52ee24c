//! The rows below the content: details of what is selected, a remark, and the keys.

use super::pen::Pen;
use crate::tui::dashboard_command::DashboardCommand;
use crate::tui::keymap::Bindings;
use crate::tui::sweep::content::Content;
use crate::tui::sweep::page::Page;
use crate::tui::sweep::state::DashboardState;
use crate::tui::sweep::view::CellState;
use crate::tui::theme::StyleRole;

/// Draws the rows.
pub(super) fn draw(
    content: &Content,
    state: &DashboardState,
    keys: &Bindings<DashboardCommand>,
    details: &str,
    pen: &mut Pen<'_>,
) {
    let last = pen.area.height - 1;
    pen.put((1, last - 2), details, StyleRole::Text);
    let quit = "stop the run? cells can be continued later: q or y stops, any other key goes on";
    let remark = match (state.confirms_quit, state.remark.as_str()) {
        (true, _) => quit,
        (false, "") => content.view.note.as_str(),
        (false, remark) => remark,
    };
    pen.put((1, last - 1), remark, StyleRole::Notice);
    let hints = hints(content, state);
    let mut column = 1;
    for (commands, what) in hints {
        let first = |command: &DashboardCommand| keys.keys(*command).into_iter().next();
        let shown: Vec<String> = commands.iter().filter_map(first).collect();
        if !shown.is_empty() {
            column = pen.put((column, last), &shown.join(" "), StyleRole::Key);
            column = pen.put((column, last), &format!(" {what}  "), StyleRole::Dim);
        }
    }
}

/// Commands with what they do on this page; those with one label share an entry.
fn hints(content: &Content, state: &DashboardState) -> Vec<(Vec<DashboardCommand>, String)> {
    use DashboardCommand::{
        Back, Down, Filter, Help, Left, NextMap, Open, PreviousMap, Quit, Right, Switch, Up,
    };
    let quit = if content.view.is_run && !content.view.has_ended { "stop and quit" } else { "quit" };
    let hint = |commands: &[DashboardCommand], what: &str| (commands.to_vec(), what.to_owned());
    if state.help.is_some() {
        return vec![hint(&[Up, Down], "scroll"), hint(&[Back], "close"), hint(&[Quit], "close")];
    }
    let mut hints = match state.page(content) {
        Page::Map => {
            vec![hint(&[Left, Down, Up, Right], "select"), hint(&[Open], "cell"), hint(&[Switch], "table")]
        }
        Page::Table => {
            let listed = format!("list: {}", state.only.map_or("all cells", CellState::name));
            let map = (!content.maps.is_empty()).then(|| hint(&[Switch], "map"));
            let own = vec![hint(&[Down, Up], "select"), hint(&[Open], "episodes"), hint(&[Filter], &listed)];
            own.into_iter().chain(map).collect()
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
    if state.page(content) == Page::Map && content.maps.len() > 1 {
        hints.push(hint(&[NextMap, PreviousMap], "maps"));
    }
    hints.extend([hint(&[Help], "help"), hint(&[Quit], quit)]);
    hints
}
