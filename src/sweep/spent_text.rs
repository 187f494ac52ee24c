//! What a sweep has spent, in words.

use mageyard_domain::with_thousands;
use mageyard_lab::Spent;

/// What was spent, as text that follows something else; empty if there was no request.
pub fn spent_text(spent: &Spent) -> String {
    if spent.totals.requests == 0 {
        return String::new();
    }
    let costs = spent.costs.iter().map(|(currency, amount)| format!(", {amount} {currency}"));
    let costs = costs.collect::<Vec<_>>().concat();
    let unknown = match spent.unknown {
        0 => String::new(),
        unknown => format!(", cost of {unknown} requests unknown"),
    };
    #[expect(clippy::cast_precision_loss, reason = "a number to read")]
    let tokens = with_thousands(spent.totals.usage.total() as f64);
    format!(", {} requests, {tokens} tokens{costs}{unknown}", spent.totals.requests)
}
