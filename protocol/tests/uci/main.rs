//! A UCI session from outside, with a toy engine whose every word is known.

mod toy;

use protocol::testing::Partner;
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

fn perform(commands: &[&str]) -> String {
    let commands: Vec<String> = commands.iter().map(|&command| command.to_owned()).collect();
    let mut output = Vec::new();
    uci::perform(Toy::new(), &commands, &mut output).expect("memory does not fail");
    String::from_utf8(output).expect("all output is text")
}

#[test]
fn the_introduction_names_every_option_and_may_be_asked_for_twice() {
    let introduction = "> uci
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
< option name Counters type check default false
< option name Debug Log File type string default <empty>
< option name Pile type spin default 7 min 0 max 100
< option name Mood type combo default calm var calm var crashing var talkative
< uciok
";
    play(&introduction.repeat(2));
}

#[test]
fn nothing_is_said_before_it_is_asked_for() {
    play("! silence 20\n> quit");
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
> isready
< readyok
> quit",
    );
}

#[test]
fn a_pondering_search_waits_for_its_hit() {
    play(
        "> go ponder wtime 1 btime 1
< ...
< info depth 20 *
! silence 50
> ponderhit
< bestmove 1 ponder 1
> go ponder wtime 1000000 btime 1000000
< ...
< info depth 20 *
> stop
< bestmove 1 ponder 1
> ponderhit
> quit",
    );
}

#[test]
fn stop_counts_only_for_the_search_that_runs() {
    play(
        "> stop
> go depth 1
< info depth 1 *
< bestmove 1 ponder 1
> stop
> go infinite
< ...
< info depth 20 *
! silence 50
> stop
< bestmove 1 ponder 1
> quit",
    );
}

#[test]
fn changes_wait_for_the_end_of_the_search_and_questions_do_not() {
    play(
        "> go infinite
< ...
< info depth 20 *
> position fen 2 b
> setoption name Pile value 200
> ucinewgame
> isready
< readyok
> d
< ooooooo
< Fen: 7 w
< Key: B54E0F1600CC4D19
> stop
< info depth 20 *
< bestmove 1 ponder 1
< info string option Pile: '200' is not a number from 0 to 100
> d
< oo
< Fen: 2 b
< Key: *
> quit",
    );
}

#[test]
fn a_further_go_ends_the_running_search_and_each_is_answered_once() {
    play(
        "> go infinite
< ...
< info depth 20 *
> position fen 2 b
> go infinite
< bestmove 1 ponder 1
< ...
< info depth 20 seldepth 20 multipv 1 score cp 20 nodes 200 nps 10000 hashfull 0 tbhits 0 time 20 pv 1 1
> go infinite
> go depth 1
> stop
< bestmove 1
< ...
< bestmove 1
< info depth 1 *
< bestmove 1
! silence 50
> quit",
    );
}

#[test]
fn stop_reaches_a_search_that_has_to_wait_for_another() {
    play(
        "> go infinite
> go infinite
> stop
< ...
< bestmove *
< ...
< bestmove *
! silence 50
> quit",
    );
}

#[test]
fn quit_and_end_of_input_let_a_search_answer_and_leave() {
    for end in ["> quit", "! close"] {
        play(&format!("> go infinite\n< ...\n< info depth 20 *\n{end}\n< bestmove 1 ponder 1"));
    }
}

#[test]
fn a_search_ends_where_more_input_waits_than_is_kept_and_none_of_it_is_lost() {
    let flood = format!("> position startpos moves{}\n", " 1".repeat(50_000)).repeat(12);
    play(&format!(
        "> go infinite\n< ...\n< info depth 20 *\n{flood}> position fen 5 w\n< bestmove 1 ponder 1\n< ...
> isready\n< readyok\n> d\n< ...\n< Fen: 5 w\n< Key: *\n> quit"
    ));
}

#[test]
fn quit_does_not_begin_what_still_waits() {
    play(
        "> go infinite
< ...
< info depth 20 *
> position fen 5 w
> quit
< bestmove 1 ponder 1",
    );
}

#[test]
fn a_line_of_play_ends_with_the_game_and_so_does_pondering() {
    play(
        "> position fen 3 w
> go depth 1
< info * pv 1 1 1
< bestmove 1 ponder 1
> position fen 2 w
> go depth 1
< info * pv 1 1
< bestmove 1
> position fen 101 w
> go depth 1
< info * pv 1
< bestmove 1
> position fen 102 w
> go depth 1
< info * pv 1 1
< bestmove 1
> quit",
    );
}

#[test]
fn a_root_without_a_move_is_answered_when_the_time_has_come() {
    play(
        "> position fen 0 w
> go depth 5
< info depth 0 score mate 0
< bestmove (none)
> go infinite
! silence 30
> stop
< info depth 0 score mate 0
< bestmove (none)
> go ponder movetime 1
! silence 30
> ponderhit
< info depth 0 score mate 0
< bestmove (none)
> quit",
    );
}

#[test]
fn a_root_drawn_by_rule_is_still_searched() {
    play("> position fen 100 w\n> go depth 1\n< info depth 1 * pv 1 1 *\n< bestmove 1 ponder 1\n> quit");
}

#[test]
fn searchmoves_restrict_the_root_and_bad_ones_are_named() {
    play(
        "> go searchmoves 3 2 depth 1
< info * pv 3 *
< bestmove 3 ponder 1
> go depth 1 searchmoves 5 2 x
< info string illegal move '5'
< info string 'x' is not a move
< info * pv 2 *
< bestmove 2 ponder 1
> go depth 1 searchmoves 0000
< info string illegal move '0000'
< info depth 0 score cp 0
< bestmove (none)
> quit",
    );
}

#[test]
fn bad_input_is_named_and_changes_nothing() {
    play(
        "> position fen 5 b
> position fen 5 x
< info string bad position '5 x': not a pile and a side
> position startpos moves 1 1 4
< info string illegal move '4'
> position startpos moves 1 one
< info string 'one' is not a move
> position
< info string 'position' needs 'startpos' or 'fen'
> setoption name Cheat value true
< info string no such option: 'Cheat'
> setoption name Hash value 99999999999999999999
< info string option Hash: '99999999999999999999' is not a number from 1 to 33554432
> setoption name Hash value 2000
< info string option Hash: no room for 2000 MiB
> setoption name Ponder value maybe
< info string option Ponder: 'maybe' is not true or false
> setoption name Mood value sad
< info string option Mood: 'sad' is not one of calm, crashing, talkative
> setoption
< info string 'setoption' needs the name of an option
> go perft
< info string 'perft' needs a depth
> xyzzy
< info string unknown command 'xyzzy'; try 'help'
>
> # quit
> register later
> ponderhit
> d
< *
< Fen: 5 b
< Key: *
> quit",
    );
}

#[test]
fn a_remark_stays_on_its_line_whatever_it_quotes() {
    play("> \u{7}\u{1b}[2J\tx\n< info string unknown command '??[2J'; try 'help'\n> quit");
    let long = "y".repeat(5000);
    play(&format!("> {long}\n< info string unknown command 'yyyy*y...\n> quit"));
}

#[test]
fn unknown_words_before_a_command_are_skipped() {
    play("> joho isready\n< readyok\n>   \tisready \t\n< readyok\n> quit");
}

#[test]
fn a_change_of_rules_sets_the_position_to_the_new_start() {
    play(
        "> position startpos moves 1 2
> setoption name pILE value 3
> d
< ooo
< Fen: 3 w
< Key: *
> position startpos moves 1 2
> setoption name Threads value 2
> d
<
< Fen: 0 w
< Key: *
> quit",
    );
}

#[test]
fn perft_counts_by_move_and_has_no_bestmove() {
    play(
        "> position fen 4 w
> go perft 2
< 1: 3
< 2: 2
< 3: 1
< Nodes searched: 6
> perft 1
< 1: 1
< 2: 1
< 3: 1
< Nodes searched: 3
> quit",
    );
}

#[test]
fn perft_and_bench_are_stopped_like_a_search() {
    play(
        "> position fen 100 w
> go perft 60
! silence 20
> isready
< readyok
> stop
< info string perft was stopped
> perft 60
> quit
< info string perft was stopped",
    );
    play("> bench\n> stop\n< info string bench was stopped\n> quit");
}

#[test]
fn bench_ends_with_the_three_lines_test_benches_look_for() {
    play(
        "> bench
< Total time (ms) : 20
< Nodes searched  : 1234
< Nodes/second    : 61700
> quit",
    );
}

#[test]
fn the_words_for_people_are_answered() {
    play(
        "> eval
< pile 7
< Evaluation: 0 cp
> flip
> d
< ooooooo
< Fen: 7 b
< Key: *
> help
< This engine speaks UCI*
< ...
< *quit *
> debug on
> position startpos
< info string the position is set
> setoption name Hash value 8
< info string Hash is set
> debug off
> position startpos
> quit",
    );
}

#[test]
fn a_flood_of_reports_does_not_reach_the_screen() {
    let output = perform(&["setoption name Mood value talkative", "go depth 20"]);
    let lines: Vec<&str> = output.lines().collect();
    assert!(lines.len() < 1000, "{} lines", lines.len());
    assert!(lines[lines.len() - 2].starts_with("info depth 20000 "), "{}", lines[lines.len() - 2]);
    assert!(!output.contains("currmove"));
}

#[test]
fn commands_of_a_command_line_are_carried_out_to_their_end() {
    let output = perform(&["position fen 5 w", "go movetime 60", "d", "quit", "d"]);
    let lines: Vec<&str> = output.lines().collect();
    assert_eq!(lines.len(), 20 + 1 + 3);
    assert_eq!(lines[20], "bestmove 1 ponder 1");
    assert!(perform(&["go infinite", "stop"]).ends_with("bestmove 1 ponder 1\n"));
    assert!(perform(&["go ponder movetime 1", "ponderhit"]).ends_with("bestmove 1 ponder 1\n"));
}

#[test]
fn a_command_line_does_not_wait_for_a_search_without_end() {
    let output =
        perform(&["go infinite", "go ponder movetime 1", "isready", "go infinite", "ponderhit", "isready"]);
    let answers: Vec<&str> = output.lines().filter(|line| !line.starts_with("info ")).collect();
    let best = "bestmove 1 ponder 1";
    assert_eq!(answers, [best, best, "readyok", best, "readyok"]);
}

#[test]
fn a_search_that_panics_ends_the_session_with_an_error() {
    let commands = ["setoption name Mood value crashing", "go depth 1"].map(str::to_owned);
    let error = uci::perform(Toy::new(), &commands, Vec::new()).expect_err("the engine is lost");
    assert_eq!(error.to_string(), "the search panicked");
}

#[test]
fn an_output_that_is_closed_ends_the_session() {
    struct Closed;
    impl std::io::Write for Closed {
        fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
            Err(std::io::ErrorKind::BrokenPipe.into())
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let endless = std::io::BufReader::new(std::io::repeat(b'\n'));
    let input = std::io::Read::chain(&b"isready\n"[..], endless);
    let error = uci::serve(Toy::new(), input, Closed).expect_err("nobody listens");
    assert_eq!(error.kind(), std::io::ErrorKind::BrokenPipe);
}

#[test]
fn the_log_replays_the_session() {
    let dir = tempfile::tempdir().expect("there is room for a directory");
    let path = dir.path().join("a log.txt");
    let commands = [
        "setoption name Pile value 9",
        "position startpos moves 1 3",
        &format!("setoption name Debug Log File value {}", path.display()),
        "go depth 1",
    ];
    let said = perform(&commands);
    let log = std::fs::read_to_string(&path).expect("the log was written");
    assert!(log.starts_with("# Toy "), "{log}");
    let part = |sign: &str| -> Vec<&str> {
        log.lines().filter_map(|line| line.split_once(sign)).map(|(_, text)| text).collect()
    };
    assert_eq!(part(" > "), ["setoption name Pile value 9", "position fen 9 w moves 1 3", "go depth 1"]);
    assert_eq!(part(" < ").join("\n") + "\n", said);
    assert_eq!(perform(&part(" > ")), said);
}

#[test]
fn a_log_that_cannot_be_written_is_named_and_the_game_goes_on() {
    play(
        "> setoption name Debug Log File value no such/directory/ü.log
< info string cannot write the log file 'no such/directory/ü.log': *
> isready
< readyok
> quit",
    );
}
