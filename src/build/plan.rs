//! What a build will take, and whether there is room for it.

use std::fmt;
use std::path::Path;
use std::time::Duration;

use anyhow::{Result, ensure};
use indicatif::{HumanBytes, HumanCount, HumanDuration};
use search::endgame::{Format, Needs, Space, needs};

use super::room;

/// The units that are missing and what each takes.
pub(super) struct Plan {
    units: Vec<Unit>,
    /// Bytes free on the disk and in memory, where the system tells.
    disk: Option<u64>,
    memory: Option<u64>,
}

struct Unit {
    label: String,
    states: u64,
    needs: Needs,
    time: Duration,
}

impl Plan {
    /// What building these units into a directory takes.
    pub(super) fn new<S: Space>(space: &S, units: Vec<usize>, format: Format, directory: &Path) -> Plan {
        let unit = |unit: usize| Unit {
            label: space.label(unit),
            states: space.states(unit),
            needs: Needs::of(space, unit, format),
            time: needs::time(space, unit),
        };
        Plan {
            units: units.into_iter().map(unit).collect(),
            disk: room::disk(directory),
            memory: room::memory(),
        }
    }

    /// Whether there is room for all of it, as far as the system tells.
    pub(super) fn check(&self) -> Result<()> {
        let disk = self.disk();
        let free = self.disk.unwrap_or(u64::MAX);
        ensure!(disk <= free, "about {} are needed on disk and {} free", HumanBytes(disk), HumanBytes(free));
        let free = self.memory.unwrap_or(u64::MAX);
        for Unit { label, needs, .. } in &self.units {
            let memory = needs.memory;
            ensure!(
                memory <= free,
                "unit {label} needs {} of memory and {} are free",
                HumanBytes(memory),
                HumanBytes(free)
            );
        }
        Ok(())
    }

    fn disk(&self) -> u64 {
        self.units.iter().map(|unit| unit.needs.disk).sum()
    }
}

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "| unit | states | on disk, about | in memory | time, about |")?;
        writeln!(f, "|---|--:|--:|--:|--:|")?;
        for Unit { label, states, needs: Needs { disk, memory }, time } in &self.units {
            let (disk, memory) = (HumanBytes(*disk), HumanBytes(*memory));
            writeln!(f, "| {label} | {states} | {disk} | {memory} | {:.1} s |", time.as_secs_f64())?;
        }
        let states: u64 = self.units.iter().map(|unit| unit.states).sum();
        let memory = self.units.iter().map(|unit| unit.needs.memory).max().unwrap_or(0);
        let time = self.units.iter().map(|unit| unit.time).sum();
        let (disk, memory, time) = (HumanBytes(self.disk()), HumanBytes(memory), HumanDuration(time));
        writeln!(
            f,
            "{} states, {disk} on disk, at most {memory} in memory, about {time}",
            HumanCount(states)
        )?;
        let free =
            |bytes: Option<u64>| bytes.map_or("unknown".to_owned(), |bytes| HumanBytes(bytes).to_string());
        write!(f, "free: {} on disk, {} in memory", free(self.disk), free(self.memory))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_suffice_is_named() {
        let unit = |label: &str, mib: u64| Unit {
            label: label.to_owned(),
            states: 1,
            needs: Needs { disk: mib << 20, memory: mib << 21 },
            time: Duration::ZERO,
        };
        let plan = |disk: Option<u64>, memory: Option<u64>| Plan {
            units: vec![unit("small", 1), unit("large", 3)],
            disk: disk.map(|mib| mib << 20),
            memory: memory.map(|mib| mib << 20),
        };
        plan(Some(4), Some(6)).check().unwrap();
        plan(None, None).check().unwrap();
        let why = |plan: Plan| plan.check().unwrap_err().to_string();
        assert_eq!(why(plan(Some(3), Some(6))), "about 4.00 MiB are needed on disk and 3.00 MiB free");
        assert_eq!(why(plan(Some(4), Some(5))), "unit large needs 6.00 MiB of memory and 5.00 MiB are free");
        assert!(plan(Some(4), None).to_string().ends_with("free: 4.00 MiB on disk, unknown in memory"));
    }
}
