//! What it costs to read stored replies again: 10,000 of them, as models write them, by each rule set, and
//! one reply of 100 KB beside ten of 10 KB, which is as fast as long as the time is linear; the same by halves for
//! replies that are hard to read.

#![allow(clippy::expect_used, missing_docs, reason = "a bench that cannot begin may as well panic")]

use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use mageyard::dialog::{ReaderRules, parse_reply};
use mageyard::domain::{ActionSpace, ReplyFormat};

const REPLIES: usize = 10_000;

fn action_space() -> ActionSpace {
    ActionSpace::new(&[("Left", ""), ("Right", ""), ("Up", ""), ("Down", "")])
}

/// Replies of some 600 bytes: exact ones, near misses and other forms in turn.
fn replies() -> Vec<String> {
    let why = "The box at row 3, column 4 stands one square above the target, so I walk round it. ".repeat(6);
    let endings = ["Up", "up.", "**Left**", "```\nDown\n```", "I think Right", "Up, Left"];
    let reply = |number: usize| {
        let action = endings[number % endings.len()];
        match number % 4 {
            0 | 1 => format!("# analyze\n{why}\n\n# action\n{action}\n"),
            2 => format!("<think>{why}</think><answer>{action}</answer>"),
            _ => format!(
                "```json\n{{\"analysis\": \"{why}\", \"action\": \"{}\"}}\n```",
                action.trim_matches('`')
            ),
        }
    };
    (0..REPLIES).map(reply).collect()
}

fn bench_replies(c: &mut Criterion) {
    let space = action_space();
    let own = ReplyFormat::headings("# analyze", "# action", false);
    let replies = replies();
    let mut group = c.benchmark_group("ten thousand replies");
    group.throughput(Throughput::Elements(REPLIES as u64)).sample_size(20);
    for (name, _) in ReaderRules::shipped() {
        let rules = ReaderRules::named(name).expect("shipped");
        let form = rules.reply_format(&own);
        group.bench_function(*name, |b| {
            b.iter(|| {
                replies
                    .iter()
                    .filter(|reply| parse_reply(&rules, &form, reply, &space).result.is_ok())
                    .count()
            });
        });
    }
    group.finish();

    let list = ReplyFormat::headings("### Analyze", "### Actions", true);
    let rules = ReaderRules::named("lenient").expect("shipped");
    let long = |kilobytes: usize| format!("### Actions\n{}", "- **up**.\n".repeat(100 * kilobytes));
    let mut group = c.benchmark_group("a hundred kilobytes");
    group.throughput(Throughput::Bytes(100_000));
    for (name, count, reply) in [("one reply", 1, long(100)), ("ten replies", 10, long(10))] {
        group.bench_function(name, |b| {
            b.iter(|| {
                for _ in 0..count {
                    std::hint::black_box(parse_reply(&rules, &list, &reply, &space));
                }
            });
        });
    }
    group.finish();
}

/// Bytes of the long reply.
const LONG_REPLY_BYTES: usize = 128 << 10;

/// Pieces that make a reader go back and look again, if anything does.
const HARD_INPUTS: [(&str, &str); 6] = [
    ("headings", "## Action\nUp\n"),
    ("signs", "#*-`> "),
    ("tags", "<answer>Up</answer><answer>"),
    ("fences", "```json\n{\"action\": \"Up\"}\n"),
    ("braces", "{\"action\": [{"),
    ("quotes", "\\\"Up\\\", \""),
];

/// One long reply beside two of half its length: as fast where the time is linear, half as fast where it is
/// quadratic.
fn bench_doubling(c: &mut Criterion) {
    let space = action_space();
    let own = ReplyFormat::headings("### Analyze", "### Actions", true);
    for (name, _) in ReaderRules::shipped() {
        let rules = ReaderRules::named(name).expect("shipped");
        let form = rules.reply_format(&own);
        let mut group = c.benchmark_group(format!("{name}, one long reply beside two halves"));
        group.throughput(Throughput::Bytes(LONG_REPLY_BYTES as u64)).sample_size(10);
        group.warm_up_time(Duration::from_millis(100)).measurement_time(Duration::from_millis(300));
        for (shape, piece) in HARD_INPUTS {
            for (count, length) in [(1, LONG_REPLY_BYTES), (2, LONG_REPLY_BYTES / 2)] {
                let reply = piece.repeat(length / piece.len()) + &form.write("", &[], &space);
                group.bench_function(format!("{shape}, {count} of {} KiB", length >> 10), |b| {
                    b.iter(|| {
                        for _ in 0..count {
                            std::hint::black_box(parse_reply(&rules, &form, &reply, &space));
                        }
                    });
                });
            }
        }
        group.finish();
    }
}

criterion_group!(benches, bench_replies, bench_doubling);
criterion_main!(benches);
