//! How often a study of a memory finds the window that a simulated model needs, and how often it finds something where nothing
//! matters: `cargo bench -p mageyard-study --bench memory_study`, or with a number of studies of each row,
//! `cargo bench -p mageyard-study --bench memory_study -- 300`. With `holm` as another argument it also prints what the furthest rows
//! whose own p is below 5 % after Holm's correction would say, which takes several times as long; any other argument is a text that the
//! names of the printed rows have, such as `-- 100 holm replies`. `docs/memory.md` has the figures.

#![allow(clippy::unwrap_used, clippy::print_stdout, missing_docs, reason = "a benchmark may panic and print")]

#[path = "../src/study/memory/tests/simulated.rs"]
mod simulated;

use std::time::Instant;

use mageyard_statistics::{Interval, wilson_interval};
use mageyard_study::{MemoryAnswers, MemoryPart, MemoryReach, Remembered, distance_values};

use self::simulated::{Design, Model, Needs, right_window, simulated_study};

const DESIGN: Design = Design { am: 6, om: 6, calls: 1000, samples: 4, pairs: false };

/// The same with two neighbours left out too.
const PAIRS: Design = Design { pairs: true, ..DESIGN };

/// Where something is missing, the favourite action has half of what the right one has else.
const MODEL: Model = Model { needs: Needs::Nothing, favourite: 0.4, affected: 1.0 };

/// Something missing changes the answers in half of the states, to another favourite.
const HALF: Model = Model { favourite: 0.8, affected: 0.5, ..MODEL };

/// The level of Holm's correction that is compared.
const LEVEL: f64 = 0.05;

/// The distances up to which frames are needed.
const BACK: [u32; 4] = [0, 1, 2, 4];

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let studies: u64 = words.iter().find_map(|word| word.parse().ok()).unwrap_or(100);
    let with_holm = words.iter().any(|word| word == "holm");
    let is_text = |word: &&String| !word.starts_with("--") && *word != "holm" && word.parse::<u64>().is_err();
    let text = words.iter().find(is_text).cloned().unwrap_or_default();
    let start = Instant::now();
    println!(
        "AM=6 OM=6, at most 1,000 calls; {studies} studies of each row, and {} where nothing matters",
        2 * studies
    );
    println!("shares in percent with 95 % intervals");
    println!("{:<34} {:>6}  {:>16}  {:>16}  {:>16}", "", "states", "right window", "too much", "too little");
    let row = |name: &str, model: Model, design: Design| {
        if !name.contains(&text) {
            return;
        }
        let count = if model.needs == Needs::Nothing { 2 * studies } else { studies };
        let answers: Vec<_> = (0..count).map(|seed| simulated_study(model, design, seed)).collect();
        let states = answers.iter().map(Vec::len).sum::<usize>() / answers.len();
        print(name, states, model, answers.iter().map(|answers| MemoryReach::of(answers).window()));
        if with_holm {
            print("  by Holm's correction", states, model, answers.iter().map(|answers| by_holm(answers)));
        }
    };
    for (name, model, design) in [
        ("", MODEL, DESIGN),
        (", 2 replies", MODEL, Design { samples: 2, ..DESIGN }),
        (", in half of the states", HALF, DESIGN),
        (", pairs", MODEL, PAIRS),
    ] {
        for back in BACK {
            row(&format!("{back} back{name}"), Model { needs: Needs::UpTo(back), ..model }, design);
        }
    }
    let either = Model { needs: Needs::EitherOf(1), ..MODEL };
    row("either of 1 and 2 back", either, DESIGN);
    row("either of 1 and 2 back, pairs", either, PAIRS);
    row("nothing matters", MODEL, DESIGN);
    row("nothing matters, 2 replies", MODEL, Design { samples: 2, ..DESIGN });
    row("nothing matters, pairs", MODEL, PAIRS);
    println!("{:.0} s", start.elapsed().as_secs_f64());
}

/// Prints how often the windows are the right one, and how often one of AM and OM is larger or smaller.
fn print(name: &str, states: usize, model: Model, found: impl Iterator<Item = Option<(u32, u32)>>) {
    let right = right_window(model.needs).unwrap_or_default();
    let mut counts = [0_u32; 3];
    let mut all = 0;
    for window in found {
        let window = window.unwrap_or_default();
        counts[0] += u32::from(window == right);
        counts[1] += u32::from(window.0 > right.0 || window.1 > right.1);
        counts[2] += u32::from(window.0 < right.0 || window.1 < right.1);
        all += 1;
    }
    let [right, much, little] = counts.map(|count| share(count, all));
    println!("{name:<34} {states:>6}  {right:>16}  {much:>16}  {little:>16}");
}

/// `97.0 [91.5, 99.0]`.
fn share(count: u32, all: u32) -> String {
    let (count, all) = (f64::from(count), f64::from(all));
    let Interval { low, high } = wilson_interval(count, all).unwrap();
    format!("{:.1} [{:.1}, {:.1}]", 100.0 * count / all, 100.0 * low, 100.0 * high)
}

/// The window up to the furthest rows whose own p is small.
fn by_holm(answers: &[MemoryAnswers]) -> Option<(u32, u32)> {
    let values = distance_values(answers);
    let furthest = |what: Remembered| {
        let of = values.iter().filter(|value| value.part.what.single() == what && value.corrected < LEVEL);
        of.map(|value| value.part.back).max()
    };
    let (frames, rows) = (furthest(Remembered::Frame), furthest(Remembered::Row));
    frames.or(rows)?;
    let om = frames.unwrap_or(0) + 1;
    Some((rows.unwrap_or(0).max(if om > 1 { om } else { 0 }), om))
}
