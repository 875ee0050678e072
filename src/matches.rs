//! Engine against engine, judged by our own rules.

pub mod adjudication;
pub mod game;
pub mod openings;
pub mod player;
pub mod schedule;
pub mod statistics;
pub mod time;
