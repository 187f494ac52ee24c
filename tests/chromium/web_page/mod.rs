//! Pages as agents of the live web read them: trees, selectors, acts, and roles and names as Chromium has them.

mod accessibility;
mod acts;
mod opened;
mod speed;
mod trees;

use libtest_mimic::Trial;

pub(crate) fn list() -> Vec<Trial> {
    [trees::list(), acts::list(), accessibility::list(), speed::list()].into_iter().flatten().collect()
}
