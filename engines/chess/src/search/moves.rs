//! The moves of a node: which are left out, which are searched deeper or less deep, what a cutoff teaches.

use std::collections::VecDeque;

use ::search::busy::Busy;
use ::search::{Aborted, Bound, Eval, Game, Score};

use super::node::{Facts, from_table, to_table};
use super::picker::Picker;
use super::worker::{NO_VALUE, Shared, Worker};
use crate::moves::Move;
use crate::position::Position;
use crate::see;
use crate::tuning::search as tuning;

/// A move whose turn it is.
#[derive(Clone, Copy)]
struct Turn {
    m: Move,
    /// Its place in the order, from 1.
    number: usize,
    noisy: bool,
    /// Whether the exchange judges it bad.
    late: bool,
}

/// What the loop over the moves has found so far.
struct Progress {
    best: i32,
    chosen: Option<Move>,
    count: usize,
    /// Moves that another thread is searching: later the table may know them.
    put_off: VecDeque<Turn>,
    /// Moves searched in vain, for the histories.
    quiets: Tried,
    captures: Tried,
}

/// The first moves of a kind that were searched; later ones do not matter.
struct Tried {
    moves: [Move; 32],
    count: usize,
}

impl Tried {
    fn new() -> Tried {
        Tried { moves: [Move::from_number(0); 32], count: 0 }
    }

    fn push(&mut self, m: Move) {
        if let Some(slot) = self.moves.get_mut(self.count) {
            *slot = m;
            self.count += 1;
        }
    }

    fn all(&self) -> &[Move] {
        &self.moves[..self.count]
    }
}

/// What singularity says about the table's move.
enum Verdict {
    Extend(i32),
    /// Other moves fail high too: cut.
    Cut(i32),
}

impl<'a, E: Eval<Position>> Worker<'a, E> {
    /// Searches the moves of a node.
    pub(super) fn search_moves<const PV: bool>(
        &mut self,
        p: &Position,
        facts: &mut Facts,
    ) -> Result<i32, Aborted> {
        let ply = facts.ply;
        let start = facts.alpha;
        let killers = if self.shared.config.killers { self.stack[ply].killers } else { [None; 2] };
        let mut picker = Picker::all(p, facts.table_move, killers, self.context(ply), self.take_buffers());
        let mut found = Progress {
            best: -Score::INFINITE.0,
            chosen: None,
            count: 0,
            put_off: VecDeque::new(),
            quiets: Tried::new(),
            captures: Tried::new(),
        };
        while let Some(turn) = self.next_turn(p, facts, &mut found, &mut picker) {
            let Turn { m, noisy, number, .. } = turn;
            let extension = match self.singularity(p, facts, m)? {
                Verdict::Extend(plies) => plies,
                Verdict::Cut(score) => {
                    self.buffers.push(picker.release());
                    return Ok(score);
                }
            };
            let mark = self.mark(facts, &turn);
            mark.inspect(|(busy, name)| busy.mark(*name));
            let score = self.search_move::<PV>(p, facts, turn, found.best, extension);
            mark.inspect(|(busy, name)| busy.free(*name));
            let score = score?;
            if score > found.best {
                found.best = score;
                if score > facts.alpha {
                    found.chosen = Some(m);
                    if PV {
                        self.pv.update(m, ply);
                    }
                    if score >= facts.beta {
                        self.counters.cut(number - 1);
                        break;
                    }
                    facts.alpha = score;
                }
            }
            if found.chosen != Some(m) {
                if noisy { &mut found.captures } else { &mut found.quiets }.push(m);
            }
        }
        self.buffers.push(picker.release());
        if found.count == 0 {
            if facts.excluded.is_none() {
                self.counters.inner -= 1;
                self.counters.terminal += 1;
            }
            return Ok(match (facts.excluded, p.in_check()) {
                (Some(_), _) => facts.alpha,
                (None, true) => Score::loss_in(ply as u32).0,
                (None, false) => Score::DRAW.0,
            });
        }
        if found.best >= facts.beta {
            self.learn_from_cutoff(p, facts, &found);
        }
        self.remember::<PV>(p, facts, &found, start);
        Ok(found.best)
    }

    /// The next move worth searching; those that other threads are at come last.
    fn next_turn(
        &self,
        p: &Position,
        facts: &Facts,
        found: &mut Progress,
        picker: &mut Picker,
    ) -> Option<Turn> {
        while let Some(m) = picker.next(p, &self.memory.histories, self.shared.config) {
            if facts.excluded == Some(m) {
                continue;
            }
            found.count += 1;
            let noisy = p.is_noisy(m);
            if self.is_futile(p, facts, found, m, noisy, picker) {
                continue;
            }
            let turn = Turn { m, number: found.count, noisy, late: picker.is_late() };
            if self.mark(facts, &turn).is_some_and(|(busy, name)| busy.is_marked(name)) {
                found.put_off.push_back(turn);
                continue;
            }
            return Some(turn);
        }
        found.put_off.pop_front()
    }

    /// Where and under which name threads tell each other that they search this move, if that pays.
    fn mark(&self, facts: &Facts, turn: &Turn) -> Option<(&'a Busy, u64)> {
        let pays = turn.number > 1 && facts.depth >= tuning::PUT_OFF_DEPTH && facts.excluded.is_none();
        let busy = self.shared.busy.filter(|_| pays)?;
        Some((busy, Busy::name(facts.key, u32::from(turn.m.number()))))
    }

    /// Whether a move may be left out because nothing of it can matter at this depth.
    fn is_futile(
        &self,
        p: &Position,
        facts: &Facts,
        found: &Progress,
        m: Move,
        noisy: bool,
        picker: &mut Picker,
    ) -> bool {
        let Shared { config, numbers, reductions, .. } = self.shared;
        if found.best <= -Score::DECISIVE.0 || !p.has_pieces(p.turn()) {
            return false;
        }
        let depth = facts.depth;
        if noisy {
            // Exchange pruning: near the horizon there is no time to win back what a bad capture loses.
            return config.exchange_pruning
                && depth <= tuning::BAD_CAPTURE_DEPTH
                && picker.is_late()
                && !see::gains(p, m, numbers.bad_capture_margin(depth));
        }
        let left = (depth - reductions.plies(depth, found.count)).max(0);
        // Late move pruning: the order has put the good ones before these.
        let enough = numbers.late_move_count(depth, facts.improving);
        if config.late_move_pruning && depth <= tuning::LATE_MOVE_DEPTH && found.count as i32 > enough {
            picker.skip_quiets();
            return true;
        }
        // Futility: a quiet move will not lift the value this far (Heinz, 1998).
        if config.futility
            && !p.in_check()
            && left <= tuning::FUTILITY_DEPTH
            && facts.corrected != NO_VALUE
            && facts.corrected + numbers.futility_margin(left) <= facts.alpha
        {
            picker.skip_quiets();
            return true;
        }
        // A quiet move that failed again and again after the same moves will fail here.
        if config.continuation_history && depth <= tuning::CONTINUATION_DEPTH {
            let context = self.context(facts.ply);
            let least = numbers.continuation_least(depth);
            if self.memory.histories.continuation(p, m, &context) < least {
                return true;
            }
        }
        config.exchange_pruning
            && left <= tuning::BAD_QUIET_DEPTH
            && !see::gains(p, m, numbers.bad_quiet_margin(left))
    }

    /// Singular extension: the table's move alone holds the position if all others fail below its value, and deserves a
    /// closer look (Anantharaman, Campbell and Hsu, 1988).
    fn singularity(&mut self, p: &Position, facts: &Facts, m: Move) -> Result<Verdict, Aborted> {
        let Some(entry) = facts.entry else { return Ok(Verdict::Extend(0)) };
        let depth = facts.depth;
        let asks = self.shared.config.singular_extension
            && depth >= tuning::SINGULAR_DEPTH
            && facts.table_move == Some(m)
            && facts.excluded.is_none()
            && entry.depth >= depth - tuning::SINGULAR_ENTRY
            && entry.bound != Bound::Upper
            && !entry.score.is_decisive()
            && facts.ply < 2 * self.root_depth as usize;
        if !asks {
            return Ok(Verdict::Extend(0));
        }
        let score = from_table(entry.score, facts.ply);
        let target = score - self.shared.numbers.singular_margin(depth);
        self.stack[facts.ply].excluded = Some(m);
        let others = self.node::<false>(p, target - 1, target, (depth - 1) / 2, facts.ply, facts.cut);
        self.stack[facts.ply].excluded = None;
        let others = others?;
        if others < target {
            // Far better than all others: two plies, but not without end in one line.
            let far = !facts.pv
                && others < target - self.shared.numbers.double
                && self.stack[facts.ply].doubles < tuning::MOST_DOUBLES;
            if far {
                self.stack[facts.ply].doubles += 1;
            }
            return Ok(Verdict::Extend(1 + i32::from(far)));
        }
        // Multi-cut: without the table's move the position fails high as well (Bjornsson and Marsland, 1999).
        if target >= facts.beta {
            return Ok(Verdict::Cut(target));
        }
        // Not singular and likely to be cut: its subtree deserves less than its depth.
        let (table_cuts, parent_expects) = tuning::NOT_SINGULAR;
        Ok(Verdict::Extend(if score >= facts.beta {
            table_cuts
        } else if facts.cut {
            parent_expects
        } else {
            0
        }))
    }

    /// Searches one move: reduced first if it comes late, with a zero window unless it is the first of a PV node.
    fn search_move<const PV: bool>(
        &mut self,
        p: &Position,
        facts: &Facts,
        Turn { m, number: count, late, .. }: Turn,
        best: i32,
        extension: i32,
    ) -> Result<i32, Aborted> {
        let Facts { beta, ply, .. } = *facts;
        let depth = facts.depth - 1 + extension;
        let child = self.descend(p, m, ply);
        let reduced = if count > 1 + usize::from(PV) && facts.depth >= 2 {
            self.reduced(p, facts, m, count, late)
        } else {
            0
        };
        let score = self.search_child::<PV>(&child, depth, reduced, (count, best), facts);
        self.ascend();
        let score = score?;
        if PV && count > 1 && score >= beta {
            // The line of a move that fails high in a zero window is not known.
            self.pv.clear(ply + 1);
        }
        Ok(score)
    }

    fn search_child<const PV: bool>(
        &mut self,
        child: &Position,
        mut depth: i32,
        reduced: i32,
        (count, best): (usize, i32),
        facts: &Facts,
    ) -> Result<i32, Aborted> {
        let Facts { alpha, beta, .. } = *facts;
        let ply = facts.ply + 1;
        let mut score = alpha + 1;
        if reduced > 0 {
            // Not straight into quiescence: the reply is searched in any case.
            let shallow = (depth - reduced).max(1);
            score = -self.node::<false>(child, -alpha - 1, -alpha, shallow, ply, true)?;
            if score > alpha && shallow < depth {
                // How clearly it beats the others says how closely to look at it.
                depth += self.shared.numbers.second_look(score - best, depth);
                if shallow < depth {
                    score = -self.node::<false>(child, -alpha - 1, -alpha, depth, ply, !facts.cut)?;
                }
            }
        } else if !PV || count > 1 {
            score = -self.node::<false>(child, -alpha - 1, -alpha, depth, ply, !facts.cut)?;
        }
        if PV && (count == 1 || score > alpha && score < beta) {
            score = -self.node::<true>(child, -beta, -alpha, depth, ply, false)?;
        }
        Ok(score)
    }

    /// Plies by which a late move is searched less deep; 0 for none.
    fn reduced(&self, p: &Position, facts: &Facts, m: Move, count: usize, late: bool) -> i32 {
        let Shared { config, numbers, reductions, .. } = self.shared;
        if !config.late_move_reductions {
            return 0;
        }
        // Late-move reductions: with a good order a late move is seldom best; the signs below say how seldom.
        let mut plies = reductions.plies(facts.depth, count);
        if p.is_noisy(m) {
            // Captures by half, by more if the exchange loses, and as the histories like them.
            let history = if config.capture_history { self.memory.histories.capture(p, m) } else { 0 };
            plies = if late { plies / 2 + 1 } else { plies / 2 } - history / numbers.capture_ply;
            return plies.max(0);
        }
        plies += i32::from(!facts.improving);
        plies += i32::from(facts.cut) + i32::from(facts.cut && facts.table_move.is_none());
        // Where a capture is best, quiet moves seldom are.
        plies += i32::from(facts.table_move.is_some_and(|best| p.is_noisy(best)));
        plies -= i32::from(facts.pv);
        plies -= i32::from(p.in_check());
        plies -= i32::from(self.stack[facts.ply].killers.contains(&Some(m)));
        let mut history = 0;
        if config.butterfly_history {
            history += self.memory.histories.butterfly(p, m);
        }
        if config.continuation_history {
            history += self.memory.histories.continuation(p, m, &self.context(facts.ply));
        }
        (plies - history / numbers.quiet_ply).max(0)
    }

    /// A cutoff: the move was good, those tried before it were not.
    fn learn_from_cutoff(&mut self, p: &Position, facts: &Facts, found: &Progress) {
        let Some(m) = found.chosen else { return };
        let context = self.context(facts.ply);
        let numbers = self.shared.numbers;
        let (good, bad) = (numbers.bonus(facts.depth), numbers.malus(facts.depth));
        let histories = &mut self.memory.histories;
        if p.is_noisy(m) {
            histories.note_capture(p, m, good);
        } else {
            histories.note_quiet(p, m, &context, good);
            for &other in found.quiets.all() {
                histories.note_quiet(p, other, &context, bad);
            }
            let killers = &mut self.stack[facts.ply].killers;
            if killers[0] != Some(m) {
                *killers = [Some(m), killers[0]];
            }
        }
        for &other in found.captures.all() {
            histories.note_capture(p, other, bad);
        }
    }

    /// Stores the result and corrects the opinion of similar positions.
    fn remember<const PV: bool>(&mut self, p: &Position, facts: &Facts, found: &Progress, start: i32) {
        if facts.excluded.is_some() {
            return;
        }
        let best = found.best;
        let bound = if best >= facts.beta {
            Bound::Lower
        } else if PV && best > start {
            Bound::Exact
        } else {
            Bound::Upper
        };
        to_table(self.shared.table, facts.key, found.chosen, best, facts.raw, facts.depth, bound, facts.ply);
        let quiet = found.chosen.is_none_or(|m| !p.is_noisy(m));
        let tells = match bound {
            Bound::Exact => true,
            Bound::Lower => best > facts.corrected,
            Bound::Upper => best < facts.corrected,
        };
        if !p.in_check() && quiet && tells && !Score(best).is_decisive() && facts.corrected != NO_VALUE {
            self.memory.histories.note_correction(p, best - facts.corrected, facts.depth);
        }
    }
}
