//! The Go engine.

use std::process::ExitCode;

fn main() -> ExitCode {
    quintet::engine::main("go")
}
