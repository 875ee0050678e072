//! Fixed positions searched to a fixed depth: a checksum of behaviour and a measure of speed.

pub(crate) const DEPTH: u32 = 14;

pub(crate) const POSITIONS: [&str; 8] = [
    "bbbbbbbb/8/8/8/8/8/8/wwwwwwww w 0",
    "b1bbbb1b/8/2b3b1/8/8/1w3w2/8/w1wwww1w b 4",
    "1bb2bb1/3b4/b6b/2b5/4w3/w6w/2w1w3/1ww2w2 w 3",
    "2b2b2/1b1b4/4b3/1bw2b2/3w1w2/5w2/1w1w4/2w3w1 b 2",
    "6b1/6b1/5b2/8/5b2/2w3w1/3ww3/8 w 0",
    "8/bw1wb1wb/8/bw1wb1wb/8/bw1wb3/8/8 w 0",
    "3b4/2bb4/8/5w2/8/1b2ww2/8/6w1 b 11",
    "8/1b4b1/8/2ww4/8/4bb2/8/3w4 w 88",
];
