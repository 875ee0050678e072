//! The endgames of draughts: all positions of a few pieces, cut into units by the forces of both sides.
//!
//! A unit holds the placements of two forces, whichever is to move; the board is turned so that the side to move
//! goes up. Captures and crownings leave a unit, all other moves stay in it. Values know no counters of the draw
//! codes: who asks must see for himself whether a win fits into what is left.

use std::path::Path;
use std::sync::Arc;

use search::endgame::{Exit, FileError, Library, Space};
use search::{Game, Known, Score, Side};

use crate::board::{WAYS, shift, squares, until};
use crate::position::Counters;
use crate::{DrawRules, Move, Position, Rules, Variant, moves};
use cache::Cache;
pub use index::Force;
use index::{Index, Placement};

mod cache;
mod index;
pub mod slow;

/// The most pieces a database can hold.
pub const MOST_PIECES: usize = 7;

/// The endgames of one variant.
pub struct Endgames {
    rules: Rules,
    units: Vec<Unit>,
    /// The unit of two forces by the numbers of their men and kings, or `NOWHERE`.
    numbers: Vec<u16>,
}

const NOWHERE: u16 = u16::MAX;

/// The place of two forces among all numbers of men and kings.
fn place([a, b]: [Force; 2]) -> usize {
    [a.men, a.kings, b.men, b.kings].iter().fold(0, |place, &count| place * (MOST_PIECES + 1) + count)
}

/// Two forces, the larger first, and the numbering with either to move.
struct Unit {
    forces: [Force; 2],
    /// The first force to move, then the second; only one part if they are equal.
    parts: Vec<Index>,
}

impl Unit {
    fn new(forces: [Force; 2]) -> Unit {
        let [a, b] = forces;
        let mut parts = vec![Index::new(a, b)];
        if a != b {
            parts.push(Index::new(b, a));
        }
        Unit { forces, parts }
    }

    fn pieces(&self) -> usize {
        self.forces[0].pieces() + self.forces[1].pieces()
    }

    fn men(&self) -> usize {
        self.forces[0].men + self.forces[1].men
    }
}

impl Endgames {
    /// The endgames of a variant, smallest first.
    pub fn new(variant: Variant) -> Endgames {
        let forces: Vec<Force> = (1..MOST_PIECES)
            .flat_map(|pieces| (0..=pieces).map(move |men| Force { men, kings: pieces - men }))
            .collect();
        let mut units: Vec<Unit> = forces
            .iter()
            .flat_map(|&a| forces.iter().map(move |&b| [a, b]))
            .filter(|[a, b]| a >= b && a.pieces() + b.pieces() <= MOST_PIECES)
            .map(Unit::new)
            .collect();
        // Captures lead to fewer pieces, crownings to fewer men.
        units.sort_by_key(|unit| (unit.pieces(), unit.men(), unit.forces));
        let mut numbers = vec![NOWHERE; (MOST_PIECES + 1).pow(4)];
        for (unit, number) in units.iter().zip(0..) {
            let [a, b] = unit.forces;
            numbers[place([a, b])] = number;
            numbers[place([b, a])] = number;
        }
        Endgames { rules: Rules { variant, draws: DrawRules::None }, units, numbers }
    }

    /// The number of pieces of a unit.
    pub fn pieces(&self, unit: usize) -> usize {
        self.units[unit].pieces()
    }

    /// Where a position lies; none if it has too many pieces or a side has none.
    pub fn locate(&self, position: &Position) -> Option<(usize, u64)> {
        if position.occupied().count_ones() as usize > MOST_PIECES {
            return None;
        }
        let side = position.turn();
        let turned = |set: u32| if side == Side::White { set } else { set.reverse_bits() };
        let (own, other) = (turned(position.pieces(side)), turned(position.pieces(!side)));
        let kings = turned(position.kings());
        let placement = Placement {
            own_men: own & !kings,
            own_kings: own & kings,
            other_men: other & !kings,
            other_kings: other & kings,
        };
        let force = |men: u32, kings: u32| Force {
            men: men.count_ones() as usize,
            kings: kings.count_ones() as usize,
        };
        let own = force(placement.own_men, placement.own_kings);
        let other = force(placement.other_men, placement.other_kings);
        let unit = self.unit([own, other])?;
        let Unit { forces, parts } = &self.units[unit];
        let index =
            if own == forces[0] { parts[0].of(&placement) } else { parts[0].len() + parts[1].of(&placement) };
        Some((unit, index))
    }

    /// A position of a state, White to move.
    pub fn position(&self, unit: usize, index: u64) -> Position {
        let parts = &self.units[unit].parts;
        let placement = match index.checked_sub(parts[0].len()) {
            Some(rest) => parts[1].placement(rest),
            None => parts[0].placement(index),
        };
        let Placement { own_men, own_kings, other_men, other_kings } = placement;
        let pieces = [own_men | own_kings, other_men | other_kings];
        let counters = Counters { quiet: 0, ending: None, number: 1 };
        Position::new(self.rules, pieces, own_kings | other_kings, Side::White, counters)
    }

    fn unit(&self, forces: [Force; 2]) -> Option<usize> {
        let number = self.numbers[place(forces)];
        (number != NOWHERE).then_some(usize::from(number))
    }

    /// The state after a move of a state's position.
    fn after(&self, position: &Position, m: Move) -> Option<(usize, u64)> {
        let next = position.after(m);
        self.locate(&next)
    }
}

impl Space for Endgames {
    fn name(&self) -> String {
        format!("draughts-{}", self.rules.variant.name())
    }

    fn units(&self) -> usize {
        self.units.len()
    }

    /// Men and kings of both forces: `2m1k-0m2k`.
    fn label(&self, unit: usize) -> String {
        let [a, b] = self.units[unit].forces;
        format!("{}m{}k-{}m{}k", a.men, a.kings, b.men, b.kings)
    }

    fn needs(&self, unit: usize) -> Vec<usize> {
        let [a, b] = self.units[unit].forces;
        let mut needs: Vec<usize> = [(a, b), (b, a)]
            .into_iter()
            .flat_map(|(own, other)| successors(own, other))
            .filter_map(|forces| self.unit(forces))
            .filter(|&lower| lower != unit)
            .collect();
        needs.sort_unstable();
        needs.dedup();
        needs
    }

    fn states(&self, unit: usize) -> u64 {
        self.units[unit].parts.iter().map(Index::len).sum()
    }

    fn text(&self, unit: usize, state: u64) -> String {
        self.position(unit, state).to_string()
    }

    fn exits(&self, unit: usize, index: u64, mut visit: impl FnMut(Exit)) -> u32 {
        let position = self.position(unit, index);
        let mut stays = 0;
        for_moves(&position, |m| {
            if !m.is_capture() && !m.crowns {
                stays += 1;
                return;
            }
            visit(match self.after(&position, m) {
                Some((unit, index)) => Exit::To { unit, index },
                None => Exit::Won,
            });
        });
        stays
    }

    fn steps(&self, unit: usize, index: u64, mut visit: impl FnMut(u64)) {
        let position = self.position(unit, index);
        for_moves(&position, |m| {
            if !m.is_capture() && !m.crowns {
                visit(self.after(&position, m).expect("no piece is lost by a step").1);
            }
        });
    }

    /// The side that is not to move made the step; it had nothing to capture before.
    fn unsteps(&self, unit: usize, index: u64, mut visit: impl FnMut(u64)) {
        let position = self.position(unit, index);
        let other = position.pieces(Side::Black);
        let free = !position.occupied();
        let mut back = |square: u32, from: u32| {
            let before = position.stepped_back(square, from);
            if !moves::can_capture(&before) {
                visit(self.locate(&before).expect("no piece is lost by a step").1);
            }
        };
        for square in squares(other & !position.kings()) {
            // Black's men came from above.
            for way in [0, 1] {
                let from = shift(way, square.bit()) & free;
                if from != 0 {
                    back(square.bit(), from);
                }
            }
        }
        for king in squares(other & position.kings()) {
            for way in WAYS {
                squares(until(way, king, !free)).for_each(|from| back(king.bit(), from.bit()));
            }
        }
    }
}

/// The forces after a capture or crowning of `own`, in the order given.
fn successors(own: Force, other: Force) -> impl Iterator<Item = [Force; 2]> {
    let crowned = (own.men > 0).then(|| Force { men: own.men - 1, kings: own.kings + 1 });
    let owns = [Some(own), crowned].into_iter().flatten();
    owns.flat_map(move |own| {
        (0..=other.men).flat_map(move |men| (0..=other.kings).map(move |kings| [own, Force { men, kings }]))
    })
}

fn for_moves(position: &Position, visit: impl FnMut(Move)) {
    thread_local! {
        static LIST: std::cell::RefCell<Vec<Move>> = const { std::cell::RefCell::new(Vec::new()) };
    }
    LIST.with_borrow_mut(|list| {
        list.clear();
        position.moves(list);
        list.iter().copied().for_each(visit);
    });
}

/// The databases of a directory, as the search asks them.
#[derive(Clone)]
pub struct Database {
    library: Arc<Library<Endgames>>,
    cache: Arc<Cache>,
    /// The most pieces of any table.
    pieces: u32,
    /// Whether all tables tell distances.
    distances: bool,
}

impl std::fmt::Debug for Database {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Database of up to {} pieces", self.pieces)
    }
}

impl Database {
    /// Opens what is there for a variant; files that had to be refused come with it.
    pub fn open(variant: Variant, directory: &Path) -> (Database, Vec<FileError>) {
        let (library, refused) = Library::open(Endgames::new(variant), directory);
        let pieces = library.present().map(|unit| library.space().pieces(unit)).max().unwrap_or(0) as u32;
        let distances = library.has_distances();
        (Database { library: Arc::new(library), cache: Arc::default(), pieces, distances }, refused)
    }

    /// The most pieces it knows of; 0 if it is empty.
    pub fn pieces(&self) -> u32 {
        self.pieces
    }

    /// The most pieces of which every table is there.
    pub fn complete(&self) -> u32 {
        let space = self.library.space();
        let missing = (0..space.units()).filter(|&unit| self.library.table(unit).is_none());
        missing.map(|unit| space.pieces(unit) as u32 - 1).min().unwrap_or(self.pieces).min(self.pieces)
    }

    /// The damage met so far.
    pub fn damage(&self) -> Vec<FileError> {
        self.library.damage().collect()
    }

    /// The tables behind it.
    pub fn library(&self) -> &Library<Endgames> {
        &self.library
    }

    /// What it says of a position. A win that the draw code leaves no time for counts as a draw, and of one whose
    /// distance is unknown it says nothing: it would not bring the end nearer. The code's limit is that of this
    /// position; what becomes of it on the way is not foreseen.
    pub fn probe(&self, position: &Position) -> Option<Known> {
        if position.occupied().count_ones() > self.pieces {
            return None;
        }
        let (unit, index) = self.library.space().locate(position)?;
        let value = self.cache.get_or(unit, index, || self.library.value(unit, index))?;
        if value.plies().is_some() && !self.distances {
            return None;
        }
        let fits = |plies: u32| position.plies_left().is_none_or(|left| plies <= left);
        Some(match value.plies().filter(|&plies| fits(plies)) {
            None => Known::Draw,
            Some(plies) if value.is_win() => Known::Value(Score::win_in(plies)),
            Some(plies) => Known::Value(Score::loss_in(plies)),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use search::endgame::Format;
    use search::endgame::file::reseal;
    use search::{Control, Engine, Info, Limits, Root, Search};

    fn built(pieces: usize) -> (tempfile::TempDir, Database) {
        built_as(Format::Packed, pieces)
    }

    fn built_as(format: Format, pieces: usize) -> (tempfile::TempDir, Database) {
        built_for(Variant::BRAZILIAN, format, pieces)
    }

    fn built_for(variant: Variant, format: Format, pieces: usize) -> (tempfile::TempDir, Database) {
        let folder = tempfile::tempdir().unwrap();
        let (mut library, _) = Library::open(Endgames::new(variant), folder.path());
        for unit in 0..library.space().units() {
            if library.space().pieces(unit) <= pieces {
                library.build(unit, format, &|_| {}).unwrap();
                library.verify(unit, &|_| {}).unwrap();
            }
        }
        let (database, refused) = Database::open(variant, folder.path());
        assert!(refused.is_empty());
        (folder, database)
    }

    fn read(fen: &str) -> Position {
        Position::read(&Rules::default(), fen).unwrap()
    }

    #[test]
    fn states_are_positions_and_back() {
        let endgames = Endgames::new(Variant::BRAZILIAN);
        for unit in 0..endgames.units() {
            let states = endgames.states(unit);
            for index in (0..states).step_by((states / 50).max(1) as usize) {
                assert_eq!(endgames.locate(&endgames.position(unit, index)), Some((unit, index)));
            }
            assert!(endgames.needs(unit).iter().all(|&lower| lower < unit), "{}", endgames.label(unit));
        }
    }

    #[test]
    fn five_pieces_have_as_many_states_as_the_source_implies() {
        let endgames = Endgames::new(Variant::BRAZILIAN);
        let of = |pieces| {
            (0..endgames.units())
                .filter(|&u| endgames.pieces(u) == pieces)
                .map(|u| endgames.states(u))
                .sum::<u64>()
        };
        assert_eq!(of(5), 139_450_808);
    }

    #[test]
    fn every_step_has_its_way_back() {
        let endgames = Endgames::new(Variant::BRAZILIAN);
        for unit in (0..endgames.units()).filter(|&unit| endgames.pieces(unit) == 3) {
            for index in (0..endgames.states(unit)).step_by(97) {
                endgames.steps(unit, index, |next| {
                    let mut backs = 0;
                    endgames.unsteps(unit, next, |back| backs += usize::from(back == index));
                    assert_eq!(backs, 1);
                });
            }
        }
    }

    #[test]
    fn a_refused_table_is_not_counted_among_the_known() {
        let (folder, database) = built(3);
        assert_eq!((database.complete(), database.pieces()), (3, 3));
        let name = search::endgame::file::file_name(
            database.library().space(),
            database.library().present().last().unwrap(),
        );
        std::fs::write(folder.path().join(name), b"not ours").unwrap();
        let (database, refused) = Database::open(Variant::BRAZILIAN, folder.path());
        assert_eq!((database.complete(), database.pieces(), refused.len()), (2, 3, 1));
    }

    #[test]
    fn small_endings_have_their_known_values() {
        let (_folder, database) = built(3);
        assert_eq!(database.pieces(), 3);
        assert_eq!(database.probe(&read("W:WK29:BK1")), Some(Known::Draw));
        // The lone man runs into the king's diagonal.
        assert!(matches!(database.probe(&read("W:WK29:B12")), Some(Known::Value(score)) if score.0 > 0));
        assert_eq!(database.probe(&read("W:WK29,K30,K31:BK1")), None);
    }

    #[test]
    fn a_win_that_comes_too_late_is_a_draw() {
        let (_folder, database) = built(2);
        let win = read("W:WK4:B12");
        let Some(Known::Value(score)) = database.probe(&win) else { panic!("the king wins") };
        let plies = score.plies_to_end().unwrap();
        let late = read(&format!("W:WK4:B12:H{}", 40 - plies + 1));
        assert_eq!(database.probe(&late), Some(Known::Draw));
    }

    #[test]
    fn tables_without_distances_tell_draws_only() {
        let (_folder, database) = built_as(Format::Wdl, 2);
        assert_eq!(database.probe(&read("W:WK29:BK1")), Some(Known::Draw));
        assert_eq!(database.probe(&read("W:WK4:B12")), None);
    }

    /// What the engine says in a search that asks the databases of a folder.
    fn remarks(folder: &Path) -> Vec<String> {
        let mut engine = crate::Draughts::bare();
        engine.set("EndgamePath", folder.to_str().unwrap()).unwrap();
        let mut said = Vec::new();
        let root = Root::new(read("W:WK29:BK1"));
        let best = engine.think(&root, &Limits::depth(3), &Control::default(), &mut |info| {
            if let Info::Text(text) = info {
                said.push(text.clone());
            }
        });
        assert!(best.best.is_some());
        said
    }

    #[test]
    fn damage_is_named_once_a_search_has_met_it() {
        let (folder, _) = built_as(Format::Distance, 2);
        let file = folder.path().join("draughts-brazilian-0m1k-0m1k.qeg");
        let mut bytes = std::fs::read(&file).unwrap();
        let value = bytes.len() - 100;
        bytes[value] ^= 1;
        std::fs::write(&file, &bytes).unwrap();
        let said = remarks(folder.path());
        assert!(said.last().unwrap().ends_with("0m1k-0m1k.qeg: block 0 is damaged"), "{said:?}");
    }

    #[test]
    fn a_database_of_nonsense_with_right_checksums_cannot_stop_the_engine() {
        let mut random = search::Random::new(3);
        for format in [Format::Packed, Format::Distance] {
            let (folder, _) = built_as(format, 3);
            for entry in std::fs::read_dir(folder.path()).unwrap() {
                let path = entry.unwrap().path();
                let mut bytes = std::fs::read(&path).unwrap();
                // The second half of the values, before the checksums.
                let half = bytes.len() / 2..bytes.len() - 100;
                bytes[half].fill_with(|| random.below(254) as u8);
                reseal(&mut bytes);
                std::fs::write(&path, &bytes).unwrap();
            }
            let mut engine = crate::Draughts::bare();
            engine.set("EndgamePath", folder.path().to_str().unwrap()).unwrap();
            for fen in
                ["W:W29,K30:BK1", "B:W18:B12,9", "W:WK29,K4:B12", "B:WK29,K4:BK3", "W:W29,30,18:B1,2,9"]
            {
                let root = Root::new(read(fen));
                let (best, _) = engine.ask(&root, &Limits::depth(8));
                assert!(best.best.is_some_and(|m| root.legal().contains(&m)), "{fen}");
            }
        }
    }

    #[test]
    fn spoiled_files_are_named_and_the_engine_plays_on() {
        let (folder, _) = built(2);
        let file = |label: &str| folder.path().join(format!("draughts-brazilian-{label}.qeg"));
        let king = std::fs::read(file("0m1k-0m1k")).unwrap();
        std::fs::write(file("0m1k-0m1k"), &king[..king.len() - 3]).unwrap();
        std::fs::write(file("1m0k-1m0k"), &king).unwrap();
        let said = remarks(folder.path());
        let tells =
            |label: &str, why: &str| said.iter().any(|text| text.contains(label) && text.contains(why));
        assert!(tells("0m1k-0m1k.qeg", "bytes instead of"), "{said:?}");
        assert!(tells("1m0k-1m0k.qeg", "it belongs to something else"), "{said:?}");
        assert!(tells("up to 2 pieces", "known"), "{said:?}");
    }

    #[test]
    fn an_independent_slow_solver_agrees() {
        for variant in [Variant::BRAZILIAN, Variant::RUSSIAN] {
            let (_folder, database) = built_for(variant, Format::Packed, 3);
            let positions = slow::compare(&database, variant, 3).unwrap();
            let endgames = Endgames::new(variant);
            let units = (0..endgames.units()).filter(|&unit| endgames.pieces(unit) <= 3);
            assert_eq!(positions as u64, units.map(|unit| endgames.states(unit)).sum::<u64>());
        }
    }
}
