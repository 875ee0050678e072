//! What whoever drives a GTP engine, ours or another, has to tell it about Go: the rules, and positions that nobody
//! played. `knows` says which commands the engine has.

use search::{Game, Side};

use crate::point::points;
use crate::rules::{SIMPLE_KO, rounded};
use crate::{Colour, Position, Rules};

/// The commands that set board, komi and rules: engines differ in what they begin with.
pub fn rules(rules: &Rules, knows: impl Fn(&str) -> bool) -> Vec<String> {
    let mut commands = vec![format!("boardsize {}", rules.size()), format!("komi {}", rules.komi.points())];
    let command = ["kata-set-rules", "kgs-rules"].into_iter().find(|command| knows(command));
    let name = rules.name().filter(|&name| name != SIMPLE_KO || knows("quintet-param"));
    commands.extend(command.zip(name).map(|(command, name)| format!("{command} {name}")));
    commands
}

/// The commands that put the stones of a position on the empty board.
pub fn place(start: &Position, knows: impl Fn(&str) -> bool) -> Vec<String> {
    let [black, white] = [Colour::Black, Colour::White].map(|colour| vertices(start, colour));
    let is_given = start.handicap() == black.len() && white.is_empty() && start.turn() == Side::White;
    if start.handicap() > 0 && is_given && knows("set_free_handicap") {
        return vec![format!("set_free_handicap {}", black.join(" "))];
    }
    let mut commands = vec![format!("komi {}", komi(start))];
    let stones = black.iter().map(|v| format!("b {v}")).chain(white.iter().map(|v| format!("w {v}")));
    let stones: Vec<String> = stones.collect();
    if !knows("gogui-setup") {
        // No stone is taken on the way: with fewer stones on the board each chain has more liberties.
        commands.extend(stones.iter().map(|stone| format!("play {stone}")));
        return commands;
    }
    if !stones.is_empty() {
        commands.push(format!("gogui-setup {}", stones.join(" ")));
    }
    if knows("gogui-setup_player") {
        let turn = if start.turn() == Side::Black { 'b' } else { 'w' };
        commands.push(format!("gogui-setup_player {turn}"));
    }
    commands
}

/// Where the stones of a colour stand.
fn vertices(position: &Position, colour: Colour) -> Vec<String> {
    let stones = points(position.rules().size()).filter(|&point| position.at(point) == colour);
    stones.map(|point| point.to_string()).collect()
}

/// The komi for a board that has the stones of a position but neither its prisoners nor its handicap.
fn komi(position: &Position) -> f64 {
    let mut bare = Position::empty(position.rules());
    points(position.rules().size()).for_each(|point| bare.set(point, position.at(point)));
    rounded(position.rules().komi.points() + bare.margin() - position.margin())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_board_set_up_is_counted_as_the_game_was() {
        let komi_of = |name: &str, fen: &str| {
            let rules = Rules::default().with_size(5).and_then(|rules| rules.with_name(name)).unwrap();
            komi(&Position::read(&rules, fen).unwrap())
        };
        let fen = "5/bbbbb/5/wwwww/5 b - 0 3 1";
        assert_eq!((komi_of("chinese", fen), komi_of("japanese", fen)), (7.5, 5.5));
        assert_eq!(komi_of("chinese", &format!("{fen} 2")), 9.5);
    }

    #[test]
    fn rules_are_told_in_the_words_an_engine_knows() {
        let told = |known: &str| rules(&Rules::default(), |command| command == known).join("; ");
        assert_eq!(told("nothing"), "boardsize 19; komi 7.5");
        assert_eq!(told("kgs-rules"), "boardsize 19; komi 7.5; kgs-rules chinese");
    }
}
