//! Where the released program of `MageBench` has the prompts of web pages: one Global flow, and an Online flow for each
//! variant.

use mageyard_domain::{ImportedPrompt, ImportedText, PromptImport};
use mageyard_kit::prompts::{global_form, global_task, online_form, prompt_import, system};

const WORD: &str = "web";
const SYSTEM: ImportedText = system("env/WebUI_env.py", WORD);
const TASK: ImportedText = global_task(WORD);
const FORM: ImportedText = global_form(WORD);

/// The variants that a checkout gives.
pub(super) static PROMPTS: PromptImport = prompt_import(&[
    ImportedPrompt {
        name: "magebench-0s-CoT",
        base: "0s-CoT",
        texts: &[SYSTEM, TASK, FORM, online_form("Flow/Online_Web_NoCoT.py", WORD)],
    },
    ImportedPrompt {
        name: "magebench-HD-CoT",
        base: "HD-CoT",
        texts: &[SYSTEM, TASK, FORM, online_form("Flow/Online_Web_CoT_Natural.py", WORD)],
    },
    ImportedPrompt {
        name: "magebench-HD-CoT-MergeNoDes",
        base: "HD-CoT",
        texts: &[SYSTEM, TASK, FORM, online_form("Flow/Online_Web_CoT_MergeNoDes.py", WORD)],
    },
    ImportedPrompt {
        name: "magebench-HD-CoT-NoIMG",
        base: "HD-CoT-NoIMG",
        texts: &[SYSTEM, TASK, FORM, online_form("Flow/Online_Web_CoT_NoImg.py", WORD)],
    },
]);
