//! The published tables of AgentStudio (ICLR 2025) over the three datasets. Temperature 0; Gemini 001, Claude 20240620,
//! `GPT-4o` 0513.

use mageyard_domain::{PublishedColumn, PublishedTable};

/// How what is shipped here differs.
pub(super) const DEVIATIONS: &str = "screens of our own drawing, or the records that were given";

const fn column(title: &'static str, levels: &'static [(&'static str, &'static str)]) -> PublishedColumn {
    PublishedColumn { title, levels }
}

const PLATFORMS: &[PublishedColumn] = &[
    column("web", &[("platform", "web")]),
    column("desktop", &[("platform", "desktop")]),
    column("mobile", &[("platform", "mobile")]),
    column("total", &[]),
];

const SOURCES: &[PublishedColumn] = &[
    column("Mind2Web", &[("source", "mind2web")]),
    column("AITW", &[("source", "aitw")]),
    column("VWA", &[("source", "vwa")]),
    column("own", &[("source", "agent-studio")]),
    column("total", &[]),
];

/// The systems and applications of the sample task; its data are not published.
const APPLICATIONS: &[PublishedColumn] = &[
    column("Windows OS", &[("platform", "windows"), ("source", "os")]),
    column("games", &[("platform", "windows"), ("source", "games")]),
    column("PowerPoint", &[("platform", "windows"), ("source", "powerpoint")]),
    column("Word", &[("platform", "windows"), ("source", "word")]),
    column("Linux OS", &[("platform", "linux"), ("source", "os")]),
    column("browser", &[("platform", "linux"), ("source", "browser")]),
    column("calculator", &[("platform", "linux"), ("source", "calculator")]),
    column("macOS music", &[("platform", "macos"), ("source", "music")]),
    column("iMovie", &[("platform", "macos"), ("source", "imovie")]),
];

pub(super) const GROUND: &[PublishedTable] = &[
    PublishedTable {
        title: "GroundUI-1K, accuracy in % (AgentStudio, table 8)",
        measure: "accuracy",
        levels: None,
        option: Some(("ask", "point")),
        columns: PLATFORMS,
        rows: &[
            ("SeeClick", &[64.3, 44.3, 73.7, 61.1]),
            ("CogAgent", &[25.3, 15.7, 35.7, 25.5]),
            ("CogVLM2-Llama3-19B", &[2.5, 2.7, 5.3, 3.4]),
            ("MiniCPM-Llama3-V 2.5", &[0.0, 0.3, 2.7, 0.9]),
            ("Qwen-VL-Chat", &[0.0, 0.0, 0.0, 0.0]),
            ("PaliGemma-3B-mix-448", &[0.0, 0.0, 0.0, 0.0]),
            ("PaliGemma-3B-896", &[0.0, 0.0, 0.0, 0.0]),
            ("Gemini 1.5 Pro", &[31.2, 24.3, 51.3, 35.2]),
            ("Claude 3.5 Sonnet", &[13.0, 14.0, 26.3, 17.3]),
            ("GPT-4o", &[7.5, 8.3, 26.3, 13.4]),
            ("GPT-4 Turbo", &[5.3, 11.0, 23.0, 12.3]),
            ("Gemini 1.5 Flash", &[0.5, 4.3, 26.3, 9.4]),
            ("Gemini 1.0 Pro", &[0.5, 0.3, 5.0, 1.8]),
        ],
    },
    PublishedTable {
        title: "Clicks with their kind, accuracy in % (AgentStudio, table 11)",
        measure: "accuracy",
        levels: None,
        option: Some(("ask", "code")),
        columns: APPLICATIONS,
        rows: &[
            ("SeeClick", &[42.3, 47.6, 24.0, 9.1, 60.7, 9.1, 69.0, 53.8, 35.7]),
            ("Claude-3 Sonnet", &[3.8, 4.8, 24.0, 9.1, 7.1, 4.5, 0.0, 30.8, 0.0]),
            ("GPT-4V", &[11.5, 23.8, 20.0, 9.1, 14.3, 4.5, 3.4, 11.5, 3.6]),
            ("Gemini 1.0 Pro", &[7.7, 9.5, 8.0, 4.5, 10.7, 0.0, 0.0, 3.8, 0.0]),
            ("Qwen-VL-Chat", &[0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]),
        ],
    },
];

pub(super) const IDM: &[PublishedTable] = &[
    PublishedTable {
        title: "IDM-Single, accuracy in % (AgentStudio, table 5)",
        measure: "accuracy",
        levels: Some(("form", "single")),
        option: None,
        columns: SOURCES,
        rows: &[
            ("Claude 3.5 Sonnet", &[73.0, 56.0, 50.0, 72.0, 61.4]),
            ("GPT-4o", &[70.0, 56.0, 45.0, 78.0, 60.0]),
            ("Gemini 1.5 Pro", &[62.0, 51.0, 46.0, 48.0, 52.3]),
            ("Gemini 1.5 Flash", &[65.0, 34.0, 31.0, 60.0, 45.7]),
            ("Qwen-VL-Chat", &[37.0, 20.0, 5.0, 20.0, 20.6]),
        ],
    },
    PublishedTable {
        title: "IDM-Multiple, accuracy in % (AgentStudio, table 5)",
        measure: "accuracy",
        levels: Some(("form", "multiple")),
        option: None,
        columns: SOURCES,
        rows: &[
            ("Claude 3.5 Sonnet", &[18.0, 8.0, 7.0, 22.2, 12.5]),
            ("GPT-4o", &[13.0, 8.0, 2.0, 20.0, 9.3]),
            ("Gemini 1.5 Pro", &[0.0, 0.0, 1.0, 2.2, 0.6]),
            ("Gemini 1.5 Flash", &[0.0, 0.0, 0.0, 0.0, 0.0]),
            ("Qwen-VL-Chat", &[0.0, 0.0, 0.0, 0.0, 0.0]),
        ],
    },
    PublishedTable {
        title: "IDM-Multiple, edit distance (AgentStudio, table 9)",
        measure: "edit_distance",
        levels: Some(("form", "multiple")),
        option: None,
        columns: SOURCES,
        rows: &[
            ("Claude 3.5 Sonnet", &[2.0, 2.1, 2.9, 1.6, 2.3]),
            ("GPT-4o", &[2.1, 2.2, 3.5, 2.0, 2.5]),
            ("Gemini 1.5 Pro", &[6.0, 4.4, 7.0, 3.8, 5.5]),
            ("Qwen-VL-Chat", &[5.1, 15.4, 5.8, 6.3, 8.4]),
            ("Gemini 1.5 Flash", &[294.5, 7.2, 7.2, 7.8, 90.6]),
        ],
    },
];

pub(super) const CRITIC: &[PublishedTable] = &[
    PublishedTable {
        title: "CriticBench, F1 in % (AgentStudio, table 10)",
        measure: "f1",
        levels: None,
        option: Some(("actions", "true")),
        columns: PLATFORMS,
        rows: &[
            ("Gemini 1.5 Pro", &[72.5, 84.2, 52.5, 69.7]),
            ("Gemini 1.5 Flash", &[65.6, 85.2, 57.8, 67.3]),
            ("GPT-4o", &[68.0, 91.5, 41.7, 66.5]),
            ("Claude 3.5 Sonnet", &[68.4, 92.9, 36.6, 65.6]),
            ("Qwen-VL-Chat", &[55.6, 55.1, 64.4, 58.5]),
        ],
    },
    PublishedTable {
        title: "CriticBench without actions, F1 in % (AgentStudio, table 10)",
        measure: "f1",
        levels: None,
        option: Some(("actions", "false")),
        columns: PLATFORMS,
        rows: &[
            ("Gemini 1.5 Pro", &[61.1, 88.1, 48.1, 62.9]),
            ("Gemini 1.5 Flash", &[64.1, 75.0, 52.5, 63.1]),
            ("GPT-4o", &[61.4, 85.7, 39.4, 60.8]),
            ("Claude 3.5 Sonnet", &[64.6, 87.3, 47.5, 64.2]),
            ("Qwen-VL-Chat", &[63.2, 73.4, 67.6, 66.2]),
        ],
    },
    PublishedTable {
        title: "CriticBench, accuracy in % (AgentStudio, table 10)",
        measure: "accuracy",
        levels: None,
        option: Some(("actions", "true")),
        columns: PLATFORMS,
        rows: &[
            ("Gemini 1.5 Pro", &[73.5, 82.0, 62.0, 71.4]),
            ("Gemini 1.5 Flash", &[68.5, 82.0, 65.0, 69.4]),
            ("Claude 3.5 Sonnet", &[70.0, 92.0, 55.0, 68.9]),
            ("GPT-4o", &[68.5, 90.0, 58.0, 68.6]),
            ("Qwen-VL-Chat", &[52.0, 38.0, 48.0, 48.9]),
        ],
    },
    PublishedTable {
        title: "CriticBench without actions, accuracy in % (AgentStudio, table 10)",
        measure: "accuracy",
        levels: None,
        option: Some(("actions", "false")),
        columns: PLATFORMS,
        rows: &[
            ("Gemini 1.5 Pro", &[65.0, 86.0, 59.0, 66.3]),
            ("Gemini 1.5 Flash", &[67.0, 72.0, 62.0, 66.3]),
            ("Claude 3.5 Sonnet", &[66.0, 86.0, 58.0, 66.6]),
            ("GPT-4o", &[63.5, 84.0, 57.0, 64.6]),
            ("Qwen-VL-Chat", &[54.5, 58.0, 52.0, 54.3]),
        ],
    },
    PublishedTable {
        title: "CriticBench, precision in % (AgentStudio, table 10)",
        measure: "precision",
        levels: None,
        option: Some(("actions", "true")),
        columns: PLATFORMS,
        rows: &[
            ("Gemini 1.5 Pro", &[75.3, 88.9, 70.0, 76.7]),
            ("Claude 3.5 Sonnet", &[72.2, 100.0, 61.9, 75.9]),
            ("Gemini 1.5 Flash", &[72.3, 83.9, 72.7, 74.8]),
            ("GPT-4o", &[69.1, 93.1, 68.2, 73.6]),
            ("Qwen-VL-Chat", &[51.7, 48.7, 49.0, 50.2]),
        ],
    },
    PublishedTable {
        title: "CriticBench without actions, precision in % (AgentStudio, table 10)",
        measure: "precision",
        levels: None,
        option: Some(("actions", "false")),
        columns: PLATFORMS,
        rows: &[
            ("Gemini 1.5 Pro", &[68.8, 89.7, 65.5, 72.5]),
            ("Claude 3.5 Sonnet", &[67.4, 96.0, 63.3, 71.4]),
            ("Gemini 1.5 Flash", &[70.2, 80.8, 70.0, 72.1]),
            ("GPT-4o", &[65.2, 92.3, 66.7, 70.6]),
            ("Qwen-VL-Chat", &[53.1, 59.2, 51.0, 53.4]),
        ],
    },
    PublishedTable {
        title: "CriticBench, recall in % (AgentStudio, table 10)",
        measure: "recall",
        levels: None,
        option: Some(("actions", "true")),
        columns: PLATFORMS,
        rows: &[
            ("Qwen-VL-Chat", &[60.0, 63.3, 94.0, 70.0]),
            ("Gemini 1.5 Pro", &[70.0, 80.0, 42.0, 63.9]),
            ("Gemini 1.5 Flash", &[60.0, 86.7, 48.0, 61.1]),
            ("GPT-4o", &[67.0, 90.0, 30.0, 60.6]),
            ("Claude 3.5 Sonnet", &[65.0, 86.7, 26.0, 57.8]),
        ],
    },
    PublishedTable {
        title: "CriticBench without actions, recall in % (AgentStudio, table 10)",
        measure: "recall",
        levels: None,
        option: Some(("actions", "false")),
        columns: PLATFORMS,
        rows: &[
            ("Qwen-VL-Chat", &[78.0, 96.7, 100.0, 87.2]),
            ("Gemini 1.5 Pro", &[55.0, 86.7, 38.0, 55.6]),
            ("Gemini 1.5 Flash", &[59.0, 70.0, 42.0, 56.1]),
            ("GPT-4o", &[58.0, 80.0, 28.0, 53.3]),
            ("Claude 3.5 Sonnet", &[62.0, 80.0, 38.0, 58.3]),
        ],
    },
];
