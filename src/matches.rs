//! Engine against engine, judged by our own rules.

pub mod openings;
pub mod schedule;
pub mod statistics;
pub mod time;
