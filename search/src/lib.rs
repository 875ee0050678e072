//! How an engine thinks. Blind to games and to input and output: a game comes in through [`Game`],
//! its opinions through [`Eval`], and what goes out is plain data ([`Info`], [`Best`]).
//!
//! | question | file |
//! |---|---|
//! | what must a game offer? | `game.rs`, `eval.rs` |
//! | what does a program see of an engine? | `engine.rs`, `options.rs` |
//! | what was asked, what is answered? | `root.rs`, `limits.rs`, `control.rs`, `report.rs`, `score.rs` |
//! | how is a move found? | `alphabeta.rs`, `mcts.rs` |
//! | what is the same at the root of every alpha-beta? | `deepening.rs`, `pv.rs` |
//! | how does one play weakly? | `strength.rs` |
//! | when does a search stop? | `clock.rs`, `watch.rs` |
//! | where do its threads come from? | `crew.rs` |
//! | how are weights learned? | `learn.rs` |
//! | what does theory say of games and pruning? | `theory.rs` |
//! | how does a network judge positions? | `network.rs` |
//! | which numbers may a tuner move? | `tunable.rs` |
//! | what is remembered? | `table.rs`, `busy.rs`, `history.rs`, `zobrist.rs` |
//! | how are endgames numbered, solved, kept and looked up? | `combinations.rs`, `endgame.rs` |
//! | where do large things lie? | `data.rs` |
//! | where do random numbers come from? | `random.rs` |
//! | how do boards of eight by eight squares work? | `squares.rs` |
//! | what do tests share? | `testing.rs` |

pub mod alphabeta;
pub mod bench;
pub mod busy;
pub mod clock;
pub mod combinations;
pub mod control;
pub mod crew;
pub mod data;
pub mod deepening;
pub mod endgame;
pub mod engine;
pub mod eval;
pub mod game;
pub mod history;
pub mod learn;
pub mod limits;
pub mod mcts;
pub mod network;
pub mod options;
pub mod perft;
pub mod proof;
pub mod pv;
pub mod random;
pub mod report;
pub mod root;
pub mod score;
pub mod squares;
pub mod strength;
pub mod table;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
pub mod theory;
pub mod tunable;
pub mod walk;
pub mod watch;
pub mod zobrist;

pub use clock::{Clock, Stalls};
pub use control::{Aborted, Control};
pub use engine::{Bench, Engine, Search, Spelling};
pub use eval::{Eval, Known, Noisy};
pub use game::{Game, MoveError, MoveList, Outcome, PositionError, Side};
pub use history::History;
pub use limits::{Limits, TimeLeft};
pub use mcts::Mcts;
pub use options::{Audience, Common, Field, Kind, OptionError, Options, Rulebook, Setting, Value};
pub use random::Random;
pub use report::{Best, Bound, Considered, Info, Line, Total};
pub use root::Root;
pub use score::{Score, Window};
pub use squares::Square;
pub use strength::Strength;
pub use table::Table;
pub use watch::{Sentry, Watch};
