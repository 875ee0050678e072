//! What GoGui shows beside the board: a dialog of all options, and overlays of what the engine thinks.

use crate::point::points;
use crate::scoring::{METHODS, Method};
use crate::{Go, Move, Point};
use protocol::gtp::Command;
use search::{Considered, Engine, Game, Kind, Side};

use super::Run::{Bare, With};
use super::{Answer, Console, Row, colour_letter, text_reply};

/// The commands of this file.
pub(super) const ROWS: &[Row] = &[
    ("gogui-analyze_commands", Bare(analyze_commands)),
    ("gogui-title", Bare(title)),
    ("quintet-ownership", Bare(ownership)),
    ("quintet-visits", Bare(|console| of_considered(console, |m| m.visits.to_string()))),
    ("quintet-winrate", Bare(|console| of_considered(console, |m| format!("{:.0}", m.value * 100.0)))),
    ("quintet-influence", With(influence)),
    ("quintet-priors", Bare(priors)),
    ("quintet-candidates", Bare(candidates)),
    ("quintet-territory", Bare(territory)),
    ("quintet-dead", Bare(dead)),
];

fn analyze_commands(_: &mut Console) -> Answer {
    let methods = METHODS.map(|(name, _)| format!("dboard/Influence ({name})/quintet-influence {name}\n"));
    text_reply(format!(
        "param/Options/quintet-param\n\
         dboard/Ownership/quintet-ownership\n\
         sboard/Visits/quintet-visits\n\
         sboard/Win rate/quintet-winrate\n\
         {}\
         sboard/Priors/quintet-priors\n\
         gfx/Ownership and score/quintet-territory\n\
         gfx/Candidates/quintet-candidates\n\
         plist/Dead stones/quintet-dead\n\
         string/Estimated score/estimate_score\n\
         string/Finished/quintet-finished\n\
         hstring/Evaluation/eval\n\
         none/Clear tree/clear_cache",
        methods.concat()
    ))
}

fn title(console: &mut Console) -> Answer {
    text_reply(format!("{}, move {}", Go::NAME, console.kifu.len() + 1))
}

/// Options that have commands of their own: a dialog that set them would leave its own board behind.
const COMMANDED: [&str; 2] = ["BoardSize", "Komi"];

/// The other options as GoGui's dialog wants them: `[kind] name value`, names and choices as one word each.
pub(super) fn parameters(go: &Go) -> String {
    let line = |row: &search::Setting<Go>| {
        let value = match row.get(go) {
            search::Value::Check(on) => u8::from(on).to_string(),
            other => other.to_string(),
        };
        let (kind, value) = match &row.kind {
            Kind::Check { .. } => ("bool".to_owned(), value),
            Kind::Combo { choices, .. } => {
                let value = one_word(&value);
                let mut words: Vec<String> = choices.iter().map(|choice| one_word(choice)).collect();
                // Instead of a value that is not in its list the dialog would show the first one.
                if !words.contains(&value) {
                    words.push(value.clone());
                }
                (format!("list/{}", words.join("/")), value)
            }
            _ => ("string".to_owned(), value),
        };
        format!("[{kind}] {} {value}", one_word(row.name))
    };
    let shown = Go::options().into_iter().filter(|row| !COMMANDED.contains(&row.name));
    shown.map(|row| line(&row)).collect::<Vec<_>>().join("\n")
}

/// A name or a choice with its blanks written `_`, as GoGui knows it.
pub(super) fn one_word(text: &str) -> String {
    text.replace(' ', "_")
}

/// A board of words, the top row first.
fn board(size: usize, mut word: impl FnMut(Point) -> String) -> String {
    let mut rows = Vec::new();
    for row in (0..size).rev() {
        let words: Vec<String> = (0..size).map(|column| word(Point::new(column, row))).collect();
        rows.push(words.join(" "));
    }
    rows.join("\n")
}

/// What the network finds likely here; without one, what the last search was told beforehand.
fn priors(console: &mut Console) -> Answer {
    let percent = |share: f64| format!("{:.0}", share * 100.0);
    let Some((_, likely)) = console.go.advice(console.kifu.root()) else {
        return of_considered(console, |m| percent(m.prior));
    };
    text_reply(board(console.size(), |point| {
        let found = likely.iter().find(|(m, _)| *m == Move::At(point));
        found.map_or("\"\"".to_owned(), |(_, share)| percent(f64::from(*share)))
    }))
}

/// Whose the points will be: what the network says, or playouts.
fn ownership(console: &mut Console) -> Answer {
    let root = console.kifu.root();
    if let Some((said, _)) = console.go.advice(root) {
        let (size, sign) = (console.size(), if root.position().turn() == Side::Black { 1.0 } else { -1.0 });
        let owner = |point: Point| sign * said.owners[point.row() * size + point.column()];
        return text_reply(board(size, |point| format!("{:.2}", owner(point))));
    }
    let judged = console.judged();
    text_reply(board(console.size(), |point| format!("{:.2}", judged.ownership.at(point))))
}

/// What the last search says of the moves it tried; win rates and priors are percent.
fn of_considered(console: &Console, word: impl Fn(&Considered<Move>) -> String) -> Answer {
    let list = console.go.considered();
    text_reply(board(console.size(), |point| {
        let found = list.iter().find(|m| m.visits > 0 && m.pv[0] == Move::At(point));
        found.map_or("\"\"".to_owned(), &word)
    }))
}

/// Whose the points are by a method of scoring, Bouzy's moyo if none is named; the strongest point is 1 or -1.
fn influence(console: &mut Console, command: &Command) -> Answer {
    let name = if command.args.is_empty() { "moyo" } else { command.only()? };
    let method = Method::by_name(name).ok_or_else(|| {
        let names = METHODS.map(|(name, _)| name);
        format!("no such method: '{name}' (the methods are {})", names.join(", "))
    })?;
    let field = method.field(console.kifu.position());
    let most = points(console.size()).map(|point| field.at(point).abs()).max().unwrap_or(0).max(1);
    text_reply(board(console.size(), |point| format!("{:.2}", f64::from(field.at(point)) / f64::from(most))))
}

/// Who will own what, drawn, with the score to expect.
fn territory(console: &mut Console) -> Answer {
    let judged = console.judged();
    let ownership = &judged.ownership;
    let shades: Vec<String> =
        points(console.size()).map(|point| format!("{point} {:.2}", ownership.at(point))).collect();
    let margin = console.kifu.position().margin_of_area(ownership.margin());
    let score = super::result((margin * 10.0).round() / 10.0);
    text_reply(format!("INFLUENCE {}\nTEXT expected {score}", shades.join(" ")))
}

/// What the last search expects from here on, if the game has followed it.
fn candidates(console: &mut Console) -> Answer {
    let root = console.kifu.root();
    let Some(made) = console.go.search().since(root) else { return text_reply("") };
    let list = console.go.considered();
    let line = list.iter().find(|line| line.visits > 0 && line.pv.starts_with(made));
    text_reply(drawing(line, made.len(), root.position().turn()))
}

/// A line of play without its first moves, `side` to begin, and how sure it is.
pub(super) fn drawing(best: Option<&Considered<Move>>, made: usize, mut side: Side) -> String {
    let Some(best) = best else { return String::new() };
    let mut line = String::from("VAR");
    for m in &best.pv[made..] {
        line += &format!(" {} {m}", colour_letter(side).to_ascii_lowercase());
        side = !side;
    }
    format!("{line}\nTEXT {} visits, win rate {:.1} %", best.visits, best.value * 100.0)
}

fn dead(console: &mut Console) -> Answer {
    text_reply(super::vertices(console.judged().dead.iter()))
}

#[cfg(test)]
mod tests {
    use protocol::gtp::perform;

    use super::*;
    use crate::network::Network;
    use crate::network::tests::SMALL;

    #[test]
    fn overlays_show_what_the_network_says_of_the_position_on_the_board() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("some.network");
        std::fs::write(&path, Network::random(SMALL, 5).write("by hand")).unwrap();
        let answers = |first: &str| {
            let mut output = Vec::new();
            let commands = ["boardsize 5", first, "play b C3", "quintet-priors", "quintet-ownership"];
            let commands: Vec<String> = commands.map(str::to_owned).to_vec();
            perform(Console::new(Go::new()), &commands, &mut output).unwrap();
            String::from_utf8(output).unwrap()
        };
        let text = answers(&format!("quintet-param Network_File {}", path.display()));
        let words: Vec<&str> = text.split_whitespace().collect();
        assert_eq!(words.len(), 50, "{text}");
        // A stone stands on the point in the middle.
        assert!(words[12] == "\"\"" && words[..12].iter().all(|word| word.parse::<u32>().is_ok()), "{text}");
        assert!(
            words[25..].iter().all(|word| word.parse::<f64>().is_ok_and(|owner| owner.abs() <= 1.0)),
            "{text}"
        );
        // Without a network there was no search to tell of.
        assert!(
            answers("quintet-param Network false").split_whitespace().take(25).all(|word| word == "\"\"")
        );
    }
}
