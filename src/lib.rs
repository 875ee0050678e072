//! The programs.

pub mod matches;
