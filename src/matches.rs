//! Engine against engine, judged by our own rules.

pub mod statistics;
