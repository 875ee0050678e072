//! The engine of draughts as a program.

use std::process::ExitCode;

fn main() -> ExitCode {
    protocol::program::main(draughts::program::run)
}
