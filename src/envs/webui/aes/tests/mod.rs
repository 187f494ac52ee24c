//! Tests of the score: every rule on literal values.

mod assignment;
mod attributes;
mod boxes;
mod builder;
mod document;
mod example;
mod filters;
mod lists;
mod pages;
mod properties;
mod values;
