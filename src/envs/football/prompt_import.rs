//! Where the released program of `MageBench` has the prompts of football, which is Online only there.

use mageyard_domain::{ImportedPrompt, PromptImport};
use mageyard_kit::prompts::{online_form, prompt_import, system};

const WORD: &str = "football";

/// The variants that a checkout gives.
pub(super) static PROMPTS: PromptImport = prompt_import(&[ImportedPrompt {
    name: "magebench-0s-CoT",
    base: "0s-CoT",
    texts: &[system("env/football_env.py", WORD), online_form("Flow/Online_HL_FBandSB.py", WORD)],
}]);
