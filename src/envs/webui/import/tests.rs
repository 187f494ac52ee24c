use proptest::prelude::*;

use super::*;

/// A file with these lines in the only function.
fn file(body: &str) -> String {
    let body: Vec<String> = body.lines().map(|line| format!("    {line}\n")).collect();
    format!("import time\n\ndef act(driver):\n{}\nactions = [act]\n", body.concat())
}

fn steps(body: &str) -> Result<String, String> {
    let mut read = read_actions(&file(body)).map_err(|error| error.to_string())?;
    assert_eq!(read.len(), 1);
    Ok(serde_json::to_string(&read.remove(0).steps).unwrap())
}

#[test]
fn calls_become_steps() {
    for (body, expected) in [
        ("driver.find_element(By.ID, 'go').click()", r#"[{"click":{"id":"go"}}]"#),
        ("a = driver.find_element(By.CLASS_NAME, \"x\")\na.clear()", r#"[{"clear":{"class":"x"}}]"#),
        ("driver.find_element(by='css selector', value='a b').submit()", r#"[{"submit":{"css":"a b"}}]"#),
        ("driver.find_element_by_name('q').click()", r#"[{"click":{"name":"q"}}]"#),
        ("driver.find_elements(By.TAG_NAME, 'li')[2].click()", r#"[{"click":{"css":"li","index":2}}]"#),
        (
            "a = driver.find_elements(By.CLASS_NAME, 'x')\na[-1].click()",
            r#"[{"click":{"xpath":"(//*[contains(concat(' ', normalize-space(@class), ' '), ' x ')])[last()]"}}]"#,
        ),
        ("driver.find_elements(By.XPATH, '//p')[-2].click()", r#"[{"click":{"xpath":"(//p)[last()-1]"}}]"#),
        (
            "a = driver.find_element(By.ID, 'm')\na.find_element(By.TAG_NAME, 'a').click()",
            r##"[{"click":{"css":"#m a"}}]"##,
        ),
        (
            "driver.find_element(By.LINK_TEXT, 'More').send_keys('a', 1)",
            r#"[{"type":{"into":{"link_text":"More"},"text":"a"}},{"type":{"text":"1"}}]"#,
        ),
        (
            "f = driver.find_element(By.ID, 'q')\nf.send_keys('tea' + Keys.ENTER)",
            r#"[{"type":{"into":{"id":"q"},"text":"tea"}},{"press":{"key":"Enter"}}]"#,
        ),
        (
            "driver.find_element(By.ID, 'q').send_keys(Keys.CONTROL, 'a')",
            r#"[{"press":{"key":"Control+a","on":{"id":"q"}}}]"#,
        ),
        ("ActionChains(driver).send_keys('c').perform()", r#"[{"type":{"text":"c"}}]"#),
        (
            "e = driver.find_element(By.ID, 'e')\nActionChains(driver).move_to_element(e).click().perform()",
            r#"[{"hover":{"id":"e"}},{"click":{"id":"e"}}]"#,
        ),
        (
            "e = driver.find_element(By.ID, 'e')\nc = webdriver.ActionChains(driver)\n\
             c.move_to_element_with_offset(e, 5, -3).click_and_hold().move_by_offset(40, 0).release().perform()",
            r#"[{"hover":{"id":"e","offset":[5,-3]}},{"mouse_down":{"id":"e","offset":[5,-3]}},{"mouse_move":{"by":[40,0]}},{"mouse_up":{}}]"#,
        ),
        (
            "a = driver.find_element(By.ID, 'a')\nb = driver.find_element(By.ID, 'b')\nc = ActionChains(driver)\n\
             c.drag_and_drop(a, b).drag_and_drop_by_offset(a, 1, 2).perform()",
            r#"[{"drag":{"from":{"id":"a"},"to":{"onto":{"id":"b"}}}},{"drag":{"from":{"id":"a"},"to":{"by":[1,2]}}}]"#,
        ),
        (
            "a = driver.find_element(By.ID, 'a')\nc = ActionChains(driver)\n\
             c.double_click(a).pause(0.2).context_click(on_element=a)\nc.perform()",
            r#"[{"double_click":{"id":"a"}},{"wait_ms":200},{"right_click":{"id":"a"}}]"#,
        ),
        (
            "Select(driver.find_element(By.ID, 's')).select_by_visible_text('Two')",
            r#"[{"choose":{"from":{"id":"s"},"option":"Two"}}]"#,
        ),
        ("driver.execute_script('window.scrollTo(0, 500);')", r#"[{"scroll":{"to":[0,500]}}]"#),
        ("driver.execute_script(\"window.scrollBy(0,-20)\")", r#"[{"scroll":{"by":[0,-20]}}]"#),
        (
            "driver.execute_script('window.scrollTo(0, document.body.scrollHeight)')",
            r#"[{"scroll":{"to_end":{}}}]"#,
        ),
        (
            "e = driver.find_element(By.ID, 'e')\n\
             driver.execute_script(\"arguments[0].scrollIntoView({block: 'center'});\", e)",
            r#"[{"scroll":{"into_view":{"id":"e"}}}]"#,
        ),
        (
            "'''What it does.'''\ndriver.save_screenshot(f'{dir}/a.png')\n\
             driver.find_element(By.ID, 'a').click()\ndriver.switch_to.alert.accept()\nreturn\nfoo()",
            r#"[{"click":{"id":"a"}}]"#,
        ),
    ] {
        assert_eq!(steps(body).as_deref(), Ok(expected), "{body}");
    }
}

#[test]
fn other_calls_are_refused_with_name_and_line() {
    for (body, line, part) in [
        ("driver.get('https://example.org')", 4, "driver.get(…) is not one of the calls"),
        ("os.system('x')", 4, "the name os has no value"),
        ("__import__('os').system('x')", 4, "__import__(…) is not one of the calls"),
        ("time.sleep(1)\nexec('x')", 5, "exec(…) is not one of the calls"),
        ("for e in driver.find_elements(By.ID, 'a'):\n    e.click()", 4, "`for` is not read"),
        ("with open('x') as f:\n    pass", 4, "`with` is not read"),
        ("t = driver.find_element(By.ID, 'a').text", 4, ".text is not read"),
        ("driver.find_element(By.ID, 'a').send_keys(x)", 4, "x is not a text or a key"),
        ("driver.find_element(By.ID, f'{x}').click()", 4, "not by a computed text"),
        ("driver.find_element(By.PARTIAL_LINK_TEXT, 'a').click()", 4, "PARTIAL_LINK_TEXT"),
        ("driver.execute_script('alert(1)')", 4, "the script \"alert(1)\" has no step"),
        ("driver.execute_script('arguments[0].click()', driver.find_element(By.ID, 'a'))", 4, "has no step"),
        ("ActionChains(driver).click().perform()", 4, "does not say where the pointer is"),
        ("ActionChains(driver).key_down(Keys.SHIFT).perform()", 4, "key_down(…) is not one of the calls"),
        ("driver.find_element(By.ID, 'a').send_keys(Keys.F13)", 4, "Keys.F13 is not known"),
        ("driver.find_elements(By.CSS_SELECTOR, 'a b')[-1].click()", 4, "from their end"),
        ("time.sleep(11)", 4, "the most is 10000"),
        ("time.sleep(-1)", 4, "not a number of seconds"),
        ("driver.switch_to.alert.dismiss()", 4, "dismiss() is not read"),
        ("x = 1 if y else 2", 4, "`if`, which is not read"),
        ("act(driver)", 3, "more than 8 functions"),
        ("pass", 3, "act has no call"),
        ("driver.find_element(By.ID, 'a'", 4, "a bracket has no end"),
    ] {
        let found = steps(body).unwrap_err();
        assert!(found.starts_with(&format!("line {line}: ")) && found.contains(part), "{body}: {found}");
    }
}

#[test]
fn a_file_without_a_clear_list_is_refused() {
    for (text, line, part) in [
        ("", 1, "no list"),
        ("actions = [a]", 1, "a is in the list, but no function"),
        ("actions = make()", 1, "names of functions and nothing else"),
        ("actions = []\nactions = []", 2, "two lists"),
        ("actions = []\nprint('x')", 2, "`print` outside functions"),
        ("import os\nos.remove('x')\nactions = []", 2, "nothing of the file is run"),
    ] {
        let error = read_actions(text).unwrap_err();
        assert!(error.line == line && error.reason.contains(part), "{text}: {error}");
    }
    assert_eq!(read_actions("actions = []"), Ok(vec![]));
}

#[test]
fn only_listed_functions_are_read_and_the_last_sleep_is_the_wait() {
    let text = "def open_menu(d):\n    d.find_element(By.ID, 'm').click()\n    time.sleep(0.5)\n\n\
        def both(d): open_menu(d)\n\n\
        def rest(d):\n    for x in y:\n        boom(x)\n\n\
        def wait(d):\n    time.sleep(10)\n\n\
        actions = [open_menu, both, wait]\n\n\
        def interact(driver, dir):\n    rest(driver)\n";
    let read = read_actions(text).unwrap();
    let facts: Vec<_> = read.iter().map(|one| (one.name.as_str(), one.steps.len(), one.wait_ms)).collect();
    assert_eq!(facts, [("open menu", 1, 500), ("both", 1, 500), ("wait", 1, 0)]);
}

fn task(changes: &[(&str, Option<&[u8]>)]) -> Result<ImportedTask, TaskError> {
    let mut files: Vec<(String, Vec<u8>)> = [
        ("index.html", "<p>Tea</p>"),
        ("_images/after.png", "2"),
        ("_images/origin.png", "1"),
        ("images/logo.svg", "<svg/>"),
        ("tasks.md", "\u{feff}# Tea\n![](./_images/origin.png)\n"),
        ("tasks_content.json", "[]"),
        ("actions.py", "def go(d):\n    d.find_element(By.ID, 'a').click()\nactions = [go]"),
    ]
    .map(|(name, content)| (name.to_owned(), content.as_bytes().to_vec()))
    .into();
    for (name, content) in changes {
        files.retain(|(file, _)| file != name);
        files.extend(content.map(|content| ((*name).to_owned(), content.to_vec())));
    }
    read_task(files)
}

#[test]
fn a_task_keeps_its_files_and_says_what_it_leaves_out() {
    let read = task(&[("notes.py", Some(b"x")), ("film.mp4", Some(&vec![0; (4 << 20) + 1]))]).unwrap();
    let names: Vec<_> = read.files.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["index.html", "_images/origin.png", "images/logo.svg", "task.md", "steps.json"]);
    let left: Vec<_> = read.left_out.iter().map(|one| (one.file.as_str(), one.reason)).collect();
    assert_eq!(
        left,
        [
            ("_images/after.png", "a screenshot that the description does not show"),
            ("tasks_content.json", "a prepared copy of the description"),
            ("notes.py", "a hidden file or a program"),
            ("film.mp4", "more than 4 MiB"),
        ]
    );
    assert!(read.files[3].1.starts_with(b"# Tea"));
    let steps: serde_json::Value = serde_json::from_slice(&read.files[4].1).unwrap();
    let expected = serde_json::json!([{"name": "go", "steps": [{"click": {"id": "a"}}], "wait_ms": 0}]);
    assert_eq!(steps, expected);
}

#[test]
fn a_task_that_cannot_be_used_is_refused() {
    let refused = |name, content| task(&[(name, content)]).unwrap_err().to_string();
    assert_eq!(refused("tasks.md", None), "the folder has no file tasks.md");
    assert_eq!(refused("index.html", None), "the folder has no file index.html");
    assert_eq!(refused("tasks.md", Some(&[0xff])), "tasks.md is not UTF-8 text");
    assert_eq!(
        refused("actions.py", Some(b"\nactions = [x]")),
        "actions.py, line 2: x is in the list, but no function of this file"
    );
    let large = vec![b'x'; (4 << 20) + 1];
    assert_eq!(refused("index.html", Some(&large)), "index.html has more than 4194304 bytes");
}

proptest! {
    #[test]
    fn any_file_is_read_or_refused(
        body in "(driver|time|By|ID|find_element|click|sleep|x|=|\\.|\\(|\\)|\\[|\\]|,|\\+|-|'a'|1| |\n){0,60}"
    ) {
        let _ = steps(&body);
    }
}

#[test]
fn deep_nesting_is_refused() {
    for (open, close) in [("(", ")"), ("[", "]"), ("x(", ")"), ("x[", "]")] {
        let text = format!("{}1{}", open.repeat(50_000), close.repeat(50_000));
        assert!(steps(&text).unwrap_err().contains("more than 60"), "{open}");
    }
    for part in [".x", "()", "[0]", " + 1"] {
        assert!(steps(&format!("x{}", part.repeat(50_000))).unwrap_err().contains("more than 60"), "{part}");
    }
}
