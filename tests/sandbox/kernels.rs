//! The kernel of a sandbox: results, and late output.

use mageyard_sandbox::{CellOutput, Confinement};

use crate::Test;
use crate::room::Room;

pub(super) const TESTS: &[Test] = &[
    ("variables_stay_and_results_come_in_order", variables_stay),
    ("lines_of_a_notebook_work", lines_of_a_notebook_work),
    ("late_output_is_no_part_of_the_next_cell", late_output_is_left_out),
    ("long_output_says_what_is_left_out", long_output_says_what_is_left_out),
    ("files_and_commands_work", files_and_commands_work),
];

fn variables_stay(form: Confinement) {
    let room = Room::new(form);
    let kernel = if form == Confinement::Bubblewrap { "jupyter" } else { "ipython" };
    assert_eq!(room.kernel.kernel, kernel, "{:?}", room.kernel);
    let result = room.run("x = 20\nprint('a')\nx + 1");
    let [CellOutput::Text(text), CellOutput::Rich(rich)] = result.output.as_slice() else {
        panic!("{result:?}")
    };
    assert_eq!((text.as_str(), rich["text/plain"].as_str()), ("a\n", "21"));
    let result = room.run("x / 0");
    assert_eq!(result.error, Some(("ZeroDivisionError".to_owned(), "division by zero".to_owned())));
    // A kernel may drop what comes at once after an exception.
    for _ in 0..5 {
        assert_eq!(room.says("x"), "20");
        assert!(room.says("x / 0").contains("ZeroDivisionError"));
    }
}

fn lines_of_a_notebook_work(form: Confinement) {
    let room = Room::new(form);
    assert_eq!(room.says("!echo $((6 * 7))").trim(), "42");
    assert!(room.says("%pwd").contains("studio"));
}

fn late_output_is_left_out(form: Confinement) {
    let room = Room::new(form);
    let code = "import threading, time\n\
        def late():\n    time.sleep(0.3)\n    print('late')\n\
        threading.Thread(target=late).start()";
    assert_eq!(room.says(code), "");
    assert_eq!(room.says("import time; time.sleep(0); 1"), "1");
}

fn long_output_says_what_is_left_out(form: Confinement) {
    let room = Room::new(form);
    let result = room.run("print('x' * 200_000)");
    let Some(CellOutput::Text(text)) = result.output.first() else { panic!("{result:?}") };
    assert_eq!((text.len(), result.left_out), (65_536, 200_001 - 65_536));
}

fn files_and_commands_work(form: Confinement) {
    use mageyard_sandbox::{Change, FileKind};
    let room = Room::new(form);
    let path = format!("{}/a/b.txt", room.sandbox.folders().root);
    let change = Change::Write { path: path.clone(), content: b"hello".to_vec() };
    room.runtime.block_on(room.sandbox.change(change)).unwrap().unwrap();
    assert_eq!(room.says(&format!("print(open({path:?}).read())")).trim(), "hello");
    let facts = room.runtime.block_on(room.sandbox.facts(&path)).unwrap().unwrap().unwrap();
    assert_eq!((facts.kind, facts.size), (FileKind::File, 5));
    let limit = std::time::Duration::from_secs(5);
    let ran = room.runtime.block_on(room.sandbox.run("pwd; exit 3", limit)).unwrap().unwrap();
    assert_eq!(ran.code, Some(3));
    assert_eq!(ran.output.trim(), room.sandbox.folders().root);
    let quick = std::time::Duration::from_millis(200);
    assert!(room.runtime.block_on(room.sandbox.run("sleep 9", quick)).unwrap().is_err());
}
