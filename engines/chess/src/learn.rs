//! Numbers from the engine's own games.
//!
//! | question | file |
//! |---|---|
//! | which positions of games teach? | `learn/games.rs` |
//! | which weights explain their results? | `learn/fit.rs` |
//! | what does a value say about the result? | `learn/chances.rs` |

pub mod chances;
pub mod fit;
pub mod games;

pub use chances::{Curve, chances};
pub use fit::Fit;
pub use games::{Example, examples};
