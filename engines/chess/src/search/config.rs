//! The switches of the search, so that experiments and play use the same code.

/// Every switch, all on by default.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Config {
    /// A narrow window around the value of the last iteration.
    pub aspiration: bool,
    /// Let the table cut.
    pub table_cutoffs: bool,
    /// Prefer quiet moves that cut at the same ply.
    pub killers: bool,
    /// Prefer moves that were good elsewhere, whatever came before.
    pub butterfly_history: bool,
    /// Prefer captures that were good elsewhere.
    pub capture_history: bool,
    /// Prefer moves that were good after the same moves.
    pub continuation_history: bool,
    /// Correct the static value by what searches of similar positions found.
    pub correction_history: bool,
    /// Let the opponent move twice; if we still fail high, cut.
    pub null_move: bool,
    /// Search late moves less deep first.
    pub late_move_reductions: bool,
    /// Near the horizon, leave late quiet moves out.
    pub late_move_pruning: bool,
    /// Near the horizon, leave quiet moves out that cannot reach the window.
    pub futility: bool,
    /// Near the horizon, cut when the static value stands well above the window.
    pub reverse_futility: bool,
    /// Near the horizon, drop into quiescence when the static value stands far below the window.
    pub razoring: bool,
    /// Leave moves out that lose material.
    pub exchange_pruning: bool,
    /// Search positions in check one ply deeper.
    pub check_extension: bool,
    /// Search a move deeper that is better than all others.
    pub singular_extension: bool,
    /// Search less deep where the table knows no move.
    pub internal_reduction: bool,
    /// Cut when a good capture beats the window by a margin in a shallower search.
    pub probcut: bool,
    /// Give checks in the first ply of quiescence.
    pub quiescence_checks: bool,
    /// Narrow the window to what the shortest mate can give.
    pub mate_distance: bool,
    /// See a repetition one ply before it happens.
    pub upcoming_repetition: bool,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            aspiration: true,
            table_cutoffs: true,
            killers: true,
            butterfly_history: true,
            capture_history: true,
            continuation_history: true,
            correction_history: true,
            null_move: true,
            late_move_reductions: true,
            late_move_pruning: true,
            futility: true,
            reverse_futility: true,
            razoring: true,
            exchange_pruning: true,
            check_extension: true,
            singular_extension: true,
            internal_reduction: true,
            probcut: true,
            quiescence_checks: true,
            mate_distance: true,
            upcoming_repetition: true,
        }
    }
}

/// A switch by its name in experiments: `null_move`.
pub type Switch = (&'static str, fn(&mut Config) -> &mut bool);

impl Config {
    /// All switches with their names.
    pub const SWITCHES: [Switch; 21] = [
        ("aspiration", |c| &mut c.aspiration),
        ("table_cutoffs", |c| &mut c.table_cutoffs),
        ("killers", |c| &mut c.killers),
        ("butterfly_history", |c| &mut c.butterfly_history),
        ("capture_history", |c| &mut c.capture_history),
        ("continuation_history", |c| &mut c.continuation_history),
        ("correction_history", |c| &mut c.correction_history),
        ("null_move", |c| &mut c.null_move),
        ("late_move_reductions", |c| &mut c.late_move_reductions),
        ("late_move_pruning", |c| &mut c.late_move_pruning),
        ("futility", |c| &mut c.futility),
        ("reverse_futility", |c| &mut c.reverse_futility),
        ("razoring", |c| &mut c.razoring),
        ("exchange_pruning", |c| &mut c.exchange_pruning),
        ("check_extension", |c| &mut c.check_extension),
        ("singular_extension", |c| &mut c.singular_extension),
        ("internal_reduction", |c| &mut c.internal_reduction),
        ("probcut", |c| &mut c.probcut),
        ("quiescence_checks", |c| &mut c.quiescence_checks),
        ("mate_distance", |c| &mut c.mate_distance),
        ("upcoming_repetition", |c| &mut c.upcoming_repetition),
    ];

    /// Turns one switch; says whether the name is known.
    pub fn turn(&mut self, name: &str, on: bool) -> bool {
        let known = Config::SWITCHES.iter().find(|(known, _)| *known == name);
        known.is_some_and(|(_, field)| {
            *field(self) = on;
            true
        })
    }
}
