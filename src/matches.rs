//! Engine against engine, judged by our own rules.

pub mod adjudication;
pub mod args;
pub mod game;
pub mod interrupt;
pub mod log;
pub mod openings;
pub mod plan;
pub mod player;
pub mod schedule;
pub mod standings;
pub mod statistics;
pub mod time;
pub mod words;
