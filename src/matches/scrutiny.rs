//! What is odd about an engine's answer although it loses nothing: looked for when the match is strict.

use crate::driver::player::Answer;
use crate::referee::Referee;

/// Remarks about an answer, before its move is played; a score is missed only where the protocol has one.
pub fn remarks(answer: &Answer, gives_scores: bool, referee: &mut dyn Referee) -> Vec<String> {
    let mut remarks = Vec::new();
    if gives_scores && answer.thought.score.is_none() {
        remarks.push(format!("no score before bestmove {}", answer.text));
    }
    match answer.line.first() {
        Some(first) if *first != answer.text => {
            remarks.push(format!("bestmove {} differs from its line, {first} ...", answer.text));
        }
        _ => {}
    }
    remarks.extend(wrong_line(&answer.line, referee));
    remarks
}

/// What is wrong with a line of play.
fn wrong_line(line: &[String], referee: &mut dyn Referee) -> Option<String> {
    let mut played = 0;
    let mut wrong = None;
    for text in line {
        if let Some(outcome) = referee.outcome().filter(|_| played > 0) {
            wrong = Some(format!("line goes on after the end ({}): {}", outcome.reason, line.join(" ")));
        } else if referee.play(text).is_err() {
            wrong = Some(format!("illegal move {text} in line: {}", line.join(" ")));
        } else {
            played += 1;
            continue;
        }
        break;
    }
    for _ in 0..played {
        referee.undo();
    }
    wrong
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::driver::player::Thought;
    use crate::referee::open;
    use search::Score;

    fn remarks_on(fen: &str, best: &str, line: &str, score: Option<Score>) -> Vec<String> {
        let mut referee = open("neighbours", &[]).unwrap();
        referee.set_up(Some(fen)).unwrap();
        let line = line.split_whitespace().map(str::to_owned).collect();
        let thought = Thought { score, ..Thought::default() };
        let answer = Answer { text: best.to_owned(), line, thought, ..Answer::default() };
        let found = remarks(&answer, true, referee.as_mut());
        let without = remarks(&answer, false, referee.as_mut());
        assert_eq!(without.len(), found.len() - usize::from(score.is_none()));
        assert_eq!(referee.fen(), fen, "the position is left as it was");
        found
    }

    #[test]
    fn odd_answers_are_remarked_and_good_ones_not() {
        let start = "bbbbbbbb/8/8/8/8/8/8/wwwwwwww w 0";
        let score = Some(Score(0));
        assert!(remarks_on(start, "a1b2", "a1b2 a8b7", score).is_empty());
        assert!(remarks_on(start, "a1b2", "", score).is_empty());
        assert_eq!(remarks_on(start, "a1b2", "", None), ["no score before bestmove a1b2"]);
        assert_eq!(
            remarks_on(start, "a1b2", "a1a2", score),
            ["bestmove a1b2 differs from its line, a1a2 ..."]
        );
        let illegal = remarks_on(start, "a1b2", "a1b2 a1b2", score);
        assert_eq!(illegal, ["illegal move a1b2 in line: a1b2 a1b2"]);
        let beyond = remarks_on("8/8/8/8/8/8/8/wb6 w 0", "a1b1", "a1b1 h8h7", score);
        assert_eq!(beyond, ["line goes on after the end (no legal move): a1b1 h8h7"]);
    }
}
