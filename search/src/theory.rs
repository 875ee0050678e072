//! The theory behind search, on games small enough to be written down.
//!
//! After L. Petrosyan's game theory and Knuth and Moore's analysis of alpha-beta (1975), as Kushnir's thesis tells them.
//!
//! | question | file |
//! |---|---|
//! | what is a game of several players, and how is it solved? | `tree.rs` |
//! | what are its strategies, and what is it as one big table? | `normal.rs` |
//! | how few positions can alpha-beta get along with? | `critical.rs` |

pub mod critical;
pub mod normal;
pub mod tree;

pub use critical::{Order, Uniform};
pub use normal::NormalForm;
pub use tree::{Node, Profile, Tree};
