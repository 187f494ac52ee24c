//! What the asks at the steps of an episode took.

use std::path::Path;

use super::folder::{StoredAsk, asks_of};
use mageyard_domain::{ModelTotals, TokenTotals};
use mageyard_lab::LabError;

/// The tokens of all calls of the asks at an episode or a branch, by model; the candidates of the screen and the asks of a
/// suite are such asks. They are beside what the episode itself took. Failed calls count too.
pub fn ask_spending(journal: &Path) -> Result<Vec<ModelTotals>, LabError> {
    let mut totals: Vec<ModelTotals> = Vec::new();
    for ask in asks_of(journal, &|_| true)? {
        let StoredAsk { record, calls, .. } = ask;
        for call in calls {
            let model = record.variants.get(call.variant).map(|variant| variant.model_name().to_owned());
            add(&mut totals, model, call.spent);
        }
    }
    Ok(totals)
}

fn add(totals: &mut Vec<ModelTotals>, model: Option<String>, spent: TokenTotals) {
    if spent.requests == 0 {
        return;
    }
    match totals.iter_mut().find(|known| known.model == model) {
        Some(known) => known.spent = known.spent.plus(spent),
        None => totals.push(ModelTotals { model, spent }),
    }
}
