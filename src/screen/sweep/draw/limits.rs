//! What was spent, as a bar against each limit.

use super::pen::Pen;
use crate::sweep::activity::LimitUse;
use mageyard_terminal::StyleRole;

/// The columns of a bar.
const BAR: u16 = 20;
/// From this share on, in thousandths, a bar warns.
const WARNS: u16 = 900;

/// Draws the limits beside each other in one row.
pub(super) fn draw(limits: &[LimitUse], pen: &mut Pen<'_>, row: u16) {
    let mut column = 1;
    for LimitUse { name, text, share } in limits {
        column = pen.put((column, row), &format!("{name} "), StyleRole::Dim);
        let full = BAR * (*share).min(1000) / 1000;
        let role = if *share >= WARNS { StyleRole::Warn } else { StyleRole::Bar };
        column = pen.put((column, row), &"█".repeat(full.into()), role);
        column = pen.put((column, row), &"░".repeat((BAR - full).into()), StyleRole::BarEmpty);
        let percent = f32::from(*share) / 10.0;
        column = pen.put((column, row), &format!(" {text}, {percent:.1} %   "), StyleRole::Text);
    }
}
