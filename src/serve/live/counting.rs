//! The end of a game of Go: which stones are dead, whose the points are, and that all agree.

use anyhow::{Context, Result, ensure};
use search::Side;
use serde_json::{Value, json};

use super::Live;
use crate::serve::seat::Seat;
use crate::serve::store::Ended;

impl Live {
    /// Whether the game waits for an agreement on dead stones.
    pub(super) fn is_counting(&self) -> bool {
        self.kept.dead.is_some() && self.kept.result.is_none()
    }

    /// Both have passed: proposes dead stones; engines among themselves agree at once.
    pub(super) fn begin_counting(&mut self) {
        // The dead stones are kept on disk, the owners of the points are not.
        if (self.kept.dead.is_none() || self.owners.is_empty())
            && let Some(judged) = self.referee.judge_stones()
        {
            self.owners = judged.owners;
            self.kept.dead.get_or_insert(judged.dead);
        }
        if !self.kept.seats.contains(&Seat::Human) {
            self.settle_count();
        }
    }

    /// A stone and its whole chain are dead after all, or alive after all.
    pub(super) fn mark(&mut self, spot: &str) -> Result<()> {
        ensure!(self.is_counting(), "nothing is being counted");
        let chain = self.referee.chain(spot);
        ensure!(!chain.is_empty(), "there is no stone on {spot}");
        let dead = self.kept.dead.as_mut().context("nothing is being counted")?;
        let were_dead = dead.contains(&chain[0]);
        dead.retain(|stone| !chain.contains(stone));
        if !were_dead {
            dead.extend(chain);
        }
        Ok(())
    }

    /// All agree on the dead stones.
    pub(super) fn agree(&mut self) -> Result<()> {
        ensure!(self.is_counting(), "nothing is being counted");
        self.settle_count();
        Ok(())
    }

    fn settle_count(&mut self) {
        let dead = self.kept.dead.clone().unwrap_or_default();
        let Some(outcome) = self.referee.settled(&dead) else { return };
        let margin = go::rules::rounded(self.referee.margin(&dead).unwrap_or(0.0).abs());
        let reason = match outcome.winner {
            Some(_) => format!("by {margin} points"),
            None => outcome.reason.to_owned(),
        };
        self.kept.result = Some(Ended { winner: outcome.winner.map(Side::index), reason });
    }

    /// As the page reads it.
    pub(super) fn count(&self) -> Value {
        let Some(dead) = self.kept.dead.as_ref() else { return Value::Null };
        json!({ "dead": dead, "margin": self.referee.margin(dead), "owners": self.owners })
    }
}
