//! Games of Go as rows of a table, with the 22 fields of GO GAME's tournament module: one program is tested,
//! here the first engine of the match, and its settings and speed are those of the row. Behind them come the game's
//! number and who had which colour.

use std::path::Path;

use anyhow::Result;
use go::rules::rounded;
use go::{Colour, Position, Rules};
use search::{Game, Root, Rulebook, Side};

use super::archive;
use super::log::{Entry, Head};
use crate::record::GameResult;
use crate::referee::Refereed;

/// The names of the fields.
const FIELDS: [&str; 25] = [
    "start date",
    "start time",
    "free memory MB",
    "tree memory MB",
    "max tree nodes (thousands)",
    "threads",
    "board size",
    "time limit",
    "tree strategy",
    "final-move criterion",
    "komi",
    "captured black stones",
    "captured white stones",
    "black stones on board",
    "white stones on board",
    "moves",
    "end cause",
    "winner",
    "margin",
    "simulations per second",
    "end date",
    "end time",
    "game",
    "black",
    "white",
];

/// What the fields hold for a game.
type Row = [String; FIELDS.len()];

/// Writes a table of games.
pub fn write(path: &Path, rows: &[Row]) -> Result<()> {
    let mut table = ::csv::Writer::from_path(path)?;
    table.write_record(FIELDS)?;
    rows.iter().try_for_each(|row| table.write_record(row))?;
    Ok(table.flush()?)
}

/// The row of a game.
pub fn row(entry: &Entry, head: &Head) -> Result<Row> {
    let position = at_the_end(entry, &head.rules)?;
    let rules = position.rules();
    let margin = margin(entry, &position);
    let tested = head.engines.first().map_or("", String::as_str);
    let side = entry.side_of(tested).unwrap_or(Side::Black);
    let setting = |name: &str| {
        let settings = &entry.settings[side.index()];
        settings.iter().find(|(known, _)| known == name).map_or_else(String::new, |(_, value)| value.clone())
    };
    let strategy = match setting("Strategy").as_str() {
        "heuristics" => "heuristics".to_owned(),
        _ => [setting("Selection"), setting("AMAF")].join(" ").trim().to_owned(),
    };
    let began = entry.ended.saturating_sub(entry.seconds.round() as u64);
    let largest = setting("Tree Nodes").parse::<u64>().map_or(String::new(), |n| (n / 1000).to_string());
    let (from, to) = (moment(began), moment(entry.ended));
    let taken_by = |side| position.prisoners(side).to_string();
    Ok([
        from.0,
        from.1,
        entry.free_memory.map(|mb| mb.to_string()).unwrap_or_default(),
        setting("Tree Memory"),
        largest,
        setting("Threads"),
        rules.size().to_string(),
        head.limit(tested),
        strategy,
        setting("Final Choice"),
        rules.komi.points().to_string(),
        taken_by(Side::White),
        taken_by(Side::Black),
        position.number(Colour::Black).to_string(),
        position.number(Colour::White).to_string(),
        entry.moves.len().to_string(),
        cause(entry),
        winner(entry),
        margin.map(|margin| rounded(margin.abs()).to_string()).unwrap_or_default(),
        speed(entry, side),
        to.0,
        to.1,
        entry.game.to_string(),
        entry.black.clone(),
        entry.white.clone(),
    ])
}

/// The position that a logged game ended with.
pub fn at_the_end(entry: &Entry, choices: &[(String, String)]) -> Result<Position> {
    let mut game = Root::new(Position::start(&Rules::chosen(choices)?));
    for m in &entry.moves {
        game.play_text(&m.text)?;
    }
    Ok(game.position().clone())
}

/// Black's points minus White's, if the game was counted.
pub fn margin(entry: &Entry, position: &Position) -> Option<f64> {
    entry.counted().and_then(|dead| Refereed::margin(position, dead))
}

/// Date and time of day, universal.
fn moment(seconds: u64) -> (String, String) {
    let time = seconds % 86_400;
    let time = format!("{:02}:{:02}:{:02}", time / 3600, time / 60 % 60, time % 60);
    (archive::date(seconds / 86_400).replace('.', "-"), time)
}

/// Who passed last or gave up: `B[]W[]` if White did after Black, `B[r]` if Black resigned; the reason alone where
/// nobody lost.
fn cause(entry: &Entry) -> String {
    let loser = match entry.outcome() {
        GameResult::Won(Side::Black) => "W",
        GameResult::Won(Side::White) => "B",
        _ => "",
    };
    match entry.reason.as_str() {
        "more points" | "equal points" if entry.moves.len().is_multiple_of(2) => "B[]W[]".to_owned(),
        "more points" | "equal points" => "W[]B[]".to_owned(),
        other if loser.is_empty() => other.to_owned(),
        "resignation" | "resign adjudication" => format!("{loser}[r]"),
        other => format!("{loser}[{other}]"),
    }
}

fn winner(entry: &Entry) -> String {
    match entry.outcome() {
        GameResult::Won(Side::Black) => "B".to_owned(),
        GameResult::Won(Side::White) => "W".to_owned(),
        _ => String::new(),
    }
}

/// Playouts a second of one side; nothing if it does not tell them.
fn speed(entry: &Entry, side: Side) -> String {
    let (playouts, seconds) = spent(entry, side);
    if seconds > 0.0 { format!("{:.0}", playouts as f64 / seconds) } else { String::new() }
}

/// The playouts of one side and the seconds they took, as far as it tells them.
pub fn spent(entry: &Entry, side: Side) -> (u64, f64) {
    let is_black = side == Side::Black;
    let own = entry.moves.iter().enumerate().filter(|(ply, _)| ply.is_multiple_of(2) == is_black);
    own.filter_map(|(_, m)| Some((m.nodes?, m.seconds?)))
        .fold((0, 0.0), |(playouts, seconds), (more, time)| (playouts + more, seconds + time))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matches::log::Move;

    fn head() -> Head {
        let text = |text: &str| text.to_owned();
        Head {
            game: text("go"),
            rules: vec![(text("BoardSize"), text("5")), (text("Komi"), text("0.5"))],
            engines: vec![text("a"), text("b")],
            settings: vec![(text("a"), text("quintet engine go st=0.5 option.Threads=2"))],
        }
    }

    fn entry() -> Entry {
        let thought = |text: &str| Move {
            text: text.to_owned(),
            nodes: Some(50),
            seconds: Some(0.25),
            ..Move::default()
        };
        let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        let own = vec![
            pair("Threads", "2"),
            pair("Tree Memory", "512"),
            pair("Tree Nodes", "7500"),
            pair("Selection", "uct"),
            pair("AMAF", "rave"),
            pair("Final Choice", "robust"),
        ];
        Entry {
            game: 7,
            white: "b".to_owned(),
            black: "a".to_owned(),
            result: "0-1".to_owned(),
            reason: "more points".to_owned(),
            moves: ["C3", "A1", "pass", "pass"].map(thought).to_vec(),
            dead: Some(vec!["A1".to_owned()]),
            settings: [Vec::new(), own],
            free_memory: Some(900),
            seconds: 61.0,
            ended: 86_400 + 3600,
            ..Entry::default()
        }
    }

    #[test]
    fn a_row_has_the_fields_of_the_source() {
        let row = row(&entry(), &head()).unwrap().join(",");
        let wanted = "1970-01-02,00:58:59,900,512,7,2,5,st=0.5,uct rave,robust,0.5,0,0,1,1,4,B[]W[],B,24.5,200,\
                      1970-01-02,01:00:00,7,a,b";
        assert_eq!(row, wanted);
    }

    #[test]
    fn names_with_commas_and_quotes_stay_in_their_fields() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("games.csv");
        let named = Entry { white: "b, \"new\"".to_owned(), ..entry() };
        write(&path, &[row(&named, &head()).unwrap()]).unwrap();
        let text = std::fs::read_to_string(path).unwrap();
        let [names, games] = text.lines().collect::<Vec<_>>()[..] else { panic!("{text}") };
        assert!(names.starts_with("start date,") && names.ends_with(",game,black,white"), "{names}");
        assert!(games.ends_with(",7,a,\"b, \"\"new\"\"\""), "{games}");
    }

    #[test]
    fn heuristics_alone_are_a_strategy_of_their_own() {
        let mut played = entry();
        played.settings[Side::Black.index()].push(("Strategy".to_owned(), "heuristics".to_owned()));
        assert_eq!(row(&played, &head()).unwrap()[7..10], ["st=0.5", "heuristics", "robust"]);
    }

    #[test]
    fn a_margin_has_no_dust() {
        let mut head = head();
        head.rules[1].1 = "22.1".to_owned();
        assert_eq!(row(&entry(), &head).unwrap()[17..19], ["B", "2.9"]);
    }

    #[test]
    fn every_end_has_its_cause() {
        let ended = |result: &str, reason: &str| {
            let (result, reason) = (result.to_owned(), reason.to_owned());
            cause(&Entry { result, reason, ..entry() })
        };
        assert_eq!(ended("1-0", "resignation"), "B[r]");
        assert_eq!(ended("0-1", "resignation"), "W[r]");
        assert_eq!(ended("0-1", "time forfeit"), "W[time forfeit]");
        assert_eq!(ended("1/2-1/2", "equal points"), "B[]W[]");
        assert_eq!(ended("1/2-1/2", "no result by repetition"), "no result by repetition");
        let odd = Entry { moves: entry().moves[1..].to_vec(), ..entry() };
        assert_eq!(cause(&odd), "W[]B[]");
    }
}
