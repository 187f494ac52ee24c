//! Generated scenes fulfil what their names promise.

use super::*;

fn generated(name: &str, seed: u64, numbers: u64) -> Vec<Scene> {
    let group = groups().find(|group| group.name == name).unwrap();
    let mut worker = group.worker(seed);
    let made = (0..numbers).filter_map(|number| worker.candidate(number, None).ok());
    made.map(|candidate| text::read_one(&candidate.text).unwrap()).collect()
}

#[test]
fn the_groups_are_nine_zones_of_three_kinds() {
    assert_eq!(groups().map(|group| group.name).collect::<Vec<_>>(), NAMES);
    let counts = |letter: &str| MINI.iter().filter(|name| name.ends_with(letter)).count();
    assert_eq!((counts("_P"), counts("_T"), counts("_R")), (6, 5, 9));
    let presets = Football.presets();
    let count = |index: usize| presets[index].counts.iter().map(|(_, count)| count).sum::<usize>();
    assert_eq!((count(0), count(1)), (108, 20));
    assert!(MINI.iter().all(|name| NAMES.contains(name)));
}

#[test]
fn arranged_scenes_are_made_in_every_zone_and_pass_the_check() {
    for name in NAMES.iter().filter(|name| !name.ends_with("_R")) {
        let scenes = generated(name, 7, 120);
        assert!(scenes.len() >= 5, "{name}: {} of 120", scenes.len());
        for scene in &scenes {
            assert_eq!(check::faults(scene), [""; 0], "{name}");
            assert_eq!((scene.left.len(), scene.right.len()), (11, 11));
        }
    }
}

#[test]
fn a_scene_depends_on_its_seed_and_number_only() {
    let ones = generated("R5_T", 3, 40);
    assert_eq!(ones, generated("R5_T", 3, 40));
    assert_ne!(ones.first(), generated("R5_T", 4, 40).first());
}
