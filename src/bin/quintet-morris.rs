//! The morris engine.

use std::process::ExitCode;

fn main() -> ExitCode {
    quintet::engine::main("morris")
}
