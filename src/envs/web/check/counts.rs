//! Counts over the tasks of a file, to compare a copy with what was published.

use std::fmt;

use mageyard_domain::count_noun;

use crate::task::{Function, Task};

/// Counts over tasks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// The tasks.
    pub tasks: usize,
    /// Their nodes.
    pub nodes: usize,
    /// The fewest and the most nodes of a task.
    pub nodes_of_task: (usize, usize),
    /// The steps of all references.
    pub steps: u64,
    /// The shortest and the longest reference.
    pub lengths: (u32, u32),
    /// The functions that occur, with their nodes, in the order of their names' table.
    pub functions: Vec<(Function, usize)>,
}

impl Counts {
    /// Counts these tasks.
    pub fn of(tasks: &[Task]) -> Self {
        let nodes = || tasks.iter().map(|task| task.nodes.len());
        let lengths = || tasks.iter().map(|task| task.reference_length);
        let uses = |function: Function| {
            let nodes = tasks.iter().flat_map(|task| &task.nodes);
            (function, nodes.filter(|node| node.function == function).count())
        };
        Self {
            tasks: tasks.len(),
            nodes: nodes().sum(),
            nodes_of_task: (nodes().min().unwrap_or_default(), nodes().max().unwrap_or_default()),
            steps: lengths().map(u64::from).sum(),
            lengths: (lengths().min().unwrap_or_default(), lengths().max().unwrap_or_default()),
            functions: Function::all().map(uses).filter(|(_, count)| *count > 0).collect(),
        }
    }
}

/// `104 tasks, 443 nodes (2 to 10, mean 4.26), length 3 to 18, mean 7.91: url_included_match 258, …`.
impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        #[expect(clippy::cast_precision_loss, reason = "numbers of tasks are small")]
        let mean = |sum: u64| sum as f64 / self.tasks.max(1) as f64;
        let (fewest, most) = self.nodes_of_task;
        let (shortest, longest) = self.lengths;
        let [nodes, length] = [self.nodes as u64, self.steps].map(mean);
        let tasks = count_noun(self.tasks, "task", "tasks");
        let all = count_noun(self.nodes, "node", "nodes");
        write!(f, "{tasks}, {all} ({fewest} to {most}, mean {nodes:.2}), ")?;
        write!(f, "length {shortest} to {longest}, mean {length:.2}")?;
        for (index, (function, count)) in self.functions.iter().enumerate() {
            write!(f, "{} {} {count}", if index == 0 { ":" } else { "," }, function.name())?;
        }
        Ok(())
    }
}
