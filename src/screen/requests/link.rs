//! The channels between the screen and the lab task. Each request has a number, which its answers carry, so that an answer
//! to an earlier request on the same topic is dropped.

use std::collections::{BTreeMap, BTreeSet};
use std::task::{Context, Poll};

use tokio::sync::mpsc;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender};

use super::{Answer, Opened, Request, Topic};

/// A request with its number.
#[derive(Debug)]
pub struct Requested {
    /// Its number.
    number: u64,
    /// The request.
    pub request: Request,
}

impl Requested {
    /// The request, and where its answers go.
    pub fn split(self, answers: &Answers) -> (Request, Answers) {
        (self.request, Answers { number: self.number, ..answers.clone() })
    }
}

/// What comes back to the screen.
#[derive(Debug)]
pub enum Answered {
    /// Sessions were opened.
    Opened(Opened),
    /// Anything else.
    Answer(Answer),
}

/// Where answers to a request go.
#[derive(Clone, Debug)]
pub struct Answers {
    number: u64,
    sender: UnboundedSender<(u64, Answered)>,
}

impl Answers {
    /// Sends an answer. The screen may be closed.
    pub fn send(&self, answer: Answer) {
        let _ = self.sender.send((self.number, Answered::Answer(answer)));
    }

    /// Sends sessions that were opened. The screen may be closed.
    pub fn opened(&self, opened: Opened) {
        let _ = self.sender.send((self.number, Answered::Opened(opened)));
    }

    /// Whether the screen is closed.
    pub fn is_closed(&self) -> bool {
        self.sender.is_closed()
    }

    /// Waits until the screen is closed.
    pub async fn closed(&self) {
        self.sender.closed().await;
    }
}

/// The end of the channels that a screen holds.
#[derive(Debug)]
pub struct LabLink {
    requests: UnboundedSender<Requested>,
    answers: UnboundedReceiver<(u64, Answered)>,
}

impl LabLink {
    /// Both ends: that of the screen, and that of a lab task, which receives requests and sends answers.
    pub fn new() -> (Self, UnboundedReceiver<Requested>, Answers) {
        let (requests, received) = mpsc::unbounded_channel();
        let (sender, answers) = mpsc::unbounded_channel();
        (Self { requests, answers }, received, Answers { number: 0, sender })
    }
}

/// The requests of a screen: sends them, and receives what is still wanted.
#[derive(Debug)]
pub(crate) struct Requests {
    link: LabLink,
    last: u64,
    /// The number of the newest request on each topic.
    newest: BTreeMap<Topic, u64>,
    /// The requests that a script waits for.
    awaited: BTreeSet<u64>,
}

impl Requests {
    pub(crate) fn new(link: LabLink) -> Self {
        Self { link, last: 0, newest: BTreeMap::new(), awaited: BTreeSet::new() }
    }

    /// Sends a request. A task that has ended, as after a panic, answers nothing.
    pub(crate) fn send(&mut self, request: Request) {
        self.last += 1;
        if let Some(topic) = request.topic() {
            self.newest.insert(topic, self.last);
        }
        let is_awaited = request.is_awaited();
        if self.link.requests.send(Requested { number: self.last, request }).is_ok() && is_awaited {
            self.awaited.insert(self.last);
        }
    }

    /// Whether a script has to wait for an answer.
    pub(crate) fn is_waiting(&self) -> bool {
        !self.awaited.is_empty()
    }

    /// The next answer that is still wanted. After the end of the task there is none.
    pub(crate) fn poll(&mut self, cx: &mut Context<'_>) -> Poll<Answered> {
        while let Poll::Ready(Some((number, answered))) = self.link.answers.poll_recv(cx) {
            self.awaited.remove(&number);
            if self.is_wanted(number, &answered) {
                return Poll::Ready(answered);
            }
        }
        Poll::Pending
    }

    fn is_wanted(&self, number: u64, answered: &Answered) -> bool {
        let topic = match answered {
            Answered::Opened(_) => None,
            Answered::Answer(answer) => answer.topic(),
        };
        topic.and_then(|topic| self.newest.get(&topic)).is_none_or(|newest| *newest == number)
    }
}

#[cfg(test)]
mod tests {
    use std::task::Waker;

    use super::*;
    use crate::requests::FindProgress;

    fn next(requests: &mut Requests) -> Option<Answered> {
        match requests.poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(answered) => Some(answered),
            Poll::Pending => None,
        }
    }

    #[test]
    fn an_answer_to_an_earlier_request_on_the_same_topic_is_dropped() {
        let (link, mut received, answers) = LabLink::new();
        let mut requests = Requests::new(link);
        requests.send(Request::Find { condition: "ia".into(), scope: None });
        requests.send(Request::ListSessions);
        requests.send(Request::Find { condition: "ra".into(), scope: None });
        let mut ends = [(); 3].map(|()| received.try_recv().unwrap().split(&answers).1);
        assert!(requests.is_waiting(), "for the list of sessions");
        for end in &mut ends {
            end.send(Answer::Found(FindProgress::Ended(Ok(()))));
        }
        assert!(matches!(next(&mut requests), Some(Answered::Answer(Answer::Found(_)))));
        assert!(next(&mut requests).is_none(), "one of three is to the newest search");
        assert!(!requests.is_waiting());
        requests.send(Request::StopFinding);
        ends[2].send(Answer::Found(FindProgress::Ended(Ok(()))));
        assert!(next(&mut requests).is_none(), "the search was stopped");
    }
}
