//! What an engine knows of Neighbours: a piece moves exactly as many squares as it has neighbours.
//!
//! | question | file |
//! |---|---|
//! | what is a position, when does a game end? | `position.rs` |
//! | which moves are there? | `moves.rs` |
//! | how are positions and moves written? | `text.rs` |

pub mod moves;
pub mod position;
pub mod text;

pub use moves::{Move, Square};
pub use position::{Position, Rules};
