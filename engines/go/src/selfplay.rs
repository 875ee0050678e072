//! Games from which networks learn: the engine against itself, with or without a network, on many boards.
//!
//! What makes them cheap is published: most moves come from a fast search and only some, from which is learned, from a
//! full one (Wu, 2019); in full searches noise makes unlikely moves likely and forces them to be looked into, and what
//! was only forced is not learned (the same); games end once they are decided, and playouts say whose the points are.

use search::learn::Played;
use search::learn::played::{Study, Thought};
use search::{Engine, Game, Random, Root, Side, zobrist};

use crate::estimate::estimate;
use crate::point::points;
use crate::rules::{Komi, NAMES};
use crate::scoring::Method;
use crate::{Go, Move, Position, Rules};

/// What an owner without doubt is in the record of a game.
pub const SHADES: i8 = 7;
/// Moves of a search that are noted, those with the most visits.
const NOTED: usize = 32;
/// What all shares of a search are together.
const WHOLE: u64 = 10_000;
/// A root move that was tried gets at least the root of this many visits, for each that its probability claims.
const FORCED: f32 = 2.0;
/// Plies for which both sides must agree on the winner.
const SURE: u32 = 6;
/// One game in so many is played to its end whatever both say.
const TO_THE_END: u32 = 10;
/// Moves drawn by lot at the beginning of a game, for every hundred points of the board: so many on average.
const DRAWN: usize = 4;

/// How games are played.
#[derive(Clone, Debug, PartialEq)]
pub struct Habits {
    /// Visits of a full search, and of a fast one.
    pub visits: [u64; 2],
    /// How many searches in a hundred are full.
    pub full: u32,
    /// Whether full searches have noise at the root.
    pub has_noise: bool,
    /// Whether they are forced to look into what was tried, which is taken off again.
    pub is_forced: bool,
    /// The chance to win, in percent, at which a game is decided; 0 for never.
    pub decided: u32,
    /// On which boards, by which rules.
    pub tables: Tables,
}

/// The boards and rules of games, from which those of a game are drawn by its seed.
#[derive(Clone, Debug, PartialEq)]
pub struct Tables {
    /// Sizes, each with how often it is played compared with the others.
    sizes: Vec<(usize, u32)>,
    /// Names of rules.
    rules: Vec<String>,
    /// The komi in the middle, and how far it strays, in points.
    komi: [f64; 2],
}

impl Tables {
    /// Reads them from words such as `9:6,13`, `chinese,japanese`, `7` and `3`; says what is wrong with them.
    pub fn read(sizes: &str, rules: &str, komi: &str, spread: &str) -> Result<Tables, String> {
        let size = |word: &str| {
            let (size, often) = word.split_once(':').unwrap_or((word, "1"));
            let read = size.parse().ok().zip(often.parse().ok().filter(|often| (1..=1000).contains(often)));
            let exists = |(size, _): &(usize, u32)| Rules::default().with_size(*size).is_some();
            read.filter(exists).ok_or_else(|| format!("'{word}' is not SIZE or SIZE:OFTEN"))
        };
        let name = |word: &str| {
            let known = NAMES.contains(&word);
            known.then(|| word.to_owned()).ok_or_else(|| format!("there are no rules '{word}'"))
        };
        let number = |word: &str| {
            let number: Option<f64> = word.parse().ok();
            number.filter(|n| n.abs() <= 100.0).ok_or_else(|| format!("'{word}' is not a number of points"))
        };
        Ok(Tables {
            sizes: sizes.split(',').map(size).collect::<Result<_, _>>()?,
            rules: rules.split(',').map(name).collect::<Result<_, _>>()?,
            komi: [number(komi)?, number(spread)?],
        })
    }

    /// As they are read.
    pub fn words(&self) -> [String; 4] {
        let sizes: Vec<String> = self.sizes.iter().map(|(size, often)| format!("{size}:{often}")).collect();
        let [komi, spread] = self.komi.map(|points| points.to_string());
        [sizes.join(","), self.rules.join(","), komi, spread]
    }

    /// The rules of the game of a seed.
    pub fn rules(&self, seed: u64) -> Rules {
        let mut random = Random::new(zobrist::mix(seed));
        let size = random.weighted(&self.sizes).unwrap_or(Rules::default().size());
        let name = &self.rules[random.below(self.rules.len() as u32) as usize];
        let [komi, spread] = self.komi;
        // The sum of a few even numbers is nearly normal; its spread is 1.
        let stray: f64 = (0..12).map(|_| f64::from(random.unit())).sum::<f64>() - 6.0;
        // A half decides every game.
        let komi = (komi + spread * stray).floor() + 0.5;
        let rules = Rules::default().with_name(name).and_then(|rules| rules.with_size(size));
        rules.expect("they were read").with_komi(Komi::new(komi).expect("a finite komi"))
    }
}

/// What is known of the end of a game.
#[derive(Clone, Debug, PartialEq)]
pub struct Ending {
    /// Black's points minus White's, compensation included.
    pub margin: f32,
    /// Whose each place is, from [`SHADES`] for Black to the opposite for White, row by row from the lower left.
    pub owners: Vec<i8>,
}

impl Ending {
    /// That of a position in which all stones are alive.
    fn counted(position: &Position) -> Ending {
        let field = Method::FloodFill.field(position);
        let owner = |point| field.at(point).signum() as i8 * SHADES;
        let owners = points(position.rules().size()).map(owner).collect();
        let (black, white) = field.counts();
        Ending { margin: position.margin_of_area(black as f64 - white as f64) as f32, owners }
    }

    /// That of a position in which playouts must say which stones are.
    fn estimated(position: &Position) -> Ending {
        let judged = estimate(position);
        let owner = |point| (judged.ownership.at(point) * f64::from(SHADES)).round() as i8;
        let owners = points(position.rules().size()).map(owner).collect();
        Ending { margin: position.margin_of_area(judged.ownership.margin()) as f32, owners }
    }

    /// Who has won.
    fn winner(&self) -> Option<Side> {
        match self.margin {
            margin if margin > 0.0 => Some(Side::Black),
            margin if margin < 0.0 => Some(Side::White),
            _ => None,
        }
    }

    fn write(&self) -> Vec<u8> {
        let shades = self.owners.chunks(2).map(|pair| {
            let shade = |owner: i8| (owner + SHADES + 1) as u8;
            shade(pair[0]) | pair.get(1).map_or(0, |&owner| shade(owner)) << 4
        });
        self.margin.to_le_bytes().into_iter().chain(shades).collect()
    }

    /// Reads the end of a studied game on a board of this size.
    pub fn of(game: &Played<Position>, size: usize) -> Option<Ending> {
        let (margin, shades) = game.study.as_ref()?.end.split_first_chunk::<4>()?;
        let both = shades.iter().flat_map(|shades| [shades & 15, shades >> 4]);
        let owners: Vec<i8> =
            both.take(size * size).map(|shade| (shade as i8 - SHADES - 1).clamp(-SHADES, SHADES)).collect();
        let margin = f32::from_le_bytes(*margin);
        (owners.len() == size * size && margin.is_finite()).then_some(Ending { margin, owners })
    }
}

/// Who both say wins, and for how many plies on end.
#[derive(Default)]
struct Agreement {
    winner: Option<Side>,
    plies: u32,
}

impl Agreement {
    /// Hears what a player thinks of its chances.
    fn hear(&mut self, turn: Side, chance: f64, decided: u32) {
        let sure = f64::from(decided) / 100.0;
        let winner = if chance >= sure {
            Some(turn)
        } else if 1.0 - chance >= sure {
            Some(!turn)
        } else {
            None
        };
        self.plies = if winner == self.winner { self.plies + 1 } else { 1 };
        self.winner = winner;
    }

    fn is_sure(&self) -> bool {
        self.winner.is_some() && self.plies >= SURE
    }
}

/// A player that keeps to itself.
pub fn player() -> Go {
    let mut go = Go::new();
    go.resize(MEMORY).expect("a small tree fits");
    go
}

/// What a player's tree may take, in MiB.
const MEMORY: usize = 32;

/// The game of this seed.
pub fn play(go: &mut Go, habits: &Habits, seed: u64) -> Played<Position> {
    let rules = habits.tables.rules(seed);
    let size = rules.size();
    let mut root = Root::new(Position::start(&rules));
    let mut random = Random::new(seed);
    let drawn = random.below((2 * DRAWN * rules.area() / 100) as u32 + 1) as usize;
    let may_end = habits.decided > 0 && random.below(TO_THE_END) > 0;
    let mut agreement = Agreement::default();
    let mut played = Played::opened(seed, &root);
    let (mut thoughts, mut ending) = (Vec::new(), None);
    while root.position().passes() < 2 && root.moves().len() < 2 * size * size {
        let is_full = random.below(100) < habits.full;
        let (m, chance, thought) =
            choose(go, habits, &root, is_full, root.moves().len() < drawn, &mut random);
        agreement.hear(root.position().turn(), chance, habits.decided);
        if may_end && agreement.is_sure() {
            let found = Ending::estimated(root.position());
            // Who is ahead in points only is not sure.
            if found.winner() == agreement.winner {
                ending = Some(found);
                break;
            }
            agreement = Agreement::default();
        }
        played.turns.push((m, Some((1000.0 * chance).round() as i32)));
        thoughts.push(thought);
        root.play(m);
    }
    let ending = ending.unwrap_or_else(|| {
        if root.position().passes() < 2 {
            Ending::estimated(root.position())
        } else {
            Ending::counted(root.position())
        }
    });
    let study = Some(Study { thoughts, end: ending.write() });
    Played { winner: ending.winner(), study, ..played }
}

/// A move, the chance to win that its player sees, and what is to be learned of it.
fn choose(
    go: &mut Go,
    habits: &Habits,
    root: &Root<Position>,
    is_full: bool,
    is_drawn: bool,
    random: &mut Random,
) -> (Move, f64, Thought<Position>) {
    let (seed, noise) = (random.bits(), random.bits());
    go.mcts.config.seed = seed;
    let has_network = go.mcts.policy.advisor.is_some();
    let noise = Some(noise).filter(|_| is_full && has_network && habits.has_noise);
    let forced = if is_full && has_network && habits.is_forced { FORCED } else { 0.0 };
    let best = go.study(root, habits.visits[usize::from(!is_full)], noise, forced).unwrap_or(Move::Pass);
    let mut visits = go.mcts.unforced();
    visits.retain(|&(_, visits)| visits > 0);
    visits.sort_by_key(|&(m, visits)| (std::cmp::Reverse(visits), root.position().pack(m)));
    let m = if is_drawn { random.weighted(&visits).unwrap_or(best) } else { best };
    visits.truncate(NOTED);
    let total = visits.iter().map(|&(_, visits)| u64::from(visits)).sum::<u64>().max(1);
    let share = |visits: u32| (u64::from(visits) * WHOLE / total) as u16;
    let thought = visits.iter().map(|&(m, visits)| (m, share(visits))).filter(|&(_, share)| share > 0);
    (m, go.mcts.summary().value, if is_full { thought.collect() } else { Vec::new() })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::network::Network;
    use crate::network::tests::SMALL;
    use crate::training::lessons;

    fn habits() -> Habits {
        let tables = Tables::read("5:2,4", "chinese,japanese", "7", "2").unwrap();
        let visits = [40, 8];
        Habits { visits, full: 40, has_noise: true, is_forced: true, decided: 95, tables }
    }

    fn guided() -> Go {
        let mut go = player();
        go.consult(|guidance| guidance.network = Some(Arc::new(Network::random(SMALL, 5))));
        go
    }

    #[test]
    fn a_seed_fixes_a_game_and_its_record_is_read_back_with_or_without_a_network() {
        for mut go in [guided(), player()] {
            for seed in 1..6 {
                let game = play(&mut go, &habits(), seed);
                let rules = habits().tables.rules(seed);
                assert_eq!(game, play(&mut go, &habits(), seed), "{seed}");
                assert_eq!(Played::read(&rules, &game.write(&rules)), Ok(game.clone()));
                let study = game.study.as_ref().unwrap();
                assert_eq!(study.thoughts.len(), game.turns.len());
                let full = study.thoughts.iter().filter(|thought| !thought.is_empty()).count();
                let found = lessons(&game);
                assert_eq!(found.len(), full);
                for lesson in &found {
                    assert!((lesson.moves.iter().sum::<f32>() - 1.0).abs() < 1e-3);
                    assert_eq!(
                        (lesson.score > 0.0, lesson.score < 0.0),
                        (lesson.result > 0.5, lesson.result < 0.5)
                    );
                    assert!((0.0..=1.0).contains(&lesson.value) && lesson.owners.len() == rules.area());
                }
            }
        }
    }

    #[test]
    fn tables_are_drawn_as_often_as_they_say_and_read_back_from_their_words() {
        let tables = Tables::read("9:3,13", "chinese,japanese", "6.5", "2").unwrap();
        let [sizes, rules, komi, spread] = tables.words();
        assert_eq!(Tables::read(&sizes, &rules, &komi, &spread), Ok(tables.clone()));
        let drawn: Vec<Rules> = (0..2000).map(|seed| tables.rules(seed)).collect();
        let count = |is_so: &dyn Fn(&Rules) -> bool| drawn.iter().filter(|rules| is_so(rules)).count();
        assert!((1400..1600).contains(&count(&|rules| rules.size() == 9)));
        assert!((900..1100).contains(&count(&|rules| rules.name() == Some("japanese"))));
        assert!(count(&|rules| (4.0..9.0).contains(&rules.komi.points())) > 1400);
        assert!(drawn.iter().all(|rules| rules.komi.points().rem_euclid(1.0) == 0.5));
        for (sizes, rules, komi, why) in [
            ("9,30", "chinese", "7", "'30'"),
            ("9:0", "chinese", "7", "'9:0'"),
            ("9", "lunar", "7", "'lunar'"),
            ("9", "chinese", "x", "'x'"),
        ] {
            assert!(Tables::read(sizes, rules, komi, "0").unwrap_err().contains(why));
        }
    }

    #[test]
    fn ends_are_counted_and_read_back() {
        let rows = ". X O . . / X X O O . / . X X O . / X X O O . / . X O . .";
        let position = crate::text::drawn(rows, "chinese");
        let ending = Ending::counted(&position);
        assert_eq!((ending.margin, ending.winner()), (11.0 - 14.0 - 7.5, Some(Side::White)));
        assert_eq!((ending.owners[0], ending.owners[4]), (SHADES, -SHADES));
        let game = Played {
            study: Some(Study { thoughts: Vec::new(), end: ending.write() }),
            ..Played::opened(1, &Root::new(position.clone()))
        };
        assert_eq!(Ending::of(&game, 5), Some(ending));
        assert_eq!((Ending::of(&game, 9), Ending::of(&Played { study: None, ..game }, 5)), (None, None));
        assert!(Ending::estimated(&position).margin < 0.0);
    }

    #[test]
    fn a_game_is_decided_once_both_have_agreed_for_long_enough() {
        let plies = |chances: &[f64]| {
            let mut agreement = Agreement::default();
            let mut turn = Side::Black;
            chances.iter().position(|&chance| {
                agreement.hear(turn, chance, 95);
                turn = !turn;
                agreement.is_sure()
            })
        };
        assert_eq!(plies(&[0.96, 0.04, 0.97, 0.03, 0.99, 0.01, 0.99]), Some(5));
        assert_eq!(plies(&[0.96, 0.04, 0.5, 0.03, 0.99, 0.01, 0.99, 0.0]), None);
        assert_eq!(plies(&[0.5; 20]), None);
        assert_eq!(plies(&[0.99; 20]), None);
    }

    #[test]
    fn fast_searches_teach_nothing_and_full_ones_can_be_without_noise() {
        let mut go = guided();
        let fast = play(&mut go, &Habits { full: 0, ..habits() }, 3);
        assert!(lessons(&fast).is_empty() && fast.study.is_some());
        let plain = Habits { has_noise: false, is_forced: false, full: 100, ..habits() };
        let [quiet, noisy] =
            [plain.clone(), Habits { has_noise: true, ..plain }].map(|habits| play(&mut go, &habits, 3));
        assert_ne!(quiet, noisy);
    }
}
