//! Tests of the orders.
