//! The engine of Go as a program.

use std::process::ExitCode;

fn main() -> ExitCode {
    protocol::program::main(go::gtp::run)
}
