//! Tests of the score: every rule on literal values.

mod builder;
mod example;
