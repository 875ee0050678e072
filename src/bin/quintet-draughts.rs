//! The draughts engine.

use std::process::ExitCode;

use quintet::engine;

fn main() -> ExitCode {
    engine::main(engine::run_draughts)
}
