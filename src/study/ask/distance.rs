//! How far the answers without a part are from those to the complete request.

use super::row::VariantRow;
use crate::comparison::total_variation;

/// Sets the distances of all rows from the first one, which is that of the complete request.
pub(super) fn set_distances(rows: &mut [VariantRow]) {
    let Some((complete, others)) = rows.split_first_mut() else { return };
    for row in others {
        row.distance = distance(complete, row);
    }
}

fn distance(one: &VariantRow, other: &VariantRow) -> Option<f64> {
    if one.replies == 0 || other.replies == 0 {
        return None;
    }
    let share = |row: &VariantRow, action: &Option<String>| {
        let found = row.answers.iter().find(|answer| answer.action == *action);
        found.and_then(|answer| answer.share.value()).unwrap_or_default()
    };
    let answers = one.answers.iter().chain(&other.answers).map(|answer| &answer.action);
    Some(total_variation(answers, |action| share(one, action), |action| share(other, action)))
}
