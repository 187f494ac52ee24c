//! The jobs of a drawing, and who does them: the drawing itself, or a thread beside it. The thread has one job at most,
//! and what a newer drawing does not want is not started, so that nothing waits in line however fast keys are pressed.

use std::collections::VecDeque;
use std::io;
use std::sync::mpsc;
use std::sync::mpsc::RecvTimeoutError;
use std::thread;
use std::time::{Duration, Instant};

use super::job::{Encoder, Job, JobKey, Outcome};

/// The jobs that the newest drawing wants.
pub(super) struct PictureQueue {
    /// Changes with everything that makes older answers wrong.
    generation: u64,
    encoder: Place,
    wanted: VecDeque<Job>,
    under_way: Option<UnderWay>,
    /// Until when this drawing waits for answers.
    until: Option<Instant>,
    /// Whether no picture is started before the bytes of those on the screen: else a film whose pictures take longer
    /// than its frames would show none.
    patches_first: bool,
}

/// Where jobs are done.
enum Place {
    Here(Encoder),
    Beside(EncoderThread),
}

struct EncoderThread {
    jobs: mpsc::Sender<(u64, Job)>,
    answers: mpsc::Receiver<(u64, Outcome)>,
    /// How long a drawing waits for answers.
    patience: Duration,
}

/// The job of the thread.
struct UnderWay {
    key: JobKey,
    generation: u64,
    /// Whether the newest drawing wants it and has not waited for it yet.
    is_awaited: bool,
}

/// Wakes the screen when it is dropped, too: the thread has ended.
struct Wake<F: Fn()>(F);

impl<F: Fn()> Drop for Wake<F> {
    fn drop(&mut self) {
        (self.0)();
    }
}

impl Default for PictureQueue {
    fn default() -> Self {
        Self {
            generation: 0,
            encoder: Place::Here(Encoder::default()),
            wanted: VecDeque::new(),
            under_way: None,
            until: None,
            patches_first: false,
        }
    }
}

impl PictureQueue {
    /// Does jobs in a thread from now on, which calls `wake` after each.
    pub(super) fn start(
        &mut self,
        encoder: Encoder,
        patience: Duration,
        wake: impl Fn() + Send + 'static,
    ) -> io::Result<()> {
        let (jobs, orders) = mpsc::channel();
        let (tell, answers) = mpsc::channel();
        let wake = Wake(wake);
        let work = move || work(encoder, &orders, &tell, &wake);
        thread::Builder::new().name("pictures".to_owned()).spawn(work)?;
        self.encoder = Place::Beside(EncoderThread { jobs, answers, patience });
        Ok(())
    }

    /// Whether jobs are done when they are wanted.
    pub(super) fn is_immediate(&self) -> bool {
        matches!(self.encoder, Place::Here(_))
    }

    /// Drops what was wanted and is not started: a newer drawing is about to begin.
    pub(super) fn drop_waiting(&mut self) {
        self.wanted.clear();
    }

    /// Begins a drawing, which may wait for so many times the usual time.
    pub(super) fn begin(&mut self, patches_first: bool, times: u32) {
        if let Some(under_way) = &mut self.under_way {
            under_way.is_awaited = false;
        }
        self.patches_first = patches_first && !self.is_immediate();
        self.until = match &self.encoder {
            Place::Here(_) => None,
            Place::Beside(thread) => Some(Instant::now() + thread.patience * times),
        };
    }

    /// Ends a drawing.
    pub(super) fn end(&mut self) {
        self.patches_first = false;
        self.hand_out();
    }

    /// Answers to jobs until now are wrong.
    pub(super) fn renew(&mut self) {
        self.generation += 1;
        self.wanted.clear();
    }

    /// Adds a job, unless it is under way.
    pub(super) fn want(&mut self, job: Job) {
        let key = job.key();
        let is_started = self
            .under_way
            .as_ref()
            .is_some_and(|under_way| under_way.generation == self.generation && under_way.key == key);
        if is_started {
            return;
        }
        match job {
            // The screen needs nothing else for them.
            Job::Patches(_) => self.wanted.push_front(job),
            job => self.wanted.push_back(job),
        }
    }

    /// Whether an answer is still to come.
    pub(super) fn is_waiting(&self) -> bool {
        self.under_way.is_some() || !self.wanted.is_empty()
    }

    /// Whether this is what the thread does.
    pub(super) fn does(&self, key: &JobKey) -> bool {
        self.under_way.as_ref().is_some_and(|under_way| under_way.key == *key)
    }

    /// The next answer: does the next job here, or waits for the thread as long as this drawing may.
    pub(super) fn next_answer(&mut self) -> Option<Outcome> {
        if let Place::Here(encoder) = &mut self.encoder {
            return self.wanted.pop_front().map(|job| encoder.perform(&job));
        }
        self.answer(true)
    }

    /// The next answer that the thread has given by now.
    pub(super) fn finished(&mut self) -> Option<Outcome> {
        self.answer(false)
    }

    /// Gives the thread the next job, if it has none.
    fn hand_out(&mut self) {
        let Place::Beside(thread) = &self.encoder else { return };
        let may_begin = |job: &Job| !self.patches_first || matches!(job, Job::Patches(_));
        if self.under_way.is_some() || !self.wanted.front().is_some_and(may_begin) {
            return;
        }
        let Some(job) = self.wanted.pop_front() else { return };
        let generation = self.generation;
        self.under_way = Some(UnderWay { key: job.key(), generation, is_awaited: true });
        // If the thread has ended, that shows where its answer is received.
        let _ = thread.jobs.send((generation, job));
    }

    /// Answers of an older generation are dropped.
    fn answer(&mut self, waits: bool) -> Option<Outcome> {
        loop {
            self.hand_out();
            let Place::Beside(thread) = &self.encoder else { return None };
            let under_way = self.under_way.as_mut()?;
            let patience = match self.until {
                Some(until) if waits && under_way.is_awaited => {
                    until.saturating_duration_since(Instant::now())
                }
                _ => Duration::ZERO,
            };
            match thread.answers.recv_timeout(patience) {
                Ok((generation, outcome)) => {
                    self.under_way = None;
                    self.hand_out();
                    if generation == self.generation {
                        return Some(outcome);
                    }
                }
                Err(RecvTimeoutError::Timeout) => {
                    under_way.is_awaited &= !waits;
                    return None;
                }
                Err(RecvTimeoutError::Disconnected) => {
                    self.under_way = None;
                    self.encoder = Place::Here(Encoder::default());
                    return None;
                }
            }
        }
    }
}

/// Does jobs until there can be no more.
fn work<F: Fn()>(
    mut encoder: Encoder,
    orders: &mpsc::Receiver<(u64, Job)>,
    tell: &mpsc::Sender<(u64, Outcome)>,
    wake: &Wake<F>,
) {
    for (generation, job) in orders {
        let outcome = encoder.perform(&job);
        drop(job);
        if tell.send((generation, outcome)).is_err() {
            return;
        }
        (wake.0)();
    }
}
