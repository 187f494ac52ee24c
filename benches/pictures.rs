//! Bytes and time of pictures in a pane of 60x30 cells: every form of the screen beside chafa, timg and viu, in one run.
//! Prints a table in Markdown, as in `docs/pictures.md`. Programs that are not installed are left out, which is said.
#![allow(clippy::print_stdout, reason = "the table is what it is for")]
#![allow(clippy::expect_used, reason = "a bench may end early")]
#![allow(clippy::cast_possible_truncation, reason = "the pixels of a made-up page")]

use std::io;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use mageyard::config::PictureForm;
use mageyard::domain::{Action, Level, Options, Picture, World};
use mageyard::envs::football::picture::{Painter, Shown, View};
use mageyard::envs::football::{FrameState, GameMode, MAX_PLAYERS, Owner, PlayerRole, Squad, Sticky, Team};
use mageyard::envs::sokoban::Room;
use mageyard::terminal::PicturePane;
use portable_pty::{CommandBuilder, PtySize, native_pty_system};

/// Columns and rows of the pane, and the pixels of a cell.
const PANE: (u16, u16) = (60, 30);
const CELL: (u16, u16) = (10, 20);
/// How often each measurement is repeated; the middle one counts.
const RUNS: usize = 5;

/// Ten by ten squares, of which the first action moves a box.
const BOARD: &str = "##########\n#  .     #\n#        #\n#  ##  $ #\n#   @$   #\n#    .   #\n#  #     #\n#  # $  .#\n#        #\n##########\n";

/// A frame and the one after it.
struct Step {
    name: &'static str,
    frames: [Arc<Picture>; 2],
}

/// Bytes and time of a frame, or of the step to the next one.
#[derive(Clone, Copy)]
struct Cost {
    bytes: usize,
    time: Duration,
}

/// Another program that draws a picture into a terminal, always all of it.
struct Other {
    name: &'static str,
    program: &'static str,
    args: &'static [&'static str],
}

const OTHERS: [Other; 8] = [
    Other {
        name: "chafa half blocks",
        program: "chafa",
        args: &["-f", "symbols", "--symbols", "vhalf", "-c", "full", "-s", "60x30"],
    },
    Other {
        name: "chafa braille",
        program: "chafa",
        args: &["-f", "symbols", "--symbols", "braille", "-c", "full", "-s", "60x30"],
    },
    Other { name: "chafa sixel", program: "chafa", args: &["-f", "sixels", "-s", "60x30"] },
    Other { name: "chafa kitty", program: "chafa", args: &["-f", "kitty", "-s", "60x30"] },
    Other { name: "timg half blocks", program: "timg", args: &["-ph", "-g60x30", "-U"] },
    Other { name: "timg kitty", program: "timg", args: &["-pk", "-g60x30", "-U"] },
    Other { name: "timg iterm2", program: "timg", args: &["-pi", "-g60x30", "-U"] },
    Other { name: "viu half blocks", program: "viu", args: &["-b", "-w", "60", "-h", "30"] },
];

fn main() -> io::Result<()> {
    let folder = tempfile::tempdir()?;
    let steps =
        [sokoban("Sokoban 160x160", "Right"), sokoban("Sokoban, plain move", "Left"), football(), page()];
    println!("| form | {} |", steps.each_ref().map(|step| step.name).join(" | "));
    println!("| --- |{}", " --- |".repeat(steps.len()));
    for form in PictureForm::ALL.into_iter().filter(|form| *form != PictureForm::Text) {
        let cells = steps.each_ref().map(|step| {
            let [first, next] = own(form, step);
            format!("{} / {} · {}", first.bytes, next.bytes, millis(next.time))
        });
        println!("| Mageyard {} | {} |", form.name(), cells.join(" | "));
    }
    let files = steps.each_ref().map(|step| save(folder.path(), step));
    let mut missing = Vec::new();
    for other in &OTHERS {
        match files.iter().map(|file| run(other, file)).collect::<Option<Vec<Cost>>>() {
            Some(costs) => {
                let cells: Vec<String> =
                    costs.iter().map(|cost| format!("{} · {}", cost.bytes, millis(cost.time))).collect();
                println!("| {} | {} |", other.name, cells.join(" | "));
            }
            None => missing.push(other.name),
        }
    }
    if !missing.is_empty() {
        println!("\nNot measured, because the program is not installed or failed: {}.", missing.join(", "));
    }
    Ok(())
}

fn millis(time: Duration) -> String {
    format!("{:.1} ms", time.as_secs_f64() * 1000.0)
}

fn middle(mut costs: Vec<Cost>) -> Cost {
    costs.sort_by_key(|cost| cost.time);
    costs[costs.len() / 2]
}

/// The first frame, and the step to the next one.
fn own(form: PictureForm, step: &Step) -> [Cost; 2] {
    let measured: Vec<[Cost; 2]> = (0..RUNS)
        .map(|_| {
            let mut pane = PicturePane::new(form, PANE, CELL);
            step.frames.each_ref().map(|frame| {
                let start = Instant::now();
                let bytes = pane.show(frame).expect("memory can be written").len();
                Cost { bytes, time: start.elapsed() }
            })
        })
        .collect();
    [0, 1].map(|index| middle(measured.iter().map(|pair| pair[index]).collect()))
}

/// The second frame by another program; `None` if it cannot be run.
fn run(other: &Other, file: &Path) -> Option<Cost> {
    let once = || {
        let start = Instant::now();
        let bytes = if other.program == "chafa" { in_terminal(other, file) } else { piped(other, file) }?;
        (bytes > 0).then_some(Cost { bytes, time: start.elapsed() })
    };
    (0..RUNS).map(|_| once()).collect::<Option<Vec<Cost>>>().map(middle)
}

/// The bytes that a program writes to a terminal whose cells have the same size as ours; it asks for that size.
fn in_terminal(other: &Other, file: &Path) -> Option<usize> {
    let rows = PANE.1 + 1;
    let pixel_width = PANE.0 * CELL.0;
    let pixel_height = rows * CELL.1;
    let size = PtySize { rows, cols: PANE.0, pixel_width, pixel_height };
    let pair = native_pty_system().openpty(size).ok()?;
    let mut command = CommandBuilder::new(other.program);
    command.args(other.args);
    command.arg(file);
    command.env("TERM", "xterm-256color");
    command.env("COLORTERM", "truecolor");
    let mut child = pair.slave.spawn_command(command).ok()?;
    drop(pair.slave);
    let mut reader = pair.master.try_clone_reader().ok()?;
    let mut bytes = 0;
    let mut part = [0; 8192];
    // Reading a terminal whose program has ended fails.
    while let Ok(count @ 1..) = reader.read(&mut part) {
        bytes += count;
    }
    child.wait().ok()?.success().then_some(bytes)
}

/// The bytes that a program writes to a pipe: with a terminal, timg waits for answers.
fn piped(other: &Other, file: &Path) -> Option<usize> {
    let mut command = Command::new(other.program);
    command.args(other.args).arg(file).env("TERM", "xterm-256color").env("COLORTERM", "truecolor");
    let output = command.stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
    output.status.success().then_some(output.stdout.len())
}

fn save(folder: &Path, step: &Step) -> PathBuf {
    let path = folder.join(format!("{}.png", step.name.len()));
    let frame = &step.frames[1];
    let pixels = frame.pixels().expect("a painted picture has pixels");
    let image = image::RgbImage::from_raw(frame.width(), frame.height(), pixels.to_vec());
    image.expect("the size fits").save(&path).expect("the folder can be written");
    path
}

fn sokoban(name: &'static str, action: &str) -> Step {
    let level = Level::from_text(1, None, BOARD);
    let mut room = Room::new(&level, &Options::new()).expect("the level is valid");
    let mut frame = || {
        let seen = room.observe();
        seen.images().next().map(|(_, picture)| picture.clone()).expect("a board has a frame")
    };
    let before = frame();
    room.step(&Action::plain(action)).expect("the action exists");
    let after =
        room.observe().images().next().map(|(_, picture)| picture.clone()).expect("a board has a frame");
    Step { name, frames: [before, after] }
}

/// A full team in two lines about this place along the pitch.
fn squad(x: f64) -> Squad {
    let mut squad = Squad { count: MAX_PLAYERS, roles: [PlayerRole::Cm; MAX_PLAYERS], ..Squad::EMPTY };
    for (slot, step) in (0..MAX_PLAYERS).zip(0_u8..) {
        let step = f64::from(step);
        squad.positions[slot] = [x + 0.1 * (step % 2.0), step * 0.07 - 0.35];
        squad.movements[slot] = [0.01, 0.002];
    }
    squad
}

/// The broadcast of a match; the camera follows the ball, so that every pixel of the ground moves.
fn football() -> Step {
    let frame = |moved: f64| {
        let state = FrameState {
            ball: [0.02 + moved, 0.0, 1.2],
            ball_movement: [0.02, 0.01, 0.0],
            ball_rotation: [0.0; 3],
            owner: Some(Owner { team: Team::Left, player: 5 }),
            active: 5,
            mode: GameMode::Normal,
            score: [1, 0],
            sticky: Sticky([false, false, false, false, true, false, false, false, true, false]),
            left: squad(moved - 0.1),
            right: squad(0.15 - moved),
            steps_left: 250,
        };
        let [width, height] = View::Broadcast.size();
        let mut pixels = vec![0; (width * height * 3) as usize];
        let painter = Painter::new(View::Broadcast, false).expect("the font is built in");
        painter.paint(&state, &Shown::first(&state, 400), &mut pixels);
        Arc::new(Picture::new(width, height, 1, pixels).expect("the size fits"))
    };
    Step { name: "football 1280x720", frames: [frame(0.0), frame(0.02)] }
}

/// A page of text in two columns with a head and a photograph, of which a step fills a field.
fn page() -> Step {
    let frame = |filled: bool| {
        let width = 1920_usize;
        let height = 1080_usize;
        let mut pixels = vec![255_u8; width * height * 3];
        let mut set = |x: usize, y: usize, color: [u8; 3]| {
            let at = (y * width + x) * 3;
            pixels[at..at + 3].copy_from_slice(&color);
        };
        for y in 0..height {
            for x in 0..width {
                // Letters of 8x14 pixels in lines of 24, with blanks and ragged ends.
                let column = x / 8;
                let line = y / 24;
                let ink = (column * 7 + line * 13 + (x % 8) * 3 + (y % 24) * 5) % 4 < 2;
                let letter = y % 24 < 14 && x % 8 < 6 && ink && (column * 31 + line * 17) % 7 > 0;
                let color = match (x, y) {
                    (_, 0..72) => [34, 51, 85],
                    (1280..1856, 120..520) => [(x / 8) as u8, (y / 3) as u8, ((x * y / 900) % 200) as u8],
                    (64..1200, 960..1000) if filled && letter && x < 460 => [20, 20, 20],
                    (64..1200, 960..1000) => [238, 242, 248],
                    (64..1200, 120..900) if letter && (line * 53) % 400 + 700 > x => [40, 40, 44],
                    (1280..1856, 560..1000) if letter => [90, 90, 96],
                    _ => continue,
                };
                set(x, y, color);
            }
        }
        Arc::new(Picture::new(width as u32, height as u32, 1, pixels).expect("the size fits"))
    };
    Step { name: "page 1920x1080", frames: [frame(false), frame(true)] }
}
