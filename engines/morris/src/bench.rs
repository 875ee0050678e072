//! Fixed positions searched to a fixed depth: a checksum of behaviour and a measure of speed.

pub(crate) const DEPTH: u32 = 16;

pub(crate) const POSITIONS: [&str; 8] = [
    "......../......../........ w 9 9 0 -",
    "...w..../.b....../........ w 8 8 2 -",
    "w.b.ww../.bw..b../b...w.b. w 3 4 0 -",
    "..wb...w/.bw...b./b.w..... b 4 5 1 -",
    "wb.bw.wb/.w.bw.b./bw..b.w. w 0 0 0 -",
    "ww.wb.../..wb..b./w..bb... b 0 0 12 -",
    "w.wb.b../.w.b..w./.b..w.b. w 0 0 6 -",
    "ww...w../...bb.b./....b... w 0 0 0 -",
];
