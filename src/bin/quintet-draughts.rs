//! The draughts engine.

use std::process::ExitCode;

fn main() -> ExitCode {
    quintet::engine::main("draughts")
}
