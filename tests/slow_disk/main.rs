//! The screen on a slow disk: each access to a file of the store takes a while, and no key waits for one. The disk is a
//! library in C that is preloaded into the program. Where there is no C compiler, or none of Linux, the tests are listed as
//! ignored; with `MAGEYARD_REQUIRE_CC=1` its absence is a failure.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "these are tests")]
#![allow(dead_code, unused_imports, reason = "parts of the other tests are used")]

#[path = "../it/pty.rs"]
mod pty;
#[path = "../it/sandbox.rs"]
mod sandbox;
#[path = "../it/server/mod.rs"]
mod server;

use std::fs;
use std::path::PathBuf;
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use libtest_mimic::{Arguments, Trial};

use self::pty::Pty;
use self::sandbox::Sandbox;
use self::server::{Behavior, Server};

/// The kind that the list shows where the disk cannot be built.
const MISSING: &str = "there is no C compiler, or no Linux";
/// How long an access to a file takes, and how long a key may take. Builds of tests are slow, and so are busy machines.
const ACCESS: Duration = Duration::from_millis(600);
const KEY: Duration = Duration::from_millis(400);
/// Three steps to the right solve it.
const HALL_LEVEL: &str = "; the hall\n#######\n#@ $ .#\n#######\n";
const LIBRARY: &str = include_str!("slow_disk.c");

/// What reads or writes the store while the screen is shown.
struct Action {
    name: &'static str,
    /// Brings the screen to it, while the disk is fast.
    prepare: fn(&mut Pty),
    /// The keys that begin it.
    begin: &'static str,
    /// The title of the dialog that Esc leaves first.
    dialog: Option<&'static str>,
    /// What is pressed at the end, and what the screen shows once the disk has answered.
    end: (&'static str, &'static str),
}

/// Every action that happens beside the event loop. A row is enough for another one.
const ACTIONS: [Action; 7] = [
    Action {
        name: "the_picture_of_a_step_holds_no_key",
        prepare: |_| {},
        begin: "l",
        dialog: None,
        end: ("l", "▄▄▄▀▄▄▄▀▄▄▄▀"),
    },
    Action {
        name: "the_frame_as_sent_holds_no_key",
        prepare: |_| {},
        begin: "s",
        dialog: None,
        end: ("", "png 256×110"),
    },
    Action {
        name: "the_list_of_sessions_holds_no_key",
        prepare: |_| {},
        begin: "E",
        dialog: Some("Episodes and sessions"),
        end: ("E", "hanoi/first/1"),
    },
    Action {
        name: "a_session_that_is_opened_holds_no_key",
        prepare: |screen| {
            screen.press("E").sees("hanoi/first/1").press("h a n o i").sees("filter: hanoi");
        },
        begin: "enter",
        dialog: Some("Episodes and sessions"),
        end: ("", "the end, after 3 steps"),
    },
    Action {
        name: "the_tree_of_branches_holds_no_key",
        prepare: |_| {},
        begin: "g b",
        dialog: Some("Branches"),
        end: ("g b", "b1"),
    },
    Action {
        name: "a_tag_that_is_written_holds_no_key",
        prepare: |screen| {
            screen.press(": t a g space w a l l");
        },
        begin: "enter",
        dialog: None,
        end: ("", "tagged wall"),
    },
    Action {
        name: "a_level_that_is_opened_holds_no_key",
        prepare: |screen| {
            screen.press(": o p e n space s o k o b a n / m i n i / 1");
        },
        begin: "enter",
        dialog: None,
        end: ("", "sokoban/mini/1"),
    },
];

/// The keys that are pressed after an action has started, and what the screen shows then.
const KEYS: [(&str, &str); 5] =
    [("l", "step 2 of"), ("h", "step 1 of"), ("tab", "▸Agent◂"), (BACK_TAB, "▸Frame◂"), ("?", "╭ Keys ")];
/// Shift and Tab.
const BACK_TAB: &str = "\x1b[Z";

/// The screen on a branch of a model's run, at its first step. The frame of the second one is a picture in the store.
struct SlowScreen {
    /// Removed at the end.
    _sandbox: Sandbox,
    screen: Pty,
    /// The disk is slow while there is this file.
    switch: PathBuf,
}

impl SlowScreen {
    fn start() -> Self {
        let sandbox = Sandbox::new().with("TERM", "xterm-256color").with("COLORTERM", "truecolor");
        record(&sandbox);
        let switch = sandbox.path("slow");
        let mut command = sandbox.command(&["view", "last#b1@1"]);
        command.env("LD_PRELOAD", library(&sandbox));
        command.env("SLOW_FOLDER", sandbox.path("data")).env("SLOW_SWITCH", &switch);
        command.env("SLOW_MILLISECONDS", ACCESS.as_millis().to_string());
        let mut screen = Pty::start(&command, 120, 40);
        screen.sees("step 1 of").settle();
        Self { _sandbox: sandbox, screen, switch }
    }

    fn perform(&mut self, action: &Action) {
        (action.prepare)(&mut self.screen);
        fs::write(&self.switch, "").unwrap();
        let mut times = Vec::new();
        self.screen.press(action.begin);
        if let Some(dialog) = action.dialog {
            times.push((action.begin, self.time("", |screen| screen.sees(dialog))));
            times.push(("esc", self.time("esc", |screen| screen.misses(dialog))));
        }
        for (key, effect) in KEYS {
            times.push((key, self.time(key, |screen| screen.sees(effect))));
        }
        times.push(("esc", self.time("esc", |screen| screen.misses("╭ Keys "))));
        assert!(times.iter().all(|(_, time)| *time < KEY), "an access takes {ACCESS:?}, the keys {times:?}");
        let (keys, shown) = action.end;
        if !keys.is_empty() {
            self.screen.press(keys);
        }
        self.screen.sees(shown);
    }

    /// How long it takes until a key has an effect.
    fn time(&mut self, key: &str, effect: impl Fn(&mut Pty) -> &mut Pty) -> Duration {
        let pressed = Instant::now();
        effect(self.screen.press(key));
        pressed.elapsed()
    }
}

/// Builds the library of the slow disk.
fn library(sandbox: &Sandbox) -> PathBuf {
    let source = sandbox.write("slow_disk.c", LIBRARY);
    let library = sandbox.path("slow_disk.so");
    let mut cc = Command::new("cc");
    cc.args(["-shared", "-fPIC", "-O1", "-o"]).args([&library, &source]).arg("-ldl");
    assert!(cc.status().unwrap().success());
    library
}

/// Records a session that can be opened, and after it a run of a model with a branch whose frame was replaced.
fn record(sandbox: &Sandbox) {
    sandbox.write("work/hall.xsb", HALL_LEVEL);
    sandbox.write("work/frame.png", frame());
    sandbox.run(&["run", "hanoi/first/1", "--agent", "random", "--max-steps", "3"]).success();
    let server = Server::start(Behavior::Normal);
    for _ in 0..3 {
        server.queue_reply("# analyze\nEasy.\n\n# action\nRight\n");
    }
    let url = server.url();
    sandbox.run(&["run", "hall.xsb", "--agent", "model", "--model", "mock", "--base-url", &url]).success();
    sandbox.run(&["fork", "last#2", "--frame", "frame.png"]).success();
}

/// A picture whose cells have two colours each, as PNG.
fn frame() -> Vec<u8> {
    let shade = |value: u32| u8::try_from(value % 256).unwrap();
    let pixel = |x, y| image::Rgb([shade(x * 7 + y * 3), shade(x ^ y), shade(y * 5)]);
    let mut bytes = std::io::Cursor::new(Vec::new());
    image::RgbImage::from_fn(400, 300, pixel).write_to(&mut bytes, image::ImageFormat::Png).unwrap();
    bytes.into_inner()
}

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let cc = || Command::new("cc").arg("--version").stdout(Stdio::null()).status();
    let found = cfg!(target_os = "linux") && cc().is_ok_and(|status| status.success());
    let required = std::env::var_os("MAGEYARD_REQUIRE_CC").is_some_and(|value| value == "1");
    let trials = ACTIONS.into_iter().map(|action| {
        let name = action.name;
        let run = move || {
            if !found {
                return Err(MISSING.into());
            }
            SlowScreen::start().perform(&action);
            Ok(())
        };
        let trial = Trial::test(name, run).with_ignored_flag(!found && !required);
        if found { trial } else { trial.with_kind(MISSING) }
    });
    libtest_mimic::run(&arguments, trials.collect()).exit_code()
}
