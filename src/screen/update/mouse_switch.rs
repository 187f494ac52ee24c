//! Switching the mouse on and off.

use super::Effect;
use crate::model::Model;

/// Switches the mouse, or sets it, and says its state.
pub(super) fn switch(model: &mut Model, to: Option<bool>, effects: &mut Vec<Effect>) {
    let on = to.unwrap_or(!model.device.mouse);
    if on != model.device.mouse {
        model.device.mouse = on;
        effects.push(Effect::Mouse(on));
    }
    model.notify(if on {
        "the mouse is on; most terminals select text with Shift held; :mouse switches it off"
    } else {
        "the mouse is off, so the terminal selects text; :mouse switches it on"
    });
}
