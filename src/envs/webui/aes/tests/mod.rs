//! Tests of the score: every rule on literal values.

mod assignment;
mod attributes;
mod boxes;
mod builder;
mod example;
mod filters;
mod lists;
mod pages;
mod properties;
mod values;
