//! Prompts with the real binary: listed, printed, filled in, and refused with file and line.

use std::fmt::Write;

use serde_json::json;

use crate::sandbox::Sandbox;

const MY_PROMPT: &str = "+++\nname = \"mine\"\nsummary = \"short\"\nimages = false\n+++\n## system\nDo {actions}.\n\
    ## io\n{format}\n## turn\nNext, {steps_left} left.\n## placeholder\nnone\n## retry\nAgain.\n";

/// A sandbox with a user prompt for Sokoban.
fn world_with_prompt() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("config/mageyard/prompts/sokoban/mine.md", MY_PROMPT);
    sandbox
}

#[test]
fn user_prompts_are_listed_with_the_shipped_ones() {
    let sandbox = world_with_prompt();
    let rows = sandbox.run(&["prompts", "list", "--json"]).json_lines();
    let fields = |row: &serde_json::Value| json!([row["environment"], row["prompt"], row["images"]]);
    let sokoban: Vec<_> = rows.iter().filter(|row| row["environment"] == "sokoban").map(fields).collect();
    let expected = [
        json!(["sokoban", "0s-CoT", true]),
        json!(["sokoban", "HD-CoT", true]),
        json!(["sokoban", "HD-CoT-NoIMG", false]),
        json!(["sokoban", "mine", false]),
        json!(["sokoban", "roles/reward", true]),
    ];
    assert_eq!(sokoban, expected);
    let mine = rows.iter().find(|row| row["prompt"] == "mine").unwrap();
    assert_eq!(json!([rows[0]["origin"], mine["summary"]]), json!(["shipped", "short"]));
    assert!(mine["origin"].as_str().unwrap().ends_with("prompts/sokoban/mine.md"), "{mine}");
    let lines = sandbox.run(&["prompts", "list"]).success();
    assert_eq!(lines.lines().count(), rows.len());
    assert!(lines.contains("sokoban/mine"), "{lines}");
}

#[test]
fn a_prompt_is_printed_exactly_as_its_file() {
    let sandbox = world_with_prompt();
    assert_eq!(sandbox.run(&["prompts", "show", "mine"]).success(), MY_PROMPT);
    assert_eq!(
        sandbox.run(&["prompts", "show", "sokoban/mine", "--json"]).json_lines()[0]["text"],
        MY_PROMPT
    );
    let hanoi = sandbox.run(&["prompts", "show", "hanoi/0s-CoT"]).success();
    assert_eq!(hanoi, include_str!("../../src/envs/hanoi/prompts/0s-CoT.md"));
    sandbox.run(&["prompts", "show", "mine", "--setting", "global"]).fails_with(2, &["--setting", "--level"]);
    sandbox.run(&["prompts", "show", "HD-Cot"]).fails_with(2, &["there is no prompt HD-Cot", "HD-CoT"]);
    sandbox.run(&["prompts", "show", "hanoi/mine"]).fails_with(2, &["there is no prompt mine"]);
    sandbox
        .run(&["prompts", "show", "hanoi/0s-CoT", "--level", "sokoban"])
        .fails_with(2, &["different environments"]);
}

#[test]
fn a_prompt_is_filled_in_for_a_level_and_a_setting() {
    let sandbox = world_with_prompt();
    let args = ["prompts", "show", "mine", "--level", "sokoban/full/1", "--max-steps", "7", "--setting"];
    let shown = |setting: &'static str| sandbox.run(&[&args[..], &[setting]].concat()).success();
    let online = shown("online");
    assert!(online.starts_with("## system\nDo Left, Right, Up, Down.\n\n## io\n"), "{online}");
    assert!(online.contains("## turn\nNext, 7 left.\n") && !online.contains('{'), "{online}");
    assert!(shown("global").contains("### Actions") && !online.contains("### Actions"), "{online}");
    let object = &sandbox.run(&[&args[..], &["global", "--json"]].concat()).json_lines()[0];
    assert_eq!(json!([object["level"], object["setting"]]), json!(["sokoban/full/1", "global"]));
    assert_eq!(object["segments"]["system"], "Do Left, Right, Up, Down.");
}

#[test]
fn mistakes_are_reported_with_their_line() {
    let sandbox = world_with_prompt();
    let checked = sandbox.run(&["prompts", "check"]).success();
    assert!(checked.contains("prompts/sokoban/mine"), "{checked}");
    let bad = MY_PROMPT.replace("## turn", "## trun");
    sandbox.write("work/mine.md", &bad);
    sandbox.run(&["prompts", "check", "mine.md"]).fails_with(2, &["mine.md:10: ", "did you mean turn?"]);
    sandbox.write("work/other.md", MY_PROMPT);
    sandbox
        .run(&["prompts", "check", "other.md"])
        .fails_with(2, &["other.md:2: ", "the name of the prompt is \"mine\""]);
    sandbox.run(&["prompts", "check", "none.md"]).fails_with(2, &["none.md: there is no such file"]);
    sandbox.write("config/mageyard/prompts/sokoban/mine.md", &bad);
    for args in [["prompts", "check"], ["prompts", "list"], ["config", "check"]] {
        let result = sandbox.run(&args);
        result.fails_with(2, &["mine.md:10: ", "did you mean turn?"]);
        assert!(
            args[0] == "config" || result.out.contains("sokoban/HD-CoT"),
            "the others are there: {}",
            result.out
        );
    }
}

#[test]
fn a_prompt_in_the_settings_must_exist() {
    let sandbox = world_with_prompt();
    sandbox.write("work/mageyard.toml", "[play]\nprompt = \"mine\"\n");
    sandbox.run(&["config", "check"]).success();
    sandbox.write("work/mageyard.toml", "[play]\nprompt = \"mien\"\n");
    for args in [["config", "check"], ["run", "sokoban/full/1"]] {
        sandbox.run(&args).fails_with(2, &["mageyard.toml:2: there is no prompt mien", "mine"]);
    }
}

#[test]
fn the_image_description_follows_the_tiles() {
    let sandbox = Sandbox::new();
    let shown = || sandbox.run(&["prompts", "show", "sokoban/0s-CoT", "--level", "sokoban/full/1"]).success();
    assert!(shown().contains("grey bricks are walls") && shown().contains("blue figure is the player"));
    sandbox.write("config/mageyard/config.toml", "[sokoban]\ntiles = \"classic\"\n");
    assert!(shown().contains("red-brown bricks are walls") && shown().contains("green figure is the player"));
    assert!(!shown().contains("grey bricks"), "the legend matches the tiles");
}

#[test]
fn a_prompt_is_filled_in_with_the_defaults_of_its_environment() {
    let sandbox = Sandbox::new();
    let shown = |more: &[&str]| {
        let args = ["prompts", "show", "webui/HD-CoT", "--level", "webui/mini/1", "--setting", "online"];
        sandbox.run(&[&args[..], more].concat()).success()
    };
    assert!(shown(&[]).contains("You have 4 rounds left"), "{}", shown(&[]));
    assert!(shown(&["--max-steps", "9"]).contains("You have 9 rounds left"), "a flag is stronger");
    sandbox.write("work/mageyard.toml", "play.max_steps = 7\n");
    assert!(shown(&[]).contains("You have 7 rounds left"), "a file is stronger");
}

/// Every shipped prompt, for both settings.
fn shipped_prompts(sandbox: &Sandbox) -> Vec<(String, serde_json::Value)> {
    let mut shown = Vec::new();
    for row in sandbox.run(&["prompts", "list", "--json"]).json_lines() {
        let environment = row["environment"].as_str().unwrap();
        // Those of roles are filled in at each question.
        if !row["role"].is_null() {
            continue;
        }
        let prompt = row["prompt"].as_str().unwrap();
        let set = match environment {
            "webui" | "football" => "mini",
            "ground" | "critic" => "drawn",
            "idm" => "single",
            "web" => "local",
            "desktop" => "offline",
            _ => "first",
        };
        let name = format!("{environment}/{prompt}");
        let level = format!("{environment}/{set}/1");
        for setting in ["online", "global"] {
            let args = ["prompts", "show", &name, "--level", &level, "--setting", setting, "--json"];
            let result = sandbox.run(&args);
            // Pages and results that were not seen cannot be planned.
            if matches!((environment, setting), ("web" | "desktop", "global")) {
                assert_eq!(result.code, Some(2), "{}", result.err);
                continue;
            }
            let object = result.json_lines().remove(0);
            shown.push((format!("{name} {setting}"), object["segments"].clone()));
        }
    }
    shown
}

/// The wording of the shipped prompts is an experimental variable: a change must be seen.
#[test]
fn the_shipped_prompts_have_exactly_these_words() {
    let sandbox = Sandbox::new();
    let mut golden = String::new();
    for (name, segments) in shipped_prompts(&sandbox) {
        writeln!(golden, "==== {name}").unwrap();
        for (segment, text) in segments.as_object().unwrap() {
            writeln!(golden, "-- {segment}\n{}", text.as_str().unwrap()).unwrap();
        }
    }
    insta::assert_snapshot!(golden);
}

#[test]
fn no_shipped_prompt_breaks_a_line_inside_a_sentence() {
    let mut lines = 0;
    for (name, segments) in shipped_prompts(&Sandbox::new()) {
        for segment in ["system", "task", "cot", "turn"] {
            for line in segments[segment].as_str().unwrap_or_default().lines().filter(|line| !line.is_empty())
            {
                let ends = line.ends_with(['.', ':', '?']) || line.trim_start().starts_with("- ");
                assert!(ends, "{name}, {segment}: {line:?}");
                lines += 1;
            }
        }
    }
    assert!(lines > 100, "{lines}");
}

#[test]
fn the_lines_of_a_paragraph_in_a_users_prompt_are_joined() {
    let sandbox = Sandbox::new();
    let prompt = MY_PROMPT
        .replace("Do {actions}.", "You may\ndo {actions}.\n\n- a\n  b\n- c\n\n```\nd\ne\n```\nf\\\ng");
    sandbox.write("config/mageyard/prompts/sokoban/mine.md", &prompt);
    let args = ["prompts", "show", "mine", "--level", "sokoban/full/1", "--json"];
    assert_eq!(
        sandbox.run(&args).json_lines()[0]["segments"]["system"],
        "You may do Left, Right, Up, Down.\n\n- a b\n- c\n\n```\nd\ne\n```\nf\ng"
    );
    assert_eq!(sandbox.run(&["prompts", "show", "mine"]).success(), prompt, "the file is printed as it is");
    assert!(sandbox.run(&["prompts", "--help"]).success().contains("lines of a paragraph are joined"));
}

/// A small checkout with the files that the released program has its texts in.
fn write_checkout(sandbox: &Sandbox) {
    let system = |words: &str| {
        format!(
            "class Env:\n    @property\n    def system_prompt(self):\n        return \"{words}\"\n\n    def step(self):\n        pass\n"
        )
    };
    sandbox.write("work/bench/env/sokoban_env.py", system("Push the {boxes}.\\nUse # action."));
    sandbox.write("work/bench/env/WebUI_env.py", system("Write a page."));
    let global = "special_prompt_for_task = {\n  'SokobanEnv': 'Give all moves.',\n  'WebUIEnv': 'Give all files.',\n}\n\
                  def plan(env):\n  prompt = env.system_prompt\n  prompt += 'Reply in this form:\\n### Actions'\n";
    sandbox.write("work/bench/Flow/GlobalPlanning.py", global);
    sandbox.write("work/bench/Flow/Online_HL_FBandSB.py", "text += f'{env.left} moves are left'\n");
    let web =
        "messages.append({'role': 'user', 'content': 'Change the files.'})\nraise SystemExit('was run')\n";
    for flow in ["NoCoT", "CoT_Natural", "CoT_MergeNoDes", "CoT_NoImg"] {
        sandbox.write(format!("work/bench/Flow/Online_Web_{flow}.py"), web);
    }
}

#[test]
fn prompts_are_made_from_a_checkout_and_what_is_missing_is_named() {
    let sandbox = Sandbox::new();
    write_checkout(&sandbox);
    let result = sandbox.run(&["prompts", "import", "magebench", "bench", "--json"]);
    assert_eq!(result.code, Some(2), "{}", result.err);
    let made: Vec<String> = result
        .json_lines()
        .iter()
        .map(|row| format!("{}/{}", row["environment"].as_str().unwrap(), row["prompt"].as_str().unwrap()))
        .collect();
    let variants = ["0s-CoT", "HD-CoT", "HD-CoT-MergeNoDes", "HD-CoT-NoIMG"];
    let web = variants.map(|name| format!("webui/magebench-{name}"));
    assert_eq!(made, [vec!["sokoban/magebench-0s-CoT".to_owned()], web.to_vec()].concat());
    for part in [
        "io online is not imported: a computed text is appended, where a text literal was looked for",
        "Online_HL_FBandSB.py:1",
        "env/football_env.py",
    ] {
        assert!(result.err.contains(part), "{part}: {}", result.err);
    }
    let again = sandbox.run(&["prompts", "import", "magebench", "bench"]);
    assert!(again.code == Some(2) && again.err.contains("--force"), "{}", again.err);

    let shown = ["prompts", "show", "sokoban/magebench-0s-CoT", "--level", "sokoban/mini/1", "--json"];
    let shown = &sandbox.run(&[&shown[..], &["--set", "play.setting=global"]].concat()).json_lines()[0];
    let segments = &shown["segments"];
    assert_eq!(segments["system"], "Push the {boxes}.\nUse # action.");
    assert_eq!(
        (&segments["task"], &segments["io"]),
        (&"Give all moves.".into(), &"Reply in this form:\n### Actions".into())
    );
    assert_eq!(segments["cot"], serde_json::Value::Null);
    let none = sandbox.run(&["prompts", "import", "other", "bench"]);
    assert!(none.code == Some(2) && none.err.contains("the program is magebench"), "{}", none.err);
}
