//! Endgame databases, our own and Syzygy's: a file that is not what it should be gives wrong answers at worst.

use std::sync::LazyLock;

use chess::syzygy::{Rules, Tablebases};
use search::endgame::file::{HEADER, Table, file_name, reseal};
use search::endgame::{Format, Space, Standing};
use search::{Game, Root};

use super::learned::patch;

/// States of a table that are asked for.
const MOST_STATES: u64 = 3000;
/// Bytes of values that have a checksum of their own.
const BLOCK: usize = 1 << 16;
/// Pieces of the Syzygy tables that come with the tests, the side with more first.
const NAMES: [&str; 3] = ["KPvK", "KQvK", "KRvK"];
/// Positions for Syzygy tables.
const POSITIONS: [&str; 6] = [
    "8/8/8/8/4k3/8/3P4/3K4 w - - 0 1",
    "8/3P4/8/8/4k3/8/8/3K4 w - - 5 40",
    "8/8/8/8/3k4/8/p7/3K4 b - - 0 1",
    "8/8/8/8/4k3/8/3Q4/3K4 w - - 0 1",
    "8/8/8/4r3/4k3/8/8/3K4 b - - 3 30",
    "8/8/8/2R5/4k3/8/8/3K4 b - - 60 90",
];

/// The endgames of draughts; the first byte chooses the unit.
pub fn draughts(data: &[u8]) {
    static ENDGAMES: LazyLock<draughts::endgame::Endgames> =
        LazyLock::new(|| draughts::endgame::Endgames::new(draughts::Variant::BRAZILIAN));
    in_unit(&*ENDGAMES, data);
}

/// The endgames of Neighbours on its smallest board.
pub fn neighbours(data: &[u8]) {
    static ENDGAMES: LazyLock<neighbours::endgame::Endgames> = LazyLock::new(|| {
        neighbours::endgame::Endgames::new(neighbours::Rules::new(4).expect("there are such boards"))
    });
    in_unit(&*ENDGAMES, data);
}

/// The endgames of morris.
pub fn morris(data: &[u8]) {
    static ENDGAMES: LazyLock<morris::endgame::Endgames> = LazyLock::new(|| {
        morris::endgame::Endgames::new(&morris::Rules::default()).expect("they can be solved")
    });
    in_unit(&*ENDGAMES, data);
}

/// A unit of the first ones, and the text of a header and the values of its file.
fn in_unit<S: Space>(space: &S, data: &[u8]) {
    let Some((&unit, data)) = data.split_first() else { return };
    let unit = usize::from(unit) % space.units();
    // The text of the header ends with the first zero.
    let end = data.iter().position(|&byte| byte == 0).unwrap_or(data.len()).min(HEADER);
    let (head, values) = (&data[..end], data.get(end + 1..).unwrap_or_default());
    let mut file = head.to_vec();
    file.resize(HEADER, 0);
    file.extend(values);
    probe(space, unit, file);
}

/// Reads a file behind its checksums and asks it for everything it knows.
fn probe<S: Space>(space: &S, unit: usize, mut file: Vec<u8>) {
    let blocks = (file.len() - HEADER).div_ceil(BLOCK);
    file.resize(file.len() + (blocks + 1) * 8, 0);
    reseal(&mut file);
    super::FOLDER.with(|folder| {
        let path = folder.file(&file_name(space, unit), &file);
        let folder = path.parent().expect("it lies in a folder");
        if let Ok(Some(table)) = Table::open(folder, space, unit) {
            ask(&table, &file[..HEADER]);
        }
        // The next one may be of another unit.
        std::fs::remove_file(&path).expect("it was written");
    });
}

fn ask(table: &Table, head: &[u8]) {
    for index in 0..table.states.min(MOST_STATES) {
        let value = table.value(index);
        assert!(value.is_none_or(|value| !(value.is_win() && value.is_loss())));
    }
    // All checksums are right.
    assert!(table.check().is_ok() || table.format == Format::Distance, "{}", String::from_utf8_lossy(head));
    if table.states <= MOST_STATES {
        table.summary(|_| Standing::Own);
    }
}

/// A Syzygy table: the first byte chooses the pieces and whether it tells results or distances; then follow changes of
/// the one that comes with the tests, or, with its highest bit set, the whole file.
pub fn syzygy(data: &[u8]) {
    let Some((&first, data)) = data.split_first() else { return };
    let pieces = usize::from(first & 0x3f) % NAMES.len();
    let spoiled = usize::from(first >> 6 & 1);
    let mut files = SYZYGY[pieces].map(<[u8]>::to_vec);
    match first & 0x80 {
        0 => patch(&mut files[spoiled], data),
        _ => files[spoiled] = data.to_vec(),
    }
    let paths = [".rtbw", ".rtbz"].map(|ending| NAMES[pieces].to_owned() + ending);
    super::FOLDER.with(|folder| {
        let paths = [0, 1].map(|i| folder.file(&paths[i], &files[i]));
        let directory = paths[0].parent().and_then(|path| path.to_str()).expect("it lies in a folder");
        if let Some(tables) = Tablebases::open(directory, Rules::default(), &mut Vec::new()) {
            POSITIONS.iter().for_each(|fen| probe_syzygy(&tables, fen));
        }
        paths.iter().for_each(|path| std::fs::remove_file(path).expect("it was written"));
    });
}

const SYZYGY: [[&[u8]; 2]; 3] = [
    [
        include_bytes!("../../tests/data/syzygy/KPvK.rtbw"),
        include_bytes!("../../tests/data/syzygy/KPvK.rtbz"),
    ],
    [
        include_bytes!("../../tests/data/syzygy/KQvK.rtbw"),
        include_bytes!("../../tests/data/syzygy/KQvK.rtbz"),
    ],
    [
        include_bytes!("../../tests/data/syzygy/KRvK.rtbw"),
        include_bytes!("../../tests/data/syzygy/KRvK.rtbz"),
    ],
];

fn probe_syzygy(tables: &Tablebases, fen: &str) {
    let game = Root::new(chess::Position::read(&chess::Rules::default(), fen).expect("it is a position"));
    tables.probe(game.position(), 9);
    let legal = game.legal();
    for several in [false, true] {
        let judged = tables.judge(&game, several, &legal).unwrap_or_default();
        assert!(judged.iter().all(|(m, _)| legal.contains(m)));
    }
}
