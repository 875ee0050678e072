//! Where a game begins that does not begin as usual: Chess960 by its number, Go with handicap stones.

use anyhow::{Context, Result, ensure};
use search::Side;

use super::lobby;
use crate::referee::Referee;

/// The option that names a start of Chess960; -1 for any.
pub const NUMBER: &str = "Chess960 number";
/// The option that names the stones Black begins with.
pub const HANDICAP: &str = "Handicap";

/// Starts of Chess960.
const STARTS: u32 = 960;

/// Whether an option concerns the start only.
pub fn concerns(name: &str) -> bool {
    name == NUMBER || name == HANDICAP
}

/// Takes what concerns the start out of the rules chosen, and says where the game begins.
pub fn take(referee: &dyn Referee, game: &str, rules: &mut Vec<(String, String)>) -> Result<Option<String>> {
    let mut chosen = None;
    rules.retain(|(name, value)| {
        if concerns(name) {
            chosen = Some((name.clone(), value.clone()));
        }
        !concerns(name)
    });
    let is_960 = rules.iter().any(|(name, value)| name == "UCI_Chess960" && value == "true");
    match game {
        "chess" if is_960 => {
            let number = chosen.map_or(Ok(-1), |(_, value)| value.parse::<i64>());
            let number = number.context("a start of Chess960 is a number from 0 to 959")?;
            let number =
                if number < 0 { (lobby::random() % u64::from(STARTS)) as u32 } else { number as u32 };
            ensure!(number < STARTS, "a start of Chess960 is a number from 0 to 959");
            Ok(Some(chess960(number)))
        }
        "go" => {
            let stones = chosen.map_or(Ok(0), |(_, value)| value.parse::<usize>());
            let stones = stones.context("a handicap is a number of stones")?;
            handicap(referee, stones)
        }
        _ => Ok(None),
    }
}

fn handicap(referee: &dyn Referee, stones: usize) -> Result<Option<String>> {
    if stones < 2 {
        return Ok(None);
    }
    let size = usize::from(referee.board().columns);
    let points = go::handicap::fixed(size, stones)
        .with_context(|| format!("a board of {size} has no place for {stones} handicap stones"))?;
    let pieces: Vec<_> = points.into_iter().map(|point| (point.to_string(), 'b')).collect();
    Ok(Some(format!("{} {stones}", referee.compose(&pieces, Side::White)?)))
}

/// The start of this number, by Scharnagl's count: bishops, then the queen, then the knights.
fn chess960(number: u32) -> String {
    const KNIGHTS: [(usize, usize); 10] =
        [(0, 1), (0, 2), (0, 3), (0, 4), (1, 2), (1, 3), (1, 4), (2, 3), (2, 4), (3, 4)];
    let mut row = ['.'; 8];
    row[(number % 4 * 2 + 1) as usize] = 'B';
    row[(number / 4 % 4 * 2) as usize] = 'B';
    let empty = |row: &[char; 8]| (0..8).filter(|&file| row[file] == '.').collect::<Vec<_>>();
    row[empty(&row)[(number / 16 % 6) as usize]] = 'Q';
    let (first, second) = KNIGHTS[(number / 96) as usize];
    let free = empty(&row);
    (row[free[first]], row[free[second]]) = ('N', 'N');
    for (file, piece) in empty(&row).into_iter().zip(['R', 'K', 'R']) {
        row[file] = piece;
    }
    let rooks = (0..8u8).rev().filter(|&file| row[usize::from(file)] == 'R');
    let rights: String = rooks.map(|file| char::from(b'A' + file)).collect();
    let white: String = row.iter().collect();
    let black = white.to_lowercase();
    format!("{black}/pppppppp/8/8/8/8/PPPPPPPP/{white} w {rights}{} - 0 1", rights.to_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::referee;

    fn pair(name: &str, value: &str) -> (String, String) {
        (name.to_owned(), value.to_owned())
    }

    #[test]
    fn the_usual_start_is_number_518_and_all_are_legal() {
        assert!(chess960(518).starts_with("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha"));
        assert!(chess960(0).starts_with("bbqnnrkr/"));
        assert!(chess960(959).starts_with("rkrnnqbb/"));
        let mut referee = referee::open("chess", &[pair("UCI_Chess960", "true")]).unwrap();
        let mut rows = std::collections::HashSet::new();
        for number in 0..STARTS {
            referee.set_up(Some(&chess960(number))).unwrap();
            rows.insert(chess960(number));
        }
        assert_eq!(rows.len(), 960);
    }

    #[test]
    fn a_start_is_taken_out_of_the_rules() {
        let mut rules = vec![pair("UCI_Chess960", "true"), pair(NUMBER, "518")];
        let referee = referee::open("chess", &rules[..1]).unwrap();
        let fen = take(&*referee, "chess", &mut rules).unwrap().unwrap();
        assert!(fen.starts_with("rnbqkbnr") && rules.len() == 1);
        assert!(take(&*referee, "chess", &mut vec![rules[0].clone(), pair(NUMBER, "960")]).is_err());
        assert_eq!(take(&*referee, "chess", &mut vec![pair(NUMBER, "3")]).unwrap(), None);
    }

    #[test]
    fn handicap_stones_stand_and_white_moves() {
        let size = [pair("BoardSize", "9")];
        let referee = referee::open("go", &size).unwrap();
        let mut rules = vec![pair(HANDICAP, "2")];
        let fen = take(&*referee, "go", &mut rules).unwrap().unwrap();
        assert!(fen.contains(" w ") && fen.matches('b').count() == 2 && rules.is_empty());
        assert!(take(&*referee, "go", &mut vec![pair(HANDICAP, "99")]).is_err());
    }
}
