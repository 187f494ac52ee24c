//! The table itself: one row per command. A macro takes the rows, so that identifiers, descriptions and functions come from
//! one list, and each can be made where it belongs: functions are named here and called in `update` and `sweep`.

/// Gives the rows of all commands to a macro, after what else it takes, in the order of help and hint line. A row has: the identifier;
/// the name in the palette and in `keys.toml`; its default keys; its argument; whether it takes a count; its group in the
/// help; its label in the hint line, and the panes whose hint line has it; the views that it is in, with its function there;
/// what it does in about three words, which neighbours may share; and its help.
macro_rules! with_commands {
    ($each:ident $($before:tt)*) => {
        $each! {
            $($before)*
            Step "step" ["enter"] None Counted Step "step" ALL_PANES, [Episode Lines: run::step], "next half step", "do the next half of a step: ask the agent, or apply its action; 3 Enter does three halves";
            Cancel "cancel" ["esc"] None Uncounted Step "cancel" ALL_PANES, [Episode Lines: run::cancel], "cancel, go back", "cancel the request in progress (the environment does not move); otherwise close the dialog, clear the count, fit a magnified picture, leave zoom, or go back to where the episode was opened from";
            Run "run" ["space"] None Counted Step "run" ALL_PANES, [Episode Lines: run::run], "run or pause", "run, or pause; 12 Space runs 12 steps";
            Faster "faster" ["+" "="] None Uncounted Step "magnify" &[Pane::Frame], [Episode Lines: run::faster], "faster, magnify", "shorten the delay between two steps of a run; in the frame pane, magnify a picture that is larger than the pane";
            Slower "slower" ["-"] None Uncounted Step "magnify" &[Pane::Frame], [Episode Lines: run::slower], "slower, shrink", "lengthen the delay between two steps of a run; in the frame pane, show more of a magnified picture";
            RealTime "real-time" ["T"] None Uncounted Step "real time" &[Pane::Frame], [Episode Lines: run::real_time], "play in real time", "as the human agent, play in real time: an action every interval of the environment, that of the last key or none; again, Space or Esc stops the clock";
            Edit "edit" ["e"] Edited Uncounted Change "edit" &[Pane::Frame, Pane::Agent], [Episode Lines: run::edit], "edit what is pending", "edit what is pending: the accepted action, or a reply that could not be parsed; :edit reply, :edit action, :edit prompt (asked again with it at this step), :edit hint, :edit state; texts that the action writes are edited one by one, and :edit with the name of one opens it in your editor; if you are the agent, the present texts are edited and written as your next action; in the request dialog it edits the prompt";
            AskAgain "ask-again" ["g r"] None Uncounted Ask "" &[], [Episode Lines: run::ask_again], "ask the agent again", "ask the agent again at the newest step, with the prompt, memory window and hint as they are now; its replies before stay beside the new one and do not count";
            EditState "edit-state" ["g e"] None Uncounted Change "" &[], [Episode Lines: run::edit_state], "edit the state", "change the state of the environment at the shown step, such as the place of a box, and begin a branch with it: Tab selects what moves, arrows move it";
            Act "act" [] Action Uncounted Step "" &[], [Episode Lines: run::act], "play an action", "play an action by name as the human agent, such as :act Left; actions with a key of their own are played with it";
            Plan "plan" [] Actions Uncounted Step "" &[], [Episode Lines: run::plan], "play a plan", "play a whole plan as the human agent in the Global setting, such as :plan Up,Left,Left";
            Open "open" [] Level Uncounted Step "" &[], [Episode Lines: run::open], "play a level", "play another level, such as :open sokoban/mini/8; the current episode is paused, H shows it";
            Restart "restart" ["a"] None Uncounted Step "restart" ALL_PANES, [Episode Lines: run::restart], "play again", "play the level again, with the same settings and seed, as a new episode (asks for confirmation while one is in progress)";
            NextLevel "next" [] None Uncounted Step "" &[], [Episode Lines: run::next_level], "play the next level", "play the next level of the set with the same agent and settings; once an episode is over, Enter does the same";
            Fork "fork" ["f"] Changes Uncounted Change "fork" &[Pane::Steps], [Episode Lines: run::fork], "begin a branch", "begin a branch at the shown step, with its state, randomness, prompt and memory window: :fork prompt=HD-CoT am=1 why it forgets; a dialog says first what would differ";
            Ask "ask" ["x"] Asked Uncounted Ask "ask" &[Pane::Steps], [Episode Lines: run::ask], "ask again, compare", "put the state at the shown step to prompts, memory windows and models, many times, and compare the answers: :ask prompts=0s-CoT,HD-CoT am=1,5 samples=20 target=optimal, with the words of mageyard ask; to-end=5 plays each variant on to the end five times, in branches; a dialog shows the plan before any call is made and before anything is played";
            AskFrom "ask-from" ["g x"] None Uncounted Ask "" &[], [Episode Lines: run::ask_from], "continue this reply", "continue the shown reply from a place in it: in its text the cursor says where, Ctrl-D opens the dialog of ask with the text before it (from-text), and answers begin with that text; the text can be changed first";
            Candidates "candidates" ["c"] Candidates Counted Ask "" &[], [Episode Lines: run::candidates], "replies to choose from", "ask for three replies of the present prompt at the shown step, or 5c for five, and use one of them by its number: at the newest step of a session it becomes the reply of the step, elsewhere a branch begins with it; a dialog shows the plan before any call is made";
            Blame "blame" [] Blamed Uncounted Find "" &[], [Episode Lines: look::blame], "find the losing step", "find the step after which the goal of the shown episode was out of reach: by the solver, or :blame play samples=5 by playing on from several steps in branches, with the words of mageyard blame; a dialog shows the plan before anything is played, and Enter goes to the step";
            Diagnose "diagnose" [] Diagnosed Uncounted Find "" &[], [Episode Lines: look::diagnose], "seen or planned wrong", "find out whether the shown step was seen wrong, planned wrong or written wrong, or :diagnose SUITE, :diagnose last, :diagnose last#5, with the words of mageyard diagnose: it is asked again with help, and questions are asked about its state; a dialog shows the plan before calls are made";
            Probe "probe" [] Probed Uncounted Find "" &[], [Episode Lines: look::probe], "seen or planned wrong", "ask what the shown state shows, with answers that the program computes, or :probe SUITE, :probe last#5, with the words of mageyard probe: how often each kind of question is answered rightly in each view; a dialog shows the plan before calls are made";
            Suites "suites" ["X"] Suite Uncounted Ask "" &[], [Episode Lines: run::suites], "suites of states", "list the suites of recorded states and put all states of one to prompts, memory windows and models: :suites mistakes prompts=0s-CoT,HD-CoT samples=4, with the words of mageyard ask; a dialog shows the plan before any call is made, and the report lists first the states in which the answers differ, each with its frame and replies";
            Suite "suite" [] SuiteStep Uncounted Ask "" &[], [Episode Lines: run::suite], "keep this state", "keep the shown step as a state of a suite of your own, which is created if there is none: :suite add walls it goes in circles; :suites asks about it";
            Branches "branches" ["g b"] None Uncounted Back "" &[], [Episode Lines: look::branches], "tree of branches", "show the tree of branches of this episode with their rewards and endings; Enter opens one, or continues it if it is unfinished";
            Seat "seat" ["t"] Seat Uncounted Change "" &[], [Episode Lines: run::seat], "change the agent", "let another agent, or you, decide from the next request on, for some steps or to the end: :seat oracle 3, :seat human; then the agent before it decides again; the episode is mixed";
            Model "model" [] None Uncounted Change "" &[], [Episode Lines: run::model], "models and servers", "choose the model that decides from the next request on: by a profile of the settings, or from a server on this machine or by its URL, with checks of what it supports; profiles are saved here, keys never are";
            Readers "readers" [] Text Uncounted Find "" &[], [Episode Lines: run::readers], "compare readers", "read all replies of this session, or of :readers SESSION, with every reader: what each refuses, doubts and changes, the refused replies by their shapes, and what was read in one; e edits a reader beside its counts, which change as it is written; no model is called";
            Workshop "workshop" [] Text Uncounted Change "" &[], [Episode Lines: run::workshop], "work on the prompt", "edit the prompt beside the request that it makes, with what the edit changed, and below what its versions were answered on pinned states: those of the suite pinned-ENVIRONMENT, of :workshop SUITE, or else the shown step; Ctrl-G asks the draft, with the words of mageyard ask after the suite, such as models=NAME am=1, and Ctrl-D saves it";
            Sweep "sweep" [] Text Uncounted Screen "" &[], [Episode Lines: screen::sweep], "build a sweep", "sweep new opens the form of a new sweep: levels, models, prompts, windows and repeats, with its plan, price and time beside them; :sweep NAME shows the dashboard of one that was started";
            Abandon "abandon" [] None Uncounted Step "" &[], [Episode Lines: run::abandon], "abandon the episode", "abandon the episode: it ends here (asks for confirmation)";
            Break "break" ["b"] Breaks Uncounted Step "" &[], [Episode Lines: run::add_break], "pause on a condition", "add a breakpoint that pauses a run: :break ia, or :break ra>=3 and not action=Up; :break none removes all";
            Back "back" ["h"] None Counted Look "steps" ALL_PANES, [Episode Lines: look::back], "previous, next step", "show the previous step; 5h goes back five steps";
            Forward "forward" ["l"] None Counted Look "steps" ALL_PANES, [Episode Lines: look::forward], "previous, next step", "show the next step";
            Find "find" [] Condition Uncounted Find "" &[], [Episode Lines: look::find], "steps of all recordings", "list the steps of everything stored that meet a condition, such as :find ia and action=Up or :find tag=wall; Enter opens the recording at the step; without a condition the last list is shown again";
            Marked "marked" [] Marks Uncounted Find "" &[], [Episode Lines: look::marked], "next step with marks", "show the next step of this episode with a mark, such as :marked ia or :marked ia,ra; the list begins with the errors that occur; the marks are parse, ending, dropped, ia, ra, ren, act, same, off_path, dead, edited, any";
            Tag "tag" ["m"] Tag Uncounted Share "tag" &[Pane::Steps], [Episode Lines: look::tag], "tag the step", "tag the shown step, such as :tag wall; the record stays as it was, and :find tag=wall lists the steps";
            Untag "untag" [] OwnTag Uncounted Share "" &[], [Episode Lines: look::untag], "remove a tag", "remove a tag from the shown step";
            Comment "comment" [";"] Text Uncounted Share "comment" &[Pane::Steps], [Episode Lines: look::comment], "comment on the step", "add a comment to the shown step; the record stays as it was, and :find comment~word lists the steps";
            Uncomment "uncomment" [] OwnComment Uncounted Share "" &[], [Episode Lines: look::uncomment], "remove a comment", "remove a comment from the shown step";
            Search "search" ["/"] Text Uncounted Find "search" TEXT_PANES, [Episode Lines: look::search], "search text", "search the focused pane, or all panes if it has no text, then the other steps of the episode: n and N show the next and previous match, Esc ends it; upper and lower case are the same unless an upper-case letter is typed";
            Diff "diff" ["d"] Compared Uncounted Back "" &[], [Episode Lines: look::diff], "compare two episodes", "compare this episode with another branch or session, such as :diff last#b1: both frames and replies side by side, from the first step that differs; without one the parent of the branch, or the first branch; :diff repeats lists where the repeats of this session part";
            DiffRequests "diff-requests" ["D"] Compared Uncounted Back "" &[], [Episode Lines: memory::diff_requests], "compare two requests", "compare the request of this step with another one, such as :diff-requests 3 or :diff-requests last#b1@3; without one that of the step before, or of the same step of the parent";
            NextMarked "next-marked" ["n"] None Counted Find "marked" &[Pane::Steps], [Episode Lines: look::next_marked], "next, previous mark", "show the next step with the marks of the last :marked; without :marked, with any mark; during a search, the next match";
            PreviousMarked "previous-marked" ["N"] None Counted Find "marked" &[Pane::Steps], [Episode Lines: look::previous_marked], "next, previous mark", "show the previous step with the marks of the last :marked; during a search, the previous match";
            OnlyMarked "only-marked" ["M"] None Uncounted Find "only marked" &[Pane::Steps], [Episode Lines: look::only_marked], "only marked steps", "show only steps with the marks of the last :marked in the filmstrip, or all steps";
            Verdict "verdict" ["V"] None Uncounted Find "verdict" &[Pane::Score, Pane::Steps], [Episode Lines: look::verdict], "explain the errors", "explain the marks of the shown step, then list the errors of this episode with their steps, definitions and thresholds; Enter goes to the next step with the selected one";
            First "first" ["0" "home"] None Uncounted Look "first" &[Pane::Steps], [Episode Lines: look::first], "first, newest step", "show the first step; in the frame pane, fit a magnified picture first";
            Newest "newest" ["$" "end"] None Uncounted Look "newest" &[Pane::Steps], [Episode Lines: look::newest], "first, newest step", "show the newest step, and follow the run";
            GoTo "go" [] Step Uncounted Look "" &[], [Episode Lines: look::go_to], "go to a step", "show a step by number: :42 or :go 42";
            PreviousEpisode "previous-episode" ["H"] None Counted Back "episodes" ALL_PANES, [Episode Lines: look::previous_episode], "previous, next episode", "show the previous episode";
            NextEpisode "next-episode" ["L"] None Counted Back "episodes" ALL_PANES, [Episode Lines: look::next_episode], "previous, next episode", "show the next episode";
            Episodes "episodes" ["E"] None Uncounted Back "list" ALL_PANES, [Episode Lines: look::episodes], "list of episodes", "list the open episodes and the recorded sessions; Enter opens one, typing filters";
            Picture "picture" ["i"] Picture Counted Look "" &[], [Episode Lines: look::picture], "next picture or page", "show the next picture of a step with several, or the next page of a view; :picture 2 shows the second";
            Film "film" ["F"] None Uncounted Look "film" &[Pane::Frame], [Episode Lines: look::film], "frames in between", "play the frames between the observation before and this one in real time, or pause; Space does the same while they are shown, . and , show them one by one, Esc leaves the film";
            LessActions "less-am" ["["] None Counted Change "AM" &[Pane::Memory], [Episode Lines: memory::less_actions], "AM down, up", "decrease AM by one from the next request on: keep one output less";
            MoreActions "more-am" ["]"] None Counted Change "AM" &[Pane::Memory], [Episode Lines: memory::more_actions], "AM down, up", "increase AM by one from the next request on: keep one output more";
            LessFrames "less-om" ["{"] None Counted Change "OM" &[Pane::Memory], [Episode Lines: memory::less_frames], "OM down, up", "decrease OM by one from the next request on: keep one frame less";
            MoreFrames "more-om" ["}"] None Counted Change "OM" &[Pane::Memory], [Episode Lines: memory::more_frames], "OM down, up", "increase OM by one from the next request on: keep one frame more";
            Prompt "prompt" ["p"] Prompt Uncounted Change "prompt" STEP_PANES, [Episode Lines: memory::prompt], "choose the prompt", "select the prompt variant for the next request: p and its number, or :prompt HD-CoT";
            Set "set" [] Setting Uncounted Change "" &[], [Episode Lines: memory::set], "set a value", "change a setting of the running session, such as :set temperature=0.7, :set om=2 or :set prompt=HD-CoT; :temperature 0.7 does the same; without a value it says what the setting is and its range";
            Hint "hint" ["g h"] Hint Uncounted Change "" &[], [Episode Lines: memory::hint], "add a hint", "add a hint to the newest state of requests from the next one on, such as :hint mind the corner; without a text the editor opens, :hint none removes it";
            Request "request" ["R"] None Uncounted Look "request" STEP_PANES, [Episode Lines: memory::request], "request as sent", "show the request of this step, turn by turn, as sent or as it would be sent; AM, OM and prompt can be changed while it is open";
            Copy "copy" ["y"] Extract Uncounted Share "copy" TEXT_PANES, [Episode Lines: memory::copy], "copy or save", "copy or save part of this step: the request as curl or JSON, the reply, the action, the board; :copy curl";
            FocusNext "focus-next" ["tab"] None Uncounted Screen "pane" ALL_PANES, [Episode Lines: panes::focus_next], "next, previous pane", "focus the next pane";
            FocusPrevious "focus-previous" ["backtab"] None Uncounted Screen "" &[], [Episode Lines: panes::focus_previous], "next, previous pane", "focus the previous pane";
            FocusFrame "focus-frame" ["g f"] None Uncounted Screen "" &[], [Episode Lines: panes::focus_frame], "focus the frame", "focus the frame";
            FocusAgent "focus-agent" ["g a"] None Uncounted Screen "" &[], [Episode Lines: panes::focus_agent], "focus the agent", "focus the agent";
            FocusMemory "focus-memory" ["g m"] None Uncounted Screen "" &[], [Episode Lines: panes::focus_memory], "focus the memory window", "focus the memory window";
            FocusScore "focus-score" ["g s"] None Uncounted Screen "" &[], [Episode Lines: panes::focus_score], "focus the score", "focus the score";
            FocusSteps "focus-steps" ["g t"] None Uncounted Screen "" &[], [Episode Lines: panes::focus_steps], "focus the steps", "focus the filmstrip of the steps";
            GrowPane "grow-pane" [">" "ctrl-w >"] None Counted Screen "" &[], [Episode: panes::grow_pane], "pane smaller, larger", "make the focused pane larger; 3> moves its border three times";
            ShrinkPane "shrink-pane" ["<" "ctrl-w <"] None Counted Screen "" &[], [Episode: panes::shrink_pane], "pane smaller, larger", "make the focused pane smaller";
            Taller "taller" ["ctrl-w +"] None Counted Screen "" &[], [Episode: panes::taller], "fewer, more rows", "give the focused pane more rows";
            Shorter "shorter" ["ctrl-w -"] None Counted Screen "" &[], [Episode: panes::shorter], "fewer, more rows", "give the focused pane fewer rows";
            ResetLayout "reset-layout" ["ctrl-w ="] None Uncounted Screen "" &[], [Episode: panes::reset_layout], "reset the sizes", "move all borders back to where the settings have them";
            Layout "layout" [] None Uncounted Screen "" &[], [Episode: panes::layout], "say the sizes", "say the sizes of the panes as lines for config.toml, which make them permanent";
            Zoom "zoom" ["z"] None Uncounted Screen "zoom" ALL_PANES, [Episode: panes::zoom], "zoom the pane", "zoom the focused pane, or restore the layout";
            View "view" ["v"] View Counted Look "view" &[Pane::Frame], [Episode Lines: panes::view], "next view", "show the next view of the frame: those that the environment has, then what the agent was shown, as a picture and as text; 2v goes two on, :view and a name shows that one";
            Magnify "magnify" [] Factor Uncounted Look "" &[], [Episode: panes::magnify], "magnify the picture", "magnify the picture of the frame, such as :magnify 4; :magnify 1, 0 or Esc fit it to the pane, arrows pan it";
            Sent "sent" ["s"] None Uncounted Look "sent" &[Pane::Frame], [Episode Lines: panes::sent], "frame as sent", "show the frame as it was sent to the model, from the exact bytes, or as rendered";
            Before "before" ["B"] None Uncounted Look "before" &[Pane::Frame], [Episode Lines: panes::before], "before and after", "show the frame of the step before beside this one with what has changed, or only this one; in text, changes are reversed";
            Overlay "overlay" ["o"] None Uncounted Look "" &[], [Episode Lines: panes::overlay], "action on the frame", "draw the action of the step onto its frame, or not; with the frame before, the action that led to the other one";
            Claims "claims" [] None Uncounted Look "" &[], [Episode: panes::claims], "claims of the analysis", "mark what the analysis of a finished step says of its state, or no longer: in the reply what holds and what does not, on the frame where a thing is claimed to be and where it is";
            Oracle "oracle" ["O"] None Uncounted Look "" &[], [Episode Lines: panes::oracle], "what the oracle does", "say in the agent pane what the oracle, the solver of the environment, would have done at a step, once the step was taken, or no longer";
            Raw "raw" ["r"] None Uncounted Look "raw" &[Pane::Agent], [Episode Lines: panes::raw], "raw reply", "show one reply raw, with the parts that were parsed, or all replies as parsed";
            Code "code" ["C"] None Uncounted Look "code" &[Pane::Agent], [Episode Lines: panes::code], "code of the action", "show the code that the action writes with its changes, then in full, then the replies again";
            PreviousReply "previous-reply" [","] None Counted Look "reply" &[Pane::Agent], [Episode Lines: panes::previous_reply], "previous, next reply", "show the previous reply of the step in the raw view; in the frame pane, select the previous pair of boxes, or show the previous frame of the film";
            NextReply "next-reply" ["."] None Counted Look "reply" &[Pane::Agent], [Episode Lines: panes::next_reply], "previous, next reply", "show the next reply of the step in the raw view; in the frame pane, select the next pair of boxes, or show the next frame of the film";
            ScrollDown "scroll-down" ["j"] None Counted Look "scroll" TEXT_PANES, [Episode: panes::scroll_down], "scroll", "scroll the pane down by a line";
            ScrollUp "scroll-up" ["k"] None Counted Look "scroll" TEXT_PANES, [Episode: panes::scroll_up], "scroll", "scroll the pane up by a line";
            PageDown "page-down" ["pagedown"] None Counted Look "" &[], [Episode: panes::page_down], "scroll a page", "scroll the pane down by a page";
            PageUp "page-up" ["pageup"] None Counted Look "" &[], [Episode: panes::page_up], "scroll a page", "scroll the pane up by a page";
            Top "top" ["g g"] None Uncounted Look "" &[], [Episode: panes::top], "top, end", "scroll the pane to its top";
            Bottom "bottom" ["G"] None Uncounted Look "" &[], [Episode: panes::bottom], "top, end", "scroll the pane to its end";
            Up "up" ["up"] None Uncounted Look "rows" &[Pane::Score], [Episode: panes::up], "rows of the score", "select a row of the score, pan a large board or a magnified picture, or scroll the pane; as the human agent, play the action that has this key";
            Down "down" ["down"] None Uncounted Look "rows" &[Pane::Score], [Episode: panes::down], "rows of the score", "select a row of the score, pan a large board or a magnified picture, or scroll the pane; as the human agent, play the action that has this key";
            Left "left" ["left"] None Uncounted Look "open" &[Pane::Score], [Episode Lines: panes::left], "rows of the score", "close a row of the score, pan a large board or a magnified picture, or show the previous step; as the human agent, play the action that has this key";
            Right "right" ["right"] None Uncounted Look "open" &[Pane::Score], [Episode Lines: panes::right], "rows of the score", "open a row of the score, pan a large board or a magnified picture, or show the next step; as the human agent, play the action that has this key";
            Palette "commands" [":" "ctrl-p"] None Uncounted Screen "commands" ALL_PANES, [Episode Lines: screen::palette; Sweep: commands::palette], "every command", "search all commands by name";
            Help "help" ["?"] None Uncounted Screen "help" ALL_PANES, [Episode Lines: screen::help], "these keys", "list the keys of the focused pane, then all others";
            Pictures "pictures" [] Form Uncounted Screen "" &[], [Episode: screen::pictures], "form of pictures", "change the form of pictures until the program ends, such as :pictures sixel; without a name it says which form it is and why";
            Link "link" [] Link Uncounted Screen "" &[], [Episode Lines: screen::link], "speed of the link", "change how the link to the terminal is treated until the program ends: :link slow sends few bytes, :link fast does not count them, :link auto measures; without a name it says which one it is and why";
            Bandwidth "bandwidth" [] None Uncounted Screen "" &[], [Episode Lines: screen::bandwidth], "bytes per step", "show the bytes of a step and of a second in the status line, or no longer";
            Theme "theme" [] Theme Uncounted Screen "" &[], [Episode: screen::theme], "choose a theme", "change the theme until the program ends, such as :theme light";
            Themes "themes" [] None Uncounted Screen "" &[], [Episode: screen::themes], "list of themes", "choose a theme from a list: the selected one is shown at once, Enter keeps it, Esc restores the one before";
            Mouse "mouse" [] Switch Uncounted Screen "" &[], [Episode: screen::mouse], "mouse on or off", "switch the mouse on or off until the program ends, or :mouse on, :mouse off: it focuses panes, shows steps, opens tabs, moves borders and scrolls; while it is off the terminal selects text as usual";
            Tutor "tutor" [] Lesson Uncounted Screen "" &[], [Episode Lines: screen::tutor], "lessons", "start a lesson of the tutor, which is played with the simulated model, such as :tutor memory; without a name the first one, the one that was left, or the next after a complete one; :tutor off leaves";
            SweepOpen "open" ["enter"] None Uncounted Sweep "" &[], [Sweep: commands::open], "open the cell", "open the selected cell: the list of its episodes; there, show the selected episode step by step";
            SweepBack "back" ["esc"] None Uncounted Sweep "" &[], [Sweep: commands::back], "go back", "go back: from the episodes to the map or the table, from a list of one state to all cells, from the table to the map";
            SweepUp "up" ["up" "k"] None Uncounted Sweep "" &[], [Sweep: commands::up], "select", "select the place or row above";
            SweepDown "down" ["down" "j"] None Uncounted Sweep "" &[], [Sweep: commands::down], "select", "select the place or row below";
            SweepLeft "left" ["left" "h"] None Uncounted Sweep "" &[], [Sweep: commands::left], "select", "select the place of the map to the left, at its edge of the map beside it";
            SweepRight "right" ["right" "l"] None Uncounted Sweep "" &[], [Sweep: commands::right], "select", "select the place of the map to the right, at its edge of the map beside it";
            SweepPageUp "page-up" ["pageup"] None Uncounted Sweep "" &[], [Sweep: commands::page_up], "a page", "go up by a page";
            SweepPageDown "page-down" ["pagedown"] None Uncounted Sweep "" &[], [Sweep: commands::page_down], "a page", "go down by a page";
            SweepFirst "first" ["g" "home"] None Uncounted Sweep "" &[], [Sweep: commands::first], "first, last", "select the first place or row";
            SweepLast "last" ["G" "end"] None Uncounted Sweep "" &[], [Sweep: commands::last], "first, last", "select the last place or row";
            SweepSwitch "switch" ["tab"] None Uncounted Sweep "" &[], [Sweep: commands::switch], "map, table, now", "switch from the maps of AM and OM to the table of all cells, and to what happens now: running episodes, failures and retries";
            SweepNextMap "next-map" ["n"] None Uncounted Sweep "" &[], [Sweep: commands::next_map], "next, previous map", "show the next map; there is one for each combination of the other settings";
            SweepPreviousMap "previous-map" ["N"] None Uncounted Sweep "" &[], [Sweep: commands::previous_map], "next, previous map", "show the previous map";
            SweepFilter "filter" ["f"] None Uncounted Sweep "" &[], [Sweep: commands::filter], "cells by state", "list only the cells of the next state, and at last all; among episodes, only unsolved ones, then those with errors";
            SweepSort "sort" ["s"] None Uncounted Sweep "" &[], [Sweep: commands::sort], "sort the table", "sort the table of cells by the next column: state, score, difference, cost, tokens, errors, and at last as the plan is";
            SweepFind "find" ["/"] None Uncounted Sweep "" &[], [Sweep: commands::find], "find steps", "list the steps of the sweep, or of the open cell, that meet a condition, such as ia or score<50; s in that list makes a suite of them, which can be asked again";
            SweepReaders "readers" ["r"] None Uncounted Sweep "" &[], [Sweep: commands::readers], "compare readers", "read all replies of the sweep, or of the open cell, with every reader: what each refuses, and why";
            SweepPause "pause" ["p"] None Uncounted Sweep "" &[], [Sweep: commands::pause], "pause or resume", "pause all workers of the sweep, on any machine: running episodes are finished and no other starts; again, resume them";
            SweepRequeue "requeue" ["R"] None Uncounted Sweep "" &[], [Sweep: commands::requeue], "queue failed cells", "queue the cells again that failed or are parked; workers play them from where they ended";
            SweepCancel "cancel" ["c"] None Uncounted Sweep "" &[], [Sweep: commands::cancel], "cancel the sweep", "cancel the sweep for all its workers, on any machine, after a confirmation: they finish their steps and end";
            SweepHelp "help" ["?"] None Uncounted Sweep "" &[], [Sweep: commands::help], "these keys", "list these keys";
            Redraw "redraw" ["ctrl-l"] None Uncounted Screen "" &[], [Episode Lines: screen::redraw; Sweep: commands::redraw], "draw again", "redraw the screen";
            Suspend "suspend" ["ctrl-z"] None Uncounted Screen "" &[], [Episode Lines: screen::suspend; Sweep: commands::suspend], "go to the shell", "suspend the program and return to the shell; fg resumes it";
            Interrupt "interrupt" ["ctrl-c"] None Uncounted Screen "" &[], [Episode Lines: screen::interrupt], "cancel, then quit", "cancel the request or run in progress; if there is none, quit";
            Home "home" ["~"] None Uncounted Screen "" &[], [Episode Lines: screen::home; Sweep: commands::home], "home", "show home: unfinished sessions, levels, recordings, suites, prompts, models and lessons; the present episode stays as it is, Esc and Enter go on from there";
            Quit "quit" ["q"] None Uncounted Screen "quit" ALL_PANES, [Episode Lines: screen::quit], "leave", "quit; the episode can be resumed later";
            SweepInterrupt "interrupt" ["ctrl-c"] None Uncounted Sweep "" &[], [Sweep: commands::interrupt], "quit at once", "quit at once; this stops a run, which the same command continues";
            SweepQuit "quit" ["q"] None Uncounted Sweep "" &[], [Sweep: commands::quit], "leave", "quit; while a run goes on, a second q or y confirms that it stops";
        }
    };
}

/// Defines `function_of`, which has the functions of one view. `$pick` is a macro that gives `Some` function for
/// the views and the function of a row, or `None` for those of another view.
macro_rules! functions_of_commands {
    (use $pick:ident, $type:ty;
        $($id:ident $name:literal [$($key:literal)*] $argument:ident $count:ident $group:ident $hint:literal
        $panes:expr, [$($($view:ident)+: $function:path);+], $brief:literal, $help:literal;)*) => {
        /// The function of a command; none for a command of another view.
        fn function_of(id: CommandId) -> Option<$type> {
            let functions: &[Option<$type>] = match id {
                $(CommandId::$id => &[$($pick!($($view)+: $function)),+]),*
            };
            functions.iter().copied().flatten().next()
        }
    };
}

pub(crate) use {functions_of_commands, with_commands};
