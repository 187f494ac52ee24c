//! The panes: their names and help texts.

/// A pane. The order is that of Tab.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Pane {
    Frame,
    Agent,
    Memory,
    Score,
    Steps,
}

impl Pane {
    pub(crate) const ALL: [Self; 5] = [Self::Frame, Self::Agent, Self::Memory, Self::Score, Self::Steps];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Frame => "Frame",
            Self::Agent => "Agent",
            Self::Memory => "Memory",
            Self::Score => "Score",
            Self::Steps => "Steps",
        }
    }

    /// What the pane shows, for the help.
    pub(crate) fn description(self) -> &'static str {
        match self {
            Self::Frame => {
                "The observation of the environment at this step, as a picture or as text. An environment can have more views of it, such as what was wanted, both side by side, their difference, and the boxes of matched pairs with their scores: solid lines for the first of a pair, dashed ones for the second; a click or the next and previous keys of replies select a pair. A picture that is larger than the pane can be magnified and panned."
            }
            Self::Agent => {
                "The agent's replies at this step and how they were parsed. The bar beside the text marks the analysis, the arrow the action. Below each reply are the reader's rules and their version: \"parsed by strict/1\" means that they accepted the reply. The code view shows the texts that the action writes with line numbers; + and - mark the lines that were added and removed since the texts were written before. The raw view shows one reply unchanged, with what each part was parsed as in the margin. ✎ marks text that a person edited; the raw view shows the agent's own reply below it."
            }
            Self::Memory => {
                "Which earlier outputs and frames are in the request of this step (● in), and why the others are not (○). AM is the number of past outputs in the request, OM the number of frames, the current one included."
            }
            Self::Score => {
                "The reward of the step, the sum of all rewards, the highest sum so far, and the score relative to the optimum. Below, where a solver knows it: the moves left on a shortest solution from this state, the extra moves made so far, and the step from which the level is unsolvable. Mixed: a person changed the window or the prompt, or edited a reply or an action during the episode, so the result is not the agent's alone. An environment can show where the score comes from: rows that open with the right arrow; a row about a pair selects its boxes in the frame."
            }
            Self::Steps => {
                "One column per step. First row: a full bar is a gain, a low bar the usual penalty of a step, a half bar a larger loss; ■ is the end. Second row: × the step ended without a valid action (IA), ✎ a person edited the reply or the action, ! a reply could not be parsed (parse error), = the action did not change the state. Third row: ≡ the step is part of a repetition (RA), † the level is unsolvable from here on (dead state), ~ the step left the shortest solution (known once a solver has searched it). If several apply, the first one listed is shown; the step that made the level unsolvable always shows †. Below: # the step has a tag, ; only a comment."
            }
        }
    }
}

impl Pane {
    /// The terms that one meets in it, a line for each.
    pub(crate) fn terms(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Self::Frame => &[
                ("observation", "what the agent is shown at a step: texts and pictures"),
                ("level", "one initial state of the environment; a level set is a list of them"),
            ],
            Self::Agent => &[
                ("agent", "who decides: a model, a person, or a program such as oracle (a solver)"),
                ("reader", "the rules that turn a reply into an action, such as strict/1"),
                (
                    "parse error",
                    "a reply that the reader cannot read; the agent is asked again, twice at most",
                ),
            ],
            Self::Memory => &[
                ("AM", "action memory: how many of the last outputs of the agent are in the request"),
                ("OM", "observation memory: how many of the last frames are in it, the current one included"),
                ("prompt variant", "the instructions of the request, such as 0s-CoT or HD-CoT"),
            ],
            Self::Score => &[
                ("score", "the best sum of rewards so far, set against the optimum"),
                ("optimum", "the best sum of rewards that a solver found for the level"),
            ],
            Self::Steps => &[
                ("IA", "invalid action: in the wrong format, or not in the action space"),
                ("RA", "repeating action: the same steps again, without a way on"),
            ],
        }
    }
}

/// The least width in columns at which the status takes one line.
const ONE_LINE_STATUS: u16 = 160;

/// The lines of status and hints below the panes in a terminal of this width.
pub(crate) fn footer_height(width: u16) -> u16 {
    if width >= ONE_LINE_STATUS { 2 } else { 3 }
}
