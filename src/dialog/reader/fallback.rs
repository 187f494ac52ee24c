//! Applies fallback rules to a reply whose delimiters give no action: the first rule that finds an action is used.

use std::ops::Range;

use super::anywhere::find_names;
use super::{ActionPart, FallbackMatch, Located, Spans, trimmed_span};
use crate::rules::{Fallback, Pick, Search};
use mageyard_domain::Action;

/// The maximum number of matches of a pattern that are examined. Every search can run to the end of the reply, so the
/// time is linear only if the number of searches is limited.
const MAX_MATCHES: usize = 1000;

/// A match that gives actions, and what it used of the reply.
struct Match {
    actions: Vec<Action>,
    spans: Spans,
}

/// The fallback rules for a reply.
pub(super) struct Fallbacks<'a>(pub(super) &'a ActionPart<'a>);

impl Fallbacks<'_> {
    /// The actions of the first rule that finds any; otherwise why the rules that have matches found none.
    pub(super) fn apply(&self) -> Result<(Vec<Action>, Spans), Vec<String>> {
        let mut reasons = Vec::new();
        for rule in &self.0.rules.fallbacks {
            match self.find_match(rule) {
                Ok(Some(Match { actions, spans })) => return Ok((actions, spans)),
                Ok(None) => {}
                Err(reason) => reasons.push(format!("{}: {reason}", rule.name)),
            }
        }
        Err(reasons)
    }

    /// The longest plan that a rule finds in the action part, if it has more actions than the ones found so far, of
    /// which members of the list were dropped.
    pub(super) fn longer(&self, actions: &[Action], spans: &Spans) -> Option<(Vec<Action>, Spans)> {
        let start = spans.action.as_ref().map_or(0, |part| part.start);
        let is_later = |found: &Match| found.spans.action.as_ref().is_some_and(|part| part.start >= start);
        let rules = self.0.rules.fallbacks.iter();
        let found = rules.filter_map(|rule| self.find_match(rule).ok().flatten()).filter(is_later);
        // Of equals the first rule.
        let longer =
            |best: Match, next: Match| if next.actions.len() > best.actions.len() { next } else { best };
        let longest = found.reduce(longer)?;
        let Match { actions: longer, spans: found } = longest;
        let analysis = spans.analysis.clone().or_else(|| found.analysis.clone());
        (longer.len() > actions.len()).then_some((longer, Spans { analysis, ..found }))
    }

    fn find_match(&self, rule: &Fallback) -> Result<Option<Match>, &'static str> {
        let (matches, count) = match &rule.search {
            Search::Pattern(pattern) => self.pattern_matches(rule, pattern.regex())?,
            Search::Anywhere { capitals } => self.name_matches(rule, *capitals),
        };
        if matches.is_empty() {
            return if count == 0 { Ok(None) } else { Err("no match gives an action") };
        }
        pick(rule.pick, matches).map(Some).ok_or("the matches give different actions")
    }

    /// The matches of a pattern that give actions, and the number of all matches.
    fn pattern_matches(
        &self,
        rule: &Fallback,
        regex: &regex::Regex,
    ) -> Result<(Vec<Match>, usize), &'static str> {
        let mut matches = Vec::new();
        let mut count = 0;
        for captures in regex.captures_iter(self.0.reply) {
            count += 1;
            if count > MAX_MATCHES {
                return Err("more than 1000 matches");
            }
            let (Some(whole), Some(action)) = (captures.get(0), captures.name("action")) else { continue };
            let apart =
                |analysis: &Range<usize>| analysis.end <= action.start() || action.end() <= analysis.start;
            let mut spans = self.spans(rule, whole.range());
            if let Some(analysis) = captures.name("analysis").map(|group| group.range()).filter(apart) {
                spans.analysis = Some(trimmed_span(self.0.reply, analysis));
            }
            let actions = self.parse_action(action.range(), &mut spans);
            let complete = spans.analysis.is_some() || !self.0.rules.requires_analysis;
            matches.extend(actions.filter(|_| complete).map(|actions| Match { actions, spans }));
        }
        Ok((matches, count))
    }

    /// Parses the group of a pattern as the text below an action heading.
    fn parse_action(&self, action: Range<usize>, spans: &mut Spans) -> Option<Vec<Action>> {
        self.0.parse(Located::Span(trimmed_span(self.0.reply, action)), spans).ok()
    }

    /// The action names in the reply, and the number of all of them.
    fn name_matches(&self, rule: &Fallback, capitals: bool) -> (Vec<Match>, usize) {
        let found = find_names(self.0.reply, capitals, self.0.action_space);
        let count = found.len();
        let matches = found.into_iter().filter_map(|names| {
            let actions = self.as_reply(names.actions, count)?;
            let mut spans = Spans { action: Some(names.span.clone()), ..self.spans(rule, names.span) };
            if let Some(leniency) = names.leniency {
                spans.record_leniency(leniency);
            }
            Some(Match { actions, spans })
        });
        let complete = |found: &Match| found.spans.analysis.is_some() || !self.0.rules.requires_analysis;
        (matches.filter(complete).collect(), count)
    }

    /// The names of one of `count` matches as the actions of a reply. Several names are a list, so different ones are
    /// not one action; in a list, a single name among other matches is more likely prose than a plan.
    fn as_reply(&self, names: Vec<Action>, count: usize) -> Option<Vec<Action>> {
        if self.0.format.list {
            return Some(names).filter(|names| names.len() > 1 || count == 1);
        }
        let same = names.windows(2).all(|pair| pair[0] == pair[1]);
        names.into_iter().next().filter(|_| same).map(|name| vec![name])
    }

    /// The spans of a match. The analysis is the text before it.
    fn spans(&self, rule: &Fallback, span: Range<usize>) -> Spans {
        let analysis = Some(trimmed_span(self.0.reply, 0..span.start)).filter(|range| !range.is_empty());
        Spans {
            analysis,
            fallback: Some(FallbackMatch { rule: rule.name.clone(), span }),
            ..Spans::default()
        }
    }
}

/// The match that counts; `None` if only one result is allowed and there are several.
fn pick(pick: Pick, matches: Vec<Match>) -> Option<Match> {
    let same = |matches: &[Match]| matches.windows(2).all(|pair| pair[0].actions == pair[1].actions);
    match pick {
        Pick::First => matches.into_iter().next(),
        Pick::Last => matches.into_iter().next_back(),
        Pick::Longest => matches.into_iter().max_by_key(|found| found.actions.len()),
        Pick::Only => Some(matches).filter(|matches| same(matches))?.into_iter().next_back(),
    }
}
