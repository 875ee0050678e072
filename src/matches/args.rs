//! The flags of `quintet match`, in the words of cutechess-cli and fastchess where they have one.
//!
//! A flag may be written with one dash or two. A TOML file (`--config`) is another spelling of the same
//! flags; those on the command line come after it and win.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::{ArgMatches, CommandFactory, FromArgMatches, Parser};

use super::words::Words;

/// What the user said.
#[derive(Clone, Debug, Parser)]
#[command(name = "quintet match", about = "Play engines against each other, refereed by our own rules", long_about = None)]
#[command(args_override_self = true, after_help = EXAMPLES, max_term_width = 110)]
pub struct Flags {
    /// The game
    pub game: Option<String>,
    /// An engine: the name of one of ours, or cmd=PROGRAM; and name= arg= args= dir= proto= option.NAME= tc=
    /// st= nodes= depth= byoyomi= timemargin= ponder restart
    #[arg(long = "engine", num_args = 1.., value_name = "WORDS")]
    engine_words: Vec<String>,
    /// The words of each `--engine`
    #[arg(skip)]
    pub engines: Vec<Vec<String>>,
    /// Words for every engine; its own words override them
    #[arg(long, num_args = 1.., value_name = "WORDS")]
    pub each: Vec<String>,
    /// Rules of the game, by the names of its engine's options: BoardSize=6
    #[arg(long, num_args = 1.., value_name = "NAME=VALUE")]
    pub rules: Vec<String>,
    /// Games of each pair of engines per round
    #[arg(long, default_value_t = 2)]
    pub games: usize,
    /// Rounds
    #[arg(long, default_value_t = 1)]
    pub rounds: usize,
    /// Do not swap colours within a pair: the engine named first has White in every game
    #[arg(long)]
    pub noswap: bool,
    /// Games at once
    #[arg(long, default_value_t = 1)]
    pub concurrency: usize,
    /// round-robin, or gauntlet: the first engine meets all others
    #[arg(long, default_value = "round-robin", value_name = "FORM")]
    pub tournament: String,
    /// Where games begin: FILE and format=epd|pgn|pdn|sgf|moves order=sequential|random plies=N start=N
    #[arg(long, num_args = 1.., value_name = "WORDS")]
    pub openings: Vec<String>,
    /// Random moves after the opening, the same for both games of a pair
    #[arg(long, default_value_t = 0, value_name = "N")]
    pub random_plies: usize,
    /// Take only random moves after which our own engine sees at most this for either side, in hundredths of a
    /// piece (not in Go)
    #[arg(long, value_name = "CP")]
    pub balance: Option<i32>,
    /// Seed for random moves and random order
    #[arg(long, alias = "srand", default_value_t = 1)]
    pub seed: u64,
    /// Go: the engine that says which stones are dead if the players do not agree: cmd=gnugo args="--mode gtp"
    #[arg(long, num_args = 1.., value_name = "WORDS")]
    pub referee: Option<Vec<String>>,
    /// Stop once a test decides whether the first engine is stronger: elo0= elo1= alpha=0.05 beta=0.05
    /// model=logistic|normalized
    #[arg(long, num_args = 1.., value_name = "WORDS")]
    pub sprt: Option<Vec<String>>,
    /// Stop when the first engine's score is above this with 95 % certainty: 0.85
    #[arg(long, value_name = "SCORE")]
    pub until_above: Option<f64>,
    /// Adjudicate draws by score: movenumber= movecount= score=
    #[arg(long, num_args = 1.., value_name = "WORDS")]
    pub draw: Option<Vec<String>>,
    /// Adjudicate losses by score: movecount= score= twosided
    #[arg(long, num_args = 1.., value_name = "WORDS")]
    pub resign: Option<Vec<String>>,
    /// Adjudicate a draw after this many plies, the opening included
    #[arg(long, value_name = "N")]
    pub max_plies: Option<usize>,
    /// The same in full moves
    #[arg(long, hide = true)]
    pub maxmoves: Option<usize>,
    /// Append one JSON line per game to this file
    #[arg(long, value_name = "FILE")]
    pub log: Option<PathBuf>,
    /// Resume the match in --log
    #[arg(long, requires = "log")]
    pub resume: bool,
    /// Play only part I of N of the games, counted from 1
    #[arg(long, value_name = "I/N", default_value = "1/1")]
    pub shard: String,
    /// Write the games to this file: SGF for Go, PDN for draughts, PGN for the others
    #[arg(long, alias = "pgn", aliases = ["pgnout", "sgf", "pdn"], num_args = 1.., value_name = "FILE")]
    records: Option<Vec<String>>,
    /// Plot the running score with its error to this SVG file
    #[arg(long, value_name = "FILE")]
    pub plot: Option<PathBuf>,
    /// The event's name in the records
    #[arg(long, default_value = "quintet match", value_name = "NAME")]
    pub event: String,
    /// Remark on odd answers, such as illegal lines of play; any remark or fault makes the exit code 1
    #[arg(long)]
    pub strict: bool,
    /// Print nothing but the table at the end
    #[arg(long, short)]
    pub quiet: bool,
    /// Print the standings every N games; 0 for never
    #[arg(long, default_value_t = 10, value_name = "N")]
    pub ratinginterval: u64,
    /// Milliseconds an engine may take to start
    #[arg(long, default_value_t = 10_000, value_name = "MS")]
    pub startup_ms: u64,
    /// Milliseconds an engine may take to answer a ping
    #[arg(long, default_value_t = 60_000, value_name = "MS")]
    pub ping_ms: u64,
    /// Milliseconds an engine may take to get ready for a new game
    #[arg(long, default_value_t = 60_000, value_name = "MS")]
    pub ucinewgame_ms: u64,
    /// Milliseconds of silence after which a move without a time limit counts as a stall
    #[arg(long, default_value_t = 60_000, value_name = "MS")]
    pub stall_ms: u64,
    /// Read flags from a TOML file
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// What this runner does anyway
    #[arg(long, hide = true, num_args = 0..=1, default_missing_value = "2", value_parser = ["2"])]
    repeat: Option<String>,
    /// What this runner does anyway
    #[arg(long, hide = true)]
    recover: bool,
}

const EXAMPLES: &str = "Other commands, each with a --help of its own:
  quintet match report FILES...             merge logs and print their table
  quintet match check NAME|cmd=PROGRAM      check whether an engine speaks its protocol
  quintet match suite FILE -- ENGINE        count the positions of a file that an engine solves

Examples:
  quintet match neighbours --engine neighbours name=new --engine neighbours name=old option.Preset=Thesis \\
      --each tc=5+0.05 --games 200 --concurrency 2 --random-plies 4
  quintet match neighbours --engine neighbours --engine cmd=./other --each nodes=10000 --sprt elo0=0 elo1=10 \\
      --games 20000 --openings starts.epd order=random --log match.jsonl";

impl Flags {
    /// The file of the records. Of the words of other runners about their form only those are borne that change
    /// nothing here.
    pub fn records(&self) -> Result<Option<PathBuf>> {
        let Some(list) = &self.records else { return Ok(None) };
        let mut words = Words::new("--records", list);
        words.take("notation");
        let file = words.file().ok_or_else(|| words.wrong("which file?"))?;
        words.finish()?;
        Ok(Some(file))
    }

    /// Reads the words of the command line after `match`.
    pub fn read(words: &[String]) -> Result<Flags> {
        let words: Vec<String> = words.iter().map(|word| two_dashes(word)).collect();
        let (game, of_file) = match config_of(&words) {
            Some(path) => from_toml(Path::new(&path)).with_context(|| format!("--config {path}"))?,
            None => (None, Vec::new()),
        };
        // The game stays first: a flag of the file that has many words would swallow it.
        let leading = words.iter().take_while(|word| !word.starts_with('-')).count();
        let (first, rest) = words.split_at(leading);
        let name = ["quintet match".to_owned()];
        let all = [name.as_slice(), first, of_file.as_slice(), rest].concat();
        let matches = Flags::command().try_get_matches_from(all)?;
        let mut flags = Flags::from_arg_matches(&matches)?;
        flags.game = flags.game.or(game);
        flags.engines = occurrences(&matches, "engine_words");
        flags.openings = with_last_file(occurrences(&matches, "openings"));
        flags.records = flags.records.map(|_| with_last_file(occurrences(&matches, "records")));
        Ok(flags)
    }
}

/// The words of each time a flag was given.
fn occurrences(matches: &ArgMatches, flag: &str) -> Vec<Vec<String>> {
    let each = matches.get_occurrences::<String>(flag).into_iter().flatten();
    each.map(|words| words.cloned().collect()).collect()
}

/// The words of a flag that names a file, given once or more: all of them, but the last file alone.
fn with_last_file(given: Vec<Vec<String>>) -> Vec<String> {
    let is_file = |word: &String| !word.contains('=') || word.starts_with("file=");
    let mut all: Vec<String> = Vec::new();
    for words in given {
        if words.iter().any(is_file) {
            all.retain(|word| !is_file(word));
        }
        all.extend(words);
    }
    all
}

/// Users of cutechess write `-engine`.
fn two_dashes(word: &str) -> String {
    let is_long = word.len() > 2 && word.starts_with('-') && word.as_bytes()[1].is_ascii_alphabetic();
    if is_long { format!("-{word}") } else { word.to_owned() }
}

fn config_of(words: &[String]) -> Option<String> {
    let place = words.iter().position(|word| word == "--config" || word.starts_with("--config="))?;
    match words[place].split_once('=') {
        Some((_, path)) => Some(path.to_owned()),
        None => words.get(place + 1).cloned(),
    }
}

/// The game that a file names, and the flags it stands for.
fn from_toml(path: &Path) -> Result<(Option<String>, Vec<String>)> {
    let text = std::fs::read_to_string(path).context("cannot read it")?;
    let table: toml::Table = text.parse()?;
    let (mut game, mut flags) = (None, Vec::new());
    for (key, value) in &table {
        match (key.as_str(), value) {
            ("game", value) => game = Some(scalar(key, value)?),
            ("engine", toml::Value::Array(engines)) => {
                for engine in engines {
                    flags.push("--engine".to_owned());
                    flags.extend(words_of("engine", engine)?);
                }
            }
            (_, toml::Value::Boolean(on)) => flags.extend(on.then(|| format!("--{key}"))),
            (_, toml::Value::Table(_)) => {
                flags.push(format!("--{key}"));
                flags.extend(words_of(key, value)?);
            }
            _ => flags.push(format!("--{key}={}", scalar(key, value)?)),
        }
    }
    Ok((game, flags))
}

/// `key=value` words of a table; a table inside, such as `option`, gives `option.Name=value`.
fn words_of(place: &str, value: &toml::Value) -> Result<Vec<String>> {
    let toml::Value::Table(table) = value else { bail!("'{place}' is not a table") };
    let mut words = Vec::new();
    for (key, value) in table {
        match value {
            toml::Value::Table(inner) => {
                for (name, value) in inner {
                    words.push(format!("{key}.{name}={}", scalar(name, value)?));
                }
            }
            toml::Value::Array(list) => {
                for value in list {
                    words.push(format!("{key}={}", scalar(key, value)?));
                }
            }
            _ => words.push(format!("{key}={}", scalar(key, value)?)),
        }
    }
    Ok(words)
}

fn scalar(key: &str, value: &toml::Value) -> Result<String> {
    match value {
        toml::Value::String(text) => Ok(text.clone()),
        toml::Value::Integer(n) => Ok(n.to_string()),
        toml::Value::Float(n) => Ok(n.to_string()),
        toml::Value::Boolean(on) => Ok(on.to_string()),
        _ => bail!("'{key}' is neither a text nor a number"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Flags> {
        Flags::read(&text.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
    }

    #[test]
    fn a_cutechess_line_is_read() {
        let flags = read(
            "neighbours -engine cmd=a name=A -engine cmd=b arg=-x -each tc=5+0.05 option.Hash=64 \
             -rounds 50 -games 2 -repeat -recover -concurrency 2 -pgnout file=out.pgn notation=san -sprt elo0=0 elo1=5 \
             -openings file=x.epd format=epd order=random -resign movecount=3 score=400 -srand 7",
        )
        .unwrap();
        assert_eq!(flags.game.as_deref(), Some("neighbours"));
        assert_eq!(flags.engines, [vec!["cmd=a", "name=A"], vec!["cmd=b", "arg=-x"]]);
        assert_eq!((flags.rounds, flags.games, flags.concurrency, flags.seed), (50, 2, 2, 7));
        assert_eq!(flags.sprt.as_deref().unwrap(), ["elo0=0", "elo1=5"]);
        assert_eq!(flags.records().unwrap(), Some(PathBuf::from("out.pgn")));
        assert!(read("go -repeat 2 -recover").is_ok() && read("go -repeat 4").is_err());
        let records = |line: &str| read(line).unwrap().records();
        assert_eq!(records("go --sgf x.sgf").unwrap(), Some(PathBuf::from("x.sgf")));
        assert_eq!(
            records("go --records x odd=1").unwrap_err().to_string(),
            "--records: unknown word 'odd=1'"
        );
    }

    #[test]
    fn a_file_spells_the_same_flags_and_the_line_wins() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("m.toml");
        let text = r#"
            games = 100
            quiet = true
            resume = false
            game = "neighbours"
            openings = "a.epd"
            [sprt]
            elo0 = 0
            [each]
            nodes = 1000
            option = { Hash = 8, "Move Overhead" = 5 }
            [[engine]]
            cmd = "x"
            arg = ["a", "b c"]
            [[engine]]
            cmd = "y"
        "#;
        std::fs::write(&path, text).unwrap();
        let flags = read(&format!("--config {} --games 6 --each nodes=5", path.display())).unwrap();
        assert_eq!((flags.games, flags.quiet, flags.resume), (6, true, false));
        let mut engines = flags.engines;
        engines[0].sort();
        assert_eq!(engines, [vec!["arg=a", "arg=b c", "cmd=x"], vec!["cmd=y"]]);
        assert!(flags.each.contains(&"option.Move Overhead=5".to_owned()));
        assert_eq!(flags.each.last().unwrap(), "nodes=5");
        assert_eq!(flags.game.as_deref(), Some("neighbours"));
        let line = format!("chess --config {} --openings b.epd plies=4 --openings start=2", path.display());
        let flags = read(&line).unwrap();
        assert_eq!(flags.game.as_deref(), Some("chess"));
        assert_eq!(flags.sprt.as_deref().unwrap(), ["elo0=0"]);
        assert_eq!(flags.openings, ["b.epd", "plies=4", "start=2"]);
    }

    #[test]
    fn bad_files_and_flags_are_named() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("m.toml");
        std::fs::write(&path, "games = [[1]]").unwrap();
        let error = format!("{:#}", read(&format!("--config {}", path.display())).unwrap_err());
        assert!(error.contains("m.toml") && error.contains("'games'"), "{error}");
        assert!(read("neighbours --oops").unwrap_err().to_string().contains("--oops"));
        assert!(read("neighbours --games x").unwrap_err().to_string().contains("--games"));
    }
}
