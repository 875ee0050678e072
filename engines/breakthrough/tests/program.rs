//! The engine's own program, started as a graphical program starts it.

use protocol::Launch;
use protocol::testing::Partner;

#[test]
fn an_engine_has_a_program_of_its_own() {
    let launch = Launch::new(env!("CARGO_BIN_EXE_quintet-breakthrough")).args(["go", "perft", "3"]);
    Partner::start(&launch).unwrap().play("< ...\n< Nodes searched: 11132").unwrap();
}
