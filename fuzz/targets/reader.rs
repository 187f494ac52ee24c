//! Any reply, read by every shipped rule set in every environment and setting, and among actions whose names are hard
//! to tell apart: the first byte picks, the rest is the reply.
#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use mageyard::dialog::Rules;
use mageyard::domain::Action;
use mageyard::domain::ActionSpace;
use mageyard::domain::Form;
use mageyard::domain::Options;
use mageyard::domain::Setting;
use mageyard::envs::kinds;
use mageyard_fuzz::lawful;
use mageyard_fuzz::now;

/// What a reply is read for.
struct Table {
    own: Form,
    space: ActionSpace,
}

static TABLES: LazyLock<Vec<Table>> = LazyLock::new(|| {
    let mut tables = Vec::new();
    for kind in kinds() {
        let level = kind.read(kind.sets()[0].text).expect("it ships").remove(0);
        let mut world = kind.open(&level, &Options::new()).expect("it ships");
        let space = now(world.open()).expect("it ships").space;
        let forms = [Setting::Online, Setting::Global].into_iter().filter_map(|setting| kind.form(setting));
        tables.extend(forms.map(|own| Table { own, space: space.clone() }));
    }
    let alike =
        ActionSpace::of(&[("Up", ""), ("up", ""), ("UP.", ""), ("(A -> B)", ""), ("a, b", ""), ("1", "")]);
    for own in [Form::headings("# analyze", "# action", false), Form::headings("### A", "### B", true)] {
        tables.push(Table { own, space: alike.clone() });
    }
    tables
});

static RULES: LazyLock<Vec<Rules>> =
    LazyLock::new(|| Rules::shipped().iter().filter_map(|row| Rules::named(row.0)).collect());

fuzz_target!(|bytes: &[u8]| {
    let Some((pick, reply)) = bytes.split_first() else { return };
    let (pick, reply) = (usize::from(*pick), String::from_utf8_lossy(reply));
    let Table { own, space } = &TABLES[pick % TABLES.len()];
    let rules = &RULES[pick / TABLES.len() % RULES.len()];
    let form = rules.form(own);
    let reading = lawful(rules, &form, &reply, space);
    // Of a list strict rules pass over what names no action; lenient ones may know what it means.
    if let ("strict", Ok(actions), []) = (rules.name(), &reading.verdict, &*reading.marks.dropped) {
        lenient_alike(own, &reply, space, actions);
    }
    quoted(rules, &form, &reply, space);
});

/// Whatever strict rules read, lenient ones read alike.
fn lenient_alike(own: &Form, reply: &str, space: &ActionSpace, actions: &[Action]) {
    let lenient = RULES.iter().find(|rules| rules.name() == "lenient").expect("it ships");
    let read = lawful(lenient, &lenient.form(own), reply, space).verdict;
    assert_eq!(read.as_deref(), Ok(actions), "strict rules read {reply:?} otherwise");
}

/// No reason, whatever it holds, hides the action of a reply that is written in the form.
fn quoted(rules: &Rules, form: &Form, reason: &str, space: &ActionSpace) {
    let Some(action) = space.names().next().map(Action::plain) else { return };
    let said = form.write(reason, std::slice::from_ref(&action));
    let reading = lawful(rules, form, &said, space);
    assert_eq!(reading.verdict, Ok(vec![action]), "{said:?} by {rules}");
    assert_eq!(reading.marks.liberties, [], "{said:?} by {rules}");
}
