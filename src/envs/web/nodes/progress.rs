//! How far a task is done.

use serde::{Deserialize, Serialize};

use crate::task::Task;

/// The scores of the nodes of a task after some acts.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Progress {
    /// The acts that were examined.
    pub acts: u32,
    /// The nodes, in the order of the task.
    pub nodes: Vec<NodeProgress>,
}

/// The score of a node so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct NodeProgress {
    /// From 0 to 1.
    pub score: f64,
    /// The act that raised it last, from 1; `None` while it is 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub act: Option<u32>,
}

impl NodeProgress {
    /// Whether it is met in full, so that it is not compared again.
    pub fn is_full(&self) -> bool {
        self.score >= 1.0
    }
}

impl Progress {
    /// Before any act.
    pub fn of(task: &Task) -> Self {
        Self { acts: 0, nodes: vec![NodeProgress::default(); task.nodes.len()] }
    }

    /// The sum of the scores.
    pub fn achieved(&self) -> f64 {
        self.nodes.iter().map(|node| node.score).sum()
    }

    /// Whether every node is met in full; never for no nodes.
    pub fn is_complete(&self) -> bool {
        !self.nodes.is_empty() && self.nodes.iter().all(NodeProgress::is_full)
    }

    /// Whether this is the progress of a task with so many nodes.
    pub fn fits(&self, task: &Task) -> bool {
        self.nodes.len() == task.nodes.len()
    }

    /// Raises a node to this score at the present act; a lower score changes nothing.
    pub(super) fn raise(&mut self, node: usize, score: f64) {
        let act = self.acts;
        if let Some(node) = self.nodes.get_mut(node).filter(|node| node.score < score) {
            *node = NodeProgress { score, act: Some(act) };
        }
    }
}
