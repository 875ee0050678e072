//! A UCI session from outside, with a toy engine whose every word is known.

mod toy;

use protocol::transcript::Partner;
use protocol::uci;
use search::Engine;
use toy::Toy;

fn play(transcript: &str) {
    let partner = Partner::in_memory(|input, output| {
        uci::serve(Toy::new(), input, output).expect("memory does not fail");
    });
    if let Err(error) = partner.expect("a pipe can be had").play(transcript) {
        panic!("{error}");
    }
}

#[test]
fn the_introduction_names_every_option() {
    play(
        "> uci
< id name Toy *
< id author *
< option name Hash type spin default 16 min 1 max 33554432
< option name Threads type spin default 1 min 1 max 1024
< option name Clear Hash type button
< option name Ponder type check default false
< option name MultiPV type spin default 1 min 1 max 256
< option name Move Overhead type spin default 10 min 0 max 5000
< option name Skill Level type spin default 20 min 0 max 20
< option name UCI_AnalyseMode type check default false
< option name Debug Log File type string default <empty>
< option name Heap type spin default 7 min 0 max 100
< option name Mood type combo default calm var calm var crashing var talkative
< uciok
> quit",
    );
}

#[test]
fn an_infinite_search_waits_for_stop_although_it_has_finished() {
    play(
        "> go infinite
< ...
< info depth 20 * pv 1 1 1 1 1 1 1
! silence 50
> isready
< readyok
> stop
< info depth 20 * pv 1 1 1 1 1 1 1
< bestmove 1 ponder 1
> stop
> quit",
    );
}
