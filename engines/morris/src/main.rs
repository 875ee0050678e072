//! The engine of nine men's morris as a program.

use std::process::ExitCode;

use protocol::program;

fn main() -> ExitCode {
    program::main(program::run_uci::<morris::Morris>)
}
