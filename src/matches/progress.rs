//! How a running match is shown: a bar on a terminal, plain lines elsewhere, or nothing.

use std::io::IsTerminal;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

use super::log::Entry;
use super::standings::Standings;
use super::statistics::sprt::Sprt;
use crate::progress::say;

/// Shows what happens.
pub enum Progress {
    /// A bar on the error stream.
    Bar(ProgressBar),
    /// Lines on the output: each game, and the standing after so many.
    Lines {
        /// Games between two standings; 0 for none at all.
        interval: u64,
    },
    /// Nothing.
    Quiet,
}

impl Progress {
    /// The form that suits the output, for a match of `total` games of which `played` are over.
    pub fn new(quiet: bool, interval: u64, total: u64, played: u64) -> Progress {
        if quiet {
            return Progress::Quiet;
        }
        if !std::io::stderr().is_terminal() || !std::io::stdout().is_terminal() {
            return Progress::Lines { interval };
        }
        let bar = ProgressBar::new(total).with_position(played);
        let style = "{bar:30} {pos}/{len} games  {msg}  {elapsed_precise}, {eta_precise} left";
        bar.set_style(ProgressStyle::with_template(style).expect("the template is fixed"));
        bar.reset_eta();
        bar.enable_steady_tick(Duration::from_secs(1));
        Progress::Bar(bar)
    }

    /// Shows a finished game and the standing.
    pub fn game(&self, entry: &Entry, standings: &Standings, sprt: Option<&Sprt>) {
        let remarks = entry.remarks.iter().map(|remark| format!("Remark in game {}: {remark}", entry.game));
        match self {
            Progress::Quiet => {}
            Progress::Bar(bar) => {
                remarks.for_each(|remark| bar.println(remark));
                bar.set_message(standings.headline(sprt));
                bar.inc(1);
            }
            Progress::Lines { interval } => {
                let mut text = format!(
                    "Finished game {} ({} vs {}): {} {{{}}}\n",
                    entry.game, entry.white, entry.black, entry.result, entry.reason
                );
                remarks.for_each(|remark| text += &(remark + "\n"));
                if standings.games().is_multiple_of(*interval) {
                    text += &format!("After {} games: {}\n", standings.games(), standings.headline(sprt));
                }
                // Lines that cannot be written cost no game; the table at the end will tell.
                let _ = say(&text);
            }
        }
    }

    /// Makes room for the table.
    pub fn finish(&self) {
        if let Progress::Bar(bar) = self {
            bar.finish_and_clear();
        }
    }
}
