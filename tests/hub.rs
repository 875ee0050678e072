//! Conversations over Hub with the draughts engine, in memory.

use draughts::Draughts;
use draughts::hub::dialect;
use protocol::hub;
use protocol::testing::Partner;

fn play(transcript: &str) {
    let partner = Partner::in_memory(|input, output| {
        hub::serve(Draughts::bare(), dialect(), input, output).expect("the pipe holds");
    });
    partner.expect("a pipe can be made").play(transcript).unwrap_or_else(|why| panic!("{why}"));
}

const START: &str = "Wbbbbbbbbbbbbeeeeeeeewwwwwwwwwwww";

#[test]
fn an_introduction_declares_variant_and_square_order() {
    play(
        "> hub
< id name=\"Quintet Draughts\" version=*
< ...
< param name=variant value=brazilian type=enum values=\"brazilian russian\"
< ...
< param name=square-order value=b8 type=enum values=\"b8 a1-moves\"
< wait
> init
< ready
> ping
< pong
> quit",
    );
}

#[test]
fn a_choice_with_a_blank_is_one_word() {
    play(
        "> hub
< ...
< param name=preset value=default type=enum values=\"default Little-Polish\"
< ...
< wait
> set-param name=preset value=little-polish
> hub
< ...
< param name=preset value=Little-Polish type=enum values=*
< ...
< wait
> set-param name=preset value=\"Little Polish\"
> set-param name=preset value=Big-Polish
< error message=*
> quit",
    );
}

#[test]
fn a_search_ends_with_one_answer_and_can_be_stopped() {
    play(&format!(
        "> pos pos={START} moves=\"21-17 12-16\"
> level depth=3
> go think
< ...
< done move=*
> go analyze
< ...
< info depth=2 *
> ping
< ...
< pong
> stop
< ...
< done move=*
> level moves=20 time=0.5 inc=0.01
> go think
< ...
< done move=*
> level nodes=500
> level depth=30
> go think
< ...
< done move=*
> level move-time=0.01
> go ponder
> ponder-hit
< ...
< done move=*
! close"
    ));
}

#[test]
fn a_new_search_may_be_set_up_before_the_stopped_one_answers() {
    let lone = format!("B{}b{}w{}", "e".repeat(3), "e".repeat(24), "e".repeat(3));
    play(&format!(
        "> pos pos={START}
> go analyze
< ...
< info depth=2 *
> stop
> pos pos={lone}
> level depth=2
> go think
< ...
< done move=2*
< ...
< done move=4-8*
> go ponder
> stop
> go ponder
> ponder-hit
> stop
< ...
< done move=4-8*
< ...
< done move=4-8*"
    ));
}

#[test]
fn the_last_line_counts_the_whole_search() {
    play(&format!(
        "> pos pos={START}
> level nodes=3001
> go think
< ...
< info depth=* nodes=3001 *
< done move=*"
    ));
}

#[test]
fn an_analysis_ends_by_its_level() {
    play(&format!(
        "> pos pos={START}
> level nodes=300
> go analyze
< ...
< done move=*
> level depth=4294967297
> level nodes=500
> go think
< ...
< info depth=2 *
< ...
< done move=*"
    ));
}

#[test]
fn squares_may_count_from_a1() {
    play(&format!(
        "> set-param name=square-order value=a1-moves
> pos pos={START} moves=\"9-13\"
> level nodes=1
> go think
< ...
< done move=2*-*"
    ));
}

#[test]
fn bad_input_is_named_and_changes_nothing() {
    play(&format!(
        "> unknown command=1
> pos pos=Wee
< error message=\"bad position 'Wee': 2 squares instead of 32\"
> pos pos={START} moves=\"21-13\"
< error message=\"illegal move '21-13'\"
> set-param name=colour value=red
< error message=\"no such parameter: 'colour'\"
> set-param name=hash value=0
< error message=*
> level depth=x
< error message=\"level: depth is 'x', not a number\"
> ping
< pong"
    ));
}

/// A client that reads by lines would read two, or as much as was sent.
#[test]
fn a_complaint_is_one_short_line_whatever_it_quotes() {
    let long = "W".repeat(100_000);
    play(&format!(
        "> set-param name=\"a\rb\u{1b}\" value=1
< error message=\"no such parameter: 'a?b?'\"
> pos pos={long}
< error message=\"bad position '{}...\"",
        "W".repeat(300 - "bad position '".len())
    ));
}

#[test]
fn a_conversation_is_logged() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("hub log");
    play(&format!(
        "> set-param name=debug-log-file value=\"{}\"
> ping
< pong
> set-param name=debug-log-file value=\"{}\"
< error message=\"cannot write the log file *",
        path.display(),
        folder.path().display()
    ));
    let log = std::fs::read_to_string(path).unwrap();
    assert!(log.contains(" > ping\n") && log.contains(" < pong\n"), "{log}");
}
