//! Fixed positions searched to a fixed depth: a checksum of behaviour and a measure of speed.

pub(crate) const DEPTH: u32 = 16;

/// The start, and positions of games of the engine against itself after four random moves; in those with Black to
/// move colours are exchanged.
pub(crate) const POSITIONS: [&str; 8] = [
    "bbbbbbbb/bbbbbbbb/8/8/8/8/wwwwwwww/wwwwwwww w",
    "bbbbbbb1/bbb1bbb1/4bbb1/8/1ww5/8/1w1wwwww/wwwwwwww w",
    "bbbbbbb1/1bbb1bb1/1b3bb1/8/1w1b4/4www1/wwww2ww/wwww2ww b",
    "bbbb1bb1/bbb1bbb1/5bb1/3w4/8/1b3ww1/1ww2ww1/wwwwwww1 w",
    "1bb1bbbb/1bb2bbb/8/1b1b4/wwb5/1w1w4/2w2ww1/1wwwwwww b",
    "bbbbbbb1/2b2bb1/8/1b6/8/3w4/ww3www/1www1ww1 w",
    "bb2bbbb/1bb3b1/6b1/8/1w6/3b2w1/w6w/1ww1wwww w",
    "bbbbb3/1bbb2bb/6b1/2w5/b3b3/8/1wwww1ww/1wwww1ww b",
];
