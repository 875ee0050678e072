//! The engine of Breakthrough as a program.

use std::process::ExitCode;

use protocol::program;

fn main() -> ExitCode {
    program::main(program::run_uci::<breakthrough::Breakthrough>)
}
