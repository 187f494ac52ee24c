//! Tests of the handler of workbooks.
