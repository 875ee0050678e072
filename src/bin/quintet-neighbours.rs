//! The Neighbours engine.

use std::process::ExitCode;

fn main() -> ExitCode {
    quintet::engine::main("neighbours")
}
