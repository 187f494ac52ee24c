//! The table itself: one row per command.

use super::id::CommandId;
use super::row::{Argument, Command, Group};
use crate::pane::Pane;

const ALL_PANES: &[Pane] = &Pane::ALL;
const TEXT_PANES: &[Pane] = &[Pane::Agent, Pane::Memory];
const STEP_PANES: &[Pane] = &[Pane::Frame, Pane::Agent, Pane::Memory];

macro_rules! commands {
    ($($id:ident $name:literal [$($key:literal)*] $argument:ident $group:ident $hint:literal $panes:expr, $help:literal;)*) => {
        /// Every command, in the order of help and hint line.
        pub(crate) const COMMANDS: &[Command] = &[$(Command {
            id: CommandId::$id, name: $name, keys: &[$($key),*], argument: Argument::$argument,
            group: Group::$group, hint: $hint, panes: $panes, help: $help,
        }),*];
    };
}

commands! {
    Step "step" ["enter"] None Run "step" ALL_PANES, "do the next half of a step: ask the agent, or apply its action; 3 Enter does three halves";
    Cancel "cancel" ["esc"] None Run "cancel" ALL_PANES, "cancel the request in progress (the environment does not move); otherwise close the dialog, clear the count, fit a magnified picture, leave zoom, or go back to where the episode was opened from";
    Run "run" ["space"] None Run "run" ALL_PANES, "run, or pause; 12 Space runs 12 steps";
    Faster "faster" ["+" "="] None Run "magnify" &[Pane::Frame], "shorten the delay between two steps of a run; in the frame pane, magnify a picture that is larger than the pane";
    Slower "slower" ["-"] None Run "magnify" &[Pane::Frame], "lengthen the delay between two steps of a run; in the frame pane, show more of a magnified picture";
    RealTime "real-time" ["T"] None Run "real time" &[Pane::Frame], "as the human agent, play in real time: an action every interval of the environment, that of the last key or none; again, Space or Esc stops the clock";
    Edit "edit" ["e"] Edited Run "edit" &[Pane::Frame, Pane::Agent], "edit what is pending: the accepted action, or a reply that could not be parsed; :edit reply, :edit action, :edit prompt (asked again with it at this step), :edit hint, :edit state; texts that the action writes are edited one by one, and :edit with the name of one opens it in your editor; if you are the agent, the present texts are edited and written as your next action; in the request dialog it edits the prompt";
    AskAgain "ask-again" ["g r"] None Run "" &[], "ask the agent again at the newest step, with the prompt, memory window and hint as they are now; its replies before stay beside the new one and do not count";
    EditState "edit-state" ["g e"] None Run "" &[], "change the state of the environment at the shown step, such as the place of a box, and begin a branch with it: Tab selects what moves, arrows move it";
    Act "act" [] Action Run "" &[], "play an action by name as the human agent, such as :act Left; actions with a key of their own are played with it";
    Plan "plan" [] Actions Run "" &[], "play a whole plan as the human agent in the Global setting, such as :plan Up,Left,Left";
    Open "open" [] Level Run "" &[], "play another level, such as :open sokoban/mini/8; the current episode is paused, H shows it";
    Restart "restart" ["a"] None Run "restart" ALL_PANES, "play the level again, with the same settings and seed, as a new episode (asks for confirmation while one is in progress)";
    Fork "fork" ["f"] Changes Run "fork" &[Pane::Steps], "begin a branch at the shown step, with its state, randomness, prompt and memory window: :fork prompt=HD-CoT am=1 why it forgets; a dialog says first what would differ";
    Ask "ask" ["x"] Asked Run "ask" &[Pane::Steps], "put the state at the shown step to prompts, memory windows and models, many times, and compare the answers: :ask prompts=0s-CoT,HD-CoT am=1,5 samples=20 target=optimal, with the words of mageyard ask; to-end=5 plays each variant on to the end five times, in branches; a dialog shows the plan before any call is made and before anything is played";
    AskFrom "ask-from" ["g x"] None Run "" &[], "continue the shown reply from a place in it: in its text the cursor says where, Ctrl-D opens the dialog of ask with the text before it (from-text), and answers begin with that text; the text can be changed first";
    Candidates "candidates" ["c"] Candidates Run "" &[], "ask for three replies of the present prompt at the shown step, or 5c for five, and use one of them by its number: at the newest step of a session it becomes the reply of the step, elsewhere a branch begins with it; a dialog shows the plan before any call is made";
    Blame "blame" [] Blamed Look "" &[], "find the step after which the goal of the shown episode was out of reach: by the solver, or :blame play samples=5 by playing on from several steps in branches, with the words of mageyard blame; a dialog shows the plan before anything is played, and Enter goes to the step";
    Suites "suites" ["X"] Suite Run "" &[], "list the suites of recorded states and put all states of one to prompts, memory windows and models: :suites mistakes prompts=0s-CoT,HD-CoT samples=4, with the words of mageyard ask; a dialog shows the plan before any call is made, and the report lists first the states in which the answers differ, each with its frame and replies";
    Suite "suite" [] SuiteStep Run "" &[], "keep the shown step as a state of a suite of your own, which is created if there is none: :suite add walls it goes in circles; :suites asks about it";
    Branches "branches" ["g b"] None Look "" &[], "show the tree of branches of this episode with their rewards and endings; Enter opens one, or continues it if it is unfinished";
    Seat "seat" ["t"] Seat Run "" &[], "let another agent, or you, decide from the next request on, for some steps or to the end: :seat oracle 3, :seat human; then the agent before it decides again; the episode is mixed";
    Abandon "abandon" [] None Run "" &[], "abandon the episode: it ends here (asks for confirmation)";
    Break "break" ["b"] Breaks Run "" &[], "add a breakpoint that pauses a run: :break ia, or :break ra>=3 and not action=Up; :break none removes all";
    Back "back" ["h"] None Look "steps" ALL_PANES, "show the previous step; 5h goes back five steps";
    Forward "forward" ["l"] None Look "steps" ALL_PANES, "show the next step";
    Find "find" [] Condition Look "" &[], "list the steps of everything stored that meet a condition, such as :find ia and action=Up or :find tag=wall; Enter opens the recording at the step; without a condition the last list is shown again";
    Marked "marked" [] Marks Look "" &[], "show the next step of this episode with a mark, such as :marked ia or :marked ia,ra; the list begins with the errors that occur; the marks are parse, ending, dropped, ia, ra, ren, act, same, off_path, dead, edited, any";
    Tag "tag" ["m"] Tag Look "tag" &[Pane::Steps], "tag the shown step, such as :tag wall; the record stays as it was, and :find tag=wall lists the steps";
    Untag "untag" [] OwnTag Look "" &[], "remove a tag from the shown step";
    Comment "comment" [";"] Text Look "comment" &[Pane::Steps], "add a comment to the shown step; the record stays as it was, and :find comment~word lists the steps";
    Uncomment "uncomment" [] OwnComment Look "" &[], "remove a comment from the shown step";
    Search "search" ["/"] Text Look "search" TEXT_PANES, "search the focused pane, or all panes if it has no text, then the other steps of the episode: n and N show the next and previous match, Esc ends it; upper and lower case are the same unless an upper-case letter is typed";
    Diff "diff" ["d"] Compared Look "" &[], "compare this episode with another branch or session, such as :diff last#b1: both frames and replies side by side, from the first step that differs; without one the parent of the branch, or the first branch; :diff repeats lists where the repeats of this session part";
    DiffRequests "diff-requests" ["D"] Compared Memory "" &[], "compare the request of this step with another one, such as :diff-requests 3 or :diff-requests last#b1@3; without one that of the step before, or of the same step of the parent";
    NextMarked "next-marked" ["n"] None Look "marked" &[Pane::Steps], "show the next step with the marks of the last :marked; without :marked, with any mark; during a search, the next match";
    PreviousMarked "previous-marked" ["N"] None Look "marked" &[Pane::Steps], "show the previous step with the marks of the last :marked; during a search, the previous match";
    OnlyMarked "only-marked" ["M"] None Look "only marked" &[Pane::Steps], "show only steps with the marks of the last :marked in the filmstrip, or all steps";
    Verdict "verdict" ["V"] None Look "verdict" &[Pane::Score, Pane::Steps], "explain the marks of the shown step, then list the errors of this episode with their steps, definitions and thresholds; Enter goes to the next step with the selected one";
    First "first" ["0" "home"] None Look "first" &[Pane::Steps], "show the first step; in the frame pane, fit a magnified picture first";
    Newest "newest" ["$" "end"] None Look "newest" &[Pane::Steps], "show the newest step, and follow the run";
    GoTo "go" [] Step Look "" &[], "show a step by number: :42 or :go 42";
    PreviousEpisode "previous-episode" ["H"] None Look "episodes" ALL_PANES, "show the previous episode";
    NextEpisode "next-episode" ["L"] None Look "episodes" ALL_PANES, "show the next episode";
    Episodes "episodes" ["E"] None Look "list" ALL_PANES, "list the open episodes and the recorded sessions; Enter opens one, typing filters";
    Picture "picture" ["i"] Picture Look "" &[], "show the next picture of a step with several, or the next page of a view; :picture 2 shows the second";
    Film "film" ["F"] None Look "film" &[Pane::Frame], "play the frames between the observation before and this one in real time, or pause; Space does the same while they are shown, . and , show them one by one, Esc leaves the film";
    LessActions "less-am" ["["] None Memory "AM" &[Pane::Memory], "decrease AM by one from the next request on: keep one output less";
    MoreActions "more-am" ["]"] None Memory "AM" &[Pane::Memory], "increase AM by one from the next request on: keep one output more";
    LessFrames "less-om" ["{"] None Memory "OM" &[Pane::Memory], "decrease OM by one from the next request on: keep one frame less";
    MoreFrames "more-om" ["}"] None Memory "OM" &[Pane::Memory], "increase OM by one from the next request on: keep one frame more";
    Prompt "prompt" ["p"] Prompt Memory "prompt" STEP_PANES, "select the prompt variant for the next request: p and its number, or :prompt HD-CoT";
    Hint "hint" ["g h"] Hint Memory "" &[], "add a hint to the newest state of requests from the next one on, such as :hint mind the corner; without a text the editor opens, :hint none removes it";
    Request "request" ["R"] None Memory "request" STEP_PANES, "show the request of this step, turn by turn, as sent or as it would be sent; AM, OM and prompt can be changed while it is open";
    Copy "copy" ["y"] Extract Memory "copy" TEXT_PANES, "copy or save part of this step: the request as curl or JSON, the reply, the action, the board; :copy curl";
    FocusNext "focus-next" ["tab"] None Panes "pane" ALL_PANES, "focus the next pane";
    FocusPrevious "focus-previous" ["backtab"] None Panes "" &[], "focus the previous pane";
    FocusFrame "focus-frame" ["g f"] None Panes "" &[], "focus the frame";
    FocusAgent "focus-agent" ["g a"] None Panes "" &[], "focus the agent";
    FocusMemory "focus-memory" ["g m"] None Panes "" &[], "focus the memory window";
    FocusScore "focus-score" ["g s"] None Panes "" &[], "focus the score";
    FocusSteps "focus-steps" ["g t"] None Panes "" &[], "focus the filmstrip of the steps";
    GrowPane "grow-pane" [">" "ctrl-w >"] None Panes "" &[], "make the focused pane larger; 3> moves its border three times";
    ShrinkPane "shrink-pane" ["<" "ctrl-w <"] None Panes "" &[], "make the focused pane smaller";
    Taller "taller" ["ctrl-w +"] None Panes "" &[], "give the focused pane more rows";
    Shorter "shorter" ["ctrl-w -"] None Panes "" &[], "give the focused pane fewer rows";
    ResetLayout "reset-layout" ["ctrl-w ="] None Panes "" &[], "move all borders back to where the settings have them";
    Layout "layout" [] None Panes "" &[], "say the sizes of the panes as lines for config.toml, which make them permanent";
    Zoom "zoom" ["z"] None Panes "zoom" ALL_PANES, "zoom the focused pane, or restore the layout";
    View "view" ["v"] View Panes "view" &[Pane::Frame], "show the next view of the frame: those that the environment has, then what the agent was shown, as a picture and as text; 2v goes two on, :view and a name shows that one";
    Magnify "magnify" [] Factor Panes "" &[], "magnify the picture of the frame, such as :magnify 4; :magnify 1, 0 or Esc fit it to the pane, arrows pan it";
    Sent "sent" ["s"] None Panes "sent" &[Pane::Frame], "show the frame as it was sent to the model, from the exact bytes, or as rendered";
    Before "before" ["B"] None Panes "before" &[Pane::Frame], "show the frame of the step before beside this one with what has changed, or only this one; in text, changes are reversed";
    Overlay "overlay" ["o"] None Panes "" &[], "draw the action of the step onto its frame, or not; with the frame before, the action that led to the other one";
    Oracle "oracle" ["O"] None Panes "" &[], "say in the agent pane what the oracle, the solver of the environment, would have done at a step, once the step was taken, or no longer";
    Raw "raw" ["r"] None Panes "raw" &[Pane::Agent], "show one reply raw, with the parts that were parsed, or all replies as parsed";
    Code "code" ["C"] None Panes "code" &[Pane::Agent], "show the code that the action writes with its changes, then in full, then the replies again";
    PreviousReply "previous-reply" [","] None Panes "reply" &[Pane::Agent], "show the previous reply of the step in the raw view; in the frame pane, select the previous pair of boxes, or show the previous frame of the film";
    NextReply "next-reply" ["."] None Panes "reply" &[Pane::Agent], "show the next reply of the step in the raw view; in the frame pane, select the next pair of boxes, or show the next frame of the film";
    ScrollDown "scroll-down" ["j"] None Panes "scroll" TEXT_PANES, "scroll the pane down by a line";
    ScrollUp "scroll-up" ["k"] None Panes "scroll" TEXT_PANES, "scroll the pane up by a line";
    PageDown "page-down" ["pagedown"] None Panes "" &[], "scroll the pane down by a page";
    PageUp "page-up" ["pageup"] None Panes "" &[], "scroll the pane up by a page";
    Top "top" ["g g"] None Panes "" &[], "scroll the pane to its top";
    Bottom "bottom" ["G"] None Panes "" &[], "scroll the pane to its end";
    Up "up" ["up"] None Panes "rows" &[Pane::Score], "select a row of the score, pan a large board or a magnified picture, or scroll the pane; as the human agent, play the action that has this key";
    Down "down" ["down"] None Panes "rows" &[Pane::Score], "select a row of the score, pan a large board or a magnified picture, or scroll the pane; as the human agent, play the action that has this key";
    Left "left" ["left"] None Panes "open" &[Pane::Score], "close a row of the score, pan a large board or a magnified picture, or show the previous step; as the human agent, play the action that has this key";
    Right "right" ["right"] None Panes "open" &[Pane::Score], "open a row of the score, pan a large board or a magnified picture, or show the next step; as the human agent, play the action that has this key";
    Palette "commands" [":" "ctrl-p"] None Screen "commands" ALL_PANES, "search all commands by name";
    Help "help" ["?"] None Screen "help" ALL_PANES, "list the keys of the focused pane, then all others";
    Pictures "pictures" [] Form Screen "" &[], "change the form of pictures until the program ends, such as :pictures sixel; without a name it says which form it is and why";
    Link "link" [] Link Screen "" &[], "change how the link to the terminal is treated until the program ends: :link slow sends few bytes, :link fast does not count them, :link auto measures; without a name it says which one it is and why";
    Bandwidth "bandwidth" [] None Screen "" &[], "show the bytes of a step and of a second in the status line, or no longer";
    Theme "theme" [] Theme Screen "" &[], "change the theme until the program ends, such as :theme light";
    Themes "themes" [] None Screen "" &[], "choose a theme from a list: the selected one is shown at once, Enter keeps it, Esc restores the one before";
    Mouse "mouse" [] Switch Screen "" &[], "switch the mouse on or off until the program ends, or :mouse on, :mouse off: it focuses panes, shows steps, opens tabs, moves borders and scrolls; while it is off the terminal selects text as usual";
    Tutor "tutor" [] Lesson Screen "" &[], "start a lesson of the tutor on a recorded episode, such as :tutor memory; without a name the first one, or the next after a complete one; :tutor off leaves";
    Redraw "redraw" ["ctrl-l"] None Screen "" &[], "redraw the screen";
    Suspend "suspend" ["ctrl-z"] None Screen "" &[], "suspend the program and return to the shell; fg resumes it";
    Interrupt "interrupt" ["ctrl-c"] None Screen "" &[], "cancel the request or run in progress; if there is none, quit";
    Quit "quit" ["q"] None Screen "quit" ALL_PANES, "quit; the episode can be resumed later";
}

impl CommandId {
    /// The row of this command.
    pub(crate) fn command(self) -> &'static Command {
        let row = COMMANDS.iter().find(|row| row.id == self);
        row.unwrap_or(&COMMANDS[0])
    }
}

/// The command of this name.
pub(crate) fn find_command(name: &str) -> Option<&'static Command> {
    COMMANDS.iter().find(|row| row.name == name)
}
