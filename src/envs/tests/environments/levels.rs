//! The shipped levels.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::atomic::AtomicBool;

use mageyard_domain::{EnvironmentSpec, Level, Objective, Options, Returns, SearchBudget, Setting, Status};
use mageyard_envs::{environment, environments};

use super::{context, open_level, pure_environments, quickly_solved, reference, shipped, with_timeout};

#[test]
fn environments_have_unique_names_and_sets() {
    let names: HashSet<_> = environments().iter().map(|kind| kind.name()).collect();
    assert_eq!(names.len(), environments().len());
    for each in environments() {
        assert_eq!(environment(each.name()).map(EnvironmentSpec::name), Some(each.name()));
        assert!(!each.level_sets().is_empty() && !each.file_extensions().is_empty());
        let sets: HashSet<_> = each.level_sets().iter().map(|set| set.name).collect();
        assert_eq!(sets.len(), each.level_sets().len());
        assert!(
            each.reply_format(Setting::Online).is_some_and(|form| !form.list),
            "one action per observation"
        );
    }
    assert!(environment("no such kind").is_none());
}

/// Live environments are played by tests of their own.
#[test]
fn levels_of_live_environments_survive_a_round_trip() {
    let pure: HashSet<_> = pure_environments().map(EnvironmentSpec::name).collect();
    let live: Vec<_> = environments().iter().filter(|kind| !pure.contains(kind.name())).collect();
    assert_eq!(live.iter().map(|kind| kind.name()).collect::<Vec<_>>(), ["webui", "web", "desktop"]);
    for kind in live {
        for set in kind.level_sets() {
            for level in kind.parse_levels(set.text).unwrap() {
                let again = kind.parse_levels(level.text()).unwrap();
                assert_eq!((again.len(), again[0].text()), (1, level.text()));
                assert!(level.title.is_some() && kind.open(&level, &Options::new(), 7).is_ok());
                assert!(reference(*kind, &level).is_some());
            }
        }
    }
}

#[tokio::test]
async fn every_shipped_level_opens_and_survives_a_round_trip() {
    for (kind, set, level) in quickly_solved() {
        let opening = with_timeout(open_level(kind, &level).open(&context())).await.unwrap();
        let picture = opening.observation.picture().expect("a frame");
        let grain = picture.grain();
        assert_eq!((picture.width() % grain, picture.height() % grain), (0, 0));
        assert_eq!(
            picture.pixels().unwrap().len() as u64,
            u64::from(picture.width()) * u64::from(picture.height()) * 3
        );
        assert_eq!(opening.status, Status::Running, "{set}/{}", level.label());
        let is_relative = kind.score(Returns::default(), None).is_none();
        assert!(!is_relative || reference(kind, &level).is_some(), "{set}/{}", level.label());
        let again = kind.parse_levels(level.text()).unwrap();
        assert_eq!((again.len(), again[0].text()), (1, level.text()));
        assert!(level.title.is_some());
    }
}

#[test]
fn every_sokoban_level_is_solved_within_50_moves() {
    let sokoban = environment("sokoban").unwrap();
    let stop = AtomicBool::new(false);
    for (_, set, level) in quickly_solved().into_iter().filter(|(kind, ..)| kind.name() == "sokoban") {
        let bounds = SearchBudget::with_states(2_000_000, &stop);
        let solver = sokoban.capabilities().tools.solver.unwrap();
        let solution = solver.solve(&level, Objective::ACTIONS, bounds).unwrap().unwrap();
        let moves = solution.actions.len();
        assert!((1..=50).contains(&moves), "{set}/{}: {moves}", level.label());
        let lurd = solution.notation;
        let pushes = solution.sizes[1];
        assert_eq!(lurd.len(), moves);
        assert_eq!(pushes as usize, lurd.bytes().filter(u8::is_ascii_uppercase).count());
    }
}

/// A set of Sokoban by name.
fn sokoban_set(name: &str) -> Vec<Level> {
    let sokoban = environment("sokoban").unwrap();
    let set = sokoban.level_sets().iter().find(|set| set.name == name).unwrap();
    sokoban.parse_levels(set.text).unwrap()
}

/// The moves of the shortest solution of a level.
fn shortest_solution(level: &Level) -> u32 {
    let stop = AtomicBool::new(false);
    let solver = environment("sokoban").unwrap().capabilities().tools.solver.unwrap();
    let bounds = SearchBudget::with_states(2_000_000, &stop);
    let solution = solver.solve(level, Objective::ACTIONS, bounds).unwrap().unwrap();
    solution.sizes[0]
}

#[test]
fn the_mini_set_is_as_difficult_as_that_of_the_paper() {
    let levels = sokoban_set("mini");
    let moves: Vec<u32> = levels.iter().map(shortest_solution).collect();
    let boxes: usize = levels.iter().map(|level| level.text().matches(['$', '*']).count()).sum();
    let boxes = f64::from(u32::try_from(boxes).unwrap()) / 20.0;
    let mean = f64::from(moves.iter().sum::<u32>()) / 20.0;
    // Idle scores 100 - R_best, and R_best / 5 is 10 + boxes - moves / 10.
    let idle: f64 = 100.0 - 5.0 * (10.0 + boxes - mean / 10.0);
    assert_eq!((levels.len(), mean), (20, 10.6));
    assert!((mean - 10.4).abs() <= 0.3, "{moves:?}");
    assert!((idle - 41.3).abs() < 1e-9 && (idle - 41.18).abs() <= 0.5, "{idle}");
}

#[test]
fn the_mini_set_has_the_easiest_levels_of_full() {
    let full = sokoban_set("full");
    let old = sokoban_set("mini-v1");
    for level in sokoban_set("mini") {
        let twin = full.iter().find(|one| one.title == level.title).unwrap();
        assert_eq!(twin.text(), level.text());
        assert_ne!(old[level.number - 1].text(), level.text(), "a recording tells which set it is of");
    }
}

#[test]
fn the_mini_set_has_the_documented_groups() {
    let sokoban = environment("sokoban").unwrap();
    assert_eq!(sokoban.level_sets()[0].name, "mini");
    let mut groups: BTreeMap<(String, usize, usize, usize), usize> = BTreeMap::new();
    for level in sokoban.parse_levels(sokoban.level_sets()[0].text).unwrap() {
        let rows: Vec<&str> = level.text().lines().collect();
        let boxes = level.text().chars().filter(|c| "$*".contains(*c)).count();
        let columns = rows.iter().map(|row| row.len()).max().unwrap_or(0);
        let title = level.label();
        let group = title.rsplit_once('-').map(|(group, _)| group.to_owned()).unwrap();
        *groups.entry((group, rows.len(), columns, boxes)).or_default() += 1;
    }
    let groups: Vec<_> = groups
        .iter()
        .map(|((name, rows, columns, boxes), n)| (name.as_str(), *rows, *columns, *boxes, *n))
        .collect();
    assert_eq!(
        groups,
        [
            ("huge-v0", 13, 13, 5, 2),
            ("large-v0", 13, 11, 3, 3),
            ("small-v0", 7, 7, 2, 9),
            ("small-v1", 7, 7, 3, 3),
            ("v0", 10, 10, 3, 2),
            ("v1", 10, 10, 4, 1),
        ]
    );
}

/// The values of the released program where they are not those of every environment (`MageBench`, its scripts).
#[test]
fn environments_have_the_defaults_of_the_fidelity_page() {
    let defaults = |name| environment(name).unwrap().capabilities().episodes.setting_defaults;
    assert_eq!((defaults("sokoban"), defaults("hanoi")), (&[][..], &[][..]));
    assert_eq!(
        defaults("football"),
        [("play.max_steps", "400"), ("model.resolution", "1280"), ("model.max_tokens", "1000")]
    );
    assert_eq!(
        defaults("webui"),
        [("play.max_steps", "4"), ("play.reader", "lenient"), ("model.resolution", "1920")]
    );
}

/// How many levels of a set have each name without its number.
fn group_counts(kind: &str, set: &str) -> BTreeMap<String, usize> {
    let spec = environment(kind).unwrap();
    let set = spec.level_sets().iter().find(|known| known.name == set).unwrap();
    let mut counts = BTreeMap::new();
    for level in spec.parse_levels(set.text).unwrap() {
        let group = level.label().rsplit_once('-').map(|(group, _)| group.to_owned()).unwrap();
        *counts.entry(group).or_default() += 1;
    }
    counts
}

#[test]
fn a_set_says_in_a_phrase_how_it_relates_to_the_paper() {
    for kind in environments() {
        for set in kind.level_sets() {
            let is_phrase = !set.paper.ends_with('.') && !set.paper.contains('\n');
            assert!(is_phrase && set.paper.contains("the paper"), "{}", set.paper);
        }
    }
}

#[test]
fn sets_have_the_counts_of_the_paper_where_they_say_so() {
    let rooms: Vec<_> = group_counts("sokoban", "full").into_iter().collect();
    let published = [
        ("huge-v0", 19),
        ("large-v0", 14),
        ("large-v1", 18),
        ("small-v0", 50),
        ("small-v1", 20),
        ("v0", 15),
        ("v1", 24),
        ("v2", 22),
    ];
    assert_eq!(rooms, published.map(|(name, count)| (name.to_owned(), count)));
    let scenes = group_counts("football", "full");
    assert_eq!((scenes.len(), scenes.values().all(|count| *count == 4)), (27, true), "{scenes:?}");
    let few = group_counts("football", "mini");
    let total = |has: &dyn Fn(&str) -> bool| -> usize {
        few.iter().filter(|(name, _)| has(name)).map(|(_, count)| count).sum()
    };
    let of_kind = ["_P", "_T", "_R"].map(|kind| total(&|name| name.ends_with(kind)));
    assert_eq!(of_kind, [6, 5, 9]);
    let of_zone = (1..=9).map(|zone| total(&|name| name.starts_with(&format!("R{zone}_"))));
    assert!(of_zone.into_iter().all(|count| (2..=3).contains(&count)), "{few:?}");
    let pages = environment("webui").unwrap();
    let counts = pages.level_sets().iter().map(|set| pages.parse_levels(set.text).unwrap().len());
    assert_eq!(counts.collect::<Vec<_>>(), [20, 40]);
}

/// The eight rotations and reflections of a board, as text.
fn symmetries(text: &str) -> Vec<String> {
    let width = text.lines().map(str::len).max().unwrap_or(0);
    let mut grid: Vec<Vec<u8>> = text.lines().map(|row| format!("{row:width$}").into_bytes()).collect();
    let mut all = Vec::new();
    for _ in 0..2 {
        for _ in 0..4 {
            let rows = grid.len();
            let columns = grid[0].len();
            grid = (0..columns).map(|x| (0..rows).rev().map(|y| grid[y][x]).collect()).collect();
            all.push(grid.iter().map(|row| String::from_utf8_lossy(row).into_owned() + "\n").collect());
        }
        for row in &mut grid {
            row.reverse();
        }
    }
    all
}

#[test]
fn no_two_sokoban_levels_are_equal_under_the_eight_symmetries() {
    let mut known: HashMap<String, String> = HashMap::new();
    for (_, set, level) in shipped().into_iter().filter(|(kind, ..)| kind.name() == "sokoban") {
        let turned = symmetries(level.text());
        assert!(turned.len() == 8 && turned.contains(&(level.text().to_owned() + "\n")));
        let least = turned.into_iter().min().unwrap();
        let name = format!("{set}/{}", level.label());
        // The levels of mini and mini-v1 are levels of full.
        if let Some(twin) = known.insert(least, name.clone()) {
            let title = |name: &str| name.split_once('/').map(|(_, title)| title.to_owned());
            assert_eq!(title(&twin), title(&name), "{name} is {twin} turned or mirrored");
            assert!(["mini", "full", "mini-v1"].contains(&set), "{name} is {twin}");
        }
    }
    assert!(known.len() >= 190);
}
