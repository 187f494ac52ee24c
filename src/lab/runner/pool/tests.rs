//! The order, the places, the stops and the errors of a pool.

use std::collections::VecDeque;
use std::time::Duration;

use super::*;

/// Tasks that take so many seconds, each with its number as the result.
#[derive(Default)]
struct Waiting {
    left: VecDeque<(u32, u64)>,
    under_way: usize,
    most: usize,
    done: Vec<u32>,
    turns: usize,
    /// The result that is an error.
    refused: Option<u32>,
    /// When a further task of no time is there.
    later: Option<Instant>,
    /// Other numbers of places, each from a time on.
    places: Vec<(Instant, usize)>,
    /// What ends the tasks early.
    stop: CancellationToken,
}

impl Waiting {
    fn of(seconds: &[u64]) -> Self {
        Self { left: (1..).zip(seconds.iter().copied()).collect(), ..Self::default() }
    }
}

impl Queue for Waiting {
    type Done = u32;

    async fn next(&mut self) -> Result<Option<Task<u32>>, LabError> {
        if self.later.is_some_and(|at| at <= Instant::now()) {
            self.later = None;
            self.left.push_back((99, 0));
        }
        let Some((number, seconds)) = self.left.pop_front() else { return Ok(None) };
        self.under_way += 1;
        self.most = self.most.max(self.under_way);
        let stop = self.stop.clone();
        Ok(Some(Box::pin(async move {
            tokio::select! {
                () = tokio::time::sleep(Duration::from_secs(seconds)) => number,
                () = stop.cancelled() => 100 + number,
            }
        })))
    }

    async fn done(&mut self, done: u32) -> Result<(), LabError> {
        self.under_way -= 1;
        self.done.push(done);
        match self.refused {
            Some(refused) if refused == done => Err(LabError::failed("refused")),
            _ => Ok(()),
        }
    }

    async fn turn(&mut self) -> Result<(), LabError> {
        self.turns += 1;
        Ok(())
    }

    fn places(&self, at_start: usize) -> usize {
        let now = Instant::now();
        self.places.iter().rfind(|(at, _)| *at <= now).map_or(at_start, |(_, places)| *places)
    }

    fn wake(&self, has_place: bool) -> Option<Instant> {
        let now = Instant::now();
        let change = self.places.iter().map(|(at, _)| *at).find(|at| *at > now);
        self.later.filter(|_| has_place).into_iter().chain(change).min()
    }
}

async fn run(queue: &mut Waiting, at_once: usize, at_stop: AtStop) -> Result<usize, LabError> {
    let stop = queue.stop.clone();
    run_pool(queue, at_once, &stop, at_stop).await
}

#[tokio::test(start_paused = true)]
async fn tasks_start_in_order_and_results_come_as_they_end_with_no_more_than_so_many_at_once() {
    let mut queue = Waiting::of(&[30, 10, 5, 5]);
    assert_eq!(run(&mut queue, 2, AtStop::Wait).await.unwrap(), 0);
    assert_eq!((queue.done, queue.most, queue.turns), (vec![2, 3, 4, 1], 2, 5));
    let mut queue = Waiting::of(&[1, 1]);
    run(&mut queue, 0, AtStop::Drop).await.unwrap();
    assert_eq!((queue.done, queue.most), (vec![1, 2], 1), "there is always a place");
}

#[tokio::test(start_paused = true)]
async fn a_task_that_is_there_later_is_waited_for_without_any_other() {
    let mut queue = Waiting::of(&[1]);
    let begin = Instant::now();
    queue.later = Some(begin + Duration::from_mins(1));
    run(&mut queue, 1, AtStop::Wait).await.unwrap();
    assert_eq!((queue.done, begin.elapsed().as_secs()), (vec![1, 99], 60));
}

#[tokio::test(start_paused = true)]
async fn the_number_of_places_can_grow_and_shrink_and_ends_no_task() {
    let begin = Instant::now();
    let at = |seconds| begin + Duration::from_secs(seconds);
    let mut queue = Waiting { places: vec![(at(5), 3), (at(15), 1)], ..Waiting::of(&[10; 6]) };
    run(&mut queue, 1, AtStop::Wait).await.unwrap();
    assert_eq!((&queue.done[..], queue.most), (&[1, 2, 3, 4, 5, 6][..], 3));
    // One from 0 s, two more from 5 s, a fourth from 10 s on, and the last two alone.
    assert_eq!(begin.elapsed().as_secs(), 40);
}

async fn stopped_after(seconds: u64, mut queue: Waiting, at_stop: AtStop) -> (Waiting, usize, u64) {
    let stop = queue.stop.clone();
    let begin = Instant::now();
    tokio::spawn(async move {
        tokio::time::sleep(Duration::from_secs(seconds)).await;
        stop.cancel();
    });
    let dropped = run(&mut queue, 2, at_stop).await.unwrap();
    (queue, dropped, begin.elapsed().as_secs())
}

#[tokio::test(start_paused = true)]
async fn a_stop_starts_nothing_and_waits_for_tasks_or_drops_them() {
    let (queue, dropped, seconds) = stopped_after(3, Waiting::of(&[9, 2, 9, 9]), AtStop::Wait).await;
    assert_eq!((dropped, seconds), (0, 3));
    assert_eq!((queue.done[0], queue.left.len(), queue.under_way), (2, 1, 0));
    assert!(queue.done.len() == 3 && queue.done[1..].iter().all(|number| *number > 100), "{:?}", queue.done);
    let (queue, dropped, seconds) = stopped_after(3, Waiting::of(&[9, 2, 9, 9]), AtStop::Drop).await;
    assert_eq!((queue.left.len(), seconds), (1, 3));
    assert_eq!(queue.done.len() + dropped, 3, "each is there or counted");
    let late = Waiting { later: Some(Instant::now() + Duration::from_hours(1)), ..Waiting::of(&[]) };
    let (queue, _, seconds) = stopped_after(3, late, AtStop::Wait).await;
    assert!(queue.done.is_empty() && seconds == 3, "nothing is waited for after a stop");
}

#[tokio::test(start_paused = true)]
async fn an_error_stops_the_other_tasks_and_takes_their_results() {
    let mut queue = Waiting { refused: Some(2), ..Waiting::of(&[9, 2, 9]) };
    let begin = Instant::now();
    assert!(run(&mut queue, 2, AtStop::Wait).await.is_err());
    assert_eq!((queue.done, queue.left.len(), begin.elapsed().as_secs()), (vec![2, 101], 1, 2));
}

#[tokio::test]
async fn a_run_has_events_and_an_end_and_is_stopped_when_it_is_dropped() {
    let started = || {
        let (sender, events) = mpsc::channel(1);
        let stop = CancellationToken::new();
        let own = stop.clone();
        let run = async move {
            let _ = sender.send(7).await;
            own.cancelled().await;
            Ok("stopped")
        };
        (RunTask::start(run, events, stop.clone()), stop)
    };
    let (mut run, _) = started();
    assert_eq!(run.next().await, Some(7));
    assert_eq!(run.stop().await.unwrap(), "stopped");
    let (run, stop) = started();
    drop(run);
    assert!(stop.is_cancelled());
}
