//! Where the released program of `MageBench` has the prompts of Sokoban.

use mageyard_domain::{ImportedPrompt, PromptImport};
use mageyard_kit::prompts::{global_form, global_task, online_form, prompt_import, system};

const WORD: &str = "sokoban";

/// The variants that a checkout gives.
pub(super) static PROMPTS: PromptImport = prompt_import(&[ImportedPrompt {
    name: "magebench-0s-CoT",
    base: "0s-CoT",
    texts: &[
        system("env/sokoban_env.py", WORD),
        global_task(WORD),
        global_form(WORD),
        online_form("Flow/Online_HL_FBandSB.py", WORD),
    ],
}]);
