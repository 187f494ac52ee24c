//! The log of orders: its numbers, people who order something at once, damaged files; what orders say together; and cells that
//! are queued again.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::{Arc, Barrier};
use std::thread;
use std::time::Duration;

use super::*;
use crate::claims::{Claim, Claims, End, Next, Reason, State, Timing, WorkerName, cell_states};

/// The folder of a sweep that was started.
fn sweep() -> tempfile::TempDir {
    let root = tempfile::tempdir().unwrap();
    fs::create_dir(root.path().join(".sweep")).unwrap();
    root
}

fn give(folder: &Path, order: Order) -> GivenOrder {
    give_order(folder, order, "ada@node1", None).unwrap()
}

fn set(values: &[&str]) -> Order {
    Order::Set { values: Changes::parse(values.iter().copied()).unwrap(), worker: None }
}

fn limits() -> WorkerLimits {
    WorkerLimits { jobs: 4, max_connections: None, cost: None, tokens: Some(500), time: None }
}

fn worker(name: &str) -> WorkerName {
    WorkerName::new(name).unwrap()
}

fn follow(folder: &Path) -> FollowedOrders {
    FollowedOrders::start(folder, &worker("node1-7-a"), limits()).unwrap()
}

fn file(folder: &Path, name: &str) -> std::path::PathBuf {
    folder.join(".sweep/orders").join(name)
}

#[test]
fn orders_have_numbers_and_are_read_as_they_were_given() {
    let root = sweep();
    assert_eq!(orders(root.path()).unwrap(), []);
    let why = Some("the server is\n\u{1b}[31m slow");
    let first = give_order(root.path(), Order::Pause, "ada@node1", why).unwrap();
    let second = give(root.path(), set(&["jobs=8", "cost-limit=2.50", "max-time=none"]));
    assert_eq!(orders(root.path()).unwrap(), [first.clone(), second.clone()]);
    assert_eq!((first.number, second.number), (1, 2));
    assert_eq!(first.person_and_reason(), "ada@node1: the server is ␛[31m slow", "it is safe in a terminal");
    assert_eq!(second.order.text(), "set jobs=8 cost-limit=2.5 max-time=none");
    let undo = "; `mageyard sweep set s jobs=default cost-limit=default max-time=default` undoes it";
    assert!(second.message("s").ends_with(undo), "{}", second.message("s"));
    assert!(first.at > Duration::from_secs(1_700_000_000) && second.at >= first.at);
}

#[test]
fn all_who_order_something_at_once_get_a_number_of_their_own() {
    let root = sweep();
    let (people, each) = (8, 20);
    let barrier = Arc::new(Barrier::new(people));
    let threads: Vec<_> = (0..people)
        .map(|person| {
            let folder = root.path().to_owned();
            let barrier = barrier.clone();
            thread::spawn(move || {
                barrier.wait();
                let by = format!("person{person}");
                (0..each).map(|_| give_order(&folder, Order::Resume, &by, None).unwrap()).collect::<Vec<_>>()
            })
        })
        .collect();
    let given: Vec<GivenOrder> = threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect();
    let numbers: BTreeSet<u32> = given.iter().map(|given| given.number).collect();
    assert_eq!(numbers, (1..=160).collect());
    let recorded = orders(root.path()).unwrap();
    assert!(given.iter().all(|given| recorded[given.number as usize - 1] == *given), "each is recorded");
    for person in 0..people {
        let by = format!("person{person}");
        let own: Vec<u32> = given.iter().filter(|given| given.by == by).map(|given| given.number).collect();
        assert!(own.is_sorted(), "the orders of one person are in sequence: {own:?}");
    }
}

#[test]
fn a_file_that_is_not_an_order_is_an_error_with_its_path() {
    let root = sweep();
    for _ in 0..3 {
        give(root.path(), Order::Resume);
    }
    let good = fs::read_to_string(file(root.path(), "000002")).unwrap();
    let newer = good.replace("\"format\":1", "\"format\":2,\"new\":true");
    let traversal = good.replace(
        "{\"order\":\"resume\"}",
        "{\"order\":\"requeue\",\"cells\":[{\"cell\":\"../../x\",\"worker\":\"w\",\"claims\":1}]}",
    );
    assert_ne!(traversal, good);
    for (text, why) in [
        ("", "this order cannot be read"),
        ("{}", "this order cannot be read"),
        ("[1]", "this order cannot be read"),
        (&good[..good.len() - 9], "this order cannot be read"),
        (&good.replace("resume", "explode"), "this order cannot be read"),
        (&newer, "newer"),
        (&good.replace("ada@node1", &"a".repeat(3000)), "longer than 2000 bytes"),
    ] {
        fs::write(file(root.path(), "000002"), text).unwrap();
        let error = orders(root.path()).unwrap_err().to_string();
        assert!(error.contains(".sweep/orders/000002: ") && error.contains(why), "{text:?}: {error}");
        let error = give_order(root.path(), Order::Pause, "ada", None).unwrap_err();
        assert!(error.to_string().contains(why), "nothing is ordered after it: {error}");
    }
    fs::write(file(root.path(), "000002"), &traversal).unwrap();
    let mut claims = Claims::open(root.path(), "test", Timing::default()).unwrap();
    let cells: Vec<_> = requeued(&orders(root.path()).unwrap()).cloned().collect();
    claims.requeue_ended(&cells).unwrap();
    fs::write(file(root.path(), "000002"), &good).unwrap();
    for name in ["2", "000004.bak", "0000005", "000000", "-00001", "ä"] {
        fs::write(file(root.path(), name), &good).unwrap();
        let error = orders(root.path()).unwrap_err().to_string();
        assert!(error.contains(name) && error.contains("move it out of the folder"), "{error}");
        fs::remove_file(file(root.path(), name)).unwrap();
    }
    fs::write(file(root.path(), ".nfs0001"), "").unwrap();
    fs::remove_file(file(root.path(), "000002")).unwrap();
    let error = orders(root.path()).unwrap_err().to_string();
    assert!(error.contains("000002: this order is missing"), "{error}");
    fs::create_dir(file(root.path(), "000002")).unwrap();
    assert!(matches!(orders(root.path()), Err(OrderError::Disk { .. })), "a folder");
}

#[test]
fn the_state_is_that_of_all_orders_in_sequence() {
    use Order::{Cancel, Pause, Resume};
    for (given, state, number) in [
        (vec![], "running", None),
        (vec![Pause], "paused", Some(1)),
        (vec![Pause, Pause], "paused", Some(1)),
        (vec![Pause, set(&["jobs=1"]), Resume], "running", None),
        (vec![Pause, Cancel], "cancelled", Some(2)),
        (vec![Cancel, Cancel], "cancelled", Some(1)),
        (vec![Cancel, Resume, Pause], "paused", Some(3)),
        (vec![Resume], "running", None),
    ] {
        let root = sweep();
        for order in &given {
            give(root.path(), order.clone());
        }
        let control = control_state(&orders(root.path()).unwrap());
        assert_eq!((control.name(), control.order().map(|by| by.number)), (state, number), "{given:?}");
    }
    let root = sweep();
    give(root.path(), Cancel);
    let error = give_order(root.path(), Pause, "ada", None).unwrap_err();
    assert!(error.is_refused() && error.to_string().contains("cancelled by ada@node1"), "{error}");
}

#[test]
fn only_limits_can_be_set_and_their_values_are_those_of_flags() {
    for (given, why) in [
        ("memory.am=2", "never what is measured; possible are jobs, max-connections, cost-limit"),
        ("job=2", "possible are jobs"),
        ("jobs", "not of the form NAME=VALUE"),
        ("jobs=0", "whole number from 1 to 10000"),
        ("jobs=10001", "whole number from 1 to 10000"),
        ("jobs=none", "whole number from 1 to 10000"),
        ("jobs=-1", "whole number"),
        ("max-connections=0", "whole number"),
        ("max-tokens=0", "whole number from 1, none or default"),
        ("max-time=1.5", "whole number from 1"),
        ("cost-limit=much", "cost-limit=much: "),
        ("cost-limit=-1", "cost-limit=-1: "),
    ] {
        let error = Changes::parse([given]).unwrap_err();
        assert!(error.is_refused() && error.to_string().contains(why), "{given}: {error}");
    }
    assert!(Changes::parse([]).is_err());
    let twice = Changes::parse(["jobs=1", "jobs=2"]).unwrap_err().to_string();
    assert!(twice.contains("jobs is given twice"), "{twice}");
    let one = Order::Set { values: Changes::parse(["max-tokens=1"]).unwrap(), worker: Some("node1".into()) };
    let root = sweep();
    let error = give_order(root.path(), one, "ada", None).unwrap_err().to_string();
    assert!(error.contains("for all workers together"), "{error}");
    assert_eq!(orders(root.path()).unwrap(), [], "nothing is recorded");
    let long = give_order(root.path(), Order::Pause, "ada", Some(&"a".repeat(2001))).unwrap_err();
    assert!(long.is_refused());
}

#[test]
fn a_worker_uses_the_newest_limits_and_gets_its_own_back() {
    let root = sweep();
    give(root.path(), set(&["jobs=8", "max-tokens=none", "max-connections=3"]));
    let mut orders = follow(root.path());
    let now = orders.limits().clone();
    assert_eq!((now.jobs, now.tokens, now.max_connections, now.time), (8, None, Some(3), None));
    assert_eq!(orders.take_in_force().len(), 1);
    give(root.path(), set(&["jobs=default", "max-time=60", "max-tokens=9"]));
    let mine = |worker: &str, values| {
        let values = Changes::parse([values]).unwrap();
        give(root.path(), Order::Set { values, worker: Some(worker.to_owned()) })
    };
    mine("node2", "jobs=1");
    mine("node1-7", "max-connections=5");
    let followed: Vec<u32> = orders.look().unwrap().iter().map(|given| given.number).collect();
    assert_eq!(followed, [2, 4], "one is for another host");
    let now = orders.limits().clone();
    assert_eq!((now.jobs, now.max_connections, now.time), (4, Some(5), Some(Duration::from_mins(1))));
    give(root.path(), set(&["max-tokens=default", "max-time=default", "max-connections=default"]));
    orders.look().unwrap();
    assert_eq!(*orders.limits(), limits());
}

#[test]
fn a_worker_follows_what_is_in_force_at_its_start_and_what_comes_later() {
    let root = sweep();
    for order in [Order::Pause, Order::Resume, set(&["jobs=2"]), Order::Pause] {
        give(root.path(), order);
    }
    let again = sweep();
    for values in [&["jobs=2", "max-time=9"][..], &["jobs=3"], &["max-tokens=2"], &["max-tokens=default"]] {
        give(again.path(), set(values));
    }
    let limits = follow(again.path()).take_in_force();
    assert_eq!(limits.iter().map(|given| given.number).collect::<Vec<_>>(), [1, 2]);
    let mut orders = follow(root.path());
    let in_force: Vec<u32> = orders.take_in_force().iter().map(|given| given.number).collect();
    assert_eq!(in_force, [3, 4]);
    assert!(orders.state().is_paused() && orders.look().unwrap().is_empty());
    for order in [Order::Cancel, Order::Resume] {
        give(root.path(), order);
    }
    assert_eq!(orders.look().unwrap().len(), 2);
    assert_eq!(orders.cancel().map(|cancel| cancel.number), Some(5), "it ends although it was resumed");
    assert_eq!(orders.state().name(), "running");
    assert!(follow(root.path()).cancel().is_none(), "a later worker goes on");
    give(root.path(), Order::Cancel);
    let late = follow(root.path());
    assert_eq!(late.cancelled_before().map(|cancel| cancel.number), Some(7), "a worker that starts now ends");
}

#[test]
fn a_worker_follows_orders_up_to_a_damaged_one_and_that_one_when_it_is_repaired() {
    let root = sweep();
    let mut orders = follow(root.path());
    give(root.path(), set(&["jobs=2"]));
    give(root.path(), Order::Cancel);
    let good = fs::read(file(root.path(), "000002")).unwrap();
    fs::write(file(root.path(), "000002"), "{").unwrap();
    assert_eq!(orders.look().unwrap().len(), 1);
    for _ in 0..2 {
        assert!(orders.look().unwrap_err().to_string().contains("000002"));
    }
    assert_eq!((orders.limits().jobs, orders.cancel()), (2, None));
    fs::write(file(root.path(), "000002"), good).unwrap();
    assert_eq!(orders.look().unwrap().len(), 1);
    assert!(orders.cancel().is_some());
}

#[test]
fn orders_that_were_removed_with_all_later_ones_have_no_effect_any_more() {
    let root = sweep();
    give(root.path(), set(&["jobs=2"]));
    give(root.path(), Order::Pause);
    let mut orders = follow(root.path());
    fs::remove_file(file(root.path(), "000002")).unwrap();
    orders.look().unwrap();
    assert_eq!((orders.state().name(), orders.limits().jobs), ("running", 2));
    give(root.path(), Order::Pause);
    orders.look().unwrap();
    assert!(orders.state().is_paused());
}

#[test]
fn a_new_run_lifts_an_earlier_cancel_only() {
    let root = sweep();
    assert_eq!(lift_cancel(root.path(), "ada").unwrap(), None);
    give(root.path(), Order::Pause);
    assert_eq!(lift_cancel(root.path(), "ada").unwrap(), None, "a pause stays");
    give(root.path(), Order::Cancel);
    let lifted = lift_cancel(root.path(), "bob@node2").unwrap().unwrap();
    assert_eq!((lifted.number, &lifted.order, lifted.by.as_str()), (3, &Order::Resume, "bob@node2"));
    assert_eq!(orders(root.path()).unwrap().last(), Some(&lifted));
}

/// A sweep with these cells, each of which has ended so.
fn ended(cells: &[(&str, End)]) -> (tempfile::TempDir, Claims) {
    let root = sweep();
    let mut claims = Claims::open(root.path(), "test", Timing::default()).unwrap();
    claims.add(cells.iter().map(|(cell, _)| *cell)).unwrap();
    for _ in cells {
        let claim = claim(&mut claims);
        fs::create_dir(root.path().join(claim.cell())).unwrap();
        let end = cells.iter().find(|(cell, _)| *cell == claim.cell()).unwrap().1.clone();
        claim.finish(&end).unwrap();
    }
    (root, claims)
}

fn claim(claims: &mut Claims) -> Claim {
    match claims.claim_next().unwrap() {
        Next::Claimed(claim) => claim,
        _ => panic!("no cell can be claimed"),
    }
}

fn reason() -> Reason {
    Reason { class: "server".to_owned(), text: "overloaded".to_owned() }
}

fn states(folder: &Path) -> Vec<State> {
    cell_states(folder).unwrap().into_values().map(|cell| cell.state).collect()
}

fn requeue(folder: &Path, cells: &[&str], only: Option<State>) -> Result<Vec<GivenOrder>, OrderError> {
    let wanted = Requeue { cells: cells.iter().map(|cell| (*cell).to_owned()).collect(), only };
    requeue_cells(folder, &wanted, "label", "ada", None)
}

#[test]
fn cells_are_queued_again_by_state_and_by_name() {
    use State::{Done, Failed, Parked, Queued};
    let cells = [
        ("a-01", End::Done),
        ("b-02", End::Failed(reason())),
        ("c-03", End::Parked(reason())),
        ("d-04", End::Failed(reason())),
    ];
    let (root, _) = ended(&cells);
    assert_eq!(states(root.path()), [Done, Failed, Parked, Failed]);
    for (cell, why) in [("a-01", "is done; only a cell that is failed or parked"), ("x", "x")] {
        let error = requeue(root.path(), &["b-02", cell], None).unwrap_err();
        assert!(error.is_refused() && error.to_string().contains(why), "{error}");
    }
    let error = requeue(root.path(), &["c-03"], Some(Failed)).unwrap_err().to_string();
    assert!(error.contains("the cell c-03 is parked"), "{error}");
    assert_eq!(states(root.path()), [Done, Failed, Parked, Failed], "nothing was moved");
    assert_eq!(requeue(root.path(), &["b", "02"], None).unwrap().len(), 1);
    assert_eq!(states(root.path()), [Done, Queued, Parked, Failed]);
    assert_eq!(requeue(root.path(), &[], Some(Parked)).unwrap().len(), 1);
    assert_eq!(states(root.path()), [Done, Queued, Queued, Failed]);
    requeue(root.path(), &[], None).unwrap();
    assert_eq!(states(root.path()), [Done, Queued, Queued, Queued]);
    assert_eq!(requeue(root.path(), &[], None).unwrap(), [], "there are no more");
    assert_eq!(orders(root.path()).unwrap().len(), 3);
}

#[test]
fn an_order_to_queue_a_cell_again_has_its_effect_once() {
    let (root, mut claims) = ended(&[("a-01", End::Failed(reason()))]);
    requeue(root.path(), &[], None).unwrap();
    let cells: Vec<_> = requeued(&orders(root.path()).unwrap()).cloned().collect();
    claim(&mut claims).finish(&End::Failed(reason())).unwrap();
    claims.requeue_ended(&cells).unwrap();
    assert_eq!(states(root.path()), [State::Failed], "it failed again, and that was not ordered");
    let before = cells;
    let again = requeue(root.path(), &[], None).unwrap();
    assert_ne!(requeued(&again).cloned().collect::<Vec<_>>(), before);
    assert_eq!(states(root.path()), [State::Queued]);
}

#[test]
fn a_worker_moves_the_cells_if_the_process_that_ordered_it_was_killed() {
    let (root, mut claims) = ended(&[("a-01", End::Failed(reason()))]);
    let state = &cell_states(root.path()).unwrap()["a-01"];
    let worker = state.worker.clone().unwrap();
    let cell = RequeuedCell { cell: "a-01".to_owned(), worker, claims: state.claims };
    give(root.path(), Order::Requeue { cells: vec![cell] });
    assert_eq!(states(root.path()), [State::Failed], "as after a kill between the order and the move");
    let in_force = follow(root.path()).take_in_force();
    claims.requeue_ended(&requeued(&in_force).cloned().collect::<Vec<_>>()).unwrap();
    assert_eq!(states(root.path()), [State::Queued]);
}

#[test]
fn many_cells_are_queued_again_in_several_orders() {
    let names: Vec<String> = (0..450).map(|number| format!("{}-{number:03}", "c".repeat(110))).collect();
    let cells: Vec<_> = names.iter().map(|name| (name.as_str(), End::Failed(reason()))).collect();
    let (root, _) = ended(&cells);
    assert_eq!(requeue(root.path(), &[], None).unwrap().len(), 3);
    assert!(states(root.path()).iter().all(|state| *state == State::Queued));
    assert_eq!(requeued(&orders(root.path()).unwrap()).count(), 450, "each file can be read");
}
