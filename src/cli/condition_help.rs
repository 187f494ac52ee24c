//! The language of conditions, as the complete help of the verbs explains it.

/// What a condition can be made of.
pub(super) const CONDITIONS: &str = "\
Conditions:
  Marks        parse, ending, dropped, ia, ra, ren, act, same, off_path, dead, edited, or any
  In a row     ra>=3, same>=2: the number of steps in a row, up to this one, with the mark
  Numbers      step, reward, reward_drop (how far the sum fell), sum, tokens, tokens_in, tokens_out,
               attempts, dropped (ignored list members), distance (moves left), cost, am, om,
               latency (milliseconds); with = != < <= > >=
  By role      tokens(judge), tokens_in(reward), cost(agent): requests of a role, or for the decision;
               role=judge: with a side request of that role
  Texts        action, text (the reply), seen (the observation), note, agent, model, prompt,
               environment, level, reader; with = != or ~ (contains), text~/a pattern/
  By people    tag=NAME, tag~part, comment~text (find only)
  Recordings   differs(SESSION): the first step whose state or action differs
  Combined     and, or (also a comma), not, parentheses; quote a value with spaces: text~\"no way\"";
