//! Counting the leaves of the move tree: the test of every move generator.

use crate::{Aborted, Control, Game, MoveList};

/// The number of move sequences that begin with each legal move.
pub type Division<M> = Vec<(M, u64)>;

/// The number of move sequences of `depth` plies from each legal move, in the order of generation.
pub fn divide<G: Game>(position: &G, depth: u32, control: &Control) -> Result<Division<G::Move>, Aborted> {
    let mut lists = vec![MoveList::new(); depth.max(1) as usize];
    let moves = position.list();
    moves
        .into_iter()
        .map(|m| {
            let next = position.after(m);
            Ok((m, leaves(&next, depth.saturating_sub(1), &mut lists, control)?))
        })
        .collect()
}

/// The number of move sequences of `depth` plies; the last ply is counted, not played.
pub fn perft<G: Game>(position: &G, depth: u32) -> u64 {
    let mut lists = vec![MoveList::new(); depth as usize];
    leaves(position, depth, &mut lists, &Control::default()).expect("nobody stops this control")
}

fn leaves<G: Game>(
    position: &G,
    depth: u32,
    lists: &mut [MoveList<G::Move>],
    control: &Control,
) -> Result<u64, Aborted> {
    match depth {
        0 => return Ok(1),
        1 => return Ok(position.count()),
        _ if control.stopped() => return Err(Aborted),
        _ => {}
    }
    let (list, deeper) = lists.split_first_mut().expect("one list for each ply");
    list.clear();
    position.moves(list);
    let mut total = 0;
    for &m in list.iter() {
        let next = position.after(m);
        total += leaves(&next, depth - 1, deeper, control)?;
    }
    Ok(total)
}
