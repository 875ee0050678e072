//! The chess engine.

use std::process::ExitCode;

fn main() -> ExitCode {
    quintet::engine::main("chess")
}
