//! The JSON fields of a solution: its size in each objective and its notation, by the names of all environments, so that
//! the objects of all levels have the same fields.

use serde_json::{Map, Value};

use crate::output::count_noun;
use mageyard_domain::{EnvironmentSpec, Objective, Solver};

/// The names of all objectives and notations.
pub(super) struct SolutionFields {
    objectives: Vec<&'static str>,
    notations: Vec<String>,
}

impl SolutionFields {
    /// The names that these environments have.
    pub(super) fn of(environments: &[&dyn EnvironmentSpec]) -> Self {
        let solvers = || environments.iter().filter_map(|spec| spec.capabilities().tools.solver);
        let objectives = solvers().flat_map(Solver::objectives).map(|objective| objective.name);
        let notations = solvers().filter_map(Solver::notation).map(|notation| field(notation.name()));
        Self { objectives: unique(objectives), notations: unique(notations) }
    }

    /// The names of the objectives.
    pub(super) fn objectives(&self) -> &[&'static str] {
        &self.objectives
    }

    /// The sizes of a solution in each objective of its solver; null for the others.
    pub(super) fn sizes(&self, solver: Option<&dyn Solver>, sizes: Option<&[u32]>) -> Map<String, Value> {
        let own: Vec<_> = solver
            .map(Solver::objectives)
            .unwrap_or_default()
            .iter()
            .zip(sizes.unwrap_or_default())
            .collect();
        let value =
            |name: &str| own.iter().find(|(objective, _)| objective.name == name).map(|(_, size)| **size);
        self.objectives.iter().map(|name| ((*name).to_owned(), value(name).into())).collect()
    }

    /// The solution in its notation; null for the others.
    pub(super) fn notations(
        &self,
        solver: Option<&dyn Solver>,
        solution: Option<&str>,
    ) -> Map<String, Value> {
        let own = solver.and_then(Solver::notation).map(|notation| field(notation.name()));
        let value = |name: &String| solution.filter(|_| own.as_ref() == Some(name)).into();
        self.notations.iter().map(|name| (name.clone(), value(name))).collect()
    }
}

/// The sizes with their nouns, such as `9 moves`.
pub(super) fn sizes_text(objectives: &[Objective], sizes: &[u32]) -> String {
    let text = |(objective, size): (&Objective, &u32)| {
        count_noun(usize::try_from(*size).unwrap_or(usize::MAX), objective.singular, objective.name)
    };
    objectives.iter().zip(sizes).map(text).collect::<Vec<_>>().join(", ")
}

fn field(name: &str) -> String {
    name.to_lowercase()
}

fn unique<T: PartialEq>(names: impl Iterator<Item = T>) -> Vec<T> {
    names.fold(Vec::new(), |mut known, name| {
        if !known.contains(&name) {
            known.push(name);
        }
        known
    })
}
