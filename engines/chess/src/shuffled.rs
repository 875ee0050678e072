//! The starts of Chess960 by their numbers.

/// How many there are.
pub const STARTS: u32 = 960;

/// Where two knights stand on the five files that bishops and queen leave, by Scharnagl's count.
const KNIGHTS: [(usize, usize); 10] =
    [(0, 1), (0, 2), (0, 3), (0, 4), (1, 2), (1, 3), (1, 4), (2, 3), (2, 4), (3, 4)];

/// The FEN of a start below [`STARTS`], by Scharnagl's count: bishops, then the queen, then the knights.
pub fn start(number: u32) -> String {
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
    use search::Game;

    use super::*;
    use crate::{Position, Rules};

    #[test]
    fn the_usual_start_is_number_518_and_all_are_legal() {
        assert!(start(518).starts_with("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha"));
        assert!(start(0).starts_with("bbqnnrkr/"));
        assert!(start(959).starts_with("rkrnnqbb/"));
        let rules = Rules { chess960: true };
        let positions: std::collections::HashSet<String> =
            (0..STARTS).map(|number| Position::read(&rules, &start(number)).unwrap().to_string()).collect();
        assert_eq!(positions.len(), 960);
    }
}
