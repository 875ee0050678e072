//! Who plays a side, and how much it may spend on a move.

use serde::{Deserialize, Serialize};

/// Who plays a side.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Seat {
    /// Somebody at a browser.
    #[default]
    Human,
    /// Our engine of the game.
    Engine {
        /// Its place in [`LEVELS`].
        level: usize,
        /// What it may spend; none for what the level says.
        #[serde(default)]
        limit: Option<Limit>,
        /// Options as name and value.
        #[serde(default)]
        options: Vec<(String, String)>,
    },
    /// An engine from the user's `engines.toml`.
    Installed {
        /// Its name there.
        name: String,
        /// What it may spend.
        #[serde(default)]
        limit: Option<Limit>,
    },
    /// An agent that came over the network.
    Agent {
        /// The name it gave.
        name: String,
        /// What it may spend.
        #[serde(default)]
        limit: Option<Limit>,
    },
}

impl Seat {
    /// What the seat says about spending, if anything.
    pub fn limit(&self) -> Option<Limit> {
        match self {
            Seat::Human => None,
            Seat::Engine { level, limit, .. } => limit.or(LEVELS.get(*level).map(|l| Limit::Time(l.time))),
            Seat::Installed { limit, .. } | Seat::Agent { limit, .. } => *limit,
        }
    }

    /// What spectators read, after the name of our engine for this game.
    pub fn name(&self, ours: &str) -> String {
        match self {
            Seat::Human => "Human".to_owned(),
            Seat::Engine { level, .. } => {
                format!("{ours}, {}", LEVELS.get(*level).map_or("unknown level", |level| level.name))
            }
            Seat::Installed { name, .. } => name.clone(),
            Seat::Agent { name, .. } => format!("{name} (network)"),
        }
    }
}

/// What a player may spend on a move.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Limit {
    /// Milliseconds.
    Time(u64),
    /// Positions.
    Nodes(u64),
    /// Plies.
    Depth(u32),
    /// As it likes, within the game's clock.
    Clock,
}

/// How strong our engines play.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Level {
    /// As users see it.
    pub name: &'static str,
    /// The engine's `Skill Level`.
    pub skill: u32,
    /// Milliseconds a move.
    pub time: u64,
}

/// From beginner to full strength.
pub const LEVELS: &[Level] = &[
    Level { name: "Beginner", skill: 0, time: 50 },
    Level { name: "Novice", skill: 3, time: 100 },
    Level { name: "Casual", skill: 7, time: 200 },
    Level { name: "Club", skill: 11, time: 300 },
    Level { name: "Strong", skill: 15, time: 500 },
    Level { name: "Expert", skill: 18, time: 1000 },
    Level { name: "Full strength", skill: 20, time: 2000 },
];

/// The level a newcomer meets.
pub const USUAL_LEVEL: usize = 2;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seats_are_read_as_the_page_writes_them() {
        let read = |text| serde_json::from_str::<Seat>(text);
        assert_eq!(read(r#"{"kind":"human"}"#).unwrap(), Seat::Human);
        let engine = read(r#"{"kind":"engine","level":6,"limit":{"nodes":9}}"#).unwrap();
        assert_eq!(engine.limit(), Some(Limit::Nodes(9)));
        assert_eq!(engine.name("Us"), "Us, Full strength");
        let installed = read(r#"{"kind":"installed","name":"X","limit":"clock"}"#).unwrap();
        assert_eq!(installed.limit(), Some(Limit::Clock));
        assert!(read(r#"{"kind":"command","name":"rm"}"#).is_err());
    }

    #[test]
    fn levels_grow_stronger() {
        assert!(LEVELS.windows(2).all(|pair| pair[0].skill < pair[1].skill && pair[0].time < pair[1].time));
        assert!(USUAL_LEVEL < LEVELS.len());
    }
}
