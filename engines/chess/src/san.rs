//! The short notation of game records: `Nf3`, `exd5`, `O-O`, `e8=Q+`.

use ::search::game::MoveError;
use ::search::{Game, Square};

use crate::moves::{Kind, Move};
use crate::position::{Position, Role};

/// Reads a move in short notation; checks, mates and comments on its quality are not verified.
pub(crate) fn parse(position: &Position, legal: &[Move], text: &str) -> Result<Move, MoveError> {
    let fits: Vec<Move> = pattern(text)
        .map(|p| legal.iter().copied().filter(|&m| p.fits(position, m)).collect())
        .ok_or_else(|| MoveError::Syntax(text.to_owned()))?;
    match fits[..] {
        [m] => Ok(m),
        [] => Err(MoveError::Illegal(text.to_owned())),
        _ => Err(MoveError::Ambiguous(text.to_owned())),
    }
}

/// Writes a legal move in short notation.
pub fn write(position: &Position, m: Move) -> String {
    let legal = position.list();
    let mut out = body(position, &legal, m);
    let next = position.after(m);
    if next.in_check() {
        out.push(if next.count() == 0 { '#' } else { '+' });
    }
    out
}

fn body(position: &Position, legal: &[Move], m: Move) -> String {
    if m.kind() == Kind::Castle {
        return if m.to() > m.from() { "O-O" } else { "O-O-O" }.to_owned();
    }
    let takes = if position.captured(m).is_some() { "x" } else { "" };
    let role = position.role_on(m.from()).unwrap_or(Role::Pawn);
    if role == Role::Pawn {
        let file = (b'a' + m.from().file()) as char;
        let origin = if takes.is_empty() { String::new() } else { file.to_string() };
        let promotion = m.promotion().map_or(String::new(), |role| format!("={}", capital(role)));
        return format!("{origin}{takes}{}{promotion}", m.to());
    }
    let others: Vec<Move> = legal
        .iter()
        .copied()
        .filter(|o| {
            o.to() == m.to()
                && *o != m
                && o.kind() != Kind::Castle
                && position.role_on(o.from()) == Some(role)
        })
        .collect();
    let from = m.from().to_string();
    let origin = if others.is_empty() {
        ""
    } else if others.iter().all(|o| o.from().file() != m.from().file()) {
        &from[..1]
    } else if others.iter().all(|o| o.from().rank() != m.from().rank()) {
        &from[1..]
    } else {
        &from
    };
    format!("{}{origin}{takes}{}", capital(role), m.to())
}

fn capital(role: Role) -> char {
    ['P', 'N', 'B', 'R', 'Q', 'K'][role.index()]
}

/// What a text says about a move.
struct Pattern {
    role: Role,
    file: Option<u8>,
    rank: Option<u8>,
    to: Option<Square>,
    promotion: Option<Role>,
    short: bool,
}

impl Pattern {
    fn fits(&self, position: &Position, m: Move) -> bool {
        let Some(to) = self.to else { return m.kind() == Kind::Castle && (m.to() > m.from()) == self.short };
        m.kind() != Kind::Castle
            && m.to() == to
            && position.role_on(m.from()) == Some(self.role)
            && m.promotion() == self.promotion
            && self.file.is_none_or(|file| m.from().file() == file)
            && self.rank.is_none_or(|rank| m.from().rank() == rank)
    }
}

fn pattern(text: &str) -> Option<Pattern> {
    let text = text.trim_end_matches(['+', '#', '!', '?']);
    let mut pattern =
        Pattern { role: Role::Pawn, file: None, rank: None, to: None, promotion: None, short: false };
    if matches!(text, "O-O" | "0-0") {
        return Some(Pattern { short: true, ..pattern });
    }
    if matches!(text, "O-O-O" | "0-0-0") {
        return Some(pattern);
    }
    if !text.is_ascii() {
        return None;
    }
    let role = |letter: char| {
        ['N', 'B', 'R', 'Q', 'K'].into_iter().position(|l| l == letter).map(|i| Role::ALL[i + 1])
    };
    let mut rest = text;
    if let Some(kind) = rest.chars().next().and_then(role) {
        pattern.role = kind;
        rest = &rest[1..];
    }
    if let Some(kind) = rest.chars().last().and_then(role) {
        pattern.promotion = Some(kind);
        rest = rest[..rest.len() - 1].trim_end_matches('=');
    }
    let target = rest.len().checked_sub(2)?;
    pattern.to = Some(Square::read(8, &rest[target..])?);
    for letter in rest[..target].bytes() {
        match letter {
            b'a'..=b'h' => pattern.file = Some(letter - b'a'),
            b'1'..=b'8' => pattern.rank = Some(letter - b'1'),
            b'x' | b'-' => {}
            _ => return None,
        }
    }
    Some(pattern)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rules;

    #[test]
    fn what_is_written_can_be_read() {
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "1n6/P7/8/3pP3/8/2N1N3/8/k1N4K w - d6 0 1",
        ] {
            let position = Position::read(&Rules::default(), fen).unwrap();
            let legal = position.list();
            for m in legal {
                assert_eq!(position.parse(&write(&position, m)), Ok(m), "{}", write(&position, m));
            }
        }
    }

    #[test]
    fn origins_are_given_as_far_as_needed() {
        let position = Position::read(&Rules::default(), "8/8/8/8/8/2N1N3/8/k1N4K w - - 0 1").unwrap();
        let written = |text: &str| write(&position, position.parse(text).unwrap());
        assert_eq!(written("e3d1"), "Ned1");
        assert_eq!(written("c3b5"), "Nb5");
        assert_eq!(position.parse("Nd5"), Err(MoveError::Ambiguous("Nd5".to_owned())));
    }
}
