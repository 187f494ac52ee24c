//! The tokens that a server reports, reconciled. Servers count reasoning inside the output or beside it, and cached tokens
//! inside the input or beside it; the total tells which. What no way of counting explains is unknown, never a guess.
//!
//! The ways of counting are in the table of `docs/report.md`, which the tests read.

use serde_json_borrow::Value;

use mageyard_domain::Usage;

/// The numbers of a report as the server names them; 0 for what it does not report.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct ReportedUsage {
    input: u64,
    output: u64,
    /// The sum of everything, if it is reported.
    total: u64,
    reasoning: u64,
    cached: u64,
    cache_writes: u64,
}

/// A report of tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TokenReport {
    /// The tokens as they are billed.
    Known(Usage),
    /// The numbers contradict each other.
    Contradictory(ReportedUsage),
}

/// Fields with the details of the input, then of the output.
const INPUT_DETAILS: [&str; 2] = ["prompt_tokens_details", "input_tokens_details"];
const OUTPUT_DETAILS: [&str; 2] = ["completion_tokens_details", "output_tokens_details"];

impl ReportedUsage {
    /// The numbers of a `usage` of chat completions or Responses; `None` if it has no counts.
    pub(super) fn read(usage: &Value<'_>) -> Option<Self> {
        let count = |names: &[&'static str]| names.iter().find_map(|name| usage.get(*name).as_u64());
        let detail = |places: &[&'static str], names: &[&'static str]| {
            let of =
                |place: &&'static str| names.iter().find_map(|name| usage.get(*place).get(*name).as_u64());
            places.iter().find_map(of)
        };
        let or = |one: Option<u64>, names: &[&'static str]| one.or_else(|| count(names)).unwrap_or_default();
        let cached = detail(&INPUT_DETAILS, &["cached_tokens"]);
        let written = detail(&INPUT_DETAILS, &["cache_write_tokens", "cache_creation_tokens"]);
        Some(Self {
            input: count(&["prompt_tokens", "input_tokens"])?,
            output: count(&["completion_tokens", "output_tokens"])?,
            total: count(&["total_tokens"]).unwrap_or_default(),
            reasoning: or(detail(&OUTPUT_DETAILS, &["reasoning_tokens"]), &["reasoning_tokens"]),
            cached: or(cached, &["prompt_cache_hit_tokens", "cached_tokens", "cache_read_input_tokens"]),
            cache_writes: or(written, &["cache_creation_input_tokens"]),
        })
    }

    /// Whether tokens of reasoning are reported.
    pub(super) fn has_reasoning(self) -> bool {
        self.reasoning > 0
    }

    /// The tokens as they are billed.
    pub(super) fn reconciled(self) -> TokenReport {
        let known = match self.total {
            0 => self.readings().next(),
            total => self.explained(total).or_else(|| self.hidden_reasoning(total)),
        };
        known.map_or(TokenReport::Contradictory(self), TokenReport::Known)
    }

    /// The only reading with this total.
    fn explained(self, total: u64) -> Option<Usage> {
        let mut readings =
            self.readings().filter(|usage| usage.input.checked_add(usage.output) == Some(total));
        let first = readings.next()?;
        readings.all(|other| other == first).then_some(first)
    }

    /// Output that only the total has: reasoning of which the server reports no number of its own.
    fn hidden_reasoning(self, total: u64) -> Option<Usage> {
        let output = total.checked_sub(self.input).filter(|output| *output > self.output)?;
        let input_is_whole = self.cached.saturating_add(self.cache_writes) <= self.input;
        let is_hidden = self.reasoning == 0 && input_is_whole;
        is_hidden.then_some(Usage { output, ..self.usage(self.input, self.output) })
    }

    /// All ways to count, the usual one first. A part is never larger than the whole that it is in.
    fn readings(self) -> impl Iterator<Item = Usage> {
        let Self { input, output, reasoning, cached, cache_writes, .. } = self;
        let inputs = [
            (0, cached, cache_writes),
            (cached, 0, cache_writes),
            (cache_writes, cached, 0),
            (cached.saturating_add(cache_writes), 0, 0),
        ];
        let inputs = inputs.into_iter().filter(move |(_, one, other)| one.saturating_add(*other) <= input);
        let outputs = [(reasoning <= output).then_some(0), Some(reasoning)];
        inputs.flat_map(move |(beside, _, _)| {
            let outputs = outputs.into_iter().flatten();
            outputs.map(move |more| self.usage(input.saturating_add(beside), output.saturating_add(more)))
        })
    }

    fn usage(self, input: u64, output: u64) -> Usage {
        Usage { input, output, cached: self.cached, cache_writes: self.cache_writes }
    }

    /// The note on numbers that contradict each other.
    pub(super) fn contradiction(self) -> String {
        let Self { input, output, total, reasoning, cached, cache_writes } = self;
        format!(
            "the tokens that the server reports contradict each other, so they count as unknown: input {input}, \
             output {output}, total {total}, reasoning {reasoning}, cached {cached}, written into the cache {cache_writes}"
        )
    }
}

/// The newest numbers, which are cumulative. A zero after a real number is one that the server left out.
pub(super) fn merged(before: Usage, now: Usage) -> Usage {
    let input = if now.input == 0 { before } else { now };
    let output = if now.output == 0 { before.output } else { now.output };
    Usage { output, ..input }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = include_str!("../../../docs/report.md");

    /// The rows of the table: the report, and the tokens in, cached, written and out; `None` for unknown.
    fn rows() -> Vec<(String, Option<Usage>)> {
        let lines = PAGE.lines().filter(|line| line.starts_with("| ") && line.contains("`{\""));
        let row = |line: &str| {
            let cells: Vec<_> = line.trim_matches('|').split(" | ").map(str::trim).collect();
            let numbers: Vec<u64> = cells[2..].iter().filter_map(|cell| cell.parse().ok()).collect();
            let usage = <[u64; 4]>::try_from(numbers).ok();
            let usage = usage.map(|[input, cached, cache_writes, output]| Usage {
                input,
                output,
                cached,
                cache_writes,
            });
            assert_eq!(usage.is_none(), cells[2] == "unknown", "{line}");
            (cells[1].trim_matches('`').to_owned(), usage)
        };
        lines.map(row).collect()
    }

    #[test]
    fn every_dialect_of_the_table_is_counted_as_it_says() {
        let rows = rows();
        assert!(rows.len() >= 14, "{} rows", rows.len());
        for (text, expected) in rows {
            let value: Value<'_> = serde_json::from_str(&text).unwrap();
            let found = match ReportedUsage::read(&value).map(ReportedUsage::reconciled) {
                Some(TokenReport::Known(usage)) => Some(usage),
                _ => None,
            };
            assert_eq!(found, expected, "{text}");
        }
    }

    #[test]
    fn zeros_do_not_replace_real_numbers() {
        let real = Usage { input: 100, output: 4, cached: 30, cache_writes: 0 };
        assert_eq!(merged(real, Usage::default()), real);
        assert_eq!(merged(Usage::default(), real), real);
        let later = Usage { input: 100, output: 9, cached: 30, cache_writes: 0 };
        assert_eq!(merged(real, later), later);
    }
}
